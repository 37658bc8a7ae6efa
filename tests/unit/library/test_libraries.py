"""Files that change while the library is in use."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from inkwright import intake
from inkwright.library.libraries import BOOK_DIR, EVERY, Libraries


class Clock:
    """Time that passes when the test says so."""

    now = 0.0

    def __call__(self) -> float:
        return self.now

    def passes(self, seconds: float = EVERY) -> None:
        self.now += seconds


class House:
    """A user's folder, a book, and what was told of them."""

    def __init__(self, tmp_path: Path) -> None:
        self.user, self.root = tmp_path / "profiles", tmp_path / "book"
        self.clock, self.told = Clock(), []
        self.libraries = Libraries(self.user, self.told.append, lambda: {"read_chapter"}, self.clock)
        self.builtin_problems = len(self.libraries.of(None).problems)
        self.told.clear()

    def write(self, name: str, prompt: str = "x", *, book: bool = False, head: str = "order: 9\n") -> Path:
        file = (self.root / BOOK_DIR if book else self.user) / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"---\n{head}---\n{prompt}\n", "utf-8")
        return file

    def ability(self, id_: str, root: Path | None = None):
        return self.libraries.of(root).ability(id_)


@pytest.fixture
def house(tmp_path):
    return House(tmp_path)


def test_a_new_file_is_there_after_a_second(house):
    """And one that goes is gone; within the second nothing is looked at."""
    file = house.write("x.md", head="id: x\n")
    assert house.ability("x") is None
    house.clock.passes()
    assert house.ability("x").prompt["en"] == "x"
    file.unlink()
    assert house.ability("x") is not None
    house.clock.passes()
    assert house.ability("x") is None


@pytest.mark.parametrize("blank", [True, False])
def test_a_file_that_is_being_saved_is_waited_for(house, monkeypatch, blank):
    """Emptied or taken away first: what it said stands until it says something else, and nobody is told that it is wrong."""
    file = house.write("polish.md", "one", head="id: polish\n")
    house.clock.passes()
    assert house.ability("polish").prompt["en"] == "one"
    pauses: list[None] = []

    def pause(_: float) -> None:
        pauses.append(None)
        if len(pauses) == 5:
            house.write("polish.md", "two", head="id: polish\n")

    monkeypatch.setattr("inkwright.intake.time.sleep", pause)
    if blank:
        file.write_text("\n", "utf-8")
    else:
        file.unlink()
    house.clock.passes()
    assert house.ability("polish").prompt["en"] == "two"
    assert (len(pauses), house.told) == (5, [])


def test_a_file_that_stays_empty_is_waited_for_once(house, monkeypatch):
    """Then it is told of, and counts as what it is."""
    pauses: list[None] = []
    monkeypatch.setattr("inkwright.intake.time.sleep", lambda _: pauses.append(None))
    file = house.write("x.md", "one", head="id: x\n")
    house.clock.passes()
    assert house.ability("x").prompt["en"] == "one"
    file.write_text("", "utf-8")
    house.clock.passes()
    assert house.ability("x") is None
    waited = len(pauses)
    assert waited > 0
    house.clock.passes()
    assert house.ability("x") is None
    assert len(pauses) == waited


def test_a_change_of_the_text_is_seen(house):
    """By its size or by its time, whichever tells."""
    house.write("x.md", "one", head="id: x\n")
    house.clock.passes()
    assert house.ability("x").prompt["en"] == "one"
    file = house.write("x.md", "two", head="id: x\n")
    os.utime(file, ns=(1, 1))
    house.clock.passes()
    assert house.ability("x").prompt["en"] == "two"
    house.write("x.md", "three", head="id: x\n")
    os.utime(file, ns=(1, 1))
    house.clock.passes()
    assert house.ability("x").prompt["en"] == "three"


def test_a_change_that_neither_size_nor_time_tells_is_seen(house, monkeypatch):
    """A text of the same length in the same moment; two files of the same size and age that swapped places."""
    one = house.write("x.md", "one", head="id: x\n")
    os.utime(one, ns=(1, 1))
    house.clock.passes()
    assert house.ability("x").prompt["en"] == "one"
    os.utime(house.write("x.md", "two", head="id: x\n"), ns=(1, 1))
    house.clock.passes()
    assert house.ability("x").prompt["en"] == "two"
    other = house.write("y.md", "for", head="id: y\n")
    os.utime(other, ns=(1, 1))
    house.clock.passes()
    # From here on no file is read again only because it is young.
    monkeypatch.setattr(intake, "young", lambda *_: False)
    before = house.libraries.of(None)
    assert (before.ability("x").prompt["en"], before.ability("y").prompt["en"]) == ("two", "for")
    one.rename(aside := one.with_suffix(".aside"))
    other.rename(one)
    aside.rename(other)
    one.write_text(one.read_text("utf-8").replace("id: y", "id: x"), "utf-8")
    other.write_text(other.read_text("utf-8").replace("id: x", "id: y"), "utf-8")
    os.utime(one, ns=(1, 1))
    os.utime(other, ns=(1, 1))
    house.clock.passes()
    after = house.libraries.of(None)
    assert (after.ability("x").prompt["en"], after.ability("y").prompt["en"]) == ("for", "two")


@pytest.mark.parametrize("name", ["abilities/x.md", "x/SKILL.md"])
def test_folders_below_are_seen(house, name):
    """A file in a folder that did not exist before."""
    house.write(name, head="name: x\n" if "SKILL" in name else "id: x\n")
    house.clock.passes()
    assert house.ability("x") is not None


def test_a_new_pipeline_is_seen(house):
    """Pipelines are files like the others."""
    house.write("pipelines/p.md", "## one\nDo.", head="steps: [{name: one}]\n")
    house.clock.passes()
    assert house.libraries.of(None).pipeline("p") is not None


def test_what_did_not_change_is_not_read_again(house):
    """The library is the same object, however often the files are looked at."""
    first = house.libraries.of(house.root)
    house.clock.passes()
    assert house.libraries.of(house.root) is first
    house.write("x.md", book=True)
    house.clock.passes()
    user = house.libraries.of(None)
    assert house.libraries.of(house.root) is not first
    assert house.libraries.of(None) is user


def test_a_books_files_are_the_books_alone(house, tmp_path):
    """Neither another book nor the work without one sees them; a user's new file reaches every book."""
    house.write("x.md", book=True)
    house.clock.passes()
    assert house.ability("x", house.root) is not None
    assert house.ability("x") is None
    assert house.ability("x", tmp_path / "other") is None
    house.write("y.md")
    house.clock.passes()
    assert house.ability("y", house.root) is not None
    assert house.ability("y", tmp_path / "other") is not None
    assert house.ability("x", house.root) is not None


def test_a_user_who_takes_a_books_id_wins(house):
    """The book's file is told of from then on."""
    house.write("x.md", "theirs", book=True)
    house.clock.passes()
    assert house.ability("x", house.root).prompt["en"] == "theirs"
    house.write("x.md", "mine")
    house.clock.passes()
    assert house.ability("x", house.root).prompt["en"] == "mine"
    assert [(p.path, p.code) for p in house.told] == [
        (".inkwright/profiles/x.md", "profile_of_book_replaces")
    ]


def test_a_broken_file_is_told_of_once_and_the_rest_works(house):
    """With its folder, line and reason; again only when it was sound in between."""
    house.write("bad.md", head="id: bad\nrounds: many\n")
    house.write("good.md")
    house.clock.passes()
    assert house.ability("good") is not None
    house.write("other.md")
    house.clock.passes()
    assert house.ability("other") is not None
    assert [(p.path, p.line, p.code) for p in house.told] == [("profiles/bad.md", 2, "profile_wrong_number")]
    house.write("bad.md", head="id: bad\n")
    house.clock.passes()
    assert house.ability("bad") is not None
    house.write("bad.md", head="id: bad\nrounds: many\n")
    house.clock.passes()
    assert house.ability("bad") is None
    assert len(house.told) == 2


def test_a_built_in_that_is_wrong_is_not_the_writers_matter(house):
    """Only files that the writer can mend are told of."""
    assert house.builtin_problems > 0
    assert house.told == []


def test_an_ability_is_known_once_it_was_read(house):
    """Of whatever book, without a look at the disk."""
    house.write("x.md", book=True)
    assert house.libraries.known("polish") is not None
    assert house.libraries.known("x") is None
    house.clock.passes()
    house.libraries.of(house.root)
    assert house.libraries.known("x") is not None


def test_a_book_with_profiles_is_known_without_reading_them(house):
    """Files that count, and no others."""
    assert not house.libraries.has_own(house.root)
    house.write("notes.txt", book=True)
    assert not house.libraries.has_own(house.root)
    house.write("domains/x.md", book=True)
    assert house.libraries.has_own(house.root)


def test_many_threads_at_once(house):
    """Each gets a whole library, all the same one."""
    for number in range(20):
        house.write(f"x{number}.md")
    house.clock.passes()
    got = []
    threads = [threading.Thread(target=lambda: got.append(house.libraries.of(house.root))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(library) for library in got}) == 1
    assert got[0].ability("x19") is not None
