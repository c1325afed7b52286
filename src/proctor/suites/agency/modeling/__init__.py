"""Modeling Capacity (M): what a system knows of states it does not see, and of what would happen if.

One family a level: stock after one or two movements (M1), balances after five bookings (M2), the better of three
strategies (M3), an interface that changes under way (M4), what another deployment would have changed (M5). Beside
M3 stands a logbook of levers: predicting with it takes what was read earlier in the episode, which a model-free
baseline does not have.
"""
