"""Figures drawn from tables: `catalogue` lists them, `canvas` writes them, `views` says what is in them.

`views` needs no drawing library; everything else asks for matplotlib only when a figure is drawn.
"""
