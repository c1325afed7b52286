"""The load generator: real requests, in real time, each of them a whole episode with its verifier."""
