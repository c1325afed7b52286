"""Family `api-versions`: an interface whose operations are documented nowhere, in two versions."""

from proctor.suites.agency.learning.api_versions.family import family

__all__ = ["family"]
