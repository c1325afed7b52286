"""Chat models: one contract, and the providers that come with Proctor. They see requests and nothing of the bench."""
