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
