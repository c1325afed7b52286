"""PDF through typst, which brings its fonts: no browser, no network, the same bytes on every machine."""
