"""Concepts as Markdown: the same on the page of a step and on a card."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from inkwright.domain.cards import NewCard
from inkwright.domain.conversation import Locale
from inkwright.i18n import tr
from inkwright.offline.notes.concepts import Concept, Formula

_LABEL = re.compile(r"^(?:注意|Note|Caution|NB)\s*[：:!！]\s*", re.IGNORECASE)
POINTS = 4
QUOTE = 900
TAG = 20
"""Characters of a tag, unless its first word is longer."""
_ASIDE = re.compile(r"(?<=\S)\s*(?:[(（][^()（）]*[)）]|[\[【][^\[\]【】]*[\]】])\s*$")
_END = " -–—:：,，、;；!！.。…·"
_WORDS = re.compile(rf".{{1,{TAG}}}(?:(?<![A-Za-z0-9'’_])|(?![A-Za-z0-9'’_]))")
_WORD = re.compile(r"\S{1,40}(?!\S)")
"""The longest beginning that ends between two words, else a word that is longer."""
LABELS = ("definition", "law", "formula", "example", "caution", "point", "review")


def label(name: str, locale: Locale) -> str:
    return tr(f"offline_note_{name}", locale)


def body(concept: Concept, locale: Locale) -> list[str]:
    """The concept's rows as a Markdown list, each behind its label."""
    return [*_rows(concept, locale), _row(locale, "review", "".join(review(concept, locale)))]


def _rows(concept: Concept, locale: Locale) -> Iterator[str]:
    for said in concept.said:
        yield _row(locale, "law" if concept.kind == "law" else "definition", said)
    for formula in concept.formulas:
        yield from _formula(formula, locale)
    for condition in concept.conditions:
        yield _row(locale, "condition", condition)
    for example in concept.examples:
        first, *steps = example
        yield _row(locale, "example", first if "\n" not in first else "")
        yield from (f"  - {step}" for step in steps if "\n" not in step)
        yield from ("\n" + step + "\n" for step in example if "\n" in step)
    for caution in concept.cautions:
        yield _row(locale, "caution", _LABEL.sub("", caution))
    for point in concept.points[:POINTS]:
        yield _row(locale, "point", point)


def _formula(formula: Formula, locale: Locale) -> Iterator[str]:
    text = formula.text if formula.text.startswith(("$", "\\")) else f"`{formula.text}`"
    yield _row(locale, "formula", " ".join(text.split()))
    for condition in formula.conditions:
        yield "  " + _row(locale, "condition", condition)
    if formula.symbols:
        joined = tr("offline_note_and", locale).join(
            f"{s}: {m}" if locale == "en" else f"{s}：{m}" for s, m in formula.symbols
        )
        yield "  " + _row(locale, "symbols", joined)


def review(concept: Concept, locale: Locale) -> list[str]:
    """What to be able to say of it, as one sentence."""
    asks = ["what" if concept.kind != "law" else "state"] if concept.said else []
    asks += ["write"] if concept.formulas else []
    asks += ["redo"] if concept.examples else []
    asks += ["beware"] if concept.cautions else []
    parts = [tr(f"offline_review_{ask}", locale) for ask in asks] or [tr("offline_review_what", locale)]
    return [tr("offline_review", locale, {"list": tr("offline_note_and", locale).join(parts)})]


def _row(locale: Locale, name: str, text: str) -> str:
    return tr("offline_note_row", locale, {"label": label(name, locale), "text": text}).rstrip()


def card(concept: Concept, topic: str, locale: Locale) -> NewCard:
    """The concept as a card; its quotation is the line that it rests on."""
    kind = (
        "formula" if concept.formulas and not concept.said else "law" if concept.kind == "law" else "concept"
    )
    if concept.examples and not concept.said and not concept.formulas:
        kind = "example"
    tags = [
        tr(f"offline_tag_{kind}", locale),
        *([tag] if (tag := _tag(topic)) else []),
        tr("offline_tag_rules", locale),
    ]
    return NewCard(
        "misc",
        concept.name,
        "\n".join(body(concept, locale)),
        tuple(dict.fromkeys(tags)),
        concept.quote[:QUOTE],
    )


def _tag(topic: str) -> str:
    """The topic as a tag: without what stands in brackets at its end, cut between words only."""
    out = _ASIDE.sub("", topic).rstrip(_END)
    if len(out) > TAG:
        out = (_WORDS.match(out) or _WORD.match(out) or [""])[0]
        for opens, closes in ("()", "（）", "[]", "【】", "《》", "“”"):
            if out.count(opens) > out.count(closes):
                out = out[: out.rfind(opens)]
    return out.rstrip(_END)


def section(name: str, rows: Sequence[str], locale: Locale) -> list[str]:
    """A heading and a list, nothing for an empty one."""
    if not rows:
        return []
    return [f"### {tr(f'offline_section_{name}', locale)}", "\n".join(f"- {row}" for row in rows)]
