"""Facts of cards by rule: forms of a sentence that say who is dead, where somebody now is, who has what."""

from __future__ import annotations

import asyncio
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from inkwright.domain.cards import Card
from inkwright.domain.conversation import Locale, Message, ModelRequest, Task, ToolCall
from inkwright.manuscript import opposing
from inkwright.offline import reading
from inkwright.offline.desk import Desk
from inkwright.offline.prose import Sentence, excerpt
from inkwright.offline.reading import Reading
from inkwright.offline.report import Report
from inkwright.tools.texts import line

TOOL = "propose_fact"
MOST = 60
"""Facts of one chapter."""
_LONG = {"zh": 60, "en": 160}
_MARKS = {"P": "[\ue000-\uefff]", "L": "[\uf000-\uf3ff]", "T": "[\uf400-\uf7ff]"}
_FIRST = {"P": 0xE000, "L": 0xF000, "T": 0xF400}
_LAST = {"P": 0xEFFF, "L": 0xF3FF, "T": 0xF7FF}
_KINDS = {"character": "P", "faction": "P", "location": "L", "item": "T"}
_HIDDEN = "\x01"
_CLAUSE = "，。；！？：,.;!?:\x01"


@dataclass(frozen=True)
class Told:
    """A fact of the card `name`, and the stretch of the text that tells it, to the letter."""

    name: str
    key: str
    value: str
    quote: str


@dataclass(frozen=True)
class Form:
    key: str
    pattern: re.Pattern[str]
    fixed: str
    name: str
    last: bool


@dataclass(frozen=True)
class Forms:
    """`last` of a form: of several in a chapter the last one is what holds from then on. `nowhere`: sentences
    that tell nobody's death."""

    forms: tuple[Form, ...]
    unsure: re.Pattern[str]
    after: re.Pattern[str]
    nowhere: re.Pattern[str]


@dataclass(frozen=True)
class Names:
    """The names of cards, and of places that the text tells of, each as one letter."""

    pattern: re.Pattern[str] | None
    letters: dict[str, str]
    """By the name on one line."""
    names: dict[str, str]
    carded: frozenset[str]


async def calls(desk: Desk, request: ModelRequest, task: Task) -> tuple[str, tuple[ToolCall, ...]]:
    """What to say and which facts to propose; at the end of the run what became of them."""
    if request.messages and request.messages[-1].role == "tool":
        return _outcome(request.messages, task.locale), ()
    whole = await desk.whole(task)
    report = Report(task.locale)
    report.line("rules_told")
    found = await asyncio.to_thread(find, desk, task, whole)
    offered = any(tool.name == TOOL for tool in request.tools)
    report.line("told_found" if offered or not found else "told_not_offered", count=len(found))
    for told in found:
        key = opposing.called(told.key, chinese=task.locale == "zh")
        report.item("told", name=told.name, key=key, value=told.value, quote=told.quote)
    made = tuple(_call(told, f"fact_{n}") for n, told in enumerate(found, 1)) if offered else ()
    return report.text().rstrip("\n") + "\n\n", made


def find(desk: Desk, task: Task, whole: str) -> list[Told]:
    """The facts of a passage, in the order of the text. Takes CPU time."""
    found = reading.read(desk, task, whole)
    names = _names(desk.cards(), found)
    if names.pattern is None:
        return []
    table = _table(found.language)
    out: dict[tuple[str, str, str], Told] = {}
    for sentence in found.prose.sentences:
        if sentence.raw:
            for told, last in _in(sentence, names, table, found.language):
                key = (told.name, told.key, "" if last else told.value)
                if last:
                    out.pop(key, None)
                out.setdefault(key, told)
    return list(out.values())[:MOST]


def _in(sentence: Sentence, names: Names, table: Forms, language: Locale) -> Iterator[tuple[Told, bool]]:
    assert names.pattern is not None
    text = _narrated(sentence.raw, inside=sentence.spoken)
    places: list[int] = []
    out: list[str] = []
    at = 0
    for match in names.pattern.finditer(text):
        name = " ".join(match[0].split())
        out += (text[at : match.start()], names.letters.get(name, " "))
        places += [*range(at, match.start()), match.start()]
        at = match.end()
    out.append(text[at:])
    places += [*range(at, len(text) + 1)]
    masked = "".join(out)
    found = [(form, match) for form in table.forms for match in form.pattern.finditer(masked)]
    for form, match in sorted(found, key=lambda pair: pair[1].start("of")):
        start = max((masked.rfind(mark, 0, match.start()) for mark in _CLAUSE), default=-1) + 1
        told = match.start("value") if "value" in form.pattern.groupindex else match.end()
        if table.unsure.search(masked, start, told):
            continue
        if table.after.match(masked, match.end()) or (form.fixed and table.nowhere.search(masked)):
            continue
        who = names.names[match["of"]]
        if who not in names.carded:
            continue
        raw = sentence.raw
        said = raw[places[match.start()] : places[match.end()]]
        if form.fixed:
            value = form.fixed
        elif form.name:
            value = names.names[match[form.name]]
        else:
            value = raw[places[match.start("value")] : places[match.end("value")]].strip()
        if value and value != who:
            quote = excerpt(raw, _LONG[language], said[:12]) if len(raw) > _LONG[language] else raw
            quote = quote if said in quote else said
            yield Told(who, form.key, " ".join(value.split()), quote), form.last


def _narrated(text: str, *, inside: bool) -> str:
    """The text with everything that is said in it made unreadable, of the same length."""
    out: list[str] = []
    for char in text:
        if char in "“「『" or (char == '"' and not inside):
            inside = True
            out.append(_HIDDEN)
        elif char in "”」』" or char == '"':
            inside = False
            out.append(_HIDDEN)
        else:
            out.append(_HIDDEN if inside else char)
    return "".join(out)


def _names(cards: Iterable[Card], found: Reading) -> Names:
    letters: dict[str, str] = {}
    names: dict[str, str] = {}
    used = dict(_FIRST)
    twice: set[str] = set()
    carded: set[str] = set()

    def enter(mark: str, name: str, forms: Iterable[str]) -> None:
        if used[mark] > _LAST[mark]:
            return
        letter = chr(used[mark])
        used[mark] += 1
        names[letter] = name
        for form in forms:
            if len(form) > 1:
                twice.update([form] if form in letters else [])
                letters.setdefault(" ".join(form.split()), letter)

    for card in cards:
        if (mark := _KINDS.get(card.kind)) and not card.within:
            enter(mark, card.name, card.names)
            carded.add(card.name)
    for place in found.cast.of("location"):
        enter("L", place.name, [form for form in place.forms if form not in letters])
    for entity in found.cast.of("character"):
        enter("P", entity.name, [form for form in entity.forms if form not in letters])
    kept = {form: letter for form, letter in letters.items() if form not in twice}
    if not kept:
        return Names(None, kept, names, frozenset(carded))
    ordered = sorted(kept, key=len, reverse=True)
    pattern = "|".join([*map(_bounded, ordered), r"\s+"])
    return Names(re.compile(pattern), kept, names, frozenset(carded))


def _bounded(form: str) -> str:
    """The pattern of a name, on one line or on two."""
    words = r"\s+".join(map(re.escape, form.split()))
    return rf"(?<!\w){words}(?!\w)" if form.isascii() else words


@cache
def _table(language: Locale) -> Forms:
    data: dict[str, Any] = tomllib.loads((files("inkwright.offline") / "facts.toml").read_text("utf-8"))[
        language
    ]
    forms = tuple(
        Form(
            row["key"],
            re.compile(_marked(row["form"])),
            row.get("fixed", ""),
            row.get("name", ""),
            row.get("last", False),
        )
        for row in data["forms"]
    )
    return Forms(
        forms,
        re.compile(_marked(data["unsure"]), re.IGNORECASE),
        re.compile(data["after"]),
        re.compile(data["nowhere"]),
    )


def _marked(form: str) -> str:
    """A form with the classes of its letters: inside of brackets too, but not in a group's `(?P<`."""
    out: list[str] = []
    inside = False
    for index, char in enumerate(form):
        escaped = index > 0 and form[index - 1] == "\\"
        if char == "[" and not escaped:
            inside = True
        elif char == "]" and not escaped:
            inside = False
        group = form[index - 2 : index + 2] == "(?P<"
        alone = char in _MARKS and not group and not _latin(form, index)
        out.append((_MARKS[char][1:-1] if inside else _MARKS[char]) if alone else char)
    return "".join(out)


def _latin(form: str, index: int) -> bool:
    """Whether a letter is part of a word."""
    around = form[max(0, index - 1) : index] + form[index + 1 : index + 2]
    return any(char.isascii() and char.islower() for char in around)


def _call(told: Told, id_: str) -> ToolCall:
    arguments = {"card": told.name, "key": told.key, "value": told.value, "quote": told.quote}
    return ToolCall(id_, TOOL, arguments, json.dumps(arguments, ensure_ascii=False))


def _outcome(messages: Sequence[Message], locale: Locale) -> str:
    """How the proposals fared."""
    results = {message.tool_call_id: message.content for message in messages if message.role == "tool"}
    asked = [call for message in messages for call in message.tool_calls if call.name == TOOL]
    counts = {"kept": 0, "there": 0, "dropped": 0}
    for call in asked:
        said = {key: str((call.arguments or {}).get(key, "")) for key in ("key", "value")}
        result = results.get(call.id, "")
        head = {
            kind: line(f"fact_{kind}", locale, name="\0", **said).partition("\0")[0]
            for kind in ("kept", "there")
        }
        kind = next((kind for kind, start in head.items() if result.startswith(start)), "dropped")
        counts[kind] += 1
    report = Report(locale)
    report.line("told_kept", **counts)
    return report.text().rstrip("\n")
