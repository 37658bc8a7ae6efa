"""The checks of a document, paragraph by paragraph, and what to do with what they say."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from inkwright.checks import continued, keys
from inkwright.checks.engine import Engine
from inkwright.checks.hits import Hit
from inkwright.checks.names import Names
from inkwright.checks.piece import mask
from inkwright.checks.rules import by_id
from inkwright.checks.settle import Checked, Key, Seen, key, seen, settle
from inkwright.domain import text as places
from inkwright.domain.conversation import Locale
from inkwright.domain.diagnostic import Diagnostic
from inkwright.domain.text import Span, TextEdit
from inkwright.i18n import tr
from inkwright.manuscript.markdown import Document, scan


class CheckCache:
    """What one document's paragraphs said last time, by their hash: an edit rechecks a paragraph.

    One cache per open document. It keeps the paragraphs of the last two passes, no text, and starts
    afresh when the language, the names or the set of rules change. Not safe for two threads at once.
    """

    def __init__(self) -> None:
        self.engine = Engine("", Names())
        self._now: dict[Key, Seen] = {}
        self._before: dict[Key, Seen] = {}

    def prepare(self, language: str, names: Collection[str], disabled: Collection[str]) -> None:
        """Begin a pass; the engine is made anew only when these changed."""
        engine = self.engine
        if (
            engine.language != language
            or engine.disabled != frozenset(disabled)
            or engine.names.source != frozenset(names)
        ):
            self.engine = Engine(language, Names(names), disabled)
            self._now = {}
        self._before, self._now = self._now, {}

    def look(self, masked: str) -> Seen:
        """What the rules say of one masked paragraph, from memory when it has been seen."""
        place = key(masked)
        found = self._now.get(place)
        if found is None:
            found = self._before.get(place)
            if found is None:
                found = seen(masked, self.engine.hits(masked))
            self._now[place] = found
        return found


def check(
    text: str,
    *,
    language: str,
    names: Collection[str],
    disabled: Collection[str] = (),
    cache: CheckCache | None = None,
    document: Document | None = None,
) -> list[Diagnostic]:
    """The diagnostics of a document in order of place.

    `language` is a BCP 47 tag or '' (told from each paragraph); rules exist for zh and en. `names` are
    the card names and aliases that nothing may touch, `disabled` ids of rules or families. No two fixes
    overlap, no fix changes a line end, and all of them together leave nothing to fix. Takes CPU time.
    """
    cache = cache or CheckCache()
    cache.prepare(_primary(language), names, _rules(disabled))
    document = document or scan(text)
    checked = []
    for paragraph in document.paragraphs:
        if paragraph.prose:
            masked = mask(text, paragraph.span, paragraph.prose)
            checked.append(Checked(paragraph.span.start, masked, cache.look(masked)))
    settled = settle(text, checked, cache.look)
    if settled is None:
        found = [_diagnostic(hit, one.start, text) for one in checked for hit in one.seen.hits]
    else:
        found = [_diagnostic(hit, 0, text) for hit in settled]
    sound = continued.sound(checked)
    return [one for one in found if one.code not in continued.EDGES or one.span.start not in sound]


def message(diagnostic: Diagnostic, locale: Locale) -> str:
    """What is wrong and what would be right, as one sentence."""
    if (rule := by_id().get(diagnostic.code)) is not None:
        return rule.message[locale].format_map(diagnostic.params)
    return tr(diagnostic.code, locale, diagnostic.params)


def fix_all(text: str, diagnostics: Iterable[Diagnostic]) -> str:
    """`text` with the fix of every diagnostic applied."""
    return places.apply(text, [d.fix for d in diagnostics if d.fix is not None])


def hints() -> frozenset[str]:
    """The ids of the rules whose fixes want a human eye: hints, informations that are not marked safe, and
    whole lines that go."""
    rules = (r for r in by_id().values() if r.severity not in ("error", "warning") and not r.safe)
    return keys.CODES.union(rule.id for rule in rules)


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
