"""Families of Tier 5: other agents with ways of their own, which are known from how they dealt with others before."""
