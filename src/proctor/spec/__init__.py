"""Declarations as frozen data: what is examined, how, and by which rules.

Suites, regimes, conditions, families, systems, rules and scenarios are declared here; each is identified by the hash of
its content. They check themselves and do nothing else: the engine carries them out, instruments read by them.
"""
