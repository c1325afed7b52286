"""Family `reagent-room`: samples to be treated by the private rules of an assay house."""

from proctor.suites.agency.learning.reagent_room.family import family

__all__ = ["family"]
