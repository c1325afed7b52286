"""Evidence from Python: the rates of a run with their intervals, and the trace of one episode, event by event.

    python examples/read_evidence.py [STORE] [RUN]

Without arguments it reads the newest run in `.proctor/store.db`. No agent is needed for that, and nothing is changed.
"""

import sys

import proctor


def rates(store: str, run: str) -> None:
    """One line for each family and regime: rate, interval, how many of how many."""
    for value in proctor.score(run, store=store)["rates"].values:
        where = f"{value.where['family']:<16} {value.where['regime']:<20}"
        rate = value.estimate
        if rate.estimate is None:
            print(f"{where} not measured: {rate.reason}")
        else:
            print(f"{where} {rate.estimate:.2f} ({rate.low:.2f} to {rate.high:.2f}; {value.successes} of {rate.n})")


def trace(store: str, run: str, position: int) -> None:
    """Every event of one episode, as it stands in the chain."""
    with proctor.Store(store, create=False) as opened:
        record = opened.run(run)
        print(f"\n{record.name}, episode {position}, root {record.root}")
        for event in opened.events(record.number, position):
            print(f"  {event}"[:160])


def main(store: str = ".proctor/store.db", run: str = "latest") -> None:
    rates(store, run)
    trace(store, run, position=0)


if __name__ == "__main__":
    main(*sys.argv[1:])
