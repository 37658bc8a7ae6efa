"""Open documents read by paragraph, against the same text read whole."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from inkwright.domain.cards import Card, Fact, Match
from inkwright.domain.manuscript import Counts, Problem
from inkwright.manuscript import drafts, leaf, naming, shelf
from inkwright.manuscript.layouts import Place
from inkwright.manuscript.leaf import Found, Leaf
from inkwright.manuscript.mentions import Dictionary
from inkwright.manuscript.pages import Pages
from inkwright.manuscript.walk import Seen

CARDS = [
    Card("a.md", "林夏", "character", aliases=("小夏", "夏")),
    Card("b.md", "Rose Lin", "character", aliases=("Rose",), match=Match("exact")),
    Card("d.md", "A*b", "character", aliases=("*夏*",)),
    Card("c.md", "白", "character", match=Match(exclude=("白林夏",))),
]
DICTIONARY = Dictionary(CARDS)
PLACE = Place("chapter")

PIECES = st.sampled_from(
    [
        "林夏",
        "小夏",
        "夏天",
        "白",
        "白天",
        "Rose",
        " Lin",
        "s",
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        "。",
        "“",
        "# ",
        "## ",
        "---\n",
        "***\n",
        "> ",
        "- ",
        "    ",
        "```\n",
        "`",
        "**",
        "[[林夏|她]]",
        "[[夏]]",
        "<!-- ",
        " -->",
        "%%",
        "[x](y)",
        "title: 林夏\n",
        "\u3000\u3000",
        "𠮷",
        "3.14 ",
        "|a|b|\n",
        "A*b",
        "A\\*b",
        "*夏*",
        "*",
        "\ufeff",
        "title:          夏\nID:             3\n",
    ]
)
TEXTS = st.lists(PIECES, max_size=25).map("".join)


def whole(text: str) -> Leaf:
    return leaf.from_text("x.md", text, PLACE, DICTIONARY)


@example("林夏。\n\n\ufeff3小夏。\n", [], 1)
@example("林夏。\n\n小夏。\n", [(6, 0, "\ufeff")], 1)
@example("林夏。\n\ntitle:          夏\nID:             3\n\n白。\n", [], 1)
@example("\ufeff林夏。\n\n小夏。\n", [(0, 0, "夏。\n\n")], 1)
@given(
    TEXTS,
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 5), PIECES), max_size=6),
    st.sampled_from([1, 8, 2_000]),
)
def test_typing_gives_what_a_full_reading_gives(
    text: str, edits: list[tuple[int, int, str]], size: int
) -> None:
    """After every edit, however long a page is, the leaf with what was kept is that of the whole text."""
    found, pages = drafts.read("x.md", text, PLACE, DICTIONARY, Pages(size=size))
    assert found == whole(text)
    for at, cut, new in edits:
        text = text[:at] + new + text[at + cut :]
        found, pages = drafts.read("x.md", text, PLACE, DICTIONARY, pages)
        assert found == whole(text)


def test_only_the_edited_paragraph_is_searched(monkeypatch) -> None:
    """A keystroke searches one paragraph for names; the others are taken as they were."""
    text = "\n\n".join(f"第{i}段，林夏。" for i in range(300))
    _, pages = drafts.read("x.md", text, PLACE, DICTIONARY, Pages())
    searched: list[str] = []
    real = DICTIONARY.within

    def spy(whole: str, *pieces: object) -> object:
        searched.append(whole)
        return real(whole, *pieces)

    monkeypatch.setattr(DICTIONARY, "within", spy)
    found, _ = drafts.read("x.md", text.replace("第150段", "第150段小夏"), PLACE, DICTIONARY, pages)
    assert len(searched) == 1
    assert sum(found.found.tallies) == 301


META = st.dictionaries(
    st.text(max_size=5),
    st.one_of(
        st.text(max_size=5),
        st.integers(-9, 9),
        st.none(),
        st.booleans(),
        st.lists(st.text(max_size=3), max_size=2),
    ),
    max_size=3,
)


@given(TEXTS, META, st.booleans())
def test_leaves_are_kept_whole(text: str, meta: dict[str, object], racy: bool) -> None:
    """What goes to the store comes back equal; a file that may have changed unseen does not come back."""
    kept = whole(text)
    made = Leaf(
        "路径/é.md",
        "chapter",
        Place("chapter", "", "卷", True),
        b"12",
        "encoding",
        "标题",
        Counts(1, 2, 3, 4),
        meta,
        kept.found,
        None,
        (Problem("路径/é.md", 3, "code", {"a": "b", "n": 1}),),
        ((3, 2, "节"), (9, 7, text[:10])),
        reading=naming.read("第二卷 第3.5章 渡口"),
    )
    back = shelf.leaf(shelf.record(made, Seen(5, 6), racy))
    assert back == (None if racy else made)


def test_cards_are_kept_whole() -> None:
    """Every field of a card survives the store."""
    card = Card(
        "a.md", "林夏", "人物", "character", ("小夏",), "s", ("t",), Match("exact", ("x",)), "never", "p",
        (Fact("k", "v", "a", "b", "q"),), {"age": "十九", "list": [1, {"a": None}]}, "body\ud800",
    )  # fmt: skip
    made = Leaf("a.md", "card", Place("card", "character"), b"", card=card)
    record = shelf.record(made, Seen(1, 1), False)
    assert shelf.leaf(record) == made
    assert shelf.leaf(record).found == Found()
