"""What is being typed at a place."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.cards import Card, Fact
from inkwright.manuscript import completing, suggesting
from inkwright.manuscript.completing import Fit, Place
from inkwright.manuscript.fieldnames import CARD, CHAPTER
from inkwright.manuscript.mentions import Dictionary


def place(text):
    """What stands before `|`."""
    at = text.index("|")
    text = text[:at] + text[at + 1 :]
    return completing.place(text, at, text[:at].rpartition("\n")[2])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("他见[[林|", Place("link", "林")),
        ("他见[[|]]", Place("link", "")),
        ("他见@林|", Place("mention", "林")),
        ("me@林|", Place("name", "me@林")),
        ("他见[[林]]了|", Place("name", "他见[[林]]了")),
        ("|", Place("head", "")),
        ("--|", Place("head", "--")),
        ("林|", Place("name", "林")),
        ("---\nti|\n---\n", Place("key", "ti")),
        ("---\npov:|\n---\n", Place("value", "", "pov", glued=True)),
        ("---\npov: 林|\n---\n", Place("value", "林", "pov")),
        ("---\ncharacters: [林夏, 周|\n---\n", Place("value", "周", "characters")),
        ('---\ncharacters: ["[[林|\n---\n', Place("value", "林", "characters")),
        ("---\ncharacters:\n  - 林\n  - 周|\n---\n", Place("value", "周", "characters")),
        ("---\nthreads:\n- 信: 回|\n---\n", Place("value", "回", "信", "threads")),
        ("---\nfacts:\n  - {key: 左臂, from: 第|\n", Place("value", "第", "from", "facts")),
        ("---\nmatch: {case: e|}\n---\n", Place("value", "e", "case", "match")),
        ("---\na: 1\n---\npov: 林|", Place("name", "pov: 林")),
        ("---\n\n她说了。\n\n他走。\npov: 林|", Place("name", "pov: 林")),
    ],
)
def test_places(text, found):
    """Links, mentions, fields and values of every form; prose between scene breaks is no front matter."""
    assert place(text) == found


@given(st.text(alphabet=st.sampled_from("-|[]{}:,@ \n\r林a"), max_size=60), st.integers(0, 60))
def test_any_text(text, at):
    """No text is an error, and what is typed stands before the place."""
    at = min(at, len(text))
    line = text[:at].rpartition("\n")[2]
    assert line.endswith(completing.place(text, at, line).typed)


def test_fits():
    """The beginning of a name, its pinyin, a part of it; in prose its beginning at the end of what is typed."""
    assert completing.fit("诸", "诸葛亮") == Fit(0, 1)
    assert completing.fit("zg", "诸葛亮") == Fit(1, 2, "zgeliang")
    assert completing.fit("葛", "诸葛亮") == Fit(2, 1)
    assert completing.fit("关", "诸葛亮") is None
    assert completing.Tail("他看见诸葛").fit("诸葛亮") == Fit(0, 2)
    assert completing.Tail("他看见zhug").fit("诸葛亮") == Fit(1, 4, "zhugeliang")
    assert completing.Tail("他看见").fit("诸葛亮") == Fit(3, 0)
    assert completing.Tail("The qu").fit("诸葛亮") is None


def test_the_cast():
    """Who is named in this scene, the nearest first; not who is named beyond a break."""
    names = Dictionary([Card(f"{name}.md", name, "character") for name in ("林夏", "周衡", "阿七")])
    text = "阿七来了。\n\n***\n\n林夏看着。" + "雨。" * 300 + "周衡说："
    assert list(completing.cast(text, len(text), names)) == ["周衡.md", "林夏.md"]
    assert list(completing.cast(text, 2, names)) == ["阿七.md"]


def test_suggestions():
    """Fields once, other names for them where they are typed; kinds of cards, threads and words of a field."""
    found = [row.text for row in suggesting.keys(CARD, ["名字", "type"], "")]
    assert not {"name", "type"} & set(found)
    assert "aliases" in found
    assert "别名" in [row.text for row in suggesting.keys(CARD, [], "别")]
    cards = [Card("a.md", "渡口", "地点", "location", ("老渡口",)), Card("b.md", "林夏", "角色", "character")]
    rows = suggesting.values(CHAPTER, "视角", "", cards, (), "zh")
    assert [(row.text, row.likely) for row in rows] == [("渡口", False), ("老渡口", False), ("林夏", True)]
    assert [row.text for row in suggesting.values(CARD, "type", "", cards, (), "en")][:3] == [
        "地点",
        "角色",
        "character",
    ]
    assert [row.text for row in suggesting.values(CARD, "case", "match", cards, (), "en")] == [
        "exact",
        "ignore",
    ]


@pytest.mark.parametrize("line", ["  - key: ", "  - {key: ", "  - {value: 死, key: "])
def test_keys_of_facts(line):
    """Those with a meaning in the language of the book, then those that its cards have."""
    text = f"---\ntype: character\nfacts:\n{line}"
    place = completing.place(text, len(text), line)
    cards = [Card("a.md", "林夏", "角色", "character", facts=(Fact("口头禅", "罢了"), Fact("年龄", "三十")))]
    rows = [row.text for row in suggesting.values(CARD, place.key, place.parent, cards, (), "zh")]
    assert rows[:3] == ["生死", "年龄", "所在"]
    assert rows[-1] == "口头禅"
    assert len(set(rows)) == len(rows)
    rows = [row.text for row in suggesting.values(CARD, place.key, place.parent, (), (), "en")]
    assert {"status", "owner", "eyes"} <= set(rows)


@pytest.mark.parametrize("locale", ["zh", "en"])
def test_each_key_of_facts_means_something(locale):
    """What is offered as a key is one that a check or a field reads."""
    from inkwright.checks.continuity import stating
    from inkwright.manuscript import fields

    for row in suggesting.values(CARD, "key", "facts", (), (), locale):
        assert stating.topic(row.text) != "other" or fields.word(row.text, "card.keys")


@pytest.mark.parametrize("locale", ["zh", "en"])
@pytest.mark.parametrize("kind", ["card", "chapter"])
def test_snippets_are_front_matter(locale, kind):
    """The fields that a snippet writes are known ones."""
    from inkwright.manuscript import fields, frontmatter

    text = suggesting.snippet(kind, locale)
    keys = [line.partition(":")[0] for line in text.split("\n") if ":" in line]
    assert all(fields.word(key, f"{kind}.keys") == key for key in keys)
    bare = "".join(part for part in re.split(r"\$\{\d+[:|][^}]*\}|\$\d+", text))
    assert frontmatter.read(bare).meta
