"""The search of a book: the lines that hold what was asked for, whatever the index knows of them."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from inkwright.domain.errors import InkwrightError
from inkwright.domain.text import Lines
from inkwright.manuscript import fulltext, ranking, searching
from inkwright.manuscript.folding import fold
from inkwright.manuscript.index import BookIndex
from inkwright.manuscript.query import parse
from inkwright.store.index_store import IndexStore
from inkwright.store.search import Words

LIN = "---\ntype: character\naliases: [小夏]\nai: never\nprivate: 她是公主\n---\n林夏怕水。\n"
STORY = """# 第一章 渡口

　　雨下了一整夜，林夏站在旧渡口，看着江面。
　　“你来了。”船夫说。林夏没有回答，船夫也不再问。

<!-- 此处要补写旧信 -->
　　旧信在她怀里。Ann planned to meet Darcy’s aunt, and ANN was late.
"""


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The background waits for nobody."""
    monkeypatch.setattr(fulltext, "_QUIET", 0.0)
    monkeypatch.setattr(fulltext, "_REST", 0)


async def indexed(index: BookIndex) -> None:
    """Until the full-text index knows all that it can."""
    await index.search("x")
    assert index._searching is not None
    assert index._searching._fulltext is not None
    task = index._searching._fulltext._task
    if task is not None:
        await task


def held(store: Path) -> set[str]:
    return set(Words(IndexStore(store), fulltext.VERSION).find())


async def found(index: BookIndex, query: str) -> list[tuple[str, int]]:
    """Path and line, from 1, of the lines that hold all of it, in the order of the book."""
    return sorted((hit.path, hit.line + 1) for hit in await index.search(query) if hit.score >= 1)


async def test_a_hit_says_where(write, opened) -> None:
    """Kind, title, line and the places of the words, of chapters and cards, front matter and comments too."""
    write("正文/第1章.md", STORY)
    write("角色/林夏.md", LIN)
    index = await opened()
    hits = await index.search("林夏")
    assert [(h.kind, h.path, h.title, h.line) for h in hits] == [
        ("card", "角色/林夏.md", "林夏", 6),
        ("chapter", "正文/第1章.md", "第一章 渡口", 2),
        ("chapter", "正文/第1章.md", "第一章 渡口", 3),
    ]
    assert [STORY[h.start :][: len(h.text)] for h in hits[1:]] == [h.text for h in hits[1:]]
    assert all(span.of(STORY) == "林夏" for hit in hits[1:] for span in hit.spans)
    assert await found(index, "旧信") == [("正文/第1章.md", 6), ("正文/第1章.md", 7)]
    assert await found(index, "公主") == [("角色/林夏.md", 5)]


@pytest.mark.parametrize("known", [False, True])
async def test_words_of_any_length_are_found_like_grep_finds_them(write, opened, tmp_path, known) -> None:
    """One to four characters, across no punctuation, letters in either case: the lines that hold them."""
    write("第1章.md", STORY)
    store = tmp_path / "index.db"
    index = await opened(store=store)
    if known:
        await indexed(index)
        assert held(store) == {"第1章.md"}
    lines = Lines(STORY)
    for query in [
        "夜",
        "林",
        "林夏",
        "旧渡口",
        "一整夜，",
        "船夫",
        "船夫说",
        "没有回答",
        "夏看",
        "ann",
        "darcy's",
        "arc",
        "e",
    ]:
        expected = [n + 1 for n in range(len(lines)) if fold(query) in fold(lines.line(n))]
        assert [line for _, line in await found(index, query)] == expected, query


async def test_the_best_hit_comes_first(write, opened) -> None:
    """A card's name before its text and all chapters; words of their own before parts of words."""
    write("第1章.md", "planned\n\nAnn\n\n旧渡口的灯\n")
    write("cards/灯.md", "---\ntype: item\nname: 灯\n---\n铜灯。\n")
    write("cards/渡口.md", "---\ntype: location\nname: 渡口\n---\n有灯的渡口。\n")
    index = await opened()
    assert [h.text for h in await index.search("ann")] == ["Ann", "planned"]
    assert [(h.path, h.line) for h in await index.search("灯")] == [
        ("cards/灯.md", 2),
        ("cards/灯.md", 4),
        ("第1章.md", 4),
        ("cards/渡口.md", 4),
    ]
    assert [h.path for h in await index.search("渡口 灯")] == ["第1章.md", "cards/渡口.md"]
    assert [h.text for h in await index.search("ann", limit=1)] == ["Ann"]
    assert (await index.find("ann", limit=1)).total == 2


@pytest.mark.parametrize("known", [False, True])
async def test_a_question_finds_the_lines_that_answer_it(write, opened, tmp_path, known) -> None:
    """No line holds it all: those that hold what is rare in it come, and are told apart; nonsense finds nothing."""
    for n in range(1, 30):
        write(
            f"第{n}章.md",
            f"他为什么这样想？第{n}天下雨了。\n\n吕伯奢杀了一头猪。\n"
            if n == 7
            else "为什么下雨？他不知道。\n",
        )
    index = await opened(store=tmp_path / "index.db")
    if known:
        await indexed(index)
    findings = await index.find("曹操为什么要杀吕伯奢")
    assert not findings.exact
    assert findings.hits[0].text == "吕伯奢杀了一头猪。"
    assert all(hit.score < 1 for hit in findings.hits)
    assert (await index.find("魑魅魍魉")).hits == ()
    assert (await index.find("魑")).hits == ()
    assert (await index.find("下雨天")).hits == ()  # a word that is not there: nothing comes near it
    assert len((await index.find("为什么下雪", limit=3)).hits) == 3
    assert len((await index.find("为什么下雪")).hits) <= searching.LOOSE


@pytest.mark.parametrize(
    "query",
    [
        '"',
        '""',
        "林 OR 夏*",
        "NEAR(a b)",
        "-(",
        "[a-",
        "%",
        "\\",
        "𠮷",
        "😀",
        "\ud800",
        "\0",
        " ",
        "",
        "^:'",
        "*",
    ],
)
async def test_any_string_is_safe(write, opened, tmp_path, query) -> None:
    """Operators, quotes, half characters, NUL: text like any other."""
    write("1.md", '林 OR 夏* "😀" % \\ [a-\n')
    index = await opened(store=tmp_path / "index.db")
    first = await index.search(query)
    await indexed(index)
    assert await index.search(query) == first


async def test_ten_megabytes_are_refused(write, opened) -> None:
    """Too long is said, not cut."""
    write("1.md", "林夏")
    index = await opened()
    with pytest.raises(InkwrightError) as caught:
        await index.search("林" * 10_000_000)
    assert caught.value.fault.code == "query_too_long"


async def test_the_open_document_counts(write, opened, tmp_path) -> None:
    """What is typed is found at once, what was deleted is not, and the file again when it is closed."""
    write("1.md", "林夏在此。\n")
    index = await opened(store=tmp_path / "index.db")
    await indexed(index)
    index.set_buffer("1.md", "一行\n船夫在此。\ud800\n")
    assert await found(index, "船夫") == [("1.md", 2)]
    assert await found(index, "林夏") == []
    assert await found(index, "\ud800") == [("1.md", 2)]
    index.clear_buffer("1.md")
    await index.settled()
    assert await found(index, "林夏") == [("1.md", 1)]
    assert await found(index, "船夫") == []


async def test_changed_renamed_and_deleted_files(write, opened, tmp_path, book) -> None:
    """The index goes after them, and until it has, the answers are right all the same."""
    file = write("1.md", "林夏\n")
    write("2.md", "林夏\n")
    store = tmp_path / "index.db"
    index = await opened(store=store)
    await indexed(index)
    file.write_text("船夫\n", "utf-8")
    (book / "2.md").rename(book / "3.md")
    await index.files_changed(["1.md", "2.md", "3.md"])
    for _ in range(2):
        assert await found(index, "林夏") == [("3.md", 1)]
        assert await found(index, "船夫") == [("1.md", 1)]
        await indexed(index)
    assert held(store) == {"1.md", "3.md"}


async def test_nothing_is_built_before_the_first_search(write, opened, tmp_path) -> None:
    """Who never searches pays nothing; the next session knows what this one has built."""
    write("1.md", "林夏\n")
    store = tmp_path / "index.db"
    index = await opened(store=store)
    await index.settled()
    assert held(store) == set()
    await indexed(index)
    await index.close()
    assert held(store) == {"1.md"}
    again = await opened(store=store)
    assert await found(again, "林夏") == [("1.md", 1)]


async def test_a_damaged_or_missing_index_is_built_anew(write, opened, tmp_path) -> None:
    """Garbage over it, the file deleted in the middle of a session: right answers, then a new index."""
    for n in range(40):
        write(f"{n}.md", f"林夏{n}\n")
    store = tmp_path / "index.db"
    index = await opened(store=store)
    await indexed(index)
    assert len(held(store)) == 40
    for file in tmp_path.glob("index.db*"):
        file.unlink()
    assert len(await found(index, "林夏")) == 40
    await indexed(index)
    assert len(held(store)) == 40
    await index.close()
    data = bytearray(store.read_bytes())
    data[4096:] = os.urandom(len(data) - 4096)
    store.write_bytes(data)
    again = await opened(store=store)
    assert len(await found(again, "林夏")) == 40
    await indexed(again)
    assert len(held(store)) == 40


async def test_two_sessions_on_one_book(write, opened, tmp_path) -> None:
    """Both build and search at once; neither gets in the other's way."""
    for n in range(200):
        write(f"{n}.md", f"林夏{n}。船夫。\n")
    store = tmp_path / "index.db"
    one, two = await opened(store=store), await opened(store=store)

    async def ask(index: BookIndex) -> None:
        for n in range(0, 200, 20):
            assert await found(index, f"夏{n}。") == [(f"{n}.md", 1)]

    await asyncio.gather(*(step for index in (one, two) for step in (ask(index), indexed(index))))
    await asyncio.gather(indexed(one), indexed(two))
    assert len(held(store)) == 200
    assert len(await found(one, "船夫")) == len(await found(two, "船夫")) == 200


_BUILD = """
import asyncio, sys
from pathlib import Path
from inkwright.manuscript import fulltext
from inkwright.manuscript.index import BookIndex
from inkwright.store.index_store import IndexStore

fulltext._QUIET, fulltext._REST, fulltext._BATCH = 0.0, 10, 2

async def main():
    index = await BookIndex.open(Path(sys.argv[1]), IndexStore(Path(sys.argv[2])))
    await index.build()
    await index.search("x")
    print("searched", flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


async def test_killed_while_it_builds(write, opened, tmp_path, book) -> None:
    """A process that dies in the middle leaves an index that is right as far as it goes, and is gone on with."""
    for n in range(300):
        write(f"{n}.md", f"林夏{n}。船夫。\n" + f"第{n}句话，没有别的。" * 200)
    store = tmp_path / "index.db"
    process = subprocess.Popen([sys.executable, "-c", _BUILD, str(book), str(store)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert await asyncio.to_thread(process.stdout.readline) == b"searched\n"
    ends = time.monotonic() + 60
    while not 0 < len(held(store)) < 300:
        assert time.monotonic() < ends
    process.send_signal(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
    await asyncio.to_thread(process.communicate)
    kept = len(held(store))
    assert 0 < kept <= 300
    index = await opened(store=store)
    assert len(await found(index, "船夫")) == 300
    assert await found(index, "林夏299。") == [("299.md", 1)]
    await indexed(index)
    assert len(held(store)) == 300


LETTERS = st.sampled_from(list("林晚女aAé' \"。，\n\r\u3000e\u0301\ud800😀"))
TEXT = st.text(LETTERS, max_size=40)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(TEXT, min_size=1, max_size=5), st.lists(TEXT, min_size=1, max_size=4), TEXT, st.booleans())
@example(["AA女"], ["AA'A女"], "", True)
def test_every_state_of_the_index_gives_the_same(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], queries: list[str], draft: str, words: bool
) -> None:
    """Unknown, half known, known, changed behind its back: the hits are those of a naive look at every line."""
    root = tmp_path_factory.mktemp("book")
    files = {f"{n}.md": text.encode("utf-8", "replace").decode() for n, text in enumerate(texts)}
    for name, text in files.items():
        (root / name).write_bytes(text.encode())
    # Pieces of the texts find more than random queries do.
    asked = [*queries, *(text[len(text) // 3 :][:3] for text in texts)]

    async def main() -> None:
        index = await BookIndex.open(root, IndexStore(root / "index.db") if words else None)
        try:
            await index.build()
            before = [await index.find(query) for query in asked]
            if words:
                await indexed(index)
            assert [await index.find(query) for query in asked] == before
            index.set_buffer("0.md", draft)
            shown = {**files, "0.md": draft}
            for query in asked:
                needles = parse(query).needles.texts
                hits = [(hit.path, hit.line) for hit in await index.search(query) if hit.score >= 1]
                assert sorted(hits) == sorted(naive(shown, needles))
        finally:
            await index.close()

    asyncio.run(main())


def naive(texts: dict[str, str], needles: tuple[str, ...]) -> list[tuple[str, int]]:
    out = []
    for path, text in texts.items():
        lines = Lines(text)
        out += [
            (path, n) for n in range(len(lines)) if all(needle in fold(lines.line(n)) for needle in needles)
        ]
    return out if needles else []


def test_weights_of_what_is_asked_for() -> None:
    """What stands in one file of a hundred weighs more than what stands in all of them."""
    rare, common, nowhere = ranking.weights([0b11, *([0b10] * 99)], 3)
    assert nowhere > rare > common > 0
    assert rare + common + nowhere < 1
