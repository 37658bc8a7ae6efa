"""The recorded streams, and an event list that is easy to compare."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from inkwright.domain.conversation import Finished, ModelEvent, Reasoning, Text
from inkwright.providers.openai_chat.decode import Answer
from inkwright.providers.reading import Reading

CORPUS = Path(__file__).parents[2] / "corpus" / "sse"


@dataclass(frozen=True)
class Case:
    name: str
    body: bytes
    chunks: tuple[bytes, ...]
    http: dict[str, Any]
    expect: dict[str, Any]


def load(path: Path) -> Case:
    def sibling(ending: str) -> Path:
        return path.with_name(path.name.removesuffix(".sse") + ending)

    body = path.read_bytes()
    cut = sibling(".chunks.json")
    chunks = (
        tuple(base64.b64decode(c) for c in json.loads(cut.read_text())["chunks"]) if cut.exists() else (body,)
    )
    return Case(
        path.name.removesuffix(".sse"),
        body,
        chunks,
        json.loads(sibling(".http.json").read_text("utf-8")),
        json.loads(sibling(".expect.json").read_text("utf-8")),
    )


CASES = [load(path) for path in sorted(CORPUS.glob("*.sse"))]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """`case` runs over the whole corpus, `stream_case` over what a 2xx answered."""
    if "case" in metafunc.fixturenames:
        metafunc.parametrize("case", CASES, ids=lambda c: c.name)
    if "stream_case" in metafunc.fixturenames:
        streams = [c for c in CASES if c.http["status"] < 300]
        metafunc.parametrize("stream_case", streams, ids=lambda c: c.name)


@dataclass(frozen=True)
class Outcome:
    text: str
    reasoning: str
    end: Finished


class Streams:
    """Feeds a decoder and checks what holds for every stream: one end, and nothing after it."""

    @staticmethod
    def events(chunks: Iterable[bytes], **end: Any) -> list[ModelEvent]:
        reading = Reading(Answer())
        out: list[ModelEvent] = []
        for chunk in chunks:
            out += reading.feed(chunk)
        return out + reading.end(**end)

    @staticmethod
    def outcome(events: Sequence[ModelEvent]) -> Outcome:
        ends = [event for event in events if isinstance(event, Finished)]
        assert len(ends) == 1
        assert events[-1] is ends[0]
        assert all(event.text for event in events if isinstance(event, Text | Reasoning))
        text = "".join(event.text for event in events if isinstance(event, Text))
        reasoning = "".join(event.text for event in events if isinstance(event, Reasoning))
        return Outcome(text, reasoning, ends[0])

    @classmethod
    def read(cls, *chunks: bytes, **end: Any) -> Outcome:
        return cls.outcome(cls.events(chunks, **end))

    @staticmethod
    def sse(*chunks: Any, done: bool = True) -> bytes:
        """Chunks as a server would send them."""
        lines = [f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n" for chunk in chunks]
        return "".join([*lines, "data: [DONE]\n\n" if done else ""]).encode()

    @staticmethod
    def delta(finish: str | None = None, **delta: Any) -> dict[str, Any]:
        return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


@pytest.fixture(scope="session")
def streams() -> type[Streams]:
    return Streams


def check(outcome: Outcome, expect: dict[str, Any]) -> None:
    """Compares an outcome with a case's expectation, by the corpus's own rules."""
    end = outcome.end
    assert outcome.text.strip() == expect["text"].strip()
    assert outcome.reasoning.strip() == expect["reasoning"].strip()
    assert end.finish == expect["finish"]
    assert (end.usage and {"input": end.usage.input, "output": end.usage.output}) == expect["usage"]
    assert [c.name for c in end.tool_calls] == [c["name"] for c in expect["tool_calls"]]
    for call, wanted in zip(end.tool_calls, expect["tool_calls"], strict=True):
        assert call.id == wanted["id"] or (wanted["id"] is None and call.id)
        assert call.arguments == wanted["arguments"]
        assert "raw_arguments" not in wanted or call.raw == wanted["raw_arguments"]
    assert len({call.id for call in end.tool_calls}) == len(end.tool_calls)
    error = expect["error"]
    assert (end.fault is None) == (error is None)
    if error is not None and end.fault is not None:
        assert (end.fault.kind, end.fault.retryable) == (error["kind"], error["retryable"])
        assert end.fault.retry_after == error.get("retry_after")


@pytest.fixture(scope="session")
def as_expected() -> Any:
    return check
