"""The pipeline: triggers, seven stages, baselines, governed changes and the ledger. Decides; measures nothing itself."""
