"""What episodes leave behind: events, their hash chain, rows, the store, and bundles that others can verify.

Evidence is written once and read by instruments, reports and people. Nothing here runs an agent.
"""
