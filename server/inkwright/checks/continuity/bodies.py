"""How old people are in a paragraph, which colour their eyes and hair have, and which limbs they use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from inkwright.checks.continuity.claims import Aged, Limbs, Looks, Part, Side
from inkwright.checks.continuity.clauses import Clauses
from inkwright.checks.continuity.words import Language, Limb, Words, words
from inkwright.domain.text import Span
from inkwright.manuscript import numerals

_NUMBER = rf"(?P<n>[0-9]{{1,3}}|[{numerals.HAN}]{{1,5}})"
_CUE = r"(?:今年|现年|年方|年已|时年|刚满|满|才|已经|已|正好|正是|不过|年仅|只有|刚刚|刚|整整|虚岁|也|都|这年|是年|如今|现在|眼下|芳龄|年纪|将满|到今天|，|,|\s)"
_AGE_ZH = re.compile(rf"{_NUMBER}周?岁")
_AFTER_ZH = re.compile(r"(?=[，。．！？；…—\s]|\Z|了|的年纪|的人了|出头)")
_NOT_OF = re.compile(r"(?:那[年时]|时|的时候|起|以[前后]|之[前后]|[前后]|就|便|大|小)")
_WORD = numerals.WORD
_BEFORE_EN = re.compile(
    r"(?:,\s*(?:(?:aged|now|just|only|barely|all of|already)\s+)*|\s+(?:was|is)\s+(?:(?:now|only|just|barely|already|all of|exactly)\s+)*"
    r"|\s+(?:(?:had )?(?:just )?turned)\s+|,?\s+aged\s+)\Z",
    re.IGNORECASE,
)
_BEHIND_EN = re.compile(
    r"(?:\s+years\s+old|\s+years\s+of\s+age)?(?=\s*(?:[.,;!?]|\Z|and\b|now\b|today\b|this\b|but\b|that (?:day|week|month)\b))",
    re.IGNORECASE,
)
_OWN = re.compile(r"(?:的|那双|那对|那头|那一[双头对]|一[双头对])[^，。．！？；：、]{0,5}\Z")
_HERS = re.compile(r"(?:他|她)(?:的|那一?[双对头])[^，。．！？；：、]{0,5}\Z")
_NO_LIMB = re.compile(r"[指趾]|\b(?:fingers?|thumbs?|toes?|nails?)\b", re.IGNORECASE)
_HIT = re.compile(
    r"\b(?:two|both|a pair of) black|\b(?:fights?|fought|brawl\w*|punch\w*|beat(?:en|ing)?|hit|struck|blows?|fists?"
    r"|bruis\w+|swollen|scuffles?|broken|split|accident|fall)\b",
    re.IGNORECASE,
)
_OWN_EN = re.compile(r"'s?\s+(?:\w+\s+){0,2}\Z")
_HERS_EN = re.compile(r"\b(?:his|her)\s+(?:\w+,?\s+){0,2}\Z", re.IGNORECASE)


def ages(told: Clauses) -> Iterator[Aged]:
    """Ages that are said of a person who is named right beside, or whom the sentence is about."""
    return _ages_zh(told) if told.words.language == "zh" else _ages_en(told)


def looks(told: Clauses) -> Iterator[Looks]:
    """Colours of eyes and of hair that are somebody's."""
    text, language = told.told, told.words
    for pattern, part in _looks(language.language):
        for found in pattern.finditer(text):
            sentence = told.sentence(found.start())
            if language.changed.search(text, max(0, sentence.start - 60), sentence.end):
                continue
            colour = language.colours[found["colour"].lower()]
            if part == "eyes" and colour in ("red", "white"):  # of weeping, of rage
                continue
            clause = told.clause(found.start())
            if language.negative.search(text, max(clause.start, found.start() - 8), found.end()):
                continue
            if _mixed(language, text, Span(found.start("colour"), found.end("colour"))):
                continue
            if (
                language.language == "en"
                and (part, colour) == ("eyes", "black")
                and _bruised(text, sentence, found[0])
            ):
                continue
            if card := _owner(told, Span(found.start(), found.end())):
                yield Looks(card, Span(found.start("colour"), found.end("colour")), part=part, colour=colour)


def limbs(told: Clauses) -> Iterator[Limbs]:
    """Limbs that somebody is said to have and to use."""
    text, language = told.told, told.words
    for pattern, limb in _limbs(language.language):
        for found in pattern.finditer(text):
            clause = told.clause(found.start())
            if language.idle.search(told.bare, clause.start, clause.end) or language.negative.search(
                text, clause.start, found.start()
            ):
                continue
            side: Side = "left" if found["left"] else "right" if found["right"] else "both"
            if card := _owner(told, Span(found.start(), found.end()), own=bool(found["own"])):
                yield Limbs(card, Span(found.start(), found.end()), limb=limb, side=side)


class Shades(NamedTuple):
    """What a value says of a colour: all that it may mean, `灰蓝` grey or blue, and the word for it."""

    colours: frozenset[str]
    word: str


def shades_of(part: Part, value: str) -> Shades | None:
    """The colour that a fact gives to a part; `value` may say more than that."""
    for language in (words("zh"), words("en")):
        for pattern, kind in _looks(language.language):
            if kind == part and (found := pattern.search(value)):
                at = found.start("colour")
                return next((s for start, end, s in _runs(language, value) if start <= at < end), None)
    return None


def shades_in(value: str) -> Shades | None:
    """The first colour in a value."""
    for language in (words("zh"), words("en")):
        for _, _, found in _runs(language, value):
            return found
    return None


def _runs(language: Words, value: str) -> Iterator[tuple[int, int, Shades]]:
    """The words for colours in a value, those that stand together as one."""
    one = re.compile(language.colour, re.IGNORECASE)
    run = rf"(?:{language.colour})+"
    if language.language == "en":
        run = rf"\b(?:{language.colour})(?:[-/](?:{language.colour}))*\b"
    for found in re.finditer(run, value, re.IGNORECASE):
        colours = frozenset(language.colours[word.lower()] for word in one.findall(found[0]))
        yield found.start(), found.end(), Shades(colours, found[0])


def _mixed(language: Words, text: str, colour: Span) -> bool:
    """Whether another word for a colour stands right at this one, as in `灰蓝` and `blue-grey`."""
    start, end = max(0, colour.start - 12), colour.end + 12
    around = text[start:end]
    own = Span(colour.start - start, colour.end - start)
    return any(a <= own.start and own.end <= b and b - a > len(own) for a, b, _ in _runs(language, around))


def _bruised(text: str, sentence: Span, said: str) -> bool:
    """Whether black eyes are those of somebody who was hit."""
    return not said.lower().endswith("s") or _HIT.search(text, sentence.start, sentence.end) is not None


def lost_in(key: str, value: str) -> list[tuple[Limb, Side]]:
    """The limbs that a fact says are lost: `左臂: 断`, `lost her left arm`."""
    out: list[tuple[Limb, Side]] = []
    if _NO_LIMB.search(key + value):
        return out
    for language in (words("zh"), words("en")):
        if not language.lost.search(value) and not (language.lost.search(key)):
            continue
        said = f"{key} {value}"
        for limb, noun in language.limbs.items():
            for found in re.finditer(
                rf"(?P<side>左|右|双|left |right |both )\s?(?:{noun})(?!\w*[a-z])", said, re.IGNORECASE
            ):
                side = found["side"].strip().lower()
                where: Side = (
                    "left" if side in ("左", "left") else "right" if side in ("右", "right") else "both"
                )
                if (limb, where) not in out:
                    out.append((limb, where))
    return out


def _ages_zh(told: Clauses) -> Iterator[Aged]:
    text = told.told
    for found in _AGE_ZH.finditer(text):
        years = numerals.value(found["n"])
        if years is None or not 0 < years < 150:
            continue
        number = Span(found.start("n"), found.end("n"))
        if text.startswith("的", found.end()):
            after = found.end() + 1
            named = next((w for w in told.people if after <= w.start <= after + 4), None)
            if (
                named
                and not re.search(r"[，。的]", text[after : named.start])
                and not _like(text, found.start())
            ):
                yield Aged(named.card, number, years=years)
                continue
        if _NOT_OF.match(text, found.end()) or not _AFTER_ZH.match(text, found.end()):
            continue
        before = next((w for w in reversed(told.people) if w.end <= found.start()), None)
        if before is not None and re.fullmatch(rf"{_CUE}{{0,4}}", text[before.end : found.start()]):
            yield Aged(before.card, number, years=years)
            continue
        clause = told.clause(found.start())
        pronoun = re.fullmatch(rf"[\s\u3000]*[他她]?{_CUE}{{1,3}}", text[clause.start : found.start()])
        card, _ = told.topic(found.start())
        if pronoun is not None and card:
            yield Aged(card, number, years=years)


def _like(text: str, at: int) -> bool:
    return re.search(r"[像如似比]|不到|将近|快|约|年仅?\Z", text[max(0, at - 4) : at]) is not None


def _ages_en(told: Clauses) -> Iterator[Aged]:
    text = told.told
    firsts = {subject.people[-1].start for subject in told.subjects}
    for who in told.people:
        before = re.search(
            rf"\b(?P<n>{_WORD}|\d{{1,3}})[- ]years?[- ]old\s+\Z",
            text[max(0, who.start - 40) : who.start],
            re.I,
        )
        if before is not None and (years := _years(before["n"])):
            start = max(0, who.start - 40) + before.start("n")
            yield Aged(who.card, Span(start, start + len(before["n"])), years=years)
        after = re.compile(rf"\b(?P<n>{_WORD}|\d{{1,3}})\b", re.IGNORECASE).search(
            text, who.end, who.end + 40
        )
        if after is None or not (years := _years(after["n"])):
            continue
        lead = text[who.end : after.start()]
        if not lead.startswith(",") and who.start not in firsts:  # since Jane was sixteen
            continue
        if _BEFORE_EN.fullmatch(lead) and _BEHIND_EN.match(text, after.end()):
            yield Aged(who.card, Span(after.start("n"), after.end("n")), years=years)


def _years(said: str) -> int:
    years = int(said) if said.isdecimal() else numerals.english(said)
    return years if years is not None and 0 < years < 150 else 0


def _owner(told: Clauses, where: Span, *, own: bool = False) -> str:
    """Whose a part of a body is: of the one named right before it or right behind it, else of the one that the
    sentence is about where nobody else can be meant. `own` parts are said to be his or hers."""
    text, chinese = told.told, told.words.language == "zh"
    clause = told.clause(where.start)
    before = next(
        (w for w in reversed(told.people) if clause.start <= w.start and w.end <= where.start), None
    )
    if before is not None:
        between = text[before.end : where.start]
        if (_OWN if chinese else _OWN_EN).match(between) and (chinese or _OWN_EN.fullmatch(between)):
            return before.card
    behind = next((w for w in told.people if where.end <= w.start <= where.end + 2), None)
    if behind is not None and text[where.end : behind.start].strip() in ("的", ""):
        return behind.card
    hers = own or (_HERS if chinese else _HERS_EN).search(text, clause.start, where.start) is not None
    card, named = told.topic(where.start)
    sentence = told.sentence(where.start)
    if hers and chinese:
        mine = next((w.end for w in told.people if clause.start <= w.start < where.start), where.start)
        if told.words.looking.search(text, mine, where.start):
            return ""  # 沈默看着她的眼睛
        return told.solo if told.solo and told.alone(Span(0, where.end), told.solo) else ""
    if not card and hers and told.solo and any(w.start < where.start for w in told.people):
        return told.solo
    if (
        not card
        or not told.alone(Span(sentence.start, where.end), card)
        or (not hers and not chinese and not _has(text, named, where))
    ):
        return ""
    if told.words.looking.search(text, max(named, clause.start), where.start):
        return ""
    return "" if told.words.others.search(text, named, where.start) else card


def _has(text: str, named: int, where: Span) -> bool:
    """`Mara, with her green eyes`, `Mara had green eyes`, `both hands`."""
    return (
        re.search(r"\b(?:had|has|with|both|two|using|in)\b[^.;]*\Z", text[named : where.start + 5])
        is not None
    )


@cache
def _looks(language: Language) -> tuple[tuple[re.Pattern[str], Part], ...]:
    w: Words = words(language)
    out: list[tuple[re.Pattern[str], Part]] = []
    parts: tuple[Part, ...] = ("eyes", "hair")
    for part in parts:
        noun = w.parts[part]
        if language == "zh":
            out.append(
                (
                    re.compile(
                        rf"(?P<colour>{w.colour})(?:色的?|的)?[^，。．！？；：、的\s]{{0,2}}(?:{noun})"
                    ),
                    part,
                )
            )
            out.append(
                (
                    re.compile(
                        rf"(?:{noun})(?:还?是|呈|乃)(?:[^，。．！？；：、\s]{{0,3}}?)(?P<colour>{w.colour})色?的?"
                    ),
                    part,
                )
            )
        else:
            out.append(
                (
                    re.compile(
                        rf"\b(?P<colour>{w.colour})(?:,? \w+)?[ -](?:{noun}|{part[:-1] if part == 'eyes' else part}d)\b(?<!ed)",
                        re.I,
                    ),
                    part,
                )
            )
            past = "eyed" if part == "eyes" else "haired"
            out.append((re.compile(rf"\b(?P<colour>{w.colour})-{past}\b", re.I), part))
            out.append(
                (
                    re.compile(
                        rf"\b(?:{noun}) (?:was|were|is|are) (?:\w+ly |a |the )*(?:\w+ )?(?P<colour>{w.colour})\b",
                        re.I,
                    ),
                    part,
                )
            )
            out.append(
                (
                    re.compile(
                        rf"(?:(?<=\bher )|(?<=\bhis ))(?:{noun}) (?:\w+ly )?(?P<colour>{w.colour})(?=[,.;])",
                        re.I,
                    ),
                    part,
                )
            )
    return tuple(out)


@cache
def _limbs(language: Language) -> tuple[tuple[re.Pattern[str], Limb], ...]:
    w = words(language)
    out: list[tuple[re.Pattern[str], Limb]] = []
    for limb, noun in w.limbs.items():
        if language == "zh":
            pattern = rf"(?:(?P<left>(?<!右)左)|(?P<right>(?<!左)右)|(?P<both>双|两[只条]?))(?P<own>)(?:{noun})(?![一-鿿]?(?:空空|足))"
        else:
            pattern = (
                rf"\b(?:(?P<own>his |her )?(?:(?P<left>left)|(?P<right>right)) (?:{noun})|"
                rf"(?P<both>both (?:of )?(?:his |her )?|two )(?:{noun}))\b(?!-)"
            )
        out.append((re.compile(pattern, re.IGNORECASE), limb))
    return tuple(out)
