"""The section of a plug-in, asked with care: where its code fails, the generic section stands in and says so."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from proctor.core.errors import InputError, PluginError
from proctor.evidence.evidence import Evidence
from proctor.instruments.base import Reading
from proctor.plugins import registry
from proctor.plugins.calls import call_plugin
from proctor.reports.data import Conclusion, FlagShown, Report, Section
from proctor.reports.section import Concludes, Example, SectionKind
from proctor.reports.sections.generic import section as generic

if TYPE_CHECKING:
    from proctor.reports.html.markup import Markup

T = TypeVar("T")


class GuardedSection:
    """A plug-in's section. Nothing it raises or gives reaches the caller but as a sentence."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._problem = ""
        self._kind: SectionKind = generic
        try:
            self._kind = registry.load("sections", name)
        except InputError as error:
            self._problem = str(error)
        self.place = self._ask(lambda kind: kind.place, int)
        self.statement = self._ask(lambda kind: kind.statement, str)
        self.replaces: tuple[str, ...] = tuple(self._ask(lambda kind: kind.replaces, tuple))

    def _ask(self, question: Callable[[SectionKind], T], expected: type[T]) -> T:
        """What the plug-in's section answers; what the generic one does where it cannot."""
        try:
            return call_plugin("sections", self._name, lambda: question(self._kind), expected)
        except PluginError as error:
            self._problem = self._problem or str(error)
            return question(generic)

    def title(self, reading: Reading) -> str:
        return self._ask(lambda kind: kind.title(reading), str)

    def headline(self, reading: Reading) -> str:
        return self._ask(lambda kind: kind.headline(reading), str)

    def flags(self, reading: Reading) -> Iterable[FlagShown]:
        shown = self._ask(lambda kind: list(kind.flags(reading)), list)
        return [*shown, *([FlagShown("", "Broken section", self._problem)] if self._problem else [])]

    def data(self, reading: Reading, evidence: Evidence) -> dict[str, Any]:
        return self._ask(lambda kind: kind.data(reading, evidence), dict)

    def examples(self, reading: Reading, evidence: Evidence) -> Iterable[Example]:
        return self._ask(lambda kind: list(kind.examples(reading, evidence)), list)

    def conclusion(self, reading: Reading, evidence: Evidence) -> Conclusion | None:
        def asked(kind: SectionKind) -> list[Conclusion | None]:
            return [kind.conclusion(reading, evidence) if isinstance(kind, Concludes) else None]

        (found,) = self._ask(asked, list)
        return found if isinstance(found, Conclusion) else None

    def html(self, section: Section, report: Report) -> Markup:
        from proctor.reports.html.markup import Markup, join, tag

        body = self._ask(lambda kind: kind.html(section, report), Markup)
        return join(tag("p", self._problem), body) if self._problem else body

    def text(self, reading: Reading, evidence: Evidence, *, asked: bool) -> str:
        text = self._ask(lambda kind: kind.text(reading, evidence, asked=asked), str)
        return "\n\n".join(part for part in (self._problem, text) if part)

    def summary(self, reading: Reading, evidence: Evidence) -> str:
        text = self._ask(lambda kind: kind.summary(reading, evidence), str)
        return "\n\n".join(part for part in (self._problem, text) if part)
