"""Family `pipeline`: fetch, transform and upload pages with tools that fail now and then."""

from proctor.suites.hello.pipeline.family import family

__all__ = ["family"]
