"""The checks of a document, paragraph by paragraph, and what to do with what they say."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from inkwright.checks.engine import Engine
from inkwright.checks.hits import Hit
from inkwright.checks.names import Names
from inkwright.checks.piece import mask
from inkwright.checks.rules import by_id
from inkwright.domain import text as places
from inkwright.domain.conversation import Locale
from inkwright.domain.diagnostic import Diagnostic
from inkwright.domain.text import Span, TextEdit
from inkwright.manuscript.markdown import Document, scan

Key = tuple[int, int]


class CheckCache:
    """What one document's paragraphs said last time, by their hash: an edit rechecks a paragraph.

    One cache per open document. It keeps the paragraphs of the last two passes, no text, and starts
    afresh when the language, the names or the set of rules change. Not safe for two threads at once.
    """

    def __init__(self) -> None:
        self.engine: Engine | None = None
        self._now: dict[Key, tuple[Hit, ...]] = {}
        self._before: dict[Key, tuple[Hit, ...]] = {}

    def prepare(self, language: str, names: Collection[str], disabled: Collection[str]) -> Engine:
        """The engine for these, made anew only when they changed; begins a pass."""
        engine = self.engine
        if (
            engine is None
            or engine.language != language
            or engine.disabled != frozenset(disabled)
            or engine.names.source != frozenset(names)
        ):
            self.engine = engine = Engine(language, Names(names), disabled)
            self._now = {}
        self._before, self._now = self._now, {}
        return engine

    def hits(self, engine: Engine, masked: str) -> tuple[Hit, ...]:
        key = (len(masked), hash(masked))
        found = self._now.get(key)
        if found is None:
            found = self._before.get(key)
            if found is None:
                found = engine.hits(masked)
            self._now[key] = found
        return found


def check(
    text: str,
    *,
    language: str,
    names: Collection[str],
    disabled: Collection[str] = (),
    cache: CheckCache | None = None,
    document: Document | None = None,
    within: Span | None = None,
) -> list[Diagnostic]:
    """The diagnostics of a document in order of place.

    `language` is a BCP 47 tag or '' (told from each paragraph); rules exist for zh and en. `names` are
    the card names and aliases that nothing may touch, `disabled` ids of rules or families. `within`
    looks only at the paragraphs that it touches. No two fixes overlap, no fix changes a line end, and
    all of them together leave nothing to fix.
    """
    cache = cache or CheckCache()
    engine = cache.prepare(_primary(language), names, _rules(disabled))
    document = document or scan(text)
    out: list[Diagnostic] = []
    for paragraph in document.paragraphs:
        if paragraph.prose and (within is None or paragraph.span.touches(within)):
            hits = cache.hits(engine, mask(text, paragraph.span, paragraph.prose))
            out += [_diagnostic(hit, paragraph.span.start, text) for hit in hits]
    return out


def message(diagnostic: Diagnostic, locale: Locale) -> str:
    """What is wrong and what would be right, as one sentence."""
    return by_id()[diagnostic.code].message[locale].format_map(diagnostic.params)


def fix_all(text: str, diagnostics: Iterable[Diagnostic]) -> str:
    """`text` with the fix of every diagnostic applied."""
    return places.apply(text, [d.fix for d in diagnostics if d.fix is not None])


def hints() -> frozenset[str]:
    """The ids of the rules whose fixes want a human eye: hints, and informations that are not marked safe."""
    return frozenset(
        rule.id for rule in by_id().values() if rule.severity not in ("error", "warning") and not rule.safe
    )


def _primary(language: str) -> str:
    return language.replace("_", "-").split("-")[0].lower()


def _rules(disabled: Collection[str]) -> frozenset[str]:
    if not disabled:
        return frozenset()
    return frozenset(i for i, rule in by_id().items() if i in disabled or rule.family in disabled)


def _diagnostic(hit: Hit, start: int, text: str) -> Diagnostic:
    span = Span(start + hit.start, start + hit.end)
    params: dict[str, str | int | float] = {"found": span.of(text), "better": hit.fix or ""}
    if hit.params:
        params.update(hit.params)
    fix = None
    if hit.fix is not None:
        low, high = hit.replaced
        fix = TextEdit(Span(start + low, start + high), hit.fix)
    return Diagnostic(span, hit.severity, hit.rule, params, fix)
