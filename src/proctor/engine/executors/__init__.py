"""Executors: how lifetimes get done. They differ in where, never in what."""
