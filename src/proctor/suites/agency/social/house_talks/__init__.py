"""Family `house-talks`: three orders from four houses, each of which deals in a way of its own, in eight layouts."""

from proctor.suites.agency.social.house_talks.family import family

__all__ = ["family"]
