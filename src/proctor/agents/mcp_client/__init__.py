"""Agents that are MCP clients: the episode is served to them as an MCP server.

    kind.py      the agent kind, without what it needs to run
    program.py   from the agent string to a command that finds its server
    shim.py      runs inside, started by clients that want a server on stdio: passes lines on to the bench
    texts.py     the task as text, and the tools beside those of the task
    episode.py   one episode: what a client may call, and when it is over
    server.py    the MCP server over the current episode
    hosting.py   that server on the sockets of one process: streamable HTTP, and lines for the shim
    agent.py     one lifetime

Only `server.py` and `hosting.py` need the MCP SDK, which is imported when an agent is opened.
"""
