"""The quality suite: scenarios of an organisation, and what is needed to write, generate, check and select them.

A domain is a `ScenarioSet`; `generator` makes scenarios from templates, `lint` holds a set against the design
principles of the harness paper, `scope` picks the scenarios of a part of the organisation.
"""
