"""Where names stand, and where they only seem to."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.cards import Card, Match
from inkwright.domain.text import Span
from inkwright.manuscript import markdown, mentions
from inkwright.manuscript.mentions import Dictionary, plain_scanner


def card(
    name: str, *aliases: str, exact: bool = False, exclude: tuple[str, ...] = (), path: str = ""
) -> Card:
    match = Match("exact" if exact else "ignore", exclude)
    return Card(path or f"cards/{name}.md", name, "character", aliases=aliases, match=match)


def found(text: str, *cards: Card) -> list[str]:
    return [m.span.of(text) for m in Dictionary(cards).find(text, [Span(0, len(text))])]


def in_markdown(text: str, *cards: Card) -> list[tuple[int, str]]:
    return [(a, text[a:b]) for a, b, _ in Dictionary(cards).in_outline(text, markdown.outline(text))]


@pytest.mark.parametrize(
    ("names", "text", "hits"),
    [
        ([card("白")], "白天，白说。", ["白"]),
        ([card("林夏")], "林夏天天来。", ["林夏"]),
        ([card("林夏", exclude=("林夏天",))], "林夏天天来，林夏。", ["林夏"]),
        ([card("Rose", exact=True)], "Rose rose. Rose’s rose; “Rose”", ["Rose", "Rose", "Rose"]),
        ([card("Will", exact=True)], "He will ask Will.", ["Will"]),
        ([card("Goblin")], "goblins, Goblin’s, hobgoblin", ["goblin", "Goblin"]),
        ([card("Art", exact=True)], "start, Art, art", ["Art"]),
        ([card("Lin"), card("Lin Wan")], "Lin Wang", ["Lin"]),
        ([card("Lin"), card("Lin Wan")], "Lin Wan", ["Lin Wan"]),
        ([card("林"), card("林晚"), card("晚秋")], "林晚秋", ["林晚"]),
        ([card("insecte")], "l'insecte et l’insecte", ["insecte", "insecte"]),
        ([card("Fox")], "foxes and foxy", ["fox"]),
        (
            [card("Elizabeth Bennet")],
            "Elizabeth\nBennet, Elizabeth\r\nBennet",
            ["Elizabeth\nBennet", "Elizabeth\r\nBennet"],
        ),
        ([card("éva")], "e\u0301va éva ÉVA evan éval", ["e\u0301va", "éva", "ÉVA"]),
        ([card("V")], "V said v. I saw V2.", ["V"]),
        ([card("Анна")], "Анна, Аннабель, анна", ["Анна", "анна"]),
        ([card("林夏")], "😋𠮷林夏\ud800林夏", ["林夏", "林夏"]),
        ([card("İstanbul")], "İstanbul İx", ["İstanbul"]),
        ([card("ΝΙΚΟΣ")], "Νικος νικοσ", ["Νικος", "νικοσ"]),
        ([card("R2-D2")], "R2-D2, r2-d2s, R2-D22", ["R2-D2", "r2-d2"]),
        ([card("……")], "……", []),
        ([card("")], "abc", []),
    ],
)
def test_cases(names: list[Card], text: str, hits: list[str]) -> None:
    """Card, text, expected hits."""
    assert found(text, *names) == hits


def test_one_character_is_never_found_inside_a_common_word() -> None:
    """觉 does not stand in 睡觉, 林 not in 森林; alone they are found."""
    assert found("他睡觉了。感觉好，警觉。", card("觉")) == []
    assert found("森林里，林说。树林。", card("林")) == ["林"]
    assert found("安全、平安、白天、安来了。", card("安")) == ["安"]


def test_an_exclusion_frees_a_shorter_name() -> None:
    """A longer name that is excluded does not hide the shorter one in it."""
    names = [card("林夏天", exclude=("林夏天天",)), card("林夏")]
    assert found("林夏天天来", *names) == ["林夏"]


def test_an_ambiguous_name_gives_every_candidate() -> None:
    """Two cards with one alias: both at the same place, and the dictionary says so."""
    a, b = card("林夏", "小夏"), card("夏安", "小夏")
    dictionary = Dictionary([a, b])
    assert [(m.card, m.span) for m in dictionary.find("小夏", [Span(0, 2)])] == [
        (b.path, Span(0, 2)),
        (a.path, Span(0, 2)),
    ]
    assert dict(dictionary.ambiguous) == {"小夏": (b.path, a.path)}


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("# 林夏来了\n\n林夏。", [2, 8]),
        ("---\npov: 林夏\n---\n林夏", [16]),
        ("<!-- 林夏 --> 林夏", [12]),
        ("%% 林夏 %%\n\n林夏", [10]),
        ("`林夏` **林夏** _林夏_", [7, 13]),
        ("```\n林夏\n```\n", []),
        ("[林夏](林夏.md)", [1]),
        ("https://a.b/小夏 林夏", [15]),
        ("<https://a.b/林夏> 林夏", [17]),
        ("[[林夏]]", [2]),
        ("[[林夏|她]]笑了", [2]),
        ("[[林夏|林姑娘]]", [2]),
        ("[[别的|林姑娘]]", [5]),
        ("> 林夏\n\n- 林夏", [2, 8]),
        ("**林**夏", []),
    ],
)
def test_only_headings_and_prose(text: str, places: list[int]) -> None:
    """Front matter, comments, code, addresses and link targets hold no mentions; a wiki link's target is one."""
    assert [at for at, _ in in_markdown(text, card("林夏", "林姑娘"))] == places


def test_changed_names() -> None:
    """Between two dictionaries only the names of cards that differ count as changed."""
    before = Dictionary([card("林夏", "小夏"), card("周衡")])
    after = Dictionary([card("林夏", "阿夏"), card("周衡")])
    assert after.changed(before) == {"林夏", "小夏", "阿夏"}
    assert after.touches("有 阿夏 的字", after.changed(before))
    assert not after.touches("周衡独自来", after.changed(before))
    assert Dictionary([card("周衡"), card("林夏", "小夏")]).version == before.version != after.version


NAMES = st.lists(
    st.text(alphabet="林夏天ab A’\n", min_size=1, max_size=4), min_size=1, max_size=6, unique=True
)
TEXT = st.text(alphabet="林夏天小abAsB ’'.\n", max_size=60)


@given(NAMES, TEXT)
def test_the_plain_scanner_finds_the_same(names: list[str], text: str) -> None:
    """Without the native library the same occurrences come out."""
    names = sorted({n.lower() for n in names})
    native = mentions.scanner(names)
    assert sorted(plain_scanner(names)(text.lower())) == sorted(native(text.lower()))


@given(NAMES, TEXT)
def test_hits_are_names_apart_and_in_order(names: list[str], text: str) -> None:
    """Hits don't overlap, come in order, and each is a spelling of a name of its card."""
    cards = [card(name, path=f"{i}.md") for i, name in enumerate(names)]
    hits = Dictionary(cards).hits(text, [Span(0, len(text))])
    assert all(a[1] <= b[0] for a, b in itertools.pairwise(hits))
    for start, end, paths in hits:
        spelled = re.sub(r"\s+", " ", text[start:end].lower())
        for path in paths:
            assert spelled == re.sub(r"\s+", " ", names[int(path[:-3])].strip().lower())


@given(
    st.lists(st.sampled_from(["林夏", "夏天", "林", "Rose", "Rose Lin", "天"]), min_size=1, unique=True), TEXT
)
def test_a_piece_is_searched_as_in_the_whole(names: list[str], text: str) -> None:
    """Searching paragraph by paragraph finds what a search of the whole document finds."""
    dictionary = Dictionary([card(n, exclude=("林夏天", "天天")) for n in names])
    document = markdown.scan(text)
    pieces = [hit for p in document.paragraphs if p.prose for hit in dictionary.hits(text, p.prose)]
    assert pieces == dictionary.hits(text, document.prose)


@given(
    st.lists(st.sampled_from(["林夏", "夏", "Rose", "ΣΑΣ", "K", "\ud800夏"]), min_size=1, unique=True),
    st.text(st.sampled_from("林夏天roseROSEσςαΑK\u212aİ\ud800\ufffd 。\n"), max_size=40),
)
def test_names_without_case_are_found_without_folding(names: list[str], text: str) -> None:
    """A name of letters that have no case is found in the same places beside one that has."""
    alone = Dictionary([card(name) for name in names])
    beside = Dictionary([*(card(name) for name in names), card("Zz")])
    spans = [Span(0, len(text))]
    assert alone.hits(text, spans) == beside.hits(text, spans)


@pytest.mark.parametrize(
    ("name", "text", "hits"),
    [
        ("A.*b", r"A.*b met A.*b, A.\*b and A\.*b.", ["A.*b", "A.*b", r"A.\*b"]),
        ("C_d", r"C_d, C\_d, _C_d_, C__d.", ["C_d", r"C\_d", "C_d"]),
        ("[X]", r"[X], \[X\], [X](y.md), [X][z], [X]: `[X]`。", ["[X]", r"\[X\]", "[X]", "[X]"]),
        ("*Star*", r"*Star* and \*Star\* and **Star** and `*Star*`", ["*Star*", r"\*Star\*"]),
        ("~~白~~", "他是~~白~~，~~白~~来了。", ["~~白~~", "~~白~~"]),
        ("a_b_c_d_e", r"a_b_c_d_e, a\_b\_c\_d\_e, a\_b_c_d_e", ["a_b_c_d_e", r"a\_b\_c\_d\_e"]),
        ("C_d", "C[x](y)_d, C<b>_d, C\n\n_d", []),
        ("A*b", "A**b", []),
        ("K*", "他说 *K* 来了，K*也走了。", ["K*"]),
        ("K*", "2*K*3", []),
        ("K*", "K*和K*都来了", []),
        ("K*", "K* and K*, *a* K*", ["K*", "K*", "K*"]),
        ("K*", "- K*好\n- K*好\n\nK*好\n> K*好", ["K*", "K*", "K*", "K*"]),
        ("K*", "*`co\nde` K* and K*", ["K*"]),
        ("K*", "[a](*.md) K* `*` K* <b a='*'> K*", ["K*", "K*", "K*"]),
        ("K*", r"**K\*** came, *K\**, ***K\****, K\**", [r"K\*", r"K\*", r"K\*", r"K\*"]),
        ("K*", "**K**, **K***", []),
        ("C_", r"__C\___, _C\__, _C_, C_ and C_", [r"C\_", r"C\_", "C_", "C_"]),
        ("*K", r"**\*K**, *\*K*, *K*, \**K", [r"\*K", r"\*K", "*K"]),
        ("~~白", "~~白~~，~~白", ["~~白"]),
        ("K[", "K[a](b.md), K[", ["K["]),
        ("K\\", r"K\* and K\x and K\\\\ x", ["K\\", r"K\\"]),
        ("*K*", "*K* and **K** and *K* L* and _*K*_", ["*K*", "*K*", "*K*"]),
    ],
)
def test_a_name_with_marks_of_markdown_is_literal_text(name: str, text: str, hits: list[str]) -> None:
    """With backslashes before its marks or without, also where Markdown makes something of these, but never of one of
    them together with a mark outside of the name; no more than marks may stand between its parts."""
    assert [piece for _, piece in in_markdown(text, card(name))] == hits


@given(
    st.lists(
        st.sampled_from(
            ["A.*b", "*Star*", r"\*Star\*", "C_d", "[X]", "(y)", "*", "_", "\\", " ", "。", "\n\n", "`", "x"]
        ),
        max_size=14,
    ).map("".join)
)
def test_marked_names_are_found_by_paragraph_as_in_the_whole(text: str) -> None:
    """A chapter read in pages finds what one look at it finds; hits are apart and in order."""
    dictionary = Dictionary([card("A.*b"), card("*Star*"), card("C_d"), card("[X]"), card("Star")])
    outline = markdown.outline(text)
    hits = dictionary.in_outline(text, outline)
    assert all(a[1] <= b[0] for a, b in itertools.pairwise(hits))
    apart = [
        hit
        for *_, prose in outline.parts
        for hit in dictionary.within(text, [a for a, _ in prose], [b for _, b in prose])
    ]
    assert apart == hits
