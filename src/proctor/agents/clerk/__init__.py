"""The clerk: a small honest rule-based agent, one file a skill."""

from proctor.agents.clerk.clerk import SKILLS, Clerk, kind

__all__ = ["SKILLS", "Clerk", "kind"]
