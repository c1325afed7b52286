"""Binding 2.0: probes in which every decisive text has a twin (docs/design/binding-2.md)."""
