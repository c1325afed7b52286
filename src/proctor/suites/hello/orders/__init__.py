"""Family `orders`: book a change in a real database, completely and once."""

from proctor.suites.hello.orders.family import family

__all__ = ["family"]
