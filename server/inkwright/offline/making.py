"""The step that makes cards: what to make of a passage, the calls for it, and what became of them."""

from __future__ import annotations

import asyncio
import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from inkwright.domain.cards import Card, NewCard
from inkwright.domain.conversation import Locale, Message, ModelRequest, Task, ToolCall
from inkwright.i18n import tr
from inkwright.offline import draft, reading
from inkwright.offline.cast import MADE_HERE
from inkwright.offline.cues import language_of
from inkwright.offline.desk import Desk, short
from inkwright.offline.names import han
from inkwright.offline.notes import pages, study
from inkwright.tools.texts import line

TOOL = "create_note_card"
_TITLE, _CONTENT, _QUOTE = 100, 4000, 1000
"""What the tool takes, in characters."""
_NOTES = 10
"""Cards of one batch of notes."""
_LETTERS = re.compile(r"\W+")


@dataclass(frozen=True)
class Plan:
    """`make` are the cards to ask for, `there` those that the book has already: (title, path)."""

    make: tuple[NewCard, ...]
    there: tuple[tuple[str, str], ...]


async def calls(desk: Desk, request: ModelRequest, task: Task) -> tuple[str, tuple[ToolCall, ...]]:
    """What to say and which cards to ask for; no call when there is nothing to make, or no tool for it."""
    plan = await asyncio.to_thread(_plan, desk, task, await desk.whole(task))
    out = [tr("offline_rules_cards", task.locale)]
    offered = any(tool.name == TOOL for tool in request.tools)
    if plan.there:
        out += [tr("offline_cards_there", task.locale), _list(plan.there)]
    if not plan.make:
        if not plan.there:
            out.append(tr("offline_cards_none", task.locale))
        return "\n\n".join(out) + "\n", ()
    if not offered:
        titles = [(card.title, "") for card in plan.make]
        out += [tr("offline_cards_not_offered", task.locale), _list(titles)]
        return "\n\n".join(out) + "\n", ()
    out.append(tr("offline_cards_asked", task.locale, {"count": len(plan.make)}))
    made = tuple(_call(card, f"card_{task.offset}_{n}") for n, card in enumerate(plan.make, 1))
    return "\n\n".join(out) + "\n", made


def answered(messages: Sequence[Message]) -> bool:
    """Whether the tools have answered: then the step is to be told to its end."""
    return bool(messages) and messages[-1].role == "tool"


def outcome(messages: Sequence[Message], locale: Locale) -> str:
    """What became of the calls, card by card."""
    results = {message.tool_call_id: message.content for message in messages if message.role == "tool"}
    asked = [call for message in messages for call in message.tool_calls if call.name == TOOL]
    kinds: dict[str, list[str]] = {"made": [], "there": [], "failed": []}
    for call in asked:
        title = str((call.arguments or {}).get("title", ""))
        kind, told = _became(title, results.get(call.id, ""), locale)
        kinds[kind].append(f"- {title}" + (f" — {told}" if told else ""))
    out: list[str] = []
    for kind, rows in kinds.items():
        if rows:
            out += [tr(f"offline_cards_{kind}", locale, {"count": len(rows)}), "\n".join(rows)]
    return "\n\n".join(out) + "\n"


def _became(title: str, result: str, locale: Locale) -> tuple[str, str]:
    """made, there or failed, and where it is or the reason: of a candidate that it waits, for an id is no help to a reader."""
    for code, kind, name in (
        ("card_made", "made", "path"),
        ("card_there", "there", "path"),
        ("candidate_made", "made", "id"),
        ("candidate_there", "there", "id"),
    ):
        before, _, after = line(code, locale, **{"title": title, name: "\0"}).partition("\0")
        if result.startswith(before) and result.endswith(after):
            place = result[len(before) : len(result) - len(after)]
            return kind, f"`{place}`" if name == "path" else tr("offline_candidate", locale)
    try:
        told = json.loads(result)["error"]["message"]
    except (ValueError, KeyError, TypeError):
        told = result
    return "failed", " ".join(str(told).split())[:200]


def _call(card: NewCard, id_: str) -> ToolCall:
    arguments = {
        "card_type": card.type,
        "title": card.title,
        "content": card.content,
        "tags": list(card.tags),
        "quote": card.quote,
    }
    return ToolCall(id_, TOOL, arguments, json.dumps(arguments, ensure_ascii=False))


def _plan(desk: Desk, task: Task, whole: str) -> Plan:
    """Cards for the passage, less those that exist. What is made from this chapter is the same whatever
    cards it has brought forth before."""
    task = replace(task, locale=tongue(desk, whole))
    drafts = [card for card in map(_fitting, _drafts(desk, task, whole)) if card.quote and card.content]
    chapter = desk.title(task, desk.place(whole, task))
    make: list[NewCard] = []
    there: list[tuple[str, str]] = []
    cards = desk.view.cards() if desk.view is not None else ()
    taken = _by_name(cards)
    for card in drafts:
        found = taken.get(_same(card.title)) or _fuller(card, cards)
        if found is not None and found.ai == "never":
            continue
        if found is not None and not _ours(found, task):
            card = _fitting(
                replace(
                    card,
                    title=tr(
                        "offline_title_in", task.locale, {"name": found.name, "chapter": short(chapter)}
                    ),
                )
            )
            found = taken.get(_same(card.title))
        if found is None or _says(found, card):
            make.append(card)
        else:
            there.append((found.name, found.path))
    return Plan(tuple(make), tuple(dict.fromkeys(there)))


def tongue(desk: Desk, whole: str) -> Locale:
    """What a card is written in: the language of the book, else of the chapter. An editor in another
    language would make every card a second time."""
    book = desk.language.casefold()
    if book.startswith("zh"):
        return "zh"
    return "en" if book.startswith("en") else language_of(whole)


def _drafts(desk: Desk, task: Task, whole: str) -> Iterable[NewCard]:
    if is_notes(task):
        return _concepts(desk, task, whole)
    return draft.draft(reading.read(desk, task, whole), task.locale)


def _concepts(desk: Desk, task: Task, whole: str) -> list[NewCard]:
    """The weightiest concepts of the notes, in their order."""
    setting = desk.place(whole, task)
    notes = study.read(desk, task, whole)
    ranked = sorted(range(len(notes.concepts)), key=lambda i: (-notes.concepts[i].weight, i))[:_NOTES]
    title = desk.title(task, setting)
    before = setting.text[: setting.span.start]
    begins = " ".join(task.passage.split())[:16]
    out = []
    for concept in (notes.concepts[i] for i in sorted(ranked)):
        card = pages.card(concept, concept.topic or title, task.locale)
        # A batch before this one may have made a card of that name.
        if concept.name in before:
            told = {"title": card.title, "begins": begins}
            card = replace(card, title=tr("offline_title_from", task.locale, told))
        out.append(card)
    return out


def is_notes(task: Task) -> bool:
    """Which pipeline a step called cards belongs to: its sisters tell, else the kind of book."""
    names = {name for name, _ in task.products}
    return bool(names & {"concepts", "organise"}) or (
        task.domain == "note" and not names & {"distil", "split"}
    )


def _by_name(cards: Iterable[Card]) -> dict[str, Card]:
    out: dict[str, Card] = {}
    for card in cards:
        for name in card.names:
            out.setdefault(_same(name), card)
    return out


def _fuller(card: NewCard, cards: Iterable[Card]) -> Card | None:
    """The card of somebody whose full name ends in this given name."""
    if card.type != "character":
        return None
    fitting = (c for c in cards if c.kind == "character" and c.name.endswith(card.title))
    return next((c for c in fitting if c.name[: -len(card.title)] == han.surname(c.name) != ""), None)


def _ours(card: Card, task: Task) -> bool:
    """Whether a card was made from this chapter."""
    return bool(task.path) and card.fields.get(MADE_HERE) == task.path


def _says(found: Card, card: NewCard) -> bool:
    return _LETTERS.sub("", card.content) in _LETTERS.sub("", found.body)


def _same(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())


def _fitting(card: NewCard) -> NewCard:
    """The card within what the tool takes."""
    return replace(
        card,
        title=" ".join(card.title.split())[:_TITLE],
        content=card.content[:_CONTENT],
        quote=card.quote[:_QUOTE].strip(),
    )


def _list(rows: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"- {title}" + (f" — `{path}`" if path else "") for title, path in rows)
