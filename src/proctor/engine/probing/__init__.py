"""Probes: the identity of a family, measured by what it does instead of read off its source.

A probe is three hashes of what a family does on fixed draws: the *instances* it makes, the *tools* its worlds show, and
the *verdicts* of whole episodes, among them episodes in which a right solution was tampered with. A comment or a rename
leaves all three unchanged; a changed draw, text, tool or verdict changes at least one. `probes.lock` holds the probes
of released families, and `config_hash` covers them.

A probe is a sample: it does not notice a change in a rare draw, in a combination of knobs that no probe tries, or made
in bad faith. Running a suite again does.
"""
