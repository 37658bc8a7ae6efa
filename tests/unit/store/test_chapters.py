"""Stable ids of chapters."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inkwright.store.state import State


async def test_an_id_stays_with_the_text_and_with_the_file(state: State) -> None:
    """Edited in place or moved unchanged it is the same chapter; new content in a new file is a new one."""
    one = await state.chapters.sync({"1.md": "a", "2.md": "b"})
    two = await state.chapters.sync({"1.md": "a2", "卷二/2.md": "b", "3.md": "c"})
    assert two["1.md"] == one["1.md"]
    assert two["卷二/2.md"] == one["2.md"]
    assert two["3.md"] not in one.values()
    assert await state.chapters.ids() == two


async def test_a_file_that_comes_back_is_itself(state: State) -> None:
    """Gone for a while (another branch was checked out), then back: the same id."""
    one = await state.chapters.sync({"1.md": "a", "2.md": "b"})
    await state.chapters.sync({"1.md": "a"})
    assert set(await state.chapters.ids()) == {"1.md"}
    assert await state.chapters.sync({"1.md": "a", "2.md": "b, edited"}) == one


async def test_a_copy_is_a_chapter_of_its_own(state: State) -> None:
    """Two files of one content have two ids, and swapping names swaps nothing."""
    one = await state.chapters.sync({"1.md": "a", "copy.md": "a"})
    assert one["1.md"] != one["copy.md"]
    swapped = await state.chapters.sync({"1.md": "b", "copy.md": "a"})
    assert swapped == one


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.dictionaries(st.sampled_from("pqrst"), st.sampled_from("abc")), max_size=6))
async def test_ids_are_never_shared(state: State, history: list[dict[str, str]]) -> None:
    """Whatever comes and goes, each path has one id, each id one path, and a path that stays keeps its id."""
    before: dict[str, str] = await state.chapters.ids()
    for digests in history:
        now = await state.chapters.sync(digests)
        assert set(now) == set(digests)
        assert len(set(now.values())) == len(now)
        assert all(now[path] == before[path] for path in now if path in before)
        assert await state.chapters.ids() == now
        before = now
