"""Family `sowing-season`: sow what pays most in the end, and harvest it in the right week."""

from proctor.suites.agency.planning.sowing_season.family import family

__all__ = ["family"]
