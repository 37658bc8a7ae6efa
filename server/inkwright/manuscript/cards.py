"""World cards: which file is one, and what it says."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any, cast

from inkwright.domain.cards import AiRule, Card, Fact, Match
from inkwright.domain.manuscript import Problem
from inkwright.domain.text import Span
from inkwright.manuscript import fields
from inkwright.manuscript.layouts import Place, Role, records
from inkwright.manuscript.layouts.records import Record
from inkwright.manuscript.markdown import Document

_CARD_KEYS = (
    "type",
    "name",
    "aliases",
    "summary",
    "tags",
    "match",
    "ai",
    "private",
    "facts",
)
_YES = frozenset(("true", "yes", "on", "是"))
MAX_NAMES = 200
MAX_NAME = 100


def role(place: Place, meta: Mapping[str, Any]) -> Role:
    """What a file is: by the type its front matter names if we know that word, else by its place."""
    if place.fixed or place.role == "card":
        return place.role
    written = meta.get("type") or meta.get("卡片类型") or _type_of_chinese(meta)
    return "card" if isinstance(written, str) and marks_card(written) else place.role


def marks_card(written: str) -> bool:
    """Whether a type makes a card of a file that does not stand among cards."""
    return fields.word(written, "card.marks") is not None


def kind_of(written: object) -> str:
    """The card type that a word means (one of CARD_TYPES), '' for a word that means none."""
    if not isinstance(written, str):
        return ""
    return fields.word(written, "card.kinds") or ""


def read(
    path: str, text: str, document: Document, folder_type: str = "", called: str = ""
) -> tuple[Card, tuple[Problem, ...]]:
    """The card in a file, and what in it could not be read as meant. Never raises for anything written.

    `called` is the name that a project gives it, where its front matter gives none.
    """
    found = document.frontmatter
    meta = fields.canonical(found.meta, "card.keys")
    reader = _Reader(path, text, document.frontmatter.keys)
    chinese = _type_of_chinese(found.meta)
    written = fields.text(meta.get("type")) or chinese or folder_type or "misc"
    name = fields.text(meta.get("name")) or called or _heading(document) or PurePosixPath(path).stem
    aliases = [alias for alias in fields.texts(meta.get("aliases")) if alias != name]
    if len(aliases) > MAX_NAMES:
        reader.problem("card_too_many_names", "aliases", count=len(aliases), limit=MAX_NAMES)
    own = {key: value for key, value in meta.items() if key not in _CARD_KEYS}
    if chinese:
        own.pop("role", None)
    return (
        Card(
            path=path,
            name=name[:MAX_NAME],
            type=written,
            kind=kind_of(written) or "misc",
            aliases=tuple(alias[:MAX_NAME] for alias in aliases[:MAX_NAMES]),
            summary=fields.text(meta.get("summary")),
            tags=fields.texts(meta.get("tags")),
            match=reader.match(meta.get("match")),
            ai="never" if _all_private(meta.get("private")) else reader.ai(meta.get("ai")),
            private=fields.text(meta.get("private")),
            facts=reader.facts(meta.get("facts")),
            fields=own,
            body=text[found.body_start :].strip("\r\n"),
        ),
        tuple(reader.problems),
    )


def several(path: str, text: str, place: Place) -> tuple[tuple[Card, ...], tuple[Problem, ...]]:
    """The cards of a file that holds more than one, or none, in the form that its place names."""
    found, problems = records.read(place.reader, path, text)
    taken: set[str] = set()
    out: list[Card] = []
    for record in found:
        said = record.name[:MAX_NAME]
        name, again = said, 1
        while name in taken:
            again += 1
            name = f"{said} {again}"
        taken.add(name)
        out.append(_recorded(path, f"{path}#{name}", text, record, place.type, problems))
    return tuple(out), tuple(problems)


def _recorded(
    file: str, path: str, text: str, record: Record, folder_type: str, problems: list[Problem]
) -> Card:
    """One card of several. A type that says the place of a person in the story is no type of card."""
    meta = fields.canonical(record.meta, "card.keys")
    reader = _Reader(file, text, {}, record.line)
    default = record.type or folder_type or "misc"
    written = fields.text(meta.pop("type", None))
    role = written if written and kind_of(written) in ("", kind_of(default)) else ""
    kind = default if role or not written else written
    own = {key: value for key, value in meta.items() if key not in _CARD_KEYS}
    if role and role != default:
        own.setdefault("role", role)
    others = dict.fromkeys((*record.aliases, *fields.texts(meta.get("aliases"))))
    card = Card(
        path=path,
        name=record.name[:MAX_NAME],
        type=kind,
        kind=kind_of(kind) or "misc",
        aliases=tuple(alias[:MAX_NAME] for alias in others if alias != record.name)[:MAX_NAMES],
        summary=fields.text(meta.get("summary")),
        tags=fields.texts(meta.get("tags")),
        match=reader.match(meta.get("match")),
        ai="never" if _all_private(meta.get("private")) else reader.ai(meta.get("ai")),
        private=fields.text(meta.get("private")),
        facts=reader.facts(meta.get("facts")),
        fields=own,
        body=record.body,
        within=file,
        line=record.line,
    )
    problems += reader.problems
    return card


def _type_of_chinese(meta: Mapping[str, Any]) -> str:
    """`类型` is a card's type where its value is one (角色), else a role in the story (主角)."""
    written = meta.get("类型")
    return written if isinstance(written, str) and kind_of(written) else ""


def _all_private(value: object) -> bool:
    """`private: true` names no secret: it says that the whole card is one."""
    return fields.text(value).casefold() in _YES


def _heading(document: Document) -> str:
    return next((h.title for h in document.headings if h.level == 1 and h.title), "")


class _Reader:
    """Reads the structured values of one card and gathers the problems."""

    def __init__(self, path: str, text: str, keys: Mapping[str, Span], line: int = 0) -> None:
        self.path = path
        self.text = text
        self.keys = keys
        self.line = line
        self.problems: list[Problem] = []

    def problem(self, code: str, key: str, **params: str | int | float) -> None:
        written = next((k for k in self.keys if key in (k, _name(k))), key)
        span = self.keys.get(written)
        line = _line(self.text, span.start) if span else self.line
        self.problems.append(Problem(self.path, line, code, {"key": written, **params}))

    def match(self, value: object) -> Match:
        if value is None:
            return Match()
        if not isinstance(value, Mapping):
            self.problem("card_bad_match", "match")
            return Match()
        found = fields.canonical(value, "card.match")
        case = fields.text(found.get("case")).casefold()
        if case not in ("", "exact", "ignore"):
            self.problem("card_bad_case", "match", value=case[:40])
        exact = case == "exact"
        return Match("exact" if exact else "ignore", fields.texts(found.get("exclude"))[:MAX_NAMES])

    def ai(self, value: object) -> AiRule:
        """An unknown word hides the card: what was meant to stay here must not leave by a slip."""
        if value is None:
            return "mention"
        found = fields.word(value, "card.ai")
        if found is None:
            self.problem("card_bad_ai", "ai", value=fields.text(value)[:40])
        return cast(AiRule, found or "never")

    def facts(self, value: object) -> tuple[Fact, ...]:
        if value is None:
            return ()
        rows = [value] if isinstance(value, Mapping) else value
        if not isinstance(rows, list):
            self.problem("card_bad_facts", "facts")
            return ()
        out: list[Fact] = []
        for row in rows:
            found = fields.canonical(row, "card.fact") if isinstance(row, Mapping) else {}
            key, said = fields.text(found.get("key")), fields.text(found.get("value"))
            if key or said:
                since, until = fields.text(found.get("from")), fields.text(found.get("until"))
                out.append(Fact(key, said, since, until, fields.text(found.get("quote"))))
            else:
                self.problem("card_bad_facts", "facts")
        return tuple(out)


def _name(key: str) -> str:
    return fields.word(key, "card.keys") or key


def _line(text: str, offset: int) -> int:
    head = text[:offset]
    return head.count("\n") + head.count("\r") - head.count("\r\n")
