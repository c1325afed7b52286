"""Family `thermostat`: heat, cool or off, one reading after another."""

from proctor.suites.agency.deciding.thermostat.family import family

__all__ = ["family"]
