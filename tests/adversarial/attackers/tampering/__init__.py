"""What the tamperer is made of: real bundles, the parts of one, ways to change them, and readers to try them on."""
