"""Family `ticket-routing`: category, article and contact of a ticket that names none of them."""

from proctor.suites.agency.sensing.ticket_routing.family import family

__all__ = ["family"]
