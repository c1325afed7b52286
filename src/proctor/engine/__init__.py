"""The engine in three layers: one episode, building from names, running a batch. Executors differ only in the last."""
