"""Proctor examines AI agents and writes down what can be proven about them."""
