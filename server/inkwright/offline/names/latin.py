"""Names in English text: capitals inside sentences, titles, who is said to speak and act, what one goes to."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache

from inkwright.offline.names.entity import Entity, Kind
from inkwright.offline.names.tables import choice, word_set

_WORD = r"[A-Z][a-zA-Z]*(?:[’'-][A-Z]?[a-z]+)*"
_SINGLE = re.compile(r"[A-Z]\.?")
_LAST = re.compile(r"([a-z][a-z'’]*)[ \n]\Z")
_POSSESSIVE = re.compile(r"[’']s?$")


@cache
def _capitals() -> re.Pattern[str]:
    """A title and the words with capitals behind it, or such words alone."""
    title = choice("latin", "titles")
    return re.compile(
        rf"(?<![\w’'-])(?P<name>(?:(?:{title})\.?[ \n](?=[A-Z]))?{_WORD}(?:[ \n](?:de[ \n]|von[ \n]|van[ \n]|of[ \n](?=[A-Z]))?(?:(?:{title})\.(?=[ \n][A-Z])|{_WORD})){{0,3}})(?![\w])"
    )


@cache
def _after() -> re.Pattern[str]:
    return re.compile(rf"(?:[’']s\b)|[ \n](?:{choice('latin', 'speech', 'deeds')})\b")


@cache
def _speech() -> re.Pattern[str]:
    return re.compile(rf"(?:{choice('latin', 'speech')})[ \n]\Z")


@dataclass(slots=True)
class _Seen:
    """What the text shows of one spelling. `inside`: with a small letter before it."""

    count: int = 0
    inside: int = 0
    person: int = 0
    place: int = 0
    said: int = 0


def entities(text: str, known: Collection[str] = ()) -> list[Entity]:
    """The people and places of a text, the surest and most frequent first. Linear in the text."""
    seen = _collect(text)
    small = set(re.findall(r"(?<![\w’'-])[a-z]+(?![\w])", text))
    for name in known:
        if name in text and name.isascii():
            seen[name].person += 3
            seen[name].inside += 2
            seen[name].count = max(seen[name].count, text.count(name))
    kept = {
        name: one
        for name, one in seen.items()
        if one.inside + one.said >= 2
        or (_titled(name) and (one.count >= 2 or one.person >= 2))
        or (one.count >= 3 and one.inside >= 1)
        or (one.inside and " " in name and not _titled(name) and _again(name, seen))
        if not (name.lower() in small and " " not in name)
    }
    surnames = {name.split()[-1] for name in kept if _titled(name)}
    return _merge(kept | {name: seen[name] for name in sorted(surnames) if name in seen})


def _collect(text: str) -> defaultdict[str, _Seen]:
    seen: defaultdict[str, _Seen] = defaultdict(_Seen)
    common = word_set("latin", "common")
    toward = word_set("latin", "toward")
    for match in _capitals().finditer(text):
        words = match["name"].split()
        before, first = _before(text, match.start())
        while words and (words[0] in common) and not (_title(words[0]) and len(words) > 1):
            words = words[1:]
            before, first = "", False
        while words and (words[-1] in common or words[-1] == "of"):
            words = words[:-1]
        if not words or (len(words) == 1 and (_title(words[0]) or _SINGLE.fullmatch(words[0]))):
            continue
        name = _POSSESSIVE.sub("", " ".join(words))
        if len(name) < 3 or name.isupper():
            continue
        one = seen[name]
        one.count += 1
        one.inside += (not first) or len(words) > 1
        after = _after().match(text, match.end())
        if after or _title(words[0]):
            one.person += 1 if after is None or "'" in after[0] or "’" in after[0] else 2
        if after and after[0].strip() in word_set("latin", "speech"):
            one.said += 1
            one.person += 2
        if before in word_set("latin", "speech"):
            one.said += 1
            one.person += 3
        elif before in toward:
            one.place += 2 if before in ("at", "in", "into", "near", "from", "leave", "left", "reach") else 1
    return seen


def _again(name: str, seen: dict[str, _Seen]) -> bool:
    """Whether somebody's full name is followed by the given name alone."""
    given = seen.get(name.split()[0])
    return given is not None and given.count >= 2 and given.person >= 2


def _before(text: str, at: int) -> tuple[str, bool]:
    """The word before a place, '' for none, and whether a sentence or speech may begin there."""
    match = _LAST.search(text, max(0, at - 24), at)
    if match is not None:
        return match[1], False
    lead = text[max(0, at - 2) : at].rstrip(" ")
    return "", lead[-1:] not in tuple(",;:—–-")


def _title(word: str) -> bool:
    return word.rstrip(".") in word_set("latin", "titles")


def _titled(name: str) -> bool:
    return " " in name and _title(name.split()[0])


def _kind(name: str, one: _Seen) -> Kind:
    last = name.split()[-1]
    if _titled(name):
        return "character"
    if last in word_set("latin", "places") and " " in name:
        return "location"
    place = one.place + (2 if last.lower().endswith(tuple(word_set("latin", "ends"))) else 0)
    return "location" if place > one.person and place + one.count >= 5 else "character"


def _merge(kept: dict[str, _Seen]) -> list[Entity]:
    """A surname alone is the one person who has it; a given name alone is the one full name it begins."""
    root: dict[str, str] = {}
    full = [name for name in kept if " " in name]
    for name in kept:
        if " " in name:
            continue
        starts = [f for f in full if f.split()[0] == name]
        ends = [f for f in full if f.split()[-1] == name]
        if len(starts) == 1:
            root[name] = starts[0]
        elif len(ends) == 1 and not _titled(ends[0]) and kept[name].place <= kept[name].person:
            root[name] = ends[0]
        elif len(men := [f for f in ends if f.split()[0].rstrip(".") in word_set("latin", "men")]) == 1:
            # A bare surname is the gentleman's, not his wife's or sister's.
            root[name] = men[0]
    for name in full:
        bare = " ".join(name.split()[1:])
        longer = [other for other in full if other.startswith(name + " ")]
        if _titled(name) and len(longer) == 1:
            root.setdefault(name, longer[0])
        elif _titled(name) and " " in bare and bare in kept:
            root.setdefault(name, bare)
    groups: dict[str, list[str]] = {}
    for name in kept:
        groups.setdefault(root.get(name, name), []).append(name)
    out: list[Entity] = []
    for first, forms in groups.items():
        total = _Seen()
        for form in forms:
            one = kept[form]
            total.count += one.count
            total.person += one.person
            total.place += one.place
            total.said += one.said
        kind = _kind(first, total)
        if kind == "character" and total.person < 2 and not _titled(first):
            continue
        own = tuple(dict.fromkeys([first, *sorted(forms, key=lambda f: (-kept[f].count, f))]))
        score = total.count + (total.person if kind == "character" else total.place)
        out.append(Entity(kind, first, own, total.count, float(score)))
    return sorted(out, key=lambda e: (-e.score, e.name))
