"""Family `plant-recovery`: a plant's controller restored and its units restarted in order, in five actions."""

from proctor.suites.agency.acting.plant_recovery.family import family

__all__ = ["family"]
