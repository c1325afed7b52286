"""What runs in the sandboxes of the pool, beside `proctor.agents.process.inside`.

Handed over as code on a descriptor, so that an agent finds no file of it. Imports nothing but each other, `inside` and
the standard library.
"""
