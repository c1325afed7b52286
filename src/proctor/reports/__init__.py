"""Reports: readings as data first, then rendered.

`data` says what a report is, `build` makes one from a store and readings, `section` says how an instrument is shown,
`html` renders the page. Rendering sees only the data: a report read back from JSON gives the same page.
"""
