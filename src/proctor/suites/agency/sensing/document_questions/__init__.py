"""Family `document-questions`: a question over a hundred documents, with a few queries to spend."""

from proctor.suites.agency.sensing.document_questions.family import family

__all__ = ["family"]
