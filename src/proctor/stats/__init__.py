"""Statistics as pure functions: intervals, tests, resampling, agreement, power.

Each file is one subject and is imported by name (`from proctor.stats.intervals import proportion`); this package
itself imports nothing, and SciPy and statsmodels are loaded by the functions that need them, at their first call.

What always holds: options are keyword-only; chance comes from the caller's `numpy.random.Generator` and from nowhere
else; inputs are never changed; missing values are `None`, counted and left out, and never become 0 or NaN; a result
is a frozen object that names its method, and where something is undefined it is `None` with a reason in words.
"""
