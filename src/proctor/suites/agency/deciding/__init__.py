"""Decision Coherence (D): whether what a system does keeps serving its goal, step after step and told anew.

One family a level: single decisions of a thermostat (D1), sorting ten files (D2), deliveries past closed roads (D3),
one allocation told in two ways (D4), a project of twenty steps under strict caps (D5).
"""
