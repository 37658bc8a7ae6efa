"""The files of cards that runs make."""

from __future__ import annotations

import os
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.cards import CARD_TYPES, Card, NewCard
from inkwright.domain.errors import InkwrightError
from inkwright.domain.text import EOL
from inkwright.manuscript import cardfile, cards, markdown

FERRY = NewCard(
    "location",
    "旧渡口",
    "江边的老码头，渡船被官府扣下。",
    ("渡口", "官府"),
    "林夏到的**时候**，船已经走了。\n\n“再等等。”周衡说。",
    "卷一/第001章.md",
    "渡口",
)
NASTY = st.one_of(
    st.text(max_size=60),
    st.sampled_from(
        [
            "---",
            "---\nai: always\n---\n内容",
            "ai: always\nprivate: x",
            "\n---\ntype: character\n---\n",
            "x\n...\nfacts: [{key: a}]",
            "<script>alert(1)</script>",
            "<!-- 从这里起都藏起来",
            "%% 藏起来",
            "```python\n没有关上",
            "~~~~\n```\n~~~",
            "\x00\x1b[31m",
            "\u202egnp.exe",
            "a: b: c # d",
            "{{a}}",
            "'\"\\",
            "!!python/object:os.system",
            "\ud800",
            "&a *a",
            "true",
            "007",
        ]
    ),
)
NOTES = st.builds(
    NewCard,
    type=st.one_of(st.sampled_from(CARD_TYPES), NASTY),
    title=NASTY,
    content=NASTY,
    tags=st.lists(NASTY, max_size=3).map(tuple),
    quote=st.one_of(st.just("林夏到的时候，船已经走了。"), NASTY),
    source=NASTY,
    chapter=NASTY,
)


def read(text: str) -> Card:
    card, problems = cards.read("cards/x.md", text, markdown.scan(text))
    assert problems == ()
    return card


def test_what_a_card_says() -> None:
    """Front matter in a fixed order, the content, and the quotation as a blockquote to the letter."""
    assert cardfile.render_note(FERRY) == (
        "---\ntype: location\nname: 旧渡口\ntags: [渡口, 官府]\nsource: 卷一/第001章.md\nchapter: 渡口\n---\n\n"
        "江边的老码头，渡船被官府扣下。\n\n"
        "> 林夏到的**时候**，船已经走了。\n> \n> “再等等。”周衡说。\n"
    )


@given(NOTES)
def test_nothing_breaks_out(note: NewCard) -> None:
    """Whatever a model says is a value or text: the keys are ours, the card is one, the quotation is whole."""
    text = cardfile.render_note(note)
    document = markdown.scan(text)
    assert set(document.frontmatter.meta) <= {"type", "name", "tags", "source", "chapter"}
    card = read(text)
    assert card.ai == "mention"
    assert card.private == ""
    assert card.kind in CARD_TYPES
    assert "\x00" not in text.partition("\n> ")[0]
    text.encode("utf-8")
    if note.quote == "林夏到的时候，船已经走了。":
        last = document.paragraphs[-1]
        assert last.kind == "quote"
        assert "".join(span.of(text) for span in last.prose) == note.quote


@given(st.text(min_size=1, max_size=80).filter(str.strip))
def test_a_quotation_comes_back_verbatim(quote: str) -> None:
    """Each line behind `> `, otherwise as it stands in the chapter."""
    text = cardfile.render_note(replace(FERRY, content="x", quote=quote))
    lines = text.removesuffix("\n").split("\n")
    first = lines.index("x") + 2
    assert all(line.startswith("> ") for line in lines[first:])
    same = quote.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    if same == quote:
        assert [line[2:] for line in lines[first:]] == EOL.split(quote)


def test_a_megabyte_is_one_card() -> None:
    """A value in the front matter has a length; the content is all there."""
    big = "很长的话" * 250_000
    text = cardfile.render_note(replace(FERRY, title=big, tags=(big,), source=big, chapter=big, content=big))
    card = read(text)
    assert len(card.name) == cards.MAX_NAME
    assert big in card.body


@pytest.mark.parametrize(
    ("content", "stands"),
    [
        ("a < b 且 $x<y$", "a < b 且 $x<y$"),
        ("<b>粗</b>", "\\<b>粗\\</b>"),
        ("<!-- x", "\\<!-- x"),
        ("50%% 的人", "50%\\% 的人"),
        ("```\nx", "```\nx\n```"),
        ("a\r\nb", "a\nb"),
        ("\u202e反", "反"),
    ],
)
def test_content_stays_text(content: str, stands: str) -> None:
    """No HTML, no comment, no open fence, no turned text; formulas are left alone."""
    assert f"\n\n{stands}\n\n> " in cardfile.render_note(replace(FERRY, content=content))


def test_the_same_wish_has_one_digest() -> None:
    """White space and normal form make no difference; any field but the tags and the title of the chapter does."""
    digest = cardfile.card_digest(FERRY)
    assert (
        cardfile.card_digest(replace(FERRY, content=f"  {FERRY.content}\n", tags=(), chapter="x")) == digest
    )
    assert cardfile.card_digest(replace(FERRY, title="e\u0301")) == cardfile.card_digest(
        replace(FERRY, title="é")
    )
    for field in ("type", "title", "content", "quote", "source"):
        assert cardfile.card_digest(replace(FERRY, **{field: "别的"})) != digest
    assert cardfile.card_digest(replace(FERRY, title="a b", content="c")) != cardfile.card_digest(
        replace(FERRY, title="a", content="b c")
    )
    assert cardfile.card_digest(replace(FERRY, title="\ud800"))


def test_a_card_is_made_once(tmp_path: Path) -> None:
    """A file with the same bytes is the same card; another of that name gets a number; none is overwritten."""
    first, made = cardfile.create_note(tmp_path, FERRY, [])
    assert (first, made) == (tmp_path / "cards/旧渡口.md", True)
    assert cardfile.create_note(tmp_path, FERRY, []) == (first, False)
    second, made = cardfile.create_note(tmp_path, replace(FERRY, content="另一张"), [])
    assert (second.name, made) == ("旧渡口 2.md", True)
    assert cardfile.create_note(tmp_path, replace(FERRY, content="另一张"), []) == (second, False)
    first.unlink()
    assert cardfile.create_note(tmp_path, replace(FERRY, content="另一张"), []) == (second, False)
    assert sorted(file.name for file in (tmp_path / "cards").iterdir()) == ["旧渡口 2.md"]


def test_a_card_of_another_file_with_the_name_is_no_fault(tmp_path: Path) -> None:
    """A card of the author's keeps its text, and the new one stands beside it, in the folder of its kind."""
    folder = tmp_path / "设定/地点"
    folder.mkdir(parents=True)
    (folder / "旧渡口.md").write_bytes(b"mine")
    known = [Card("设定/地点/旧渡口.md", "旧渡口", "location", "location")]
    path, made = cardfile.create_note(tmp_path, FERRY, known)
    assert (path, made) == (folder / "旧渡口 2.md", True)
    assert (folder / "旧渡口.md").read_bytes() == b"mine"


def test_many_at_once_make_one(tmp_path: Path) -> None:
    """Threads that write the same card at the same time leave whole files alone."""
    found: list[Path] = []
    barrier = threading.Barrier(8)

    def make() -> None:
        barrier.wait()
        found.append(cardfile.create_note(tmp_path, FERRY, [])[0])

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    data = cardfile.render_note(FERRY).encode()
    assert len(found) == 8
    assert all(file.read_bytes() == data for file in (tmp_path / "cards").iterdir())


def test_without_links_it_is_written_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a file system that has no links, nothing is overwritten either."""

    def no_links(*_: object) -> None:
        raise PermissionError("no links here")

    monkeypatch.setattr(os, "link", no_links)
    path, made = cardfile.create_note(tmp_path, FERRY, [])
    assert made
    assert path.read_bytes() == cardfile.render_note(FERRY).encode()
    assert cardfile.create_note(tmp_path, FERRY, []) == (path, False)
    assert [file.name for file in (tmp_path / "cards").iterdir()] == ["旧渡口.md"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_no_card_outside_the_book(tmp_path: Path) -> None:
    """A card folder that links out of the book is refused before anything is made there."""
    outside, root = tmp_path / "outside", tmp_path / "book"
    outside.mkdir()
    root.mkdir()
    (root / "cards").symlink_to(outside)
    with pytest.raises(InkwrightError) as caught:
        cardfile.create_note(root, FERRY, [])
    assert caught.value.fault.code == "card_folder_outside"
    with pytest.raises(InkwrightError):
        cardfile.create_note(root, FERRY, [Card("cards/new/x.md", "x", "location", "location")])
    assert list(outside.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_a_link_is_no_card(tmp_path: Path) -> None:
    """A link of that name is neither followed nor written through."""
    (tmp_path / "cards").mkdir()
    target = tmp_path / "target.md"
    target.write_bytes(cardfile.render_note(FERRY).encode())
    (tmp_path / "cards/旧渡口.md").symlink_to(target)
    path, made = cardfile.create_note(tmp_path, FERRY, [])
    assert (path.name, made) == ("旧渡口 2.md", True)


def test_a_card_needs_a_title(tmp_path: Path) -> None:
    with pytest.raises(InkwrightError) as caught:
        cardfile.create_note(tmp_path, replace(FERRY, title=" \n"), [])
    assert caught.value.fault.code == "card_name_empty"
    assert list(tmp_path.iterdir()) == []
