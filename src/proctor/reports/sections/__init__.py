"""The sections of the built-in instruments, one module each; `proctor.reports.section` has the contract."""
