"""Goal Revision (G1): what a system does when a goal cannot be reached as it stands, and when it can.

One family a level: is it feasible (G1-1), the earliest date or the part that fits (G1-2), substitutes within budget,
permissions and scope (G1-3), the same revision however the case is told (G1-4), the best revision under caps (G1-5).
All five are planning problems told as facts (`facts`) in one of nine forms (`forms`); decisions are recorded through
tools (`office`) and judged by the exact plan, never by what an agent says of it.
"""
