"""Family `inventory`: stock after one or two movements, in eight forms."""

from proctor.suites.agency.modeling.inventory.family import family

__all__ = ["family"]
