"""Listening sockets that an agent's process can reach and the bench serves, without a network being opened.

    port.py      what is asked for: a name, and the variables that tell the agent where it is
    launcher.py  runs inside, before the agent's command: listens on loopback and hands the descriptors out
    handover.py  the bench's end: the command line of the launcher, and the sockets once they have come

A confined agent has a network namespace of its own, in which nothing outside can be reached. A socket that listens
there belongs to that namespace for ever, whoever holds it: the agent connects to it at 127.0.0.1, the bench accepts.
"""
