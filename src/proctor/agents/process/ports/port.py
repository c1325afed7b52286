"""A port that an agent's process is to find at 127.0.0.1."""

from __future__ import annotations

from msgspec import Struct

HOST = "127.0.0.1"


class Port(Struct, frozen=True):
    """One listening socket: the bench knows it by `name`, the agent by the variables that say where it is."""

    name: str
    environment: dict[str, str] = {}
    """Variables for the agent's process; `{port}` in a value stands for the number, which is new for every process."""

    def variables(self, number: int) -> dict[str, str]:
        """The variables, with the number of the port in its place."""
        return {name: value.replace("{port}", str(number)) for name, value in self.environment.items()}
