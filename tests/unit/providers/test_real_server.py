"""Against a real OpenAI-compatible server: INKWRIGHT_TEST_ENDPOINT, _MODEL, _KEY. Proves the wire, not the reasoning."""

from __future__ import annotations

import os

import pytest

from inkwright.domain.conversation import Message, ModelRequest, Text
from inkwright.domain.model import LOCAL_CLOCKS, KeyRef, host_of

ENDPOINT, MODEL, KEY = (os.environ.get(f"INKWRIGHT_TEST_{name}", "") for name in ("ENDPOINT", "MODEL", "KEY"))

pytestmark = [
    pytest.mark.model,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not ENDPOINT, reason="INKWRIGHT_TEST_ENDPOINT names no server"),
]


@pytest.fixture
def real(model):
    """The server's model, with a key of our choice."""

    def make(key: str = KEY):
        return model(
            ENDPOINT,
            {"KEY": key},
            model=MODEL,
            key=KeyRef("env:KEY", (host_of(ENDPOINT),)) if key else None,
            clocks=LOCAL_CLOCKS,
        )

    return make


async def test_it_streams(real, streams):
    """An answer comes in more than one piece and ends as such."""
    request = ModelRequest((Message("user", "Write two sentences about the sea."),), max_output=60)
    events = [event async for event in real().stream(request)]
    outcome = streams.outcome(events)
    assert outcome.end.finish in ("stop", "length")
    assert sum(isinstance(event, Text) for event in events) > 1


async def test_after_a_cancelled_answer(real, ask):
    """The next request is served: the server noticed that nobody listens any more."""
    one = real()
    events = one.stream(ModelRequest((Message("user", "Write a very long story."),)))
    await anext(events)
    await events.aclose()
    assert (await ask(one, "Say hello.", max_output=20)).end.fault is None


async def test_a_request_past_the_context(real, ask):
    """Is a fault, never an empty answer that counts as one."""
    fault = (await ask(real(), "word " * 40_000)).end.fault
    assert fault is not None
    assert fault.kind in ("context_length", "connection", "server", "bad_request")


@pytest.mark.skipif(not KEY, reason="the server wants no key")
async def test_a_wrong_key(real, ask):
    """Is told as such."""
    assert (await ask(real("wrong"), "hi")).end.fault.kind == "auth"
