"""What the chapters before are about, whatever is known of them."""

from __future__ import annotations

import pytest

from inkwright.abilities.gists import Gists
from inkwright.domain.errors import StorageError
from inkwright.domain.manuscript import Summary


class Kept:
    """One summary for every chapter, or a database that fails."""

    def __init__(self, summary: Summary | None, broken: bool = False) -> None:
        self.summary_, self.broken = summary, broken

    async def summary(self, path: str) -> Summary | None:
        if self.broken:
            raise StorageError("store_failed", path="x")
        return self.summary_


@pytest.mark.parametrize(
    ("by", "fresh", "broken", "reason"),
    [
        ("a-model", True, False, "summary_of_chapter"),
        ("", True, False, "summary_by_rule"),
        ("a-model", False, False, "summary_by_rule"),
        ("a-model", True, True, "summary_by_rule"),
    ],
)
async def test_a_summary_that_holds_goes_along_else_rules_make_one(
    stage, by: str, fresh: bool, broken: bool, reason: str
) -> None:
    """A stale one is not used; a database that fails costs the summary, not the run."""
    book = await stage.studio.workspace.book(stage.chapter)
    await book.ready()
    (chapter,) = book.files.chapters()
    digest = book.files.digest(chapter.path) if fresh else "another"
    kept = Kept(Summary(chapter.path, "模型写的。", digest, by), broken)
    (gist,) = (await Gists(book.files, kept).of([chapter])).values()
    assert gist.reason == reason
    assert (gist.text == "模型写的。") == (fresh and not broken)
