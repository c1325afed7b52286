"""Family `subgoals`: which conditions have to be brought about, and in which order, so that an objective is reached."""

from proctor.suites.agency.originating.subgoals.family import family

__all__ = ["family"]
