"""Old texts quote `like this': what stands between two such quotes is prose."""

from __future__ import annotations

import pytest

from inkwright.manuscript.markdown import scan


def prose(text: str) -> str:
    document = scan(text)
    return "".join(span.of(text) for paragraph in document.paragraphs for span in paragraph.prose)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("心里有`妹妹-，但见了`姐姐-。林黛玉笑道。\n", "林黛玉"),
        ("他`忒儿-一声飞了，众人都笑，说这z雁也不怕人，呆了半日方散去，黛玉`也笑。\n", "黛玉"),
        ("真是`虎狼屯于阶陛-．黛玉笑道：`正是-。\n", "黛玉"),
    ],
)
def test_a_clause_of_han_between_old_quotes_is_prose(text: str, seen: str) -> None:
    """A name between two grave accents that quote, not code, is still read."""
    assert seen in prose(text)


@pytest.mark.parametrize(
    "text",
    ["用 `变量名` 表示\n", '写 `print("你好，世界")` 一行\n', "see `start` here\n", "``代码，`一` 段``\n"],
)
def test_code_stays_code(text: str) -> None:
    """A word, a call, or a longer fence is code as Markdown has it."""
    assert text.strip("\n").split("`")[1] not in prose(text) or "``" in text
