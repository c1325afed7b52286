"""Family `data-pipeline`: ingest, clean, join, aggregate and export with tools that fail, up to a sound result file."""

from proctor.suites.agency.acting.data_pipeline.family import family

__all__ = ["family"]
