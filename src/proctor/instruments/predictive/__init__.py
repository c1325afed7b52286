"""Predictive validity: does a score predict success on records of a real task, beyond what is known without it?"""
