"""What an optimal policy can still reach under a regime: the arithmetic behind `Family.attainable`.

The policy is the best that an agent without the hidden answer could follow: repeat what was not carried out, read
again under noise and take each field by strict majority. The majority is counted against the policy: altered readings
are taken to agree with each other, and a tie is lost. So the ceiling is a floor of what is attainable, and it is never
the oracle's rate.
"""

from __future__ import annotations

from proctor.engine.family import Deliveries
from proctor.spec.task import Effect, Instance

ENOUGH_READINGS = 31
"""More readings than this are not worth their calls: a field is then lost once in ten thousand times at 20 % noise."""
_UNLIMITED = 10_000


class OutOfCalls(Exception):
    """The calls that the regime leaves are used up."""


class Policy:
    """One episode of the optimal policy: how many calls it has left, and what it knows for certain."""

    __slots__ = ("_cut", "_deliveries", "_noisy", "_retries", "calls", "queries")

    def __init__(self, instance: Instance, deliveries: Deliveries) -> None:
        regime = deliveries.regime
        actions = deliveries.actions(instance)
        queries = [cap for cap in (instance.budget.queries, regime.information.queries) if cap is not None]
        self.calls = _UNLIMITED if actions is None else actions
        self.queries = min(queries, default=_UNLIMITED)
        self._retries = _UNLIMITED if regime.action.retries is None else regime.action.retries
        self._deliveries = deliveries
        noise = regime.stability.noise
        self._noisy = bool(noise and noise.share) or regime.stability.perturbation > 0
        self._cut = regime.information.context_cut

    def attempt(self, effect: Effect = "read", *, milliseconds: int | None = None, spare: bool = False) -> bool:
        """Spend one call; whether it was carried out and answered.

        `spare`: it is made only because calls are left, and is no part of what the task takes.
        """
        if self.calls <= 0 or (effect == "read" and self.queries <= 0):
            raise OutOfCalls
        self.calls -= 1
        self.queries -= effect == "read"
        if not spare:
            self._deliveries.spend(effect, milliseconds=milliseconds)
        return not self._deliveries.fails(effect=effect)

    def call(self, effect: Effect = "read", *, times: int = 1, milliseconds: int | None = None) -> None:
        """Make calls, each repeated until it is carried out.

        `milliseconds`: what each takes; None means the quickest tool of this effect.
        """
        for _ in range(times):
            while not self.attempt(effect, milliseconds=milliseconds):
                self._retries -= 1
                if self._retries < 0:
                    raise OutOfCalls

    def clean(self, fields: int) -> None:
        """Read until two readings have all their fields unaltered: for readings that carry a checksum.

        Two, since a checksum may fit by coincidence; two such coincidences hardly ever agree. One is enough where
        nothing is altered.
        """
        for _ in range(2 if self._noisy else 1):
            self.call()
            while any(self._lost() for _ in range(fields)):
                self.call()

    def settle(self, fields: int, *, calls: int = 1, seen: int = 1, keep: int = 0) -> bool:
        """Read `fields` fields again and again; whether a strict majority of the readings of each is unaltered.

        One reading costs `calls` calls; `seen` readings come for nothing (the first observation); `keep` calls are
        left for what comes afterwards. All calls that are left go into reading; those beyond the first reading are
        spare.
        """
        if not (self._noisy or self._cut):
            if not seen:
                self.call(times=calls)
            return True
        readings = seen
        while readings < ENOUGH_READINGS and min(self.calls - keep, self.queries) >= calls:
            carried_out = [self.attempt(spare=readings > 0) for _ in range(calls)]
            readings += all(carried_out)
        return all(self._majority(readings) for _ in range(fields))

    def settle_then_write(
        self, fields: int, writes: int, *, keep: int, seen: int = 1, milliseconds: tuple[int, ...] = ()
    ) -> bool:
        """Whether so many fields can be settled (see `settle`) and so many writing calls be made after that.

        `milliseconds`: what the writing calls take, where they differ.
        """
        try:
            known = self.settle(fields, seen=seen, keep=keep)
            for takes in milliseconds or (None,) * writes:
                self.call("write", milliseconds=takes)
        except OutOfCalls:
            return False
        return known

    def _majority(self, readings: int) -> bool:
        balance = 0
        for _ in range(readings):
            if self._cut and not self._deliveries.stream.chance((1 - self._cut) / (2 - self._cut)):
                continue
            balance += -1 if self._deliveries.altered() else 1
        return balance > 0

    def _lost(self) -> bool:
        cut = self._cut > 0 and not self._deliveries.stream.chance((1 - self._cut) / (2 - self._cut))
        return self._deliveries.altered() or cut
