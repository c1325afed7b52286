"""The few marks by which a prompt can be taken apart again: scaffolds write them, simulants read them."""

from __future__ import annotations

from typing import Final

UNUSABLE: Final = "(declared unusable: do not rely on it) "
"""Stands before the text of a field that the model is told not to use."""
KEYS: Final = "Keys: "
"""Begins the line that lists the keys of the reply."""
