"""Two runs side by side: which episodes match, what differs, by how much, and whether they may be compared at all."""
