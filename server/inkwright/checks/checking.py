"""The checks of a document, stretch by stretch, and what to do with what they say."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import cache

from inkwright.checks import continued, keys, throughout
from inkwright.checks.engine import Engine
from inkwright.checks.hits import Hit
from inkwright.checks.names import Names
from inkwright.checks.rules import by_id
from inkwright.checks.settle import Checked, Seen, key, seen, settle
from inkwright.checks.sheets import Known, Sheets
from inkwright.domain import text as places
from inkwright.domain.conversation import Locale
from inkwright.domain.diagnostic import Change, Diagnostic, Fix, Said, placed
from inkwright.domain.text import Span, TextEdit
from inkwright.i18n import tr
from inkwright.manuscript.ends import Ends
from inkwright.manuscript.stretches import SIZE


class CheckCache:
    """What one document's stretches said last time: an edit rechecks the paragraph that it touched.

    One cache per open document. It holds the text once and what was said of it, and starts afresh when the
    language, the names or the set of rules change. Not safe for two threads at once.
    """

    def __init__(self, size: int = SIZE, ends: Ends | None = None) -> None:
        self.engine = Engine("", Names())
        self._sheets = Sheets(self._look, _said, size, ends)

    def prepare(self, language: str, names: Collection[str], disabled: Collection[str]) -> None:
        """Begin a pass; the engine is made anew only when these changed."""
        engine = self.engine
        primary, self._sheets.script = _primary(language), _script(language)
        if (
            engine.language != primary
            or engine.disabled != frozenset(disabled)
            or engine.names.source != frozenset(names)
        ):
            self.engine = Engine(primary, Names(names), disabled)
            self._sheets.clear()

    def said(self, text: str) -> list[Said]:
        """What is to be said of `text`: by its stretches in order, then what the whole of it tells."""
        sheets, engine = self._sheets, self.engine
        sheets.follow(text)
        sound = continued.sound([sheet.edges for sheet in sheets.row])
        kept = throughout.kept(sheets, engine.disabled)
        out: list[Said] = []
        for i, sheet in enumerate(sheets.row):
            if not sheet.said:
                continue
            found = sheet.without(kept)
            if i in sound:
                found = [
                    one for one in found if one.code not in continued.EDGES or one.span.start not in sound[i]
                ]
            if found:
                out.append(Said(found, sheet.begin, sheet.line, lasting=True))
        hits = engine.watch.judge(sheets)
        if engine.watch.opening is not None:
            hits += engine.watch.opening.hits(sheets.runs())
        of_chapter = [_offer(hit, text) for hit in hits if hit.rule not in engine.disabled]
        of_chapter += throughout.told(kept, sheets, sheets.row, text)
        return [*out, Said(of_chapter)] if of_chapter else out

    def _look(self, masked: str, own: Known, known: Known) -> Seen:
        """What the rules say of one masked paragraph, from memory when it has been seen."""
        place = key(masked)
        found = own.get(place)
        if found is None:
            found = known.get(place)
            if found is None:
                noted = self.engine.note(masked)
                found = seen(masked, self.engine.hits(masked), noted)
            own[place] = found
        return found


def check(
    text: str,
    *,
    language: str,
    names: Collection[str],
    disabled: Collection[str] = (),
    cache: CheckCache | None = None,
) -> list[Diagnostic]:
    """The diagnostics of a document in order of place.

    `language` is a BCP 47 tag or '' (told from each paragraph); rules exist for zh and en. `names` are
    the card names and aliases that nothing may touch, `disabled` ids of rules or families. No two fixes
    overlap, no fix changes a line end, and all of them together leave nothing to fix. What only the
    chapter tells makes offers (`fixes`), never a fix. Takes CPU time.
    """
    return placed(said(text, language=language, names=names, disabled=disabled, cache=cache))


def said(
    text: str,
    *,
    language: str,
    names: Collection[str],
    disabled: Collection[str] = (),
    cache: CheckCache | None = None,
) -> list[Said]:
    """The same by stretches: those that an edit did not touch cost nothing, wherever they stand now."""
    cache = cache or CheckCache()
    cache.prepare(language, names, _rules(disabled))
    return cache.said(text)


def message(diagnostic: Diagnostic, locale: Locale) -> str:
    """What is wrong and what would be right, as one sentence."""
    if (rule := by_id().get(diagnostic.code)) is not None:
        return rule.message[locale].format_map(diagnostic.params)
    return tr(diagnostic.code, locale, diagnostic.params)


def about(code: str, locale: Locale) -> tuple[str, str]:
    """What a rule says in general, with … for what it says of a place, and an example of it ('' when none)."""
    if (rule := by_id().get(code)) is None:
        return re.sub(r"\{\w+\}", "…", tr(code, locale)), ""
    faulty, repaired = rule.examples[0]
    return rule.message[locale].format_map(_Anything()), f"{faulty} → {repaired}" if repaired else faulty


class _Anything(dict[str, str | int | float]):
    def __missing__(self, key: str) -> str:
        return "…"


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


def _script(language: str) -> str:
    """hans or hant where the language says so, else ''."""
    parts = language.replace("_", "-").lower().split("-")
    if parts[0] != "zh":
        return ""
    if "hant" in parts or {"tw", "hk", "mo"}.intersection(parts):
        return "hant"
    return "hans" if "hans" in parts or {"cn", "sg"}.intersection(parts) else ""


def _rules(disabled: Collection[str]) -> frozenset[str]:
    if not disabled:
        return frozenset()
    return frozenset(i for i, rule in by_id().items() if i in disabled or rule.family in disabled)


def _said(text: str, checked: Sequence[Checked], look: Callable[[str], Seen]) -> list[Diagnostic]:
    settled = settle(text, checked, look)
    if settled is None:
        return [_diagnostic(hit, one.start, text) for one in checked for hit in one.seen.hits]
    return [_diagnostic(hit, 0, text) for hit in settled]


def _diagnostic(hit: Hit, start: int, text: str) -> Diagnostic:
    span = Span(start + hit.start, start + hit.end)
    params: dict[str, str | int | float] = {"found": span.of(text), "better": hit.fix or ""}
    if hit.params:
        params.update(hit.params)
    if hit.rule in _in_context():
        params["around"] = _around(text, span)
    fix = None
    if hit.fix is not None:
        low, high = hit.replaced
        fix = TextEdit(Span(start + low, start + high), hit.fix)
    return Diagnostic(span, hit.severity, hit.rule, params, fix)


@cache
def _in_context() -> frozenset[str]:
    """The rules whose sentence shows the words about a place that is too short to tell anything."""
    return frozenset(rule.id for rule in by_id().values() if "{around}" in rule.message["zh"])


def _around(text: str, span: Span) -> str:
    before = re.search(r"\w*\Z", text[max(0, span.start - 4) : span.start])
    after = re.match(r"\w*", text[span.end : span.end + 3])
    return f"{before[0] if before else ''}{span.of(text)}{after[0] if after else ''}"


def _offer(hit: Hit, text: str) -> Diagnostic:
    """What only the chapter tells: its fix is an offer."""
    found = _diagnostic(hit, 0, text)
    if found.fix is None:
        return found
    titled = Fix("fix_replace", {"better": found.fix.new}, (Change("", (found.fix,)),))
    return replace(found, fix=None, fixes=(titled,))
