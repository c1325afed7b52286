"""Reading a page back: elements, attributes and visible text, with every tag accounted for."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

VOID = {"meta", "br", "hr", "col"}


class Page(HTMLParser):
    """A parsed page; refuses tags that do not match."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.pieces: list[str] = []
        self.feed(source)
        self.close()
        assert self.open == [], "every element is closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.pieces.append(data)

    @property
    def text(self) -> str:
        """Everything a reader can see."""
        return "".join(self.pieces)

    def all(self, name: str) -> list[dict[str, str | None]]:
        """The attributes of every element of this name."""
        return [attributes for tag, attributes in self.elements if tag == name]


def text_of(fragment: str) -> str:
    """What a reader sees of a piece of a page; pictures and their descriptions left out."""
    return unescape(re.sub(r"<[^>]+>", "", re.sub(r"<svg.*?</svg>|<style.*?</style>", "", fragment, flags=re.DOTALL)))
