"""What every test shares. No test may depend on how fast this machine is: hypothesis has no deadline."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("proctor", deadline=None)
settings.load_profile("proctor")
