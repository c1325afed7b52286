"""Probes around a user's own events: `proctor run binding --events FILE`."""
