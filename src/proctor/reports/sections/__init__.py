"""One module an instrument; `proctor.reports.section` says what each must have."""
