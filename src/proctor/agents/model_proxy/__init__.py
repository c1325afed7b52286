"""Between an agent's own client and the models it asks: the bench, which keeps the keys and writes down what passes.

    client in the sandbox ── http://127.0.0.1:PORT/v1 ──▶ http_server ─▶ proxy ─▶ forwarding ─▶ the provider
                                                                          │
                                                                       exchange ─▶ session: record, tokens, cost

What the agent sends goes on as it came, what the provider sends comes back as it comes. Only declared models are asked,
only during an episode, within its limits. Nothing in evidence, in a reply or in an error holds a key.
"""
