"""Family `registry-desk`: shifts that one thing out of three spoils, and a window in which that can be changed."""

from proctor.suites.agency.modifying.registry_desk.family import family

__all__ = ["family"]
