"""Family `track`: quantities at the end of a warehouse ledger."""

from proctor.suites.hello.track.family import family

__all__ = ["family"]
