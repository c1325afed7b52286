"""Family `emergency-planning`: what another deployment would change, and the best of them, in eight forms."""

from proctor.suites.agency.modeling.emergency_planning.family import family

__all__ = ["family"]
