"""An audit of somebody's published evaluation: a determination with its reasons (white paper §15.4.2)."""
