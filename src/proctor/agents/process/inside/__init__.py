"""What runs in the agent's own process, beside the user's code.

These files are handed into the sandbox; the rest of Proctor is not there. So they import nothing but each other and
the standard library, and of that only what starts quickly: every lifetime pays for it.
"""
