"""Evidence from Python: the rates of a run with their intervals, and the trace of one episode, event by event.

    python examples/read_evidence.py [STORE] [RUN]
"""

import sys

import proctor


def rates(run: str, store: str) -> None:
    """One line for each family and regime: rate, interval, and how many of how many."""
    for value in proctor.score(run, store=store)["rates"].values:
        estimate = value.estimate
        if estimate.estimate is None:
            print(f"{value.where['family']:<16} {value.where['regime']:<20} not measured")
        else:
            interval = f"{estimate.low:.2f} to {estimate.high:.2f}"
            counts = f"{value.successes} of {estimate.n}"
            print(f"{value.where['family']:<16} {value.where['regime']:<20} {estimate.estimate:.2f} ({interval}; {counts})")


def trace(run: str, store: str, position: int) -> None:
    """Every event of one episode, as it stands in the chain."""
    with proctor.Store(store, create=False) as opened:
        record = opened.run(run)
        print(f"\n{record.name}, episode {position}, root {record.root}")
        for event in opened.events(record.number, position):
            print(f"  {event}"[:160])


if __name__ == "__main__":
    place, name, *_ = [*sys.argv[1:], *(".proctor/store.db", "latest")[len(sys.argv) - 1 :]]
    rates(name, place)
    trace(name, place, 0)
