"""Family `delivery-routes`: bring parcels to their addresses although roads turn out to be closed."""

from proctor.suites.agency.deciding.delivery_routes.family import family

__all__ = ["family"]
