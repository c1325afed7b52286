"""Three enterprise domains of the suite `quality`, each a set of scenarios made from template files.

`expenses`, `service` and `infrastructure` each have `scenarios(seed)`; `assembly` says how a template file joins in.
"""
