"""What five small, wide runs give today: rows, readings and reports, one JSON file each.

A change that is meant to alter structure alone must leave these files equal; digests of code and of the execution are
masked (`masking.py`), so that they may change. A change that is meant to alter a result writes the files again, and the
diff then shows all it altered.

    python -m tests.golden.readings                    compare: prints every path that differs, exits 1 if one does
    python -m tests.golden.readings --write            write the files again
    python -m tests.golden.readings --whole FOLDER     write nothing here, but every document with all its rows and no
                                                       digests to FOLDER, to diff between two states of the code

Each takes names of runs, e.g. `--write hello quality`; without a name it means all of them.
"""
