"""Where a document is cut for its checks, and when a cut holds no more."""

from __future__ import annotations

import pytest

from inkwright.checks import checking
from inkwright.checks.checking import CheckCache

COMMA = "他来了,走了。\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"# 一\n\n{COMMA}\n```\n字\n", f"# 一\n\n{COMMA}\n```\n字\n\n{COMMA}"),  # the fence goes on
        ("甲\n\n~~~\n[“reFr", f"甲\n\n~~~\n[“reFr“你来了？”\n{COMMA}"),  # in the middle of a line, in a fence
        ("甲\n\n<!-- 乙\n", f"甲\n\n<!-- 乙\n\n{COMMA}"),
        ("甲乙", f"甲乙“{COMMA}"),
    ],
)
def test_what_is_typed_behind_the_end_belongs_to_what_is_open_there(before: str, after: str) -> None:
    """A stretch that ended with the text need not end there when the text goes on."""
    cache = CheckCache()
    checking.check(before, language="zh", names=(), cache=cache)
    seen = checking.check(after, language="zh", names=(), cache=cache)
    assert seen == checking.check(after, language="zh", names=())
