"""Words that are one slip of the hand away from a name: which slips there are, and which are none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from inkwright.checks.book.nearest import distance
from inkwright.domain.cards import Card
from inkwright.manuscript import pinyin
from inkwright.manuscript.script import HAN

SHORTEST_HAN = 3
SHORTEST_LATIN = 5

_HAN_NAME = re.compile(f"[{HAN}]{{{SHORTEST_HAN},12}}")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_OWNED = re.compile(r"['’][sS]?\Z")
_VOWELS = frozenset("aeiouy")
_PLACE = frozenset(
    "城市县镇乡村山岭峰江河湖海洋岛州郡国府宫殿阁楼寺庙观门派帮会教宗族家院堂谷洞关寨营坊街巷路桥塔园林"
)
"""What a place or a faction ends with: another character there makes another word, not a slip."""
_TWO_SURNAME = frozenset(
    "欧阳 太史 端木 上官 司马 东方 独孤 南宫 万俟 闻人 夏侯 诸葛 尉迟 公羊 赫连 澹台 皇甫 宗政 濮阳 公冶 太叔 申屠 公孙 慕容 仲孙 "
    "钟离 长孙 宇文 司徒 鲜于 司空 闾丘 子车 亓官 司寇 巫马 公西 颛孙 壤驷 公良 漆雕 乐正 宰父 谷梁 拓跋 夹谷 轩辕 令狐 段干 百里 "
    "呼延 东郭 南门 羊舌 微生 左丘 东门 西门 第五 北冥 纳兰 完颜 耶律 叶赫 淳于 单于".split(" ")  # noqa: SIM905
)
"""Behind one of these a single character is all that tells a person from the rest of the family."""
_TITLE = re.compile(
    "(?:姐姐|妹妹|哥哥|弟弟|夫人|先生|姑娘|小姐|公子|少爷|老爷|太太|太君|奶奶|姨娘|姥姥|嬷嬷|婆婆|公公|爷爷|大人|将军|丞相|"
    "皇后|贵妃|娘娘|公主|王爷|殿下|陛下|师父|师兄|师姐|师弟|师妹|道长|真人|掌柜|老板|师傅|老师|医生|警官|队长|经理)\Z"
)
"""What many people are called by: before it a single character tells them apart."""
_COMMON = frozenset("氏家府某的了着过在是不有和与也就都而及之其所以于为被把从到说道问曰云他她它我你这那")
"""What often stands beside a part of a name in a sentence."""


class Slip(NamedTuple):
    """`better` was probably meant by what stands at `start`…`end`; `card` is its card's path."""

    start: int
    end: int
    better: str
    card: str


class Speller:
    """The names of a book's cards, made ready once; asked for one paragraph at a time."""

    def __init__(self, cards: Iterable[Card]) -> None:
        self._han: list[tuple[frozenset[str], str, str, re.Pattern[str]]] = []
        self._latin: dict[str, dict[str, str]] = {}
        self._known: set[str] = set()
        self._found: dict[str, tuple[str, str] | None] = {}
        names = {name: card for card in reversed(list(cards)) for name in card.names}
        for name, card in names.items():
            if _HAN_NAME.fullmatch(name):
                pattern = re.compile(f"(?=({'|'.join(_variants(name, card.kind))}))")
                self._han.append((frozenset(name), name, card.path, pattern))
            for word in _WORD.findall(name):
                self._known.add(word.casefold())
                if len(word) >= SHORTEST_LATIN and word[0].isupper() and not re.search(f"[{HAN}]", word):
                    for short in _shorter(word.casefold()):
                        self._latin.setdefault(short, {})[word] = card.path
        self._names = frozenset(names)

    def han(self, text: str) -> Iterator[Slip]:
        """Stretches as long as a name with one character that sounds or looks like the right one, or two swapped."""
        chars = frozenset(text)
        for wanted, name, card, pattern in self._han:
            if len(wanted - chars) > 1:
                continue
            for match in pattern.finditer(text):
                found = match[1]
                if found != name and found not in self._names and _is_slip(found, name):
                    yield Slip(match.start(1), match.end(1), name, card)

    def latin(self, text: str) -> Iterator[Slip]:
        """Capitalised words one letter away from a word of a name."""
        if not self._latin:
            return
        for match in _WORD.finditer(text):
            word = _OWNED.sub("", match[0])
            if len(word) < SHORTEST_LATIN - 1 or not word[0].isupper():
                continue
            if word not in self._found:
                self._found[word] = self._near(word)
            near = self._found[word]
            if near is not None:
                yield Slip(match.start(), match.start() + len(word), *near)

    def _near(self, word: str) -> tuple[str, str] | None:
        folded = word.casefold()
        if folded in self._known or folded in _capitalised():
            return None
        for short in _shorter(folded):
            for name, card in self._latin.get(short, {}).items():
                if distance(folded, name.casefold(), 1) == 1 and _is_letter_slip(folded, name.casefold()):
                    return name, card
        return None


def _variants(name: str, kind: str) -> Iterator[str]:
    """Patterns of what may stand for a name: any character for one of its own, or two that changed places."""
    place = kind != "character" and name[-1] in _PLACE
    family = len(name) == SHORTEST_HAN and name[:2] in _TWO_SURNAME
    last = len(name) - (place or family)
    for i in range(last):
        yield f"{name[:i]}[{HAN}]{name[i + 1 :]}"
    for i in range(last - 1):
        if name[i] != name[i + 1]:
            yield f"{name[:i]}{name[i + 1]}{name[i]}{name[i + 2 :]}"


def _is_slip(found: str, name: str) -> bool:
    different = [(a, b) for a, b in zip(found, name, strict=True) if a != b]
    if len(different) == 2:  # two that stand the wrong way round
        return True
    (written, meant) = different[0]
    if written in _COMMON:
        return False
    sounds = bool(set(pinyin.readings(written)) & set(pinyin.readings(meant)))
    looks = written in _shapes().get(meant, "")
    if name[0] == meant and _TITLE.fullmatch(name, 1):
        return sounds and looks
    return sounds or looks


def _is_letter_slip(word: str, name: str) -> bool:
    """Not another first letter, nor an ending that makes another name or number of it: Julia and Julie, Bennets."""
    if word[0] != name[0]:
        return False
    if len(word) != len(name):
        longer, shorter = sorted((word, name), key=len, reverse=True)
        return not (longer.startswith(shorter) and (longer[-1] in _VOWELS or longer[-1] == "s"))
    return not (word[:-1] == name[:-1] and (word[-1] in _VOWELS or name[-1] in _VOWELS))


def _shorter(word: str) -> set[str]:
    """The word, and the word without each of its letters: two words share one of these if they are near."""
    return {word, *(word[:i] + word[i + 1 :] for i in range(len(word)))}


@cache
def _shapes() -> Mapping[str, str]:
    text = (files("inkwright.checks.book") / "shapes.txt").read_text("utf-8")
    out: dict[str, str] = {}
    for group in text.split("\n"):
        if group and not group.startswith("#"):
            for char in group:
                out[char] = out.get(char, "") + group
    return out


@cache
def _capitalised() -> frozenset[str]:
    text = (files("inkwright.checks.book") / "capitalised.txt").read_text("utf-8")
    rows = (line for line in text.split("\n") if not line.startswith("#"))
    return frozenset(word for row in rows for word in row.split())
