"""Names in Chinese text: who speaks and acts at the head of a clause, who is called what, places by
their last character, things by what counts them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from functools import cache

from inkwright.manuscript.script import BEYOND_LATIN, HAN
from inkwright.offline.names.entity import Entity
from inkwright.offline.names.tables import choice, word_set, words

MOST = 300
"""Candidates that are looked at; of more, those with the most evidence."""

_HAN = BEYOND_LATIN


@cache
def _speakers() -> re.Pattern[str]:
    return re.compile(
        rf"(?<!{_HAN})(?:{choice('han', 'leads')})*({_HAN}{{2,4}}?)(?:{choice('han', 'between')})*"
        rf"(?:{choice('han', 'speech')})(?![理路具士德])"
    )


@cache
def _doers() -> re.Pattern[str]:
    return re.compile(
        rf"(?<!{_HAN})(?:{choice('han', 'leads')})*({_HAN}{{2,4}}?)(?:{choice('han', 'deeds', 'between')})"
    )


@cache
def _called() -> re.Pattern[str]:
    return re.compile(
        rf"(?:{choice('han', 'naming')})(?:唤作|唤做|叫作|叫做|唤|叫|作|做|名|为|曰|是)?[：:]?[“\"「『‘《]?"
        rf"({_HAN}{{2,4}}?)(?=[，。．,；;、！？!?”\"」』’》\s]|者|的|也|$)"
    )


@cache
def _foreign() -> re.Pattern[str]:
    """Names from other languages: in parts, or behind a calling and before what its bearer does."""
    return re.compile(
        rf"(?<![{HAN}·])([{HAN}]{{1,6}}(?:[·・][{HAN}]{{1,7}}){{1,3}}?)(?=(?:{choice('han', 'does')})|(?![{HAN}·])|的|和|与|在)"
        rf"|(?:{choice('han', 'experts')})([{HAN}]{{2,6}}?)(?={choice('han', 'does')})"
    )


_END = r"(?=[，,。．；;、\s]|者|$)"
_STYLE = rf"(?:[，,、]?(?:表?字|别号|号|人称)({_HAN}{{1,3}}?){_END})?"


@cache
def _registered() -> re.Pattern[str]:
    return re.compile(rf"姓({_HAN}{{1,2}}?)[，,]?(?:双?名|讳)({_HAN}{{1,2}}?){_END}" + _STYLE + _STYLE)


@cache
def _titled() -> re.Pattern[str]:
    strong = [w for w in words("han", "surnames") if w not in word_set("han", "weak_surnames")]
    family = "|".join([*words("han", "compound_surnames"), *strong])
    return re.compile(rf"(?:{family})(?:{choice('han', 'titles')})(?![亲女子])")


def people(text: str, title: str = "", known: Collection[str] = ()) -> list[Entity]:
    """The people of a text, the surest and most frequent first. `title` is its heading; `known` are
    names that somebody wrote down as a person's. Linear in the text."""
    votes = Counter[str]()
    said = Counter[str]()
    groups = _register(text)
    named = {form for group in groups for form in group if form in text}
    for match in _speakers().finditer(text):
        if _fits(match[1]):
            said[match[1]] += 1
            votes[match[1]] += 2
    for match in _doers().finditer(text):
        if _fits(match[1]):
            votes[match[1]] += 1
    for match in _titled().finditer(text):
        votes[match[0]] += 1
    named |= {match[1] for match in _called().finditer(text) if _fits(match[1])}
    named |= {name for match in _foreign().finditer(text) if _fits(name := match[1] or match[2])}
    named |= {name for name in known if name in text}
    for name in _headed(title):
        votes[name] += 2
    for name in named:
        votes[name] += 4
    best = [name for name, _ in sorted(votes.items(), key=lambda p: (-p[1], p[0]))[:MOST]]
    counts = {name: text.count(name) for name in best}
    kept = {
        name
        for name in best
        if counts[name]
        and (name in named or _sure(name, votes[name], said[name], counts[name]))
        and (name in known or not _part(name, text, counts[name]))
    }
    return _merge(text, kept | _styled(text, kept), votes, groups)


def _fits(name: str) -> bool:
    nobody = word_set("han", "nobody")
    if not word_set("han", "no_name").isdisjoint(name) or name[-1] in word_set("han", "no_last"):
        return False
    return nobody.isdisjoint((name, name[:2], name[-2:])) and len(set(name)) > 1 - (len(name) == 2)


def _sure(name: str, votes: int, said: int, count: int) -> bool:
    """Whether what the text says of it makes it a person's name."""
    if _titled().fullmatch(name):
        return count >= 2
    if said == 0 or count < 2:
        return surname(name, strict=True) != "" and votes >= 3 and count >= 3
    if surname(name):
        return votes >= 3 or (surname(name, strict=True) != "" and count >= 3)
    return said >= 2 or votes >= 5


def surname(name: str, *, strict: bool = False) -> str:
    """The surname that a name begins with, '' for none. `strict`: one that is no common word too."""
    if name[:2] in word_set("han", "compound_surnames") and 2 < len(name) <= 4:
        return name[:2]
    if name[:1] in word_set("han", "surnames") and 1 < len(name) <= 3:
        return "" if strict and name[:1] in word_set("han", "weak_surnames") else name[:1]
    return ""


def _styled(text: str, names: Collection[str]) -> set[str]:
    """The names that stand mostly with a calling behind them, with it."""
    out = set()
    for name in names:
        if _titled().fullmatch(name) or len(name) > 3:
            continue
        found = Counter(m[1] for m in re.finditer(rf"{re.escape(name)}({choice('han', 'callings')})", text))
        if found and (best := found.most_common(1)[0])[1] >= 0.5 * text.count(name):
            out.add(name + best[0])
    return out


def _part(name: str, text: str, count: int) -> bool:
    """Whether the name is but the beginning of a longer word."""
    if count < 4:
        return False
    after = Counter(text[m.end() : m.end() + 1] for m in re.finditer(re.escape(name), text))
    char, most = after.most_common(1)[0]
    return most >= 0.7 * count and re.match(_HAN, char) is not None and char not in word_set("han", "no_name")


def _register(text: str) -> list[list[str]]:
    """The names of each person of whom surname, name and style are told, with the surname and without."""
    out = []
    for match in _registered().finditer(text):
        family, *given = [part for part in match.groups() if part]
        if family in word_set("han", "surnames") or family in word_set("han", "compound_surnames"):
            forms = [family + part for part in given] + [part for part in given if len(part) > 1]
            out.append([form for form in forms if _fits(form)])
    return [group for group in out if group]


def _headed(title: str) -> Iterator[str]:
    """Names at the head of the halves of a heading that sums its chapter up, as old novels have them."""
    for half in re.split(rf"(?:(?!{_HAN}).)+", title):
        if 5 <= len(half) <= 9 and surname(half[:3], strict=True) and _fits(half[:3]):
            yield half[:3]


def _merge(text: str, kept: set[str], votes: Counter[str], groups: list[list[str]]) -> list[Entity]:
    """One person for the full name, the given name and what is made of it."""
    root: dict[str, str] = {}
    for group in groups:
        here = [form for form in group if form in text]
        if here:
            first = max(here, key=lambda form: (bool(surname(form)), text.count(form)))
            root |= dict.fromkeys([form for form in group if form != first], first)
    for name in sorted(kept):
        given = name[len(surname(name)) :]
        if (
            given != name
            and len(given) == 2
            and given[1] != "儿"
            and given in text
            and not _titled().fullmatch(name)
        ):
            root.setdefault(given, root.get(name, name))
    for name in sorted(kept):
        if name.endswith("儿") and name[:-1] in kept and len(name) > 2:
            root[name] = name[:-1]
        elif (styled := _calling(name)) in kept:
            root[styled] = name
        elif len(name) == 2 and name not in root and not surname(name, strict=True):
            root[name] = _full(name, text) or name
    persons: dict[str, list[str]] = {}
    for name in sorted(kept | set(root.values()) | set(root)):
        if name in text:
            persons.setdefault(_follow(name, root), []).append(name)
    out = []
    for first, forms in persons.items():
        own = tuple(dict.fromkeys([first, *sorted(forms, key=lambda f: -text.count(f))]))
        size = occurrences(text, own)
        out.append(Entity("character", first, own, size, float(sum(votes[f] for f in own) + size)))
    return sorted(out, key=lambda e: (-e.score, e.name))


def _calling(name: str) -> str:
    """The name without the calling behind it; '' for one without."""
    match = re.fullmatch(rf"(.{{1,3}}?)(?:{choice('han', 'callings')})", name)
    return match[1] if match else ""


def _follow(name: str, root: dict[str, str]) -> str:
    seen = {name}
    while (name := root.get(name, name)) not in seen:
        seen.add(name)
    return name


def _full(given: str, text: str) -> str:
    """The full name of somebody whose given name this is, when the text has it."""
    found = Counter(match[0] for match in re.finditer(rf"{_HAN}{re.escape(given)}", text))
    heads = {match[0] for match in re.finditer(rf"(?<!{_HAN}){_HAN}{re.escape(given)}", text)}
    fitting = [n for n in found if surname(n, strict=True) and (found[n] > 1 or n in heads)]
    return max(fitting, key=lambda n: (found[n], n), default="")


def occurrences(text: str, forms: Collection[str]) -> int:
    """How often one of the forms stands in the text, the longest counted where they overlap."""
    pattern = "|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True))
    return sum(1 for _ in re.finditer(pattern, text))


@cache
def _place() -> re.Pattern[str]:
    return re.compile(rf"(?:{choice('han', 'places')})")


@cache
def _place_called() -> re.Pattern[str]:
    called = "名叫|名唤|名曰|唤作|叫做|叫作|呼作|称作|称为|名"
    return re.compile(
        rf"(?:处|城|地方|所在|山|村|镇|庙|寺|街|巷|国|县|庄)(?:{called}|叫|曰)({_HAN}{{2,4}}?)(?=[，。．,；、者]|$)"
        rf"|(?:{called})({_HAN}{{1,3}}(?:{choice('han', 'places')}))(?=[，。．,；、者]|$)"
    )


def places(text: str, people: Collection[str] = ()) -> list[Entity]:
    """The places of a text by their last characters, where something leads to them. Linear in the text."""
    counts = Counter[str]()
    led = Counter[str]()
    stop, toward = word_set("han", "no_place"), word_set("han", "toward")
    for match in _place().finditer(text):
        low = match.start()
        while (
            low > 0
            and match.start() - low < 3
            and text[low - 1] not in stop
            and re.match(_HAN, text[low - 1])
        ):
            low -= 1
        counts.update(text[start : match.end()] for start in range(low, match.start()))
        if low < match.start() and low > 0 and text[low - 1] in toward:
            led[text[low : match.end()]] += 1
    for match in _place_called().finditer(text):
        name = match[1] or match[2]
        if stop.isdisjoint(name):
            counts[name] = max(counts[name], text.count(name))
            led[name] += 3
    rest = Counter(counts)
    kept: list[Entity] = []
    for name in sorted(counts, key=lambda n: (-len(n), n)):
        if not _somewhere(name) or any(p in name for p in people):
            continue
        sure = (
            led[name] >= 3 or (led[name] >= 1 and rest[name] >= 2)
            if len(name) > 2
            else led[name] >= 2 and rest[name] >= 3
        )
        if sure or (rest[name] >= 4 and rest[name] >= 0.6 * counts[name] and len(name) > 2):
            kept.append(Entity("location", name, (name,), counts[name], rest[name] + 2.0 * led[name]))
            for start in range(len(name)):
                for end in range(start + 2, len(name) + 1):
                    if end - start < len(name):
                        rest[name[start:end]] -= rest[name]
    return sorted(kept, key=lambda e: (-e.score, e.name))


def _somewhere(name: str) -> bool:
    nowhere = word_set("han", "nowhere")
    return name not in nowhere and name[-2:] not in nowhere


@cache
def _counted() -> re.Pattern[str]:
    numbers, counters = choice("han", "numerals"), choice("han", "counters")
    return re.compile(rf"(?:{numbers})(?:{counters})({_HAN}{{2,5}})")


def things(text: str, others: Collection[str] = ()) -> list[Entity]:
    """Things that are counted and come back, and titles in 《》. Linear in the text."""
    counted = Counter[str]()
    none = word_set("han", "no_thing")
    for match in _counted().finditer(text):
        for size in range(2, len(match[1]) + 1):
            word = match[1][:size]
            if word[-1] in word_set("han", "no_place") or word[-1] in none or len(set(word)) == 1:
                continue
            if word not in none and word_set("han", "no_name").isdisjoint(word):
                counted[word] += 1
    counts = {word: text.count(word) for word in counted}
    kept: list[Entity] = []
    for word in sorted(counts, key=lambda w: (-len(w), w)):
        count = counts[word] - sum(e.count for e in kept if word in e.name)
        if count >= 4 and not any(word in other or other in word for other in others):
            kept.append(Entity("item", word, (word,), count, float(count)))
    for word in {match[1] for match in re.finditer(rf"《({_HAN}{{2,12}})》", text)}:
        if all(e.name != word for e in kept):
            count = text.count(word)
            if count >= 3:
                kept.append(Entity("item", word, (word,), count, count + 1.0))
    return sorted(kept, key=lambda e: (-e.score, e.name))
