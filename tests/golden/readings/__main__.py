"""Compare, or write, the documents of runs; the package says how it is called."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.golden.readings.comparing import differences, listed
from tests.golden.readings.examined import RUNS, document_of, file_of, golden, whole_document_of, written


def main() -> int:
    """0 where nothing differs or something was written, 1 where a document differs from its file."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden.readings")
    parser.add_argument("names", nargs="*", metavar="RUN", help=f"of {', '.join(RUNS)} (default: all)")
    parser.add_argument("--write", action="store_true", help="write the files again")
    parser.add_argument("--whole", type=Path, metavar="FOLDER", help="write whole documents to this folder")
    given = parser.parse_args()
    unknown = sorted({*given.names} - RUNS.keys())
    if unknown:
        parser.error(f"there is no run {', '.join(unknown)}; there are {', '.join(RUNS)}")
    same = [_done(name, write=given.write, whole=given.whole) for name in given.names or RUNS]
    return 0 if all(same) else 1


def _done(name: str, *, write: bool, whole: Path | None) -> bool:
    if whole is not None:
        whole.mkdir(parents=True, exist_ok=True)
        (whole / f"{name}.json").write_text(written(whole_document_of(name)), encoding="utf-8")
        return True
    if write:
        file_of(name).write_text(written(document_of(name)), encoding="utf-8")
        return True
    found = list(differences(golden(name), document_of(name)))
    print(f"{name}: {len(found)} differences" if found else f"{name}: equal")
    if found:
        print(listed(found))
    return not found


if __name__ == "__main__":
    sys.exit(main())
