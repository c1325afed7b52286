"""Reports: readings as data first, then rendered.

`data.py` says what a report is, `build.py` makes one from a store and readings, `section.py` how an instrument brings
its own part, `html/` renders the page. Rendering sees only the data: a report read back from JSON gives the same page.
"""
