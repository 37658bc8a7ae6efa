"""The blocks and marks of a manuscript."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inkwright.domain.text import Lines, Span
from inkwright.manuscript import borders
from inkwright.manuscript.markdown import Document, near, scan

EOLS = ["\n", "\r\n", "\r"]


def headings(text: str) -> list[tuple[int, str, int]]:
    """Level, title and zero-based line."""
    lines = Lines(text)
    return [(h.level, h.title, lines.line_of(h.span.start)) for h in scan(text).headings]


def breaks(text: str) -> list[str]:
    return [span.of(text) for span in scan(text).scene_breaks]


def paragraphs(text: str) -> list[tuple[str, str]]:
    return [(p.kind, p.span.of(text)) for p in scan(text).paragraphs]


def prose(text: str) -> list[str]:
    return [span.of(text) for span in scan(text).prose]


@pytest.mark.parametrize("eol", EOLS)
def test_headings_are_found_in_any_line_ends(eol: str) -> None:
    """ATX and underlined titles, with closing marks and emphasis taken off, at their lines."""
    text = eol.join(
        [
            "# 第一章 **雨夜** ##",
            "",
            "##\t二",
            "",
            "标题",
            "===",
            "",
            "Another title",
            "---",
            "#无空格",
            "####### 七",
        ]
    )
    assert headings(text) == [(1, "第一章 雨夜", 0), (2, "二", 2), (1, "标题", 4), (2, "Another title", 7)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("---\r\ntitle: 甲\r\n---\r\n# A", [(1, "A", 3)]),
        ("---\n---\n# A", [(1, "A", 2)]),
        ("甲\u2028乙\n\n# B", [(1, "B", 2)]),
        ("甲\x0c乙\x85\n\n# B", [(1, "B", 2)]),
        ("\ufeff# A", [(1, "A", 0)]),
        ("#　全角空格", [(1, "全角空格", 0)]),
        ("   # 三格", [(1, "三格", 0)]),
        ("    # 四格", []),
        ("#\ttab #", [(1, "tab", 0)]),
        ("# C#", [(1, "C#", 0)]),
        ("# [[林夏|她]]", [(1, "她", 0)]),
        ("## ", []),
        ("# `代码`", []),
        ("文\n# 紧跟", [(1, "紧跟", 1)]),
    ],
)
def test_headings_that_other_servers_got_wrong(text: str, found: list[tuple[int, str, int]]) -> None:
    """Front matter of any form shifts no line; only three line ends count; a title is never empty."""
    assert headings(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "```\n# no\n```",
        "~~~md\n# no\n~~~~\n",
        "```\n# no\n\n# no",
        "````\n```\n# no\n````",
        "<!-- \n\n# no\n\n-->",
        "话 <!-- \n# no\n-->",
        "%%\n# no\n%%",
        "- 项\n\n  ```\n  # no\n  ```",
        "    x = {1}\n    # no",
    ],
)
def test_code_and_comments_hold_no_heading(text: str) -> None:
    """Whatever looks like a title inside a fence, a comment or indented code is none."""
    assert headings(text) == []
    assert headings(f"{text}\n\n# 后") in ([(1, "后", Lines(text).line_of(len(text)) + 2)], [])


@pytest.mark.parametrize(
    "line",
    [
        "***",
        "* * *",
        "---",
        "- - -",
        "___",
        "⁂",
        "#",
        "# ",
        "※",
        "※ ※ ※",
        "＊",
        "＊＊＊",
        "◇◆◇",
        "◇",
        "　　　※",
        "          * * *",
    ],
)
@pytest.mark.parametrize("eol", EOLS)
def test_scene_breaks(line: str, eol: str) -> None:
    """Every break that writers use, also centred; it belongs to no paragraph."""
    text = eol.join(["他走了。", "", line, "", "她来了。"])
    assert breaks(text) == [line]
    assert paragraphs(text) == [("text", "他走了。"), ("text", "她来了。")]


@pytest.mark.parametrize("line", ["**", "……", "--", "# 一", "* 一", "※注", "~~~~ x", "— — —", "◇注◆"])
def test_lines_that_are_no_scene_break(line: str) -> None:
    """Text, lists and titles that begin like a break."""
    assert breaks(f"他走了。\n\n{line}\n\n她来了。") == []


@pytest.mark.parametrize(
    ("text", "found", "titles"),
    [
        ("他走了。\n---\n她来了。", ["---"], []),
        ("“走吧”\n---\n她来了。", ["---"], []),
        ("He left\nwith her\n---\nShe", ["---"], []),
        ("标题\n---\n正文", [], ["标题"]),
        ("---\n他来了\n---\n正文", ["---", "---"], []),
        ("---\n\n正文", ["---"], []),
        ("---", ["---"], []),
        ("<!-- x -->\n---\n正文", ["---"], []),
    ],
)
def test_dashes_below_text(text: str, found: list[str], titles: list[str]) -> None:
    """Below a sentence `---` is a scene break, below a short title an underline; an unread front matter is two breaks."""
    assert breaks(text) == found
    assert [title for _, title, _ in headings(text)] == titles


def test_paragraphs_of_chinese_lines() -> None:
    """A line that ends in a sentence is a paragraph of its own; indented lines too; wrapped lines are not."""
    text = "林夏到了。\n船已经走了——\n“再等等。”\n她说，天黑之前\n总会来的。\n　　天黑了\n　　她走了"
    assert [p for _, p in paragraphs(text)] == [
        "林夏到了。",
        "船已经走了——",
        "“再等等。”",
        "她说，天黑之前\n总会来的。",
        "　　天黑了",
        "　　她走了",
    ]


def test_paragraphs_of_wrapped_english() -> None:
    """Hard-wrapped lines are one paragraph, whatever they end in; a blank line ends it."""
    text = 'It was late.\n"Go," she said.\nHe went.\n\nNext day.\r\n\r\nLast.'
    assert [p for _, p in paragraphs(text)] == [
        'It was late.\n"Go," she said.\nHe went.',
        "Next day.",
        "Last.",
    ]


def test_indented_prose_is_prose_and_indented_code_is_code() -> None:
    """Old texts indent every paragraph by four spaces or a tab; only what looks like code is taken for it."""
    text = "    林夏到的时候。\n\n\t船走了。\n\n    He left at noon.\n\n    int x = {1};\n    y\n"
    assert [kind for kind, _ in paragraphs(text)] == ["text", "text", "text", "code"]


def test_kinds() -> None:
    """Quotes, lists, tables, definitions and metadata lines are told apart and their marks are no prose."""
    text = (
        "> 信上写着：\n> **回来**\n>\n> 急\n\n- 一\n  续\n- [x] 二\n1. 三\n\n| 甲 | 乙 |\n|---|:-:|\n| 一 | 二 |\n\n"
        "[甲]: http://a.b\n[//]: # (不)\n@pov: Mara\n%%~name: x\n%Synopsis: x\n"
    )
    kinds = [kind for kind, _ in paragraphs(text)]
    assert kinds == [
        "quote",
        "quote",
        "quote",
        "list",
        "list",
        "list",
        "table",
        "table",
        "table",
        "meta",
        "comment",
        "meta",
        "comment",
        "comment",
    ]
    joined = "".join(prose(text))
    assert not set(joined) & set(">-*[]|:x1@%M")
    assert [c for c in "信回急一续二三甲乙" if c not in joined] == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("一**二**三", "一二三"),
        ("***“一”***二", "“一”二"),
        ("_You_ snake_case_word 2 * 3", "You snake_case_word 2 * 3"),
        ("**没有结束", "**没有结束"),
        ("\\*一\\*", "*一*"),
        ("`a*b` *一*", " 一"),
        ("``a`b`` 一", " 一"),
        ("`没有结束", "`没有结束"),
        ("`走罢！'他道，`天晚了。'", "`走罢！'他道，`天晚了。'"),
        ("[一](b(c)d)二", "一二"),
        ("[一][甲]二[甲]三\n\n[甲]: http://x", "一二甲三"),
        ("[一][乙]", "[一][乙]"),
        ("注[^1]脚", "注脚"),
        ("![图](a.png)一", "一"),
        ("[[林夏]]和[[周衡#信|他]]![[图]]", "林夏和他"),
        ("见https://a.b/c?d=1&e=2。好", "见。好"),
        ("(https://a.b/c) www.a.com。", "() 。"),
        ("写给 lin.xia@a.com 吧", "写给  吧"),
        ("<https://a.b> <b>一</b><br/> 1 < 2 > 1", " 一 1 < 2 > 1"),
        ("a&mdash;b AT&T; R&D", "ab AT&T; R&D"),
        ("~~一~~ 二~~~ ==三== a == b 嗯~", "一 二~~~ 三 a == b 嗯~"),
        ("｜漢字《かんじ》と漢字《かんじ》《红楼梦》［＃注］", "漢字と漢字《红楼梦》"),
        ("一<!-- 二 -->三%%四%%五", "一三五"),
        ("一`<!--`二-->", "一二-->"),
        ("一<!-- 没有结束", "一<!-- 没有结束"),
        ("50%% 的人", "50%% 的人"),
        ("林夏，周衡。", "林夏，周衡。"),
        ("[未完", "[未完"),
        ("]](( 乱", "]](( 乱"),
    ],
)
def test_inline_marks(text: str, shown: str) -> None:
    """What a reader sees is left; what no mark makes special is untouched."""
    first = scan(text).paragraphs[0]
    assert "".join(piece.of(text) for piece in first.prose) == shown


def test_wiki_links() -> None:
    """A link names its target and what it shows."""
    text = "[[林夏|她]]走了，[[渡口#北岸]]空了。\n\n# [[周衡]]"
    found = [(w.target.of(text), w.shown.of(text), w.span.of(text)) for w in scan(text).wikilinks]
    assert found == [
        ("林夏", "她", "[[林夏|她]]"),
        ("渡口", "渡口", "[[渡口#北岸]]"),
        ("周衡", "周衡", "[[周衡]]"),
    ]


def test_a_comment_over_blocks_hides_them_all() -> None:
    """Titles, breaks and paragraphs inside are gone; the text before and after stays."""
    text = "前 <!-- a\n\n# no\n\n***\n\n字 --> 后\n\n新"
    document = scan(text)
    assert document.headings == ()
    assert document.scene_breaks == ()
    assert "".join(p.of(text) for p in document.prose) == "前 " + " 后" + "新"


def check(text: str, document: Document) -> None:
    at = document.frontmatter.body_start
    for paragraph in document.paragraphs:
        assert at <= paragraph.span.start < paragraph.span.end <= len(text)
        inside = paragraph.span.start
        for piece in paragraph.prose:
            assert inside <= piece.start < piece.end <= paragraph.span.end
            inside = piece.end
        at = paragraph.span.end
    for heading in document.headings:
        assert heading.title.strip()
        assert heading.span.start <= heading.title_span.start < heading.title_span.end <= heading.span.end
    ends = list(document.scene_breaks) + [p.span for p in document.paragraphs]
    assert all(a.end <= b.start for a, b in zip(sorted(ends), sorted(ends)[1:], strict=False))


PIECES = (
    "# ",
    "## ",
    "#",
    "---",
    "***",
    "* ",
    "- ",
    "1. ",
    "> ",
    "```",
    "~~~",
    "`",
    "**",
    "_",
    "[",
    "]",
    "(",
    ")",
    "[[",
    "]]",
    "|",
    "<!--",
    "-->",
    "%%",
    "<b>",
    "\\",
    "http://a.b",
    "《",
    "》",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\u2028",
    "    ",
    "\t",
    "　　",
    "林夏",
    "走了。",
    "“",
    "”",
    "word ",
    "=",
    "==",
    "&amp;",
    "@a: ",
    "\ufeff",
    "\ud800",
    "😋",
    "title: x",
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_any_text_has_ordered_parts(text: str) -> None:
    """Nothing raises; parts are in order, inside the text and apart from each other."""
    check(text, scan(text))


@given(
    st.lists(
        st.sampled_from(
            ["林夏走了。", "“好。”", "word", "，", " ", "　　", "\n", "\n\n", "\r\n", "…", "３．", "\u2028"]
        ),
        max_size=40,
    )
)
def test_no_word_of_plain_text_is_lost(parts: list[str]) -> None:
    """Text without marks is prose, all of it but the white space between paragraphs."""
    text = "".join(parts)
    kept = "".join(span.of(text) for span in scan(text).prose)
    assert "".join(kept.split()) == "".join(text.split())


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 60), st.integers(0, 3), st.sampled_from(PIECES)), min_size=1, max_size=30
    )
)
def test_no_state_outlives_a_scan(script: list[tuple[int, int, str]]) -> None:
    """After every edit inside a fence the scan is the one of a fresh process: equal texts, equal documents."""
    text = "# 甲\n\n```\n代码\n```\n\n乙\n"
    for at, cut, new in script:
        text = text[:at] + new + text[at + cut :]
        assert scan(text) == scan(str(text.encode("utf-8", "surrogatepass"), "utf-8", "surrogatepass"))


@pytest.mark.parametrize(
    "piece",
    ["[", "]", "![", "[[", "](", "<!--", "%%", "`", "``` \n", "<a", "**", "_a", "《", "｜", "［＃", "\\", "&a", "http://", "@", "a@", "> ",
     "- ", "# ", "***\n", "| |\n", "\t", "　", "\r", "~~", "==", "[a](", "<!-- -->", "%% %%", "`a` ``b``", "[a]: b\n", "。”\n", "—"],
)  # fmt: skip
def test_a_pathological_text_is_soon_read(piece: str) -> None:
    """A long run of one mark is read in linear work, so that no chapter can stop the server."""
    text = piece * (200_000 // len(piece))
    check(text, scan(text))


def test_a_line_of_ten_megabytes() -> None:
    """One line of ten million characters is one paragraph."""
    text = "林夏说走。" * 2_000_000
    assert [p.span for p in scan(text).paragraphs] == [Span(0, 10_000_000)]


COMMENTED = [
    "他走了。",
    "\n",
    "\n\n",
    "\r",
    "# 题\n",
    "<!--",
    "-->",
    "<!-- a\n\nb -->",
    "<!-->",
    "`",
    "- 一\n",
    "> 引\n",
    "\u3000段\n",
    "%%",
    "%",
    "[x]: y\n",
    "[x]",
    "]:",
]


@given(st.lists(st.sampled_from(COMMENTED), max_size=25).map("".join), st.data())
def test_a_look_near_a_place_sees_what_a_look_at_all_sees(text: str, data: st.DataObject) -> None:
    """Whatever comments stand before the place, round it or behind it."""
    at = data.draw(st.integers(0, len(text)))
    there = borders.alone(text, at, 0)
    if there is None or there.start == there.end:
        return
    whole, part = scan(text), near(text, at)
    inside = [p for p in whole.paragraphs if there.start <= p.span.start and p.span.end <= there.end]
    assert list(part.paragraphs) == inside
    assert list(part.comments) == [c for c in whole.comments if there.start <= c.start and c.end <= there.end]


@pytest.mark.parametrize(
    ("before", "local"),
    [
        ("<!-- flashback -->\n\n", True),
        ("<!-- a\n\nb -->\n\n", True),
        ("<!-- a\n\n", True),
        ("%% a %%\n\n", False),
        ("a %% b\n\n", True),
        ("[x]: y\n\n", True),
        ("```\n\n", False),
    ],
)
def test_what_may_reach_a_place(before: str, local: bool) -> None:
    """A comment that has ended, or never does, makes no look near a place a look at the whole chapter."""
    text = before + "他走了。\n\n" * 20
    assert (borders.alone(text, len(text) // 2, 0) is not None) is local
    assert borders.alone(f"[x]: y\n\n[x] {text}", 10, 0) is None
    behind = "他走了。\n\n<!-- a\n\n他走了。\n\nb -->\n\n他走了。\n"
    assert borders.alone(behind, behind.index("他", 12), 0) is None


@pytest.mark.parametrize("mark", ["", "> ", "- ", "# ", "林夏**说**。", "[x](y) "])
def test_a_paragraph_without_end_is_read_near_the_place(mark: str) -> None:
    """Of ten million characters in one line a small part is looked at, and the place stands in it."""
    text = "# 题\n\n" + mark + "林夏走了，**很远**。 " * 800_000 + "\n\n后。\n"
    for at in (10, 5_000_000, len(text) - 20):
        part = near(text, at)
        (paragraph,) = [p for p in part.paragraphs if p.span.start <= at <= p.span.end]
        assert len(paragraph.span) <= 2 * borders.WIDE
        assert any(piece.start <= at for piece in paragraph.prose)
    assert near(text, len(text) - 2).paragraphs[-1].span.of(text) == "后。"


@pytest.mark.parametrize("eol", EOLS)
@pytest.mark.parametrize("line", ["The man went on and on.", "> the man went."])
def test_of_lines_without_end_few_are_looked_at(line: str, eol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A paragraph of a megabyte in short lines costs a look what one of a hundred thousand characters does."""
    text = f"{line}{eol}" * 40_000
    looked: list[int] = []
    begins = borders._begins_afresh
    monkeypatch.setattr(
        borders, "_begins_afresh", lambda text, at, floor: looked.append(at) or begins(text, at, floor)
    )
    at = len(text) // 2
    part = near(text, at)
    assert any(p.span.start <= at <= p.span.end for p in part.paragraphs)
    assert len(looked) <= 2 * borders.WIDE // len(line) + 4
