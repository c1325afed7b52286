"""The pipeline: triggers, seven stages, baselines, governed changes and the ledger. It measures nothing itself."""
