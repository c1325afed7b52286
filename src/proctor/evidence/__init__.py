"""Evidence: what episodes leave behind, chained, stored, exported and verified. Never touches a live agent."""
