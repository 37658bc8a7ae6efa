"""Pipelines through the studio: cards as files, kept products, resume, candidates elsewhere."""

from __future__ import annotations

from dataclasses import replace

import pytest

from inkwright.abilities import cards, past
from inkwright.abilities.asks import Ask
from inkwright.domain.conversation import ToolCall
from inkwright.domain.errors import Fault, InkwrightError
from inkwright.domain.run import TextDelta
from inkwright.i18n import render
from inkwright.runtime.scripted import Raise, Turn

QUOTE = "她数了数铜钱，一共十七枚。"
SPLIT, DISTIL, DONE = "一、渡口。", "要点：林夏有十七枚铜钱。", "做成一张。"


def make(title: str = "铜钱", quote: str = QUOTE) -> Turn:
    arguments = {
        "card_type": "item",
        "title": title,
        "content": "林夏身上有十七枚铜钱。",
        "tags": ["铜钱"],
        "quote": quote,
    }
    return Turn([ToolCall("c1", "create_note_card", arguments, "")])


def type_of(stage, kind: str) -> None:
    (stage.root / "book.toml").write_text(f'title = "渡口"\ntype = "{kind}"\nlanguage = "zh-CN"\n', "utf-8")


async def ask(stage, **more: object) -> Ask:
    return replace(await stage.ask(""), **{"pipeline": "", **more})


def said(events: list) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


async def test_cards_are_files_that_name_their_source_and_quote_it(stage) -> None:
    """Three steps, one card: a file with source and chapter in its front matter and the quotation in it."""
    type_of(stage, "breakdown")
    stage.plays(SPLIT, DISTIL, make(), DONE)
    events: list = []
    result = await stage.studio.run(await ask(stage), events.append)
    assert (result.status, result.fault) == ("completed", None)
    assert [(s.name, s.status) for s in result.steps] == [
        ("split", "completed"),
        ("distil", "completed"),
        ("cards", "completed"),
    ]
    assert result.text == said(events)
    (path,) = result.cards
    text = (stage.root / path).read_text("utf-8")
    assert "source: 第001章 渡口.md" in text
    assert f"> {QUOTE}" in text
    assert any(card.path == path for card in (await stage.studio.workspace.book(stage.chapter)).files.cards())


async def test_the_same_pipeline_twice_makes_the_same_cards(stage) -> None:
    """A second run finds the card made, also after the writer has edited it."""
    type_of(stage, "breakdown")
    stage.plays(SPLIT, DISTIL, make(), DONE, SPLIT, DISTIL, make(), DONE)
    first = await stage.studio.run(await ask(stage), lambda _: None)
    (path,) = first.cards
    edited = (stage.root / path).read_text("utf-8") + "\n我的话。\n"
    (stage.root / path).write_text(edited, "utf-8")
    second = await stage.studio.run(await ask(stage), lambda _: None)
    assert second.cards == first.cards
    assert (stage.root / path).read_text("utf-8") == edited
    assert len(list((stage.root / "cards").iterdir())) == 2


@pytest.mark.parametrize("failing", [0, 1, 2])
async def test_a_failed_step_is_named_and_resumed(stage, failing: int) -> None:
    """The finished steps are kept; the resumed run goes on at the failed one and its text is whole."""
    type_of(stage, "breakdown")
    script: list = [SPLIT, DISTIL, make(), DONE]
    fault = Turn(["一", Fault("model_server", kind="server", retryable=True)])
    stage.plays(*script[:failing], fault)
    events: list = []
    first = await stage.studio.run(await ask(stage), events.append)
    assert first.status == "partial"
    assert first.text == said(events)
    assert f"{failing}/3" in first.text
    assert [s.status for s in first.steps].count("completed") == failing
    model = stage.plays(*script[failing:])
    events = []
    second = await stage.studio.run(await ask(stage, resume=first.request_id), events.append)
    assert (second.status, second.text) == ("completed", said(events))
    assert SPLIT in second.text
    assert DISTIL in second.text
    assert len(model.requests) == 4 - failing
    assert len(second.cards) == 1


async def test_a_crash_after_the_card_was_made_makes_no_second_card(stage) -> None:
    """The card step failed behind its card: resumed, the same card is found, and it is one of the run's."""
    type_of(stage, "breakdown")
    stage.plays(SPLIT, DISTIL, make(), Turn([Raise(RuntimeError("gone"))]))
    first = await stage.studio.run(await ask(stage), lambda _: None)
    assert first.status == "partial"
    assert len(first.cards) == 1
    stage.plays(make(), DONE)
    second = await stage.studio.run(await ask(stage, resume=first.request_id), lambda _: None)
    assert (second.status, second.cards) == ("completed", first.cards)


async def test_resuming_a_run_of_another_chapter_says_whose_it_is(stage) -> None:
    """The run goes on with the chapter that it was made of, and names it beside the one that was asked for."""
    type_of(stage, "breakdown")
    stage.plays(SPLIT, Turn([Raise(RuntimeError("gone"))]))
    first = await stage.studio.run(await ask(stage), lambda _: None)
    other = stage.root / "第002章 归人.md"
    other.write_text("# 第二章\n\n他没有回头。\n", "utf-8")
    _, snapshot = await stage.studio.workspace.snapshot(other)
    stage.plays(DISTIL, make(), DONE)
    wish = replace(await ask(stage, resume=first.request_id), snapshot=snapshot)
    second = await stage.studio.run(wish, lambda _: None)
    assert second.status == "completed"
    told = next(notice for notice in second.notices if notice.code == "resume_of_other_chapter")
    assert told.params == {"path": "第001章 渡口.md", "asked": "第002章 归人.md"}


async def test_a_novel_has_no_pipeline_and_says_which_kinds_do(stage) -> None:
    """no_pipeline, before anything ran."""
    result = await stage.studio.run(await ask(stage), lambda _: None)
    assert result.status == "failed"
    assert result.fault is not None
    assert result.fault.code == "no_pipeline"
    assert "breakdown" in str(result.fault.params["known"])
    assert "note" in str(result.fault.params["known"])


async def test_a_named_pipeline_in_a_novel_makes_candidates(stage) -> None:
    """Nothing is written until the writer accepts one; a rejected one stays away."""
    before = sorted(p.name for p in (stage.root / "cards").iterdir())
    stage.plays(SPLIT, DISTIL, make(), make("船", "船已经走了"), DONE)
    result = await stage.studio.run(await ask(stage, pipeline="breakdown"), lambda _: None)
    assert (result.status, result.cards) == ("completed", ())
    assert sorted(p.name for p in (stage.root / "cards").iterdir()) == before
    book = await stage.studio.workspace.book(stage.chapter)
    first, second = result.candidates
    (done,) = await cards.accept(book, [first])
    assert (stage.root / done.path).is_file()
    assert (await cards.accept(book, [first]))[0].path == done.path
    await cards.reject(book, [second])
    assert await book.state.candidates.list() == ()


@pytest.mark.parametrize("decide", [cards.accept, cards.reject])
@pytest.mark.parametrize("locale", ["zh", "en"])
async def test_a_candidate_that_is_not_there_is_named(stage, decide, locale) -> None:
    """The sentence says which one was asked for."""
    book = await stage.studio.workspace.book(stage.chapter)
    with pytest.raises(InkwrightError) as raised:
        await decide(book, ["gone"])
    assert raised.value.fault.code == "candidate_unknown"
    assert " gone" in render(raised.value.fault, locale)


@pytest.mark.parametrize("kind", ["breakdown", "note"])
async def test_polish_makes_no_card_in_any_book(stage, kind: str) -> None:
    """The tool is not even offered, and a model that calls it all the same gets an error result."""
    type_of(stage, kind)
    rewrite = "林夏到的时候，船刚走了。\n\n她数了数铜钱，一共十七枚。\n\n“再等等。”周衡说。\n"
    model = stage.plays(make(), rewrite)
    result = await stage.studio.run(await stage.ask("polish"), lambda _: None)
    assert result.proposal is not None
    assert all(tool.name != "create_note_card" for tool in model.requests[0].tools)
    assert result.cards == result.candidates == ()
    assert [p.name for p in (stage.root / "cards").iterdir()] == ["林夏.md"]


async def test_a_quote_that_is_not_in_the_chapter_writes_nothing(stage) -> None:
    """The tool answers with an error; the step goes on."""
    type_of(stage, "breakdown")
    stage.plays(SPLIT, DISTIL, make(quote="她数了数银元。"), DONE)
    result = await stage.studio.run(await ask(stage), lambda _: None)
    assert (result.status, result.cards) == ("completed", ())
    assert [p.name for p in (stage.root / "cards").iterdir()] == ["林夏.md"]


async def test_what_cannot_be_resumed_is_said(stage) -> None:
    """An unknown run, one that was completed, one of an ability."""
    type_of(stage, "breakdown")
    stage.plays(SPLIT, DISTIL, DONE)
    done = await stage.studio.run(await ask(stage), lambda _: None)
    for run, code in (("none", "run_unknown"), (done.request_id, "resume_done")):
        result = await stage.studio.run(await ask(stage, resume=run), lambda _: None)
        assert result.fault is not None
        assert result.fault.code == code


async def test_a_resumed_run_reads_the_text_it_began_with(stage) -> None:
    """The chapter changed meanwhile: quotations still stand in what the run was made from, and it is said."""
    type_of(stage, "breakdown")
    stage.plays(SPLIT, Turn([Fault("model_server", kind="server")]))
    first = await stage.studio.run(await ask(stage), lambda _: None)
    stage.chapter.write_text("全都重写了。\n", "utf-8")
    stage.plays(DISTIL, make(), DONE)
    second = await stage.studio.run(await ask(stage, resume=first.request_id), lambda _: None)
    assert second.status == "completed"
    assert len(second.cards) == 1
    assert "resume_of_older_text" in [f.code for f in second.notices]


async def test_asked_again_the_pipeline_gives_its_first_outcome(stage) -> None:
    """The same request id: steps and cards as they were, and the model is not asked."""
    type_of(stage, "breakdown")
    stage.plays(SPLIT, DISTIL, make(), DONE)
    wish = await ask(stage, request_id="p1")
    first = await stage.studio.run(wish, lambda _: None)
    model = stage.plays()
    again = await stage.studio.run(wish, lambda _: None)
    assert model.requests == []
    assert (again.steps, again.cards, again.text) == (first.steps, first.cards, first.text)


async def test_a_summary_is_kept_with_the_text_it_was_made_from(stage) -> None:
    """Fresh at first, stale with the first change of the chapter; the author's synopsis is not touched."""
    stage.plays("林夏误了船。")
    result = await stage.studio.run(await stage.ask("summary"), lambda _: None)
    assert result.status == "completed"
    book = await stage.studio.workspace.book(stage.chapter)
    path = stage.chapter.name
    stored = await book.state.summaries.summary(path)
    assert stored is not None
    assert (stored.text, stored.digest) == ("林夏误了船。", book.files.digest(path))
    book.files.set_buffer(path, "改了。\n")
    assert stored.digest != book.files.digest(path)


async def test_a_summary_of_a_selection_is_not_the_chapters(stage) -> None:
    """It is told to the writer and kept for nobody."""
    from inkwright.domain.text import Span

    stage.plays("林夏误了船。", "全章。")
    result = await stage.studio.run(await stage.ask("summary", span=Span(0, 14)), lambda _: None)
    assert (result.status, result.text) == ("completed", "林夏误了船。")
    book = await stage.studio.workspace.book(stage.chapter)
    assert await book.state.summaries.summary(stage.chapter.name) is None


async def test_a_summary_of_what_was_typed_over_meanwhile_is_stale(stage) -> None:
    """The chapter changes while the model writes: the summary is that of the text it was shown."""
    book = await stage.studio.workspace.book(stage.chapter)
    wish = await stage.ask("summary")
    book.files.set_buffer(stage.chapter.name, "改了。\n")
    stage.plays("林夏误了船。")
    await stage.studio.run(wish, lambda _: None)
    stored = await book.state.summaries.summary(stage.chapter.name)
    assert stored.digest != book.files.digest(stage.chapter.name)
    book.files.set_buffer(stage.chapter.name, wish.snapshot.text)
    assert stored.digest == book.files.digest(stage.chapter.name)


HEAD = "---\ntitle: 渡口\n---\n"


@pytest.mark.parametrize(
    ("text", "at", "code"),
    [
        (f"{HEAD}林夏到了。\n", 5, "nothing_before_cursor"),
        (f"{HEAD}林夏到了。\n", len(HEAD), "nothing_before_cursor"),
        ("\n\n林夏到了。\n", 1, "nothing_before_cursor"),
        (HEAD, 5, "empty_text"),
        ("", 0, "empty_text"),
    ],
)
async def test_where_nothing_can_be_gone_on_from(stage, text: str, at: int, code: str) -> None:
    """It is said where the cursor has to be; the model is not asked."""
    stage.chapter.write_text(text, "utf-8")
    model = stage.plays("雨停了。")
    result = await stage.studio.run(replace(await stage.ask("continue"), cursor=at), lambda _: None)
    assert result.fault is not None
    assert (result.fault.code, model.requests) == (code, [])


@pytest.mark.parametrize(
    ("cursor", "expected"),
    [
        ("船已经走了。", "船已经走了。\n\n雨停了。\n\n她数了数"),
        ("她数了数", "她数了数雨停了。铜钱"),
    ],
)
async def test_a_continuation_is_put_in_at_the_cursor_as_a_proposal(
    stage, cursor: str, expected: str
) -> None:
    """Behind a paragraph it is a paragraph of its own, inside a line it joins it; the file is unchanged."""
    from inkwright.domain.text import TextEdit, apply

    wish = await stage.ask("continue")
    at = wish.snapshot.text.index(cursor) + len(cursor)
    stage.plays("雨停了。")
    result = await stage.studio.run(replace(wish, cursor=at), lambda _: None)
    assert result.proposal is not None
    (hunk,) = result.proposal.hunks
    text = apply(wish.snapshot.text, [TextEdit(hunk.span, hunk.after)])
    assert expected in text
    assert stage.chapter.read_text("utf-8") == wish.snapshot.text


@pytest.mark.parametrize("locale", ["zh", "en"])
async def test_what_was_run_is_shown_by_its_name(stage, locale) -> None:
    """A pipeline by its own, and one that is gone by its id."""
    stage.plays(SPLIT, DISTIL, DONE)
    await stage.studio.run(await ask(stage, pipeline="breakdown"), lambda _: None)
    book = await stage.studio.workspace.book(stage.chapter)
    (run,) = await book.state.runs.list(limit=2)
    library = await stage.studio.library(book)
    assert past.label(run, library, locale) == {"zh": "拆书", "en": "Breakdown"}[locale]
    gone = replace(run, ability="mine", pipeline="mine")
    assert past.label(gone, library, locale) == "mine"


async def test_a_cards_step_that_makes_none_is_told_of(stage) -> None:
    """A model that only talks leaves no card: the run is done, and says that none came; with a card nothing is said."""
    type_of(stage, "breakdown")
    stage.plays(SPLIT, DISTIL, "garbage")
    result = await stage.studio.run(await ask(stage), lambda _: None)
    assert (result.status, result.cards, result.candidates) == ("completed", (), ())
    (notice,) = [one for one in result.notices if one.code == "pipeline_no_cards"]
    assert notice.params["label"] in render(notice, "zh")
    stage.plays(SPLIT, DISTIL, make(), DONE)
    result = await stage.studio.run(await ask(stage), lambda _: None)
    assert len(result.cards) == 1
    assert "pipeline_no_cards" not in [one.code for one in result.notices]
