"""The clerk: a small rule-based agent that is given no answers. One file per skill."""

from proctor.agents.clerk.clerk import SKILLS, Clerk, kind

__all__ = ["SKILLS", "Clerk", "kind"]
