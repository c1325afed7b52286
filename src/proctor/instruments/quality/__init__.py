"""The quality instrument (harness paper): may this agent be deployed, and is it worse than it was?

A metric is one declaration (`metric`); `builtin` has the paper's, `installed` finds those of packages as well. Rows
become measured metrics (`metrics`, `load`, `composite`), counts of harm (`safety`) and a reading (`instrument`); two
runs become a comparison (`regression`, `ratchet`); both become a decision (`decision`). All of it is pure.
"""
