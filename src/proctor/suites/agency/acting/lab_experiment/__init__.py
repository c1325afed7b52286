"""Family `lab-experiment`: one measurement with the right instrument and settings, and its result, in five actions."""

from proctor.suites.agency.acting.lab_experiment.family import family

__all__ = ["family"]
