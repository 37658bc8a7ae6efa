"""Mixtures of sound and faulty prose, marks, code and line ends, as strategies."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

SOUND = [
    "林夏",
    "他走了",
    "船已经走了",
    "再等等",
    "看看",
    "了解",
    "the door",
    "had had",
    "an hour",
    "Rose",
    "3,000",
    "12:30",
    "３．１４",
    "𠮷",
    "😋",
]
MARKS = [
    *list("，。！？；：、…—“”‘’「」『』（）《》〈〉【】，。“”．·"),
    ",",
    ".",
    ";",
    ":",
    "!",
    "?",
    "(",
    ")",
    '"',
    "'",
    "-",
    "--",
    "...",
    "……",
    "——",
    "。。",
    "，，",
    ",,",
    "．．．",
    "<<",
    ">>",
    "?!",
    "—-",
    "~",
]
FAULTS = [
    "一但",
    "迫不急待",
    "的的",
    "了了",
    "是是",
    "在在",
    "the the",
    "a apple",
    "an dog",
    "teh",
    "should of been",
    "他们他们",
    "唬骸凹?傧",
]
GLUE = ["", "", "", " ", "  ", "\t", "\u3000", "\n", "\r\n", "\r", "\n\n", "\r\n\r\n", "\u2028"]
MARKUP = [
    "*",
    "**",
    "`",
    "``",
    "~~",
    "[",
    "]",
    "](http://a.b/c,d.e)",
    "<!--",
    "-->",
    "%%",
    "&amp;",
    "\\",
    "# ",
    "> ",
    "- ",
    "1. ",
    "```\n",
    "---\n",
    "|",
    "http://例.com/a,b.c",
]


@pytest.fixture(scope="session")
def mixtures() -> st.SearchStrategy[str]:
    """Texts of up to forty pieces."""
    piece = st.one_of(
        st.sampled_from(SOUND),
        st.sampled_from(MARKS),
        st.sampled_from(MARKS),
        st.sampled_from(FAULTS),
        st.sampled_from(GLUE),
        st.sampled_from(MARKUP),
    )
    return st.lists(piece, max_size=40).map("".join)
