"""Causal Efficacy (E): what a system brings about in the world, shown by what it left there and by nothing it says.

A file composed and created in one call (E1), a committed database transaction (E2), a release deployed within ten
operations (E3), a data pipeline whose tools fail (E4), and two tasks under tight caps on actions and time with
equipment that works seven times in ten: a laboratory measurement and the restart of a plant (E5).
"""
