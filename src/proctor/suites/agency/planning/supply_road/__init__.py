"""Family `supply-road`: load the right goods for the right road; everything is paid at its end."""

from proctor.suites.agency.planning.supply_road.family import family

__all__ = ["family"]
