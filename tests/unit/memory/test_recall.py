"""Which memories go along with a run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from inkwright.domain.errors import StorageError
from inkwright.domain.tokens import estimate
from inkwright.memory.extract import extract
from inkwright.memory.keywords import keywords
from inkwright.memory.recall import choose, lines, recall, score
from inkwright.memory.remember import remember
from inkwright.runtime.texts import line


def chosen(found, message, ability="polish", **more):
    return [memory.content for memory in choose(found, ability, keywords(message), **more)]


def test_the_score(make):
    """relevance × (1 + 0.3 × shared keywords) × 1.2, 1.0 or 0.8"""
    asked = keywords("短句，对话，渡口")
    for kind, weight in (("preference", 1.2), ("decision", 1.0), ("lesson", 0.8)):
        memory = make("短句的对话", kind=kind, relevance=2.0)
        assert score(memory, asked) == pytest.approx(2.0 * (1 + 0.3 * 2) * weight)
    assert score(make("白描"), asked) == pytest.approx(1.2)


def test_what_shares_nothing_stays_away(make):
    """Unless it is a preference for this ability, or for all of them, or pinned."""
    found = [
        make("喜欢白描"),
        make("喜欢留白", ability=""),
        make("喜欢倒叙", ability="writing"),
        make("决定林晚活着", kind="decision"),
        make("建议放慢开头", kind="lesson"),
        make("决定周衡出走", kind="decision", ability="writing", pinned=True),
    ]
    assert set(chosen(found, "改短句")) == {"喜欢白描", "喜欢留白", "决定周衡出走"}
    assert "决定林晚活着" in chosen(found, "林晚的独白")
    assert "喜欢倒叙" in chosen(found, "倒叙的开头")


def test_the_ability_goes_before_the_book(make):
    """The rest of the book is asked only where the ability has too few."""
    own = [make(f"喜欢渡口第{n}种写法", str(n)) for n in range(12)]
    other = make("决定渡口渡口的船家姓周", ability="writing", kind="decision", relevance=9)
    assert other.content not in chosen([*own, other], "渡口")
    assert chosen([*own[:9], other], "渡口")[0] == other.content


def test_at_most_ten_within_six_hundred_tokens(make):
    """One that is too large is skipped and is not the end."""
    found = [make(f"喜欢渡口{n}", str(n)) for n in range(30)]
    assert len(choose(found, "polish", keywords("渡口"))) == 10
    # Three keywords are shared by the large ones: they come first.
    large = [make(f"喜欢渡口旧信雨夜{n}" + "长" * 500, f"l{n}") for n in range(3)]
    picked = choose([*large, *found], "polish", keywords("渡口，旧信，雨夜"))
    assert picked[0].id.startswith("l")
    assert len([memory for memory in picked if memory.id.startswith("l")]) == 1
    assert len(picked) == 10
    assert estimate("\n".join(f"- {line}" for line in lines(picked, "zh"))) <= 600


def test_lessons_are_few_and_marked(make):
    """Three at most, each said to be no word of the author's."""
    found = [make(f"建议渡口放慢{n}", str(n), kind="lesson") for n in range(8)]
    picked = choose(found, "polish", keywords("渡口"))
    assert len(picked) == 3
    for locale, mark in (("zh", "不是作者的话"), ("en", "not the author's words")):
        assert all(mark in line for line in lines(picked, locale))
    assert lines([make("喜欢渡口\n喜欢雨")], "zh") == ("喜欢渡口 喜欢雨",)


def test_the_marks_are_within_the_budget(make):
    """Whatever the language: the line that introduces them, the marks and the memories are six hundred tokens."""
    for size in range(60, 400, 7):
        found = [make(f"建议渡口{n}" + "长" * size, str(n), kind="lesson") for n in range(3)]
        found += [make(f"喜欢渡口{n}" + "长" * (size // 3), f"p{n}") for n in range(10)]
        picked = choose(found, "polish", keywords("渡口"))
        for locale in ("zh", "en"):
            head = line("memories", locale)
            assert estimate("\n".join([head, *(f"- {one}" for one in lines(picked, locale))])) <= 600


def test_of_two_contraries_the_newer_goes_along(make):
    """The older one stays at home, its other sentences do not; a pinned one goes before any."""
    old = make("我喜欢短句。\n我喜欢留白。", "1", at=1)
    new = make("我不喜欢短句。", "2", at=2)
    assert chosen([old, new], "短句") == ["我不喜欢短句。", "我喜欢留白。"]
    assert chosen([replace(old, pinned=True), new], "短句") == ["我喜欢短句。\n我喜欢留白。"]
    assert chosen([replace(old, updated_at=3), new], "短句") == ["我喜欢短句。\n我喜欢留白。"]


def test_a_pinned_one_always_has_its_place(make):
    """Ten better ones do not push it out."""
    better = [make(f"喜欢渡口旧信{n}", str(n)) for n in range(20)]
    pinned = make("决定林晚活着", kind="decision", pinned=True)
    assert chosen([*better, pinned], "渡口的旧信")[-1] == "决定林晚活着"


async def test_saved_found_and_ready_for_the_prompt(memories):
    """Said in one run, it goes along with the next one, stamped; said again it is the same one; deleted it is gone."""
    await remember(memories, "polish", "请改短一点。我喜欢短句，少用形容词", "好的。", completed=True)
    (first,) = await recall(memories, "polish", "把渡口一段改成短句", now=50.0)
    assert lines([first], "zh") == ("我喜欢短句，少用形容词",)
    stored = await memories.get(first.id)
    assert stored is not None
    assert (stored.last_hit_at, stored.revision) == (50.0, 0)
    await remember(memories, "polish", "我还是喜欢短句，少用形容词。", "", completed=True)
    (again,) = await recall(memories, "polish", "", stamp=False)
    assert (again.id, again.content, again.last_hit_at) == (first.id, "我还是喜欢短句，少用形容词。", 50.0)
    await memories.delete(first.id)
    assert await recall(memories, "polish", "短句") == ()


async def test_the_same_in_english(memories):
    """And for another ability it goes along where the message speaks of it."""
    await remember(memories, "writing", "I prefer short sentences.", "", completed=True)
    assert lines(await recall(memories, "writing", "go on"), "en") == ("I prefer short sentences.",)
    assert await recall(memories, "polish", "go on") == ()
    assert len(await recall(memories, "polish", "Make the sentence shorter.")) == 1


async def test_nothing_is_kept_of_a_run_that_is_not_completed(memories):
    """Partial, failed or cancelled: what was said then is said again, or not meant."""
    said = "我喜欢短句，少用形容词"
    assert extract(said, "", "polish")
    assert await remember(memories, "polish", said, said, completed=False) == ()
    assert await memories.counts() == {}


async def test_a_storage_error_is_raised(state):
    """It is never "no memories"."""
    memories = state.memories
    await state.close()
    with pytest.raises(StorageError):
        await recall(memories, "polish", "短句")
    with pytest.raises(StorageError):
        await remember(memories, "polish", "我喜欢短句", "", completed=True)
    with pytest.raises(StorageError):
        await memories.list()


async def test_what_cannot_be_stamped_goes_along(memories, monkeypatch):
    """The stamp serves the tidying, the memory serves the writer."""
    await remember(memories, "polish", "我喜欢短句", "", completed=True)

    async def fail(*_):
        raise StorageError("store_full", path="x")

    monkeypatch.setattr(type(memories), "hit", fail)
    assert len(await recall(memories, "polish", "短句")) == 1


async def test_what_cannot_be_pruned_is_kept_all_the_same(memories, monkeypatch):
    """A failure to tidy up is logged and blocks nothing."""

    async def fail(*_):
        raise StorageError("store_full", path="x")

    monkeypatch.setattr(type(memories), "prune", fail)
    assert len(await remember(memories, "polish", "我喜欢短句", "", completed=True)) == 1
    assert len(await memories.list()) == 1
