"""Family `ocr-invoices`: vendor, amount and date of an invoice from bad scans."""

from proctor.suites.agency.sensing.ocr_invoices.family import family

__all__ = ["family"]
