"""Agents behind HTTP: `http://HOST:PORT/PATH`, `https://…`.

kind.py      the agent kinds, without what they need to run
address.py   what the agent string says: address, key, seconds for a reply
protocol.py  the documents that pass between bench and service, made of the messages of the wire
openapi.py   the same as an OpenAPI document
client.py    connections, shared by the lifetimes of a worker; what goes wrong, classified
reply.py     a reply, read within bounds: one document, JSON lines or server-sent events
episode.py   one episode: turn by turn, or over a stream
agent.py     one lifetime
"""
