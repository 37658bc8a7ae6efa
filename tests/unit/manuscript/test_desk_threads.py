"""The book is asked from threads too, while somebody types in its documents."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

from inkwright.manuscript.index import BookIndex

CARD = "---\ntype: character\nname: {}\n---\n"


async def test_what_a_thread_asks_for_is_made_true_on_the_loop(tmp_path: Path) -> None:
    """A card that is being typed in: a thread gets it as it stands, and whoever listens is told on the loop."""
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards/a.md").write_text(CARD.format("林夏"), "utf-8")
    index = await BookIndex.open(tmp_path)
    try:
        await index.build()
        told: list[int] = []
        index.listen(lambda: told.append(threading.get_ident()))
        for name in ("林秋", "周衡"):
            index.set_buffer("cards/a.md", lambda name=name: CARD.format(name))  # type: ignore[misc]
            assert [card.name for card in await asyncio.to_thread(index.cards)] == [name]
        assert set(told) == {threading.get_ident()}
    finally:
        await index.close()
