"""A picture described through the studio: by the writer's own action, by a model that sees, as a proposal."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from inkwright.config import Settings
from inkwright.domain.conversation import ModelRequest
from inkwright.domain.model import OFFLINE, ModelProfile
from inkwright.domain.text import Span, TextEdit, apply
from inkwright.runtime.scripted import Pause

PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 640, 480) + b"\0" * 2000
TEXT = "林夏到了渡口。\n\n![](map.png)\n\n她看着图。\n"
SEEN = {
    "alt": "手绘的渡口[地图]",
    "description": "图上是一条河，\n左岸有渡口。",
    "uncertain": ["右下角的字看不清"],
}
EYES = ModelProfile(id="eyes", endpoint="http://example.com/v1", model="see", vision=True, kind="vision")
WORDS = ModelProfile(id="words", endpoint="http://example.com/v1", model="read")


def ignore(_: object) -> None:
    pass


@pytest.fixture
async def shown(stage) -> Any:
    """The stage with a picture in its chapter, and a model that sees."""
    stage.chapter.write_text(TEXT, "utf-8")
    (stage.root / "map.png").write_bytes(PNG)
    stage.studio.settings = Settings(model="words", models=(WORDS, EYES, OFFLINE))
    return stage


@pytest.fixture
def describe(shown) -> Callable[..., Any]:
    async def run(**more: Any) -> Any:
        ask = await shown.ask("", **{"image": "", "cursor": TEXT.index("![") + 1, **more})
        return await shown.studio.run(ask, ignore)

    return run


async def test_a_description_is_a_proposal_with_what_is_uncertain_marked(shown, describe) -> None:
    """Alternative text and description are a hunk each; the file stays as it is."""
    model = shown.plays(json.dumps(SEEN, ensure_ascii=False))
    result = await describe()
    assert (result.status, result.model, result.fault) == ("completed", "eyes", None)
    assert "右下角的字看不清" in result.text
    alt, below = result.proposal.hunks
    assert (alt.before, alt.after) == ("", "手绘的渡口\\[地图\\]")
    assert [finding.params["what"] for finding in (*alt.findings, *below.findings)] == SEEN["uncertain"] * 2
    made = apply(TEXT, [TextEdit(hunk.span, hunk.after) for hunk in result.proposal.hunks])
    assert made == TEXT.replace(
        "![](map.png)", "![手绘的渡口\\[地图\\]](map.png)\n\n图上是一条河，\n左岸有渡口。"
    )
    assert result.proposal.text == made[result.proposal.span.start : -len("\n\n她看着图。\n")]
    assert shown.chapter.read_text("utf-8") == TEXT
    (request,) = model.requests
    assert isinstance(request, ModelRequest)
    assert [image.data for message in request.messages for image in message.images] == [PNG]
    assert request.tools == ()


async def test_what_is_certain_has_no_mark(shown, describe) -> None:
    """The hunks are then taken by "accept all"."""
    shown.plays(json.dumps({**SEEN, "uncertain": []}))
    result = await describe(cursor=None, image="map.png")
    assert [hunk.findings for hunk in result.proposal.hunks] == [(), ()]


async def test_the_context_page_lists_the_picture(shown, describe) -> None:
    """Its file, kind and size, before and after the run; the journal keeps no picture."""
    ask = await shown.ask("", image="", span=Span(TEXT.index("!["), TEXT.index(")") + 1))
    before = (await shown.studio.context(ask)).read_text("utf-8")
    shown.plays(json.dumps(SEEN))
    result = await describe()
    after = (await shown.studio.context_of(result.request_id)).read_text("utf-8")
    for page in (before, after):
        assert "map.png" in page
        assert "PNG" in page
        assert "640×480" in page
        assert "2 KB" in page
        assert "描述图片" in page


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"model": "words"}, "model_no_vision"),
        ({"model": "nobody"}, "model_unknown"),
        ({"cursor": 0}, "no_picture"),
        ({"image": "../secret.png"}, "picture_elsewhere"),
        ({"image": "other.png"}, "file_missing"),
    ],
)
async def test_what_cannot_be_described_is_said(shown, describe, more, code) -> None:
    """Nothing is sent to anybody."""
    model = shown.plays("{}")
    result = await describe(**more)
    assert (result.status, result.fault.code) == ("failed", code)
    assert model.requests == []


async def test_no_model_that_sees_is_said(shown, describe) -> None:
    """Neither the offline engine nor a model of words gets a picture; one that merely can is not taken unasked."""
    able = replace(EYES, id="able", kind="text")
    shown.studio.settings = Settings(model="words", models=(WORDS, able, OFFLINE))
    model = shown.plays(json.dumps(SEEN))
    result = await describe()
    assert (result.fault.code, result.fault.params["known"]) == ("model_no_vision", "able")
    assert model.requests == []
    assert (await describe(model="able")).status == "completed"


async def test_an_answer_out_of_shape_is_no_proposal(shown, describe) -> None:
    """Whatever a model says instead."""
    shown.plays("我看到一条河。")
    result = await describe()
    assert (result.status, result.fault.code, result.proposal) == ("failed", "model_answer_unfit", None)


async def test_cancelled_it_leaves_nothing(shown, describe, until) -> None:
    """No proposal, no text."""
    shown.plays([Pause(None)])
    import asyncio

    task = asyncio.ensure_future(describe(request_id="picture"))
    await until(lambda: shown.studio.cancel("picture"))
    result = await task
    assert (result.status, result.proposal, result.text) == ("cancelled", None, "")


async def test_no_other_run_sends_a_picture(shown) -> None:
    """A chapter with pictures is text to every ability."""
    model = shown.plays("好。")
    await shown.studio.run(await shown.ask("analysis", model="eyes"), ignore)
    assert all(message.images == () for message in model.requests[0].messages)
