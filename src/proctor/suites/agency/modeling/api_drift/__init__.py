"""Family `api-drift`: orders for a service whose response time may change under way, in eight forms."""

from proctor.suites.agency.modeling.api_drift.family import family

__all__ = ["family"]
