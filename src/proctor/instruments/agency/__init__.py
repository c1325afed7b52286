"""The agency instrument: what can this system do on its own, and under which constraints?

Seven dimensions, levels 0 to 5, each level a test with a success rule fixed beforehand (white paper §10 and §11).
"""
