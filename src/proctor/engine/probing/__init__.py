"""Probes: the identity of a family's behaviour, measured instead of read off its source.

A probe is three hashes of what a family does on fixed draws: the *instances* it makes, the *tools* its worlds show, and
the *verdicts* of whole episodes, among them episodes in which a right solution was tampered with. A comment or a rename
leaves all three as they are; a changed draw, text, tool or verdict changes at least one. Probes of released families
stand in `probes.lock`, and `config_hash` covers them.

A probe is a sample: it does not bind a rare draw, a combination of knobs that no probe tries, or malice. Running a
suite again does.
"""
