"""Facts are proposed, never believed: what a run finds waits, rests on the text, and overwrites nothing."""

from __future__ import annotations

import asyncio
import shutil
import signal
import subprocess
import sys
import threading

import pytest

from inkwright.abilities import facts
from inkwright.abilities.pens import FilePen
from inkwright.domain.conversation import ToolCall
from inkwright.domain.errors import InkwrightError
from inkwright.runtime.scripted import Turn

CHAPTER = "# 渡口\n\n林夏到了青石镇，她的右手只有四根手指。\n\n“周衡死了。”船夫说。\n\n周衡在江边醒来，手里攥着那枚铜牌。\n"
CARD = "---\r\ntype: character # 主角\r\nname: 林夏\r\nfacts:\r\n  - key: 年龄\r\n    value: '二十三'\r\nnote: 作者\r\n---\r\n药铺学徒。"


def call(number: int, **said: str) -> ToolCall:
    return ToolCall(f"c{number}", "propose_fact", said)


def turn(*said: dict[str, str]) -> Turn:
    return Turn(tuple(call(n, **one) for n, one in enumerate(said)))


HAND = {"card": "林夏", "key": "外貌", "value": "右手只有四根手指", "quote": "她的右手只有四根手指"}
TOWN = {"card": "林夏", "key": "location", "value": "青石镇", "quote": "林夏到了青石镇，"}
LIE = {"card": "林夏", "key": "status", "value": "死", "quote": "林夏死在了江里。"}
NOBODY = {"card": "周衡", "key": "持有者", "value": "铜牌", "quote": "手里攥着那枚铜牌"}


def ignore(_: object) -> None:
    pass


@pytest.fixture
def stage(stage):
    stage.chapter.write_text(CHAPTER, "utf-8")
    (stage.root / "cards" / "林夏.md").write_bytes(CARD.encode())
    return stage


@pytest.fixture
def card(stage):
    return stage.root / "cards" / "林夏.md"


async def run(stage, *said, **more):
    stage.plays(turn(*said), "提了几条。")
    return await stage.studio.run(await stage.ask("facts", **more), ignore)


async def book_of(stage):
    book = await stage.studio.workspace.book(stage.chapter)
    await book.ready()
    return book


async def rewrite(stage, book, text):
    stage.chapter.write_text(text, "utf-8")
    await book.files.file_changed(stage.chapter.name)


async def values(book):
    return [one.candidate.fact.value for one in await facts.waiting(book)]


async def test_what_a_model_invents_is_dropped_and_counted(stage):
    """Two facts with their quotations wait; a lie is nowhere, and a name without a card has no candidate."""
    result = await run(stage, HAND, LIE, TOWN, NOBODY)
    book = await book_of(stage)
    found = await facts.waiting(book)
    assert [(w.candidate.fact.key, w.candidate.fact.value, w.span.of(w.text)) for w in found] == [
        ("appearance", "右手只有四根手指", "她的右手只有四根手指"),
        ("location", "青石镇", "林夏到了青石镇，"),
    ]
    assert list(result.candidates) == [w.candidate.id for w in found]
    (notice,) = [n for n in result.notices if n.code == "facts_report"]
    assert notice.params == {"found": 2, "known": 0, "dropped": 1, "unknown": 1}
    assert {path.name for path in (stage.root / "cards").iterdir()} == {"林夏.md"}
    assert (stage.root / "cards" / "林夏.md").read_bytes() == CARD.encode()


async def test_twice_is_once(stage):
    """The same run again keeps nothing new, also with another quotation for the same fact."""
    await run(stage, HAND, TOWN)
    result = await run(stage, HAND, {**TOWN, "quote": "到了青石镇"})
    book = await book_of(stage)
    found = await facts.waiting(book)
    assert len(found) == 2
    assert list(result.candidates) == [w.candidate.id for w in found]


async def test_accepting_writes_the_fact_and_nothing_else(stage, card):
    """Comments, quotes, the order of keys, line ends and the missing last one stay; the key is in the card's tongue."""
    await run(stage, HAND)
    book = await book_of(stage)
    (one,) = await facts.waiting(book)
    (done,) = await facts.accept(book, [one.candidate.id], FilePen(book))
    assert done.state == "accepted"
    added = "  - key: 外貌\r\n    value: 右手只有四根手指\r\n    from: 渡口\r\n    quote: 她的右手只有四根手指\r\n"
    assert card.read_bytes().decode() == CARD.replace("note: 作者", added + "note: 作者")
    (again,) = await facts.accept(book, [one.candidate.id], FilePen(book))
    assert again == done
    assert card.read_bytes().decode().count("右手") == 2
    assert await values(book) == []
    with pytest.raises(InkwrightError, match="fact_accepted"):
        await facts.reject(book, [one.candidate.id])


async def test_a_passage_that_is_gone_withdraws_the_candidate_and_an_undo_brings_it_back(stage):
    """Rewriting, deleting and restoring the chapter; a withdrawn one cannot be accepted."""
    await run(stage, HAND, TOWN)
    book = await book_of(stage)
    ids = [w.candidate.id for w in await facts.waiting(book)]
    await rewrite(stage, book, CHAPTER.replace("四根", "五根"))
    assert await values(book) == ["青石镇"]
    with pytest.raises(InkwrightError, match="fact_withdrawn"):
        await facts.accept(book, ids[:1], FilePen(book))
    await rewrite(stage, book, CHAPTER.replace("，她的右手只有四根手指", "，她的右手\n只有四根手指"))
    assert len(await values(book)) == 2
    stage.chapter.unlink()
    await book.files.file_changed(stage.chapter.name)
    assert await values(book) == []
    assert await facts.accept(book, ids, FilePen(book)) == tuple(
        [await book.state.facts.get(id_) for id_ in ids]
    )
    await rewrite(stage, book, CHAPTER)
    assert len(await values(book)) == 2


async def test_what_is_typed_counts_before_it_is_saved(stage):
    """An open buffer without the passage withdraws at once."""
    await run(stage, HAND, TOWN)
    book = await book_of(stage)
    book.files.set_buffer(stage.chapter.name, lambda: CHAPTER.replace("四根", "三根"))
    assert await values(book) == ["青石镇"]
    book.files.clear_buffer(stage.chapter.name)
    assert len(await values(book)) == 2


async def test_a_rejected_fact_is_not_offered_again_for_the_same_text(stage):
    """Not by another run, nor with another quotation; but where its passage is gone and another tells it."""
    await run(stage, HAND)
    book = await book_of(stage)
    (one,) = await facts.waiting(book)
    (gone,) = await facts.reject(book, [one.candidate.id])
    assert gone.state == "rejected"
    result = await run(stage, {**HAND, "quote": "右手只有四根手指"})
    assert await values(book) == []
    assert result.candidates == ()
    with pytest.raises(InkwrightError, match="fact_rejected"):
        await facts.accept(book, [one.candidate.id], FilePen(book))
    await rewrite(stage, book, CHAPTER.replace("她的右手只有四根手指", "她的右手少了一根手指，只有四根"))
    await run(stage, {**HAND, "quote": "她的右手少了一根手指，只有四根"})
    assert await values(book) == ["右手只有四根手指"]


async def test_what_the_author_wrote_is_never_overwritten(stage, card):
    """A fact that differs says what the card says, is left by "accept all", and is added when it is taken alone."""
    age = {"card": "林夏", "key": "age", "value": "三十", "quote": "林夏到了青石镇"}
    await run(stage, age, HAND, TOWN, {**TOWN, "value": "江边"})
    book = await book_of(stage)
    found = await facts.waiting(book)
    assert [w.against for w in found] == ["二十三", "", "", ""]
    done = await facts.accept(book, [w.candidate.id for w in found], FilePen(book))
    assert [one.state for one in done] == ["pending", "accepted", "accepted", "pending"]
    assert "三十" not in card.read_text("utf-8")
    assert [w.against for w in await facts.waiting(book)] == ["二十三", "青石镇"]
    (alone,) = await facts.accept(book, [found[0].candidate.id], FilePen(book))
    assert alone.state == "accepted"
    written = card.read_bytes().decode()
    assert "    value: '二十三'\r\n" in written
    assert "    value: 三十\r\n" in written


async def test_what_the_card_says_already_is_no_candidate(stage, card):
    """The same value under either language's key, in a field of its own, or among others."""
    card.write_text(
        "---\nname: 林夏\n所在: 青石镇\nappearance: 黑发，右手只有四根手指\nfacts: [{key: age, value: 二十三}]\n---\n",
        "utf-8",
    )
    result = await run(stage, HAND, TOWN, {**TOWN, "key": "年龄", "value": "二十三"})
    assert result.candidates == ()
    (notice,) = [n for n in result.notices if n.code == "facts_report"]
    assert notice.params["known"] == 3


@pytest.mark.parametrize("hidden", ["ai: never", "private: true"])
async def test_a_hidden_card_is_as_good_as_none(stage, card, hidden):
    """The model is told what it is told of a name without a card, and nothing waits."""
    card.write_text(f"---\nname: 林夏\n{hidden}\n---\n", "utf-8")
    stage.plays(turn(HAND, {**HAND, "card": "无此人"}), "没有。")
    model = stage.models.model
    result = await stage.studio.run(await stage.ask("facts"), ignore)
    told = [m.content for m in model.requests[1].messages if m.role == "tool"]
    assert told[0].replace("林夏", "无此人") == told[1]
    assert result.candidates == ()


async def test_later_facts_are_not_told_in_an_earlier_chapter(stage, card):
    """Neither the context nor what a tool answers gives away what a later chapter tells."""
    (stage.root / "第002章 江.md").write_text("# 第二章 江\n\n林夏成了船夫。\n", "utf-8")
    card.write_text("---\nname: 林夏\nfacts:\n  - {key: 身份, value: 船夫, from: 第二章}\n---\n", "utf-8")
    stage.plays(turn({**HAND, "key": "身份", "value": "船夫"}, HAND), "好。")
    model = stage.models.model
    await stage.studio.run(await stage.ask("facts"), ignore)
    assert not any("船夫" in m.content.replace("船夫说", "") for m in model.requests[0].messages)
    assert await values(await book_of(stage)) == ["船夫", "右手只有四根手指"]


async def test_an_accepted_fact_whose_passage_is_gone_is_told_of_in_the_card(stage, card):
    """At the line of its value, with the removal as a fix; not before, and not of what the author wrote."""
    await run(stage, HAND, TOWN)
    book = await book_of(stage)
    await facts.accept(book, [w.candidate.id for w in await facts.waiting(book)], FilePen(book))

    async def told():
        text = card.read_bytes().decode()
        found = await stage.studio.findings.of(text, book, path="cards/林夏.md")
        return text, [one for one in found if one.code == "fact_source_gone"]

    assert (await told())[1] == []
    await rewrite(stage, book, CHAPTER.replace("四根", "五根"))
    text, (one,) = await told()
    assert one.span.of(text) == "右手只有四根手指"
    from inkwright.domain.text import apply

    (fix,) = one.fixes
    (change,) = fix.changes
    assert apply(text, list(change.edits)) == text.replace(
        "  - key: 外貌\r\n    value: 右手只有四根手指\r\n    from: 渡口\r\n    quote: 她的右手只有四根手指\r\n",
        "",
    )
    await rewrite(stage, book, CHAPTER)
    assert (await told())[1] == []
    stage.chapter.unlink()
    await book.files.file_changed(stage.chapter.name)
    assert len((await told())[1]) == 2


async def test_odd_characters_come_through(stage, card):
    """An emoji, a combining mark, a line separator, a quotation over a line end, YAML's own signs."""
    quote = "[🦊] e\u0301: #1 \u2028“她”\r\n说"
    stage.chapter.write_bytes(f"# 渡口\r\n\r\n{quote}完。\r\n".encode())
    await run(stage, {"card": "林夏", "key": "relations", "value": "- 🦊: #1", "quote": quote})
    book = await book_of(stage)
    (one,) = await facts.waiting(book)
    assert one.span.of(one.text) == quote
    await facts.accept(book, [one.candidate.id], FilePen(book))
    (fact,) = [f for c in book.files.cards() for f in c.facts if f.key == "关系"]
    assert (fact.value, fact.quote) == ("- 🦊: #1", "[🦊] e\u0301: #1 \u2028“她” 说")
    assert b"\n" not in card.read_bytes().replace(b"\r\n", b"")
    assert (await facts.lost(book, card="cards/林夏.md")) == ()


async def test_a_card_that_is_gone_or_cannot_be_edited_surely_says_so(stage, card):
    """The candidate goes on waiting, and nothing is written."""
    await run(stage, HAND)
    book = await book_of(stage)
    (one,) = await facts.waiting(book)
    odd = "---\nname: 林夏\nfacts: {key: a, value: b}\n---\n"
    card.write_text(odd, "utf-8")
    await book.files.file_changed("cards/林夏.md")
    with pytest.raises(InkwrightError, match="frontmatter_by_hand"):
        await facts.accept(book, [one.candidate.id], FilePen(book))
    assert card.read_text("utf-8") == odd
    card.unlink()
    await book.files.file_changed("cards/林夏.md")
    with pytest.raises(InkwrightError, match="fact_card_gone"):
        await facts.accept(book, [one.candidate.id], FilePen(book))
    assert (await book.state.facts.get(one.candidate.id)).state == "pending"


ACCEPT = """
import asyncio, os, signal, sys
from pathlib import Path
from inkwright.abilities import facts, pens
from inkwright.workspace import Workspace

async def main(root, ids, die):
    workspace = Workspace([root])
    book = await workspace.book(root / "book.toml")
    await book.ready()
    if die:
        async def killed(*_):
            os.kill(os.getpid(), signal.SIGKILL)
        type(book.state.facts).decide = killed
    print("ready", flush=True)
    sys.stdin.readline()
    done = await facts.accept(book, ids, pens.FilePen(book))
    await workspace.close()
    print(*[one.state for one in done])

asyncio.run(main(Path(sys.argv[1]), sys.argv[3:], sys.argv[2] == "die"))
"""


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("INKWRIGHT_DATA_DIR", str(tmp_path / "data"))


def process(stage, ids, die="live"):
    started = subprocess.Popen(
        [sys.executable, "-c", ACCEPT, str(stage.root), die, *ids],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert started.stdout.readline() == "ready\n"
    return started


async def test_two_editors_that_accept_at_once_write_one_fact(data, stage, card):
    """Three processes, overlapping lists: every fact stands once on the card, none is lost."""
    await run(stage, HAND, TOWN, {**TOWN, "key": "relations", "value": "旅人"})
    book = await book_of(stage)
    ids = [w.candidate.id for w in await facts.waiting(book)]
    running = [process(stage, part) for part in (ids[:2], ids[1:], ids)]
    for one in running:
        one.stdin.write("go\n")
        one.stdin.flush()
    ended = [await asyncio.to_thread(one.communicate) for one in running]
    assert [one.returncode for one in running] == [0, 0, 0], ended
    await book.files.file_changed("cards/林夏.md")
    await facts.accept(book, ids, FilePen(book))
    written = card.read_bytes().decode()
    assert [written.count(f"value: {v}\r\n") for v in ("右手只有四根手指", "青石镇", "旅人")] == [1, 1, 1]
    assert {(await book.state.facts.get(id_)).state for id_ in ids} == {"accepted"}


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
async def test_killed_between_the_writing_and_the_noting_down(data, stage, card):
    """The fact stands once: the next look finds it on its card and notes that down."""
    await run(stage, HAND)
    book = await book_of(stage)
    (one,) = await facts.waiting(book)
    victim = process(stage, [one.candidate.id], "die")
    await asyncio.to_thread(victim.communicate, "go\n")
    assert victim.returncode == -signal.SIGKILL
    written = card.read_bytes()
    assert written.decode().count("value: 右手只有四根手指") == 1
    await book.files.file_changed("cards/林夏.md")
    (done,) = await facts.accept(book, [one.candidate.id], FilePen(book))
    assert done.state == "accepted"
    assert card.read_bytes() == written
    assert await values(book) == []


@pytest.mark.parametrize(
    "line", ['{"kind": "fact"', '{"kind": "fact", "card": 3}', '["fact"]', "<<<<<<< HEAD"]
)
async def test_a_clone_knows_what_was_decided(stage, card, tmp_path, line):
    """What was accepted is told of when its passage goes, what was rejected is not offered, whatever else stands
    in the file; a book that keeps nothing of ours gets no file."""
    await run(stage, HAND, TOWN)
    book = await book_of(stage)
    hand, town = [w.candidate.id for w in await facts.waiting(book)]
    await book.state.adopt()
    await facts.accept(book, [hand], FilePen(book))
    await facts.reject(book, [town])
    shared = stage.root / ".inkwright" / "decisions.jsonl"
    assert len(shared.read_text("utf-8").splitlines()) == 2
    shared.write_text(f"{line}\n{shared.read_text('utf-8')}", "utf-8")
    clone = tmp_path / "clone"
    shutil.copytree(stage.root, clone, ignore=shutil.ignore_patterns("*.db*", "*.lock"))
    there = await stage.studio.workspace.book(clone / stage.chapter.name)
    await there.ready()
    assert await facts.lost(there, card="cards/林夏.md") == ()
    (clone / stage.chapter.name).write_text(CHAPTER.replace("四根", "五根"), "utf-8")
    await there.files.file_changed(stage.chapter.name)
    assert [fact.value for fact in await facts.lost(there, card="cards/林夏.md")] == ["右手只有四根手指"]
    assert [one.fact.value for one in await there.state.facts.list(("rejected",))] == ["青石镇"]


async def test_what_could_not_be_taken_in_is_heard_again(stage, card, tmp_path):
    """A chapter that is not there for a moment costs no decision: with it they are taken in."""
    await run(stage, HAND, TOWN)
    book = await book_of(stage)
    hand, town = [w.candidate.id for w in await facts.waiting(book)]
    await book.state.adopt()
    await facts.reject(book, [hand, town])
    clone = tmp_path / "clone"
    shutil.copytree(stage.root, clone, ignore=shutil.ignore_patterns("*.db*", "*.lock"))
    (clone / stage.chapter.name).write_bytes(b"\x00\x01\x02" * 1000)
    there = await stage.studio.workspace.book(clone / stage.chapter.name)
    await there.ready()
    await facts.learn(there)
    assert await there.state.facts.list(("rejected",)) == ()
    (clone / stage.chapter.name).write_text(CHAPTER, "utf-8")
    await there.files.file_changed(stage.chapter.name)
    await facts.learn(there)
    assert len(await there.state.facts.list(("rejected",))) == 2


async def test_decisions_that_cannot_be_read_are_not_no_decisions(stage, card, tmp_path):
    """A run says why what was rejected elsewhere is proposed; once the file can be read it counts."""
    await run(stage, HAND)
    book = await book_of(stage)
    (hand,) = [w.candidate.id for w in await facts.waiting(book)]
    await book.state.adopt()
    await facts.reject(book, [hand])
    shared = stage.root / ".inkwright" / "decisions.jsonl"
    lines = shared.read_bytes()
    shared.unlink()
    shared.mkdir()
    result = await run(stage, TOWN)
    assert "decisions_unreadable" in [notice.code for notice in result.notices]
    clone = tmp_path / "clone"
    shutil.copytree(stage.root, clone, ignore=shutil.ignore_patterns("*.db*", "*.lock"))
    there = await stage.studio.workspace.book(clone / stage.chapter.name)
    await there.ready()
    fault = await facts.learn(there)
    assert fault is not None
    assert fault.code == "decisions_unreadable"
    (clone / ".inkwright" / "decisions.jsonl").rmdir()
    (clone / ".inkwright" / "decisions.jsonl").write_bytes(lines)
    assert await facts.learn(there) is None
    assert [one.fact.value for one in await there.state.facts.list(("rejected",))] == ["右手只有四根手指"]


async def test_a_chapter_that_was_moved_behind_our_back_is_found_by_its_title(stage, card):
    """Neither withdrawn nor lost: a file that another program renamed still tells its facts."""
    await run(stage, HAND, TOWN)
    book = await book_of(stage)
    hand, _ = [w.candidate.id for w in await facts.waiting(book)]
    await facts.accept(book, [hand], FilePen(book))
    stage.chapter.rename(stage.root / "第一卷渡口.md")
    await book.files.files_changed([stage.chapter.name, "第一卷渡口.md"])
    assert await values(book) == ["青石镇"]
    assert await facts.lost(book, card="cards/林夏.md") == ()


async def test_a_chapter_that_cannot_be_read_is_not_a_chapter_that_is_gone(stage, card):
    """What it says is not known: the list says so, nothing is called lost, and the card's other faults are told."""
    await run(stage, HAND, TOWN)
    book = await book_of(stage)
    hand, _ = [w.candidate.id for w in await facts.waiting(book)]
    await facts.accept(book, [hand], FilePen(book))
    stage.chapter.write_bytes(b"\x00\x01\x02" * 1000)
    with pytest.raises(InkwrightError, match="file_binary"):
        await facts.waiting(book)
    text = card.read_bytes().decode().replace("type: character", "type: character\r\nai: sometimes")
    found = await stage.studio.findings.of(text, book, path="cards/林夏.md")
    assert all(one.code != "fact_source_gone" for one in found)


async def test_what_speaks_against_facts_is_worked_out_beside_the_loop(stage, monkeypatch):
    """With many dated facts on a card that takes a while: listing and writing them leave the editor alone."""
    asked = []
    against = facts.opposing.against
    monkeypatch.setattr(
        facts.opposing,
        "against",
        lambda *given: (asked.append(threading.current_thread()), against(*given))[1],
    )
    await run(stage, HAND, TOWN)
    book = await book_of(stage)
    ids = [w.candidate.id for w in await facts.waiting(book)]
    await facts.accept(book, ids, FilePen(book))
    assert len(asked) >= 4
    assert threading.main_thread() not in asked


async def test_the_order_of_the_chapters_is_worked_out_once(stage):
    """Prose that is typed leaves it as it is; a chapter that is called otherwise does not."""
    book = await book_of(stage)
    order = book.files.order()
    book.files.set_buffer(stage.chapter.name, CHAPTER + "又一段。\n")
    assert book.files.order() is order
    book.files.set_buffer(stage.chapter.name, CHAPTER.replace("# 渡口", "# 码头"))
    assert book.files.order().place("码头") == 0
    assert order.place("码头") > 0
