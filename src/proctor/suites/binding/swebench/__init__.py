"""Predictive validity on real issues: does binding to the shown state predict localising the right file?"""
