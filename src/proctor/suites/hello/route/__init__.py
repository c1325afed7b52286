"""Family `route`: get there although some roads turn out to be blocked."""

from proctor.suites.hello.route.family import family

__all__ = ["family"]
