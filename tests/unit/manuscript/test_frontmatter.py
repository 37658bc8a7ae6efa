"""Front matter by the strict rule, and the splice of one key."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.errors import InkwrightError
from inkwright.domain.text import Span
from inkwright.manuscript.frontmatter import read
from inkwright.manuscript.frontmatter_edits import set_key

EOLS = ["\n", "\r\n", "\r"]


@pytest.mark.parametrize("eol", EOLS)
@pytest.mark.parametrize("close", ["---", "..."])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_a_mapping_between_fences(eol: str, close: str, bom: str) -> None:
    """Any of the three line ends, either closing fence, and a BOM before: read, and the body follows."""
    text = bom + eol.join(["---", "title: 甲", "characters: [林夏, 周衡]", close, "# A", ""])
    found = read(text)
    assert found.meta == {"title": "甲", "characters": ["林夏", "周衡"]}
    assert found.span == Span(len(bom), found.body_start)
    assert text[found.body_start :] == f"# A{eol}"
    assert found.keys["title"].of(text) == "title"
    assert found.problem is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "---",
        "---\n",
        "---\n林夏走了。\n",
        "---\n林夏走了。\n---\n正文",
        "---\n- 一\n- 二\n---\n",
        "---\n# 第一章\n---\n正文",
        "--- \ntitle: x\n---\n",
        " ---\ntitle: x\n---\n",
        "\n---\ntitle: x\n---\n",
        "----\ntitle: x\n---\n",
        "---\ntitle: x\n --- \n",
        "---\u2028title: x\u2028---\u2028",
        "***\ntitle: x\n***\n",
        "---\n“你来：”他说，“[好\n---\n",
    ],
)
def test_everything_else_is_text(text: str) -> None:
    """Without the three conditions `---` opens nothing, no word is taken away, and nothing is complained of."""
    found = read(text)
    assert not found
    assert found.meta == {}
    assert found.body_start == 0
    assert found.problem is None


@pytest.mark.parametrize("between", ["", "\n", "  \n\n"])
def test_an_empty_front_matter_hides_nothing(between: str) -> None:
    """Two fences with nothing between are front matter without keys; what follows keeps its line."""
    found = read(f"---\n{between}---\n# A\n")
    assert found
    assert found.meta == {}


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("2024-01-05", "2024-01-05"),
        ("on", "on"),
        ("No", "No"),
        ("001", "001"),
        ("1.10", "1.10"),
        ("1.5", 1.5),
        ("12:30", "12:30"),
        ("0x1F", "0x1F"),
        ("1_000", "1_000"),
        ("1e3", "1e3"),
        ("nan.0", "nan.0"),
        ("42", 42),
        ("-7", -7),
        ("true", True),
        ("false", False),
        ("True", "True"),
        ("~", None),
        ("", None),
        ('"42"', "42"),
        ("'true'", "true"),
        ("第三日", "第三日"),
        ("𠮷野 😋", "𠮷野 😋"),
        ("a\u2028b\x85c", "a\u2028b\x85c"),
        ("!!python/object:os.system x", "x"),
        ("!!int '3'", "3"),
    ],
)
def test_values_keep_what_was_written(written: str, value: Any) -> None:
    """A date stays a date's letters, `on` and `001` stay strings; tags name nothing."""
    assert read(f"---\nk: {written}\n---\n").meta == {"k": value}


def test_nested_values() -> None:
    """Facts, match rules and threads come out as plain lists and mappings."""
    text = "---\nmatch: {case: exact, exclude: [夏天]}\nfacts:\n  - {key: 左臂, from: 第009章}\nbody: |\n  一\n  二\n---\n"
    assert read(text).meta == {
        "match": {"case": "exact", "exclude": ["夏天"]},
        "facts": [{"key": "左臂", "from": "第009章"}],
        "body": "一\n二\n",
    }


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("---\ntitle: [一\nx: y\n---\n正文", 2),
        ("---\ntitle: 'x\n---\n正文", 2),
        ("---\ntitle: a: b\n---\n正文", 1),
        ("---\n" + "a: " + "[" * 5000 + "\n---\n", None),
        ("---\n" + "a: " + "[" * 60 + "]" * 60 + "\n---\n", None),
        ("---\n? [a]\n: b\n---\n", None),
        ("---\nk: *nowhere\n---\n", None),
    ],
)
def test_front_matter_that_seems_meant_is_named(text: str, line: int | None) -> None:
    """A header that YAML refuses is text, and the problem says so and where."""
    found = read(text)
    assert not found
    assert found.body_start == 0
    if line is not None:
        assert found.problem is not None
        assert found.problem.code == "frontmatter_unreadable"
        assert found.line == line


def test_a_billion_laughs_end_at_once() -> None:
    """Aliases of aliases cost no more than the limit on nodes."""
    rows = ["a0: &a0 [x, x]", *(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 30))]
    assert not read("---\n" + "\n".join(rows) + "\n---\n")


@pytest.mark.parametrize("odd", ["\ud800", "\x00", "\x07", "\ufffe", "\x7f"])
def test_odd_characters_are_kept(odd: str) -> None:
    """What YAML cannot carry neither raises nor is lost from the value."""
    assert read(f"---\nk: a{odd}b\n---\n").meta == {"k": f"a{odd}b"}


def test_a_key_that_stands_twice() -> None:
    """The last one counts, and the second is pointed at."""
    found = read("---\na: 1\nb: 2\na: 3\n---\n")
    assert found.meta == {"a": 3, "b": 2}
    assert found.problem is not None
    assert found.problem.code == "frontmatter_duplicate"
    assert found.line == 3


SOURCE = "---\n# 说明\ntitle:   渡口   # 旧\nstatus: draft\naliases: [a, b]\nempty:\nquoted: 'x'\n---\n正文\n"


@pytest.mark.parametrize(
    ("key", "value", "line"),
    [
        ("title", "归人", "title:   归人   # 旧"),
        ("status", "on: x # y", 'status: "on: x # y"'),
        ("status", "001", 'status: "001"'),
        ("status", "42", 'status: "42"'),
        ("status", "", 'status: ""'),
        ("status", 'a\nb"c', 'status: "a\\nb\\"c"'),
        ("status", "- x", 'status: "- x"'),
        ("status", True, "status: true"),
        ("status", 3, "status: 3"),
        ("aliases", ["小夏", "a, b", "林姑娘"], 'aliases: [小夏, "a, b", 林姑娘]'),
        ("aliases", [], "aliases: []"),
        ("empty", "x", "empty: x"),
        ("quoted", "y", "quoted: y"),
        ("order", 7, "order: 7"),
        ("视角", "林夏", "视角: 林夏"),
    ],
)
def test_one_key_is_set_and_nothing_else_moves(key: str, value: Any, line: str) -> None:
    """The new text differs in one line only: comments, spacing, order and the body stay."""
    out = set_key(SOURCE, key, value)
    assert read(out).meta[key] == value
    old, new = SOURCE.split("\n"), out.split("\n")
    assert [x for x in new if x not in old] == [line]
    assert [x for x in old if x not in new] == [x for x in old if x.startswith(f"{key}:")]


@pytest.mark.parametrize("eol", EOLS)
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_a_first_key_makes_a_front_matter(eol: str, bom: str) -> None:
    """A text without one gets one, after its BOM and in its own line ends."""
    out = set_key(f"{bom}# A{eol}", "title", "甲")
    assert out == f"{bom}---{eol}title: 甲{eol}---{eol}# A{eol}"


@pytest.mark.parametrize(
    "text",
    [
        "---\na: &x 1\nb: *x\n---\n",
        "---\na: |\n  一\n  二\n---\n",
        "---\na:\n  - 一\n---\n",
        "---\na: 'x\n---\n",
        "---\n{a: 1}\n---\n",
    ],
)
def test_what_a_splice_cannot_be_sure_of_is_refused(text: str) -> None:
    """Anchors, values over several lines and flow mappings are left to the writer."""
    with pytest.raises(InkwrightError) as caught:
        set_key(text, "a" if "{a" not in text else "b", "neu")
    assert caught.value.fault.code == "frontmatter_by_hand"


values = st.text(
    alphabet=st.sampled_from("ab:#-[]{}&*!|>'\"%@`, \n\t\u2028\x85林夏\U00020bb7\\?0.1eon~"), max_size=8
)


@given(values | st.lists(values, max_size=3) | st.booleans() | st.integers(-99, 99), st.sampled_from(EOLS))
def test_whatever_is_set_is_read_back(value: Any, eol: str) -> None:
    """Any string, list, number or truth goes in and comes out the same."""
    text = f"---{eol}x: 1{eol}---{eol}正文"
    out = set_key(set_key(text, "k", "before"), "k", value)
    assert read(out).meta == {"x": 1, "k": value}
    assert out.endswith(f"---{eol}正文")


@given(st.text(alphabet=st.sampled_from("-.abk: \n\r\u2028[]{}\"'#&*|>!\ud800\x00林\ufeff"), max_size=40))
def test_nothing_raises(rest: str) -> None:
    """Any text is read; the front matter and the body are the text."""
    for text in (rest, "---\n" + rest, "---\nk: " + rest + "\n---\n"):
        found = read(text)
        assert 0 <= found.body_start <= len(text)
        assert found.span.end in (0, found.body_start)
