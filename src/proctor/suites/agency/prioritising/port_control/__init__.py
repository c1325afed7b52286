"""Family `port-control`: ships, berths and a tide that does not wait, under Severe constraints."""

from proctor.suites.agency.prioritising.port_control.family import family

__all__ = ["family"]
