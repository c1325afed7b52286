"""Family `log-debugging`: the root cause of an error, with at most three further sections of the log."""

from proctor.suites.agency.sensing.log_debugging.family import family

__all__ = ["family"]
