"""What was written on a day."""

from __future__ import annotations

from inkwright.domain.manuscript import Counts
from inkwright.store.state import State


def c(n: int) -> Counts:
    return Counts(n, n, n + 1, n + 2)


def d(n: int) -> Counts:
    return Counts(n, n, n, n)


async def test_opening_a_book_is_not_writing_it(state: State) -> None:
    """The first day of a known book of 300,000 characters begins at nought."""
    await state.daily_counts.record("2025-03-01", {"a": c(300_000)})
    assert await state.daily_counts.written("2025-03-01") == {"a": d(0)}
    await state.daily_counts.record("2025-03-01", {"a": c(300_120)})
    assert await state.daily_counts.written("2025-03-01") == {"a": d(120)}


async def test_a_day_counts_from_where_the_last_one_ended(state: State) -> None:
    """Gains and losses of each day by chapter and by book; a new chapter counts in full, one that stands as
    it stood not at all."""
    await state.daily_counts.record("2025-03-01", {"a": c(100), "b": c(50)})
    await state.daily_counts.record("2025-03-03", {"a": c(130), "b": c(50)})
    await state.daily_counts.record("2025-03-03", {"a": c(90)})
    await state.daily_counts.record("2025-03-04", {"new": c(10)})
    assert await state.daily_counts.written("2025-03-03") == {"a": d(-10)}
    assert await state.daily_counts.written("2025-03-04") == {"new": c(10)}
    days = await state.daily_counts.days("2025-03-02")
    assert list(days.items()) == [("2025-03-03", d(-10)), ("2025-03-04", c(10))]


async def test_the_first_chapter_of_a_book_that_had_none_counts_in_full(state: State) -> None:
    """A book that was seen empty is known: its first words are today's, those before the first look too."""
    await state.daily_counts.record("2025-03-01", {})
    assert await state.daily_counts.written("2025-03-01") == {}
    assert await state.daily_counts.days() == {}
    await state.daily_counts.record("2025-03-01", {"a": c(11)})
    await state.daily_counts.record("2025-03-01", {"a": c(55)})
    assert await state.daily_counts.written("2025-03-01") == {"a": c(55)}


async def test_what_was_typed_before_the_first_look_is_todays(state: State) -> None:
    """In a new book only what lay on the disk is no work of today."""
    await state.daily_counts.record("2025-03-01", {"a": c(30), "b": c(12)}, found={"a": c(20)})
    assert await state.daily_counts.written("2025-03-01") == {"a": d(10), "b": c(12)}


async def test_a_chapter_saved_under_another_name_is_not_written_twice(state: State) -> None:
    """Whichever of the two is taken away, only what was typed counts; a restart changes nothing."""
    await state.daily_counts.record("2025-03-01", {"a": c(170)})
    await state.daily_counts.record("2025-03-02", {"a": c(170), "copy": c(175)})
    await state.daily_counts.record("2025-03-02", {"copy": c(175)}, gone=["a"])
    for _ in range(2):
        assert await state.daily_counts.days("2025-03-02") == {"2025-03-02": d(5)}
        await state.daily_counts.record("2025-03-02", {"copy": c(175)})
    await state.daily_counts.record("2025-03-03", {"copy": c(175), "other": c(175)})
    await state.daily_counts.record("2025-03-03", {"copy": c(180)}, gone=["other"])
    assert await state.daily_counts.days("2025-03-03") == {"2025-03-03": d(5)}


async def test_both_at_once(state: State) -> None:
    """A file that was renamed and changed while nobody looked: what it gained counts, what it had does not."""
    await state.daily_counts.record("2025-03-01", {"a": c(100)})
    await state.daily_counts.record("2025-03-02", {"a": c(120)})
    await state.daily_counts.record("2025-03-02", {"b": c(130)}, gone=["a"])
    assert await state.daily_counts.days("2025-03-02") == {"2025-03-02": d(30)}
