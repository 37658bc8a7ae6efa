"""Every wire against everything an answer can be. `pytest -rP` on this file prints the table."""

from __future__ import annotations

import asyncio

import pytest

from inkwright.domain.conversation import Message, ModelRequest, Text

ASK = ModelRequest((Message("user", "hello"),))
F, G = '{"x": "字"}', '{"y": [1, 2]}'

WANTED = {
    "text": "stop · text · 10/5",
    "reasoning": "stop · reasoning+text · 10/5",
    "one tool": "tool_calls · f(x) · 10/5",
    "parallel tools": "tool_calls · text · f(x) g(y) · 10/5",
    "cut tool": "length · text · 10/5",
    "length": "length · text · 10/5",
    "filter": "content_filter · text · 10/5 · content_filter",
    "overload": "error · overloaded retryable after 7",
    "error in stream": "error · text · server retryable",
    "end in the middle": "error · text · connection retryable",
    "cancel": "closed, nothing later",
}


def bodies(speaker):
    """What the server says in each case, as (status, body)."""
    say = speaker
    hello = say.text("Hello", 0)
    return {
        "text": (200, say.body(hello)),
        "reasoning": (200, say.body(say.thought("hm", "c2ln", 0), say.text("Hello", 1))),
        "one tool": (200, say.body(say.call(0, "a1", "f", F[:4], F[4:]), end="tool_calls")),
        "parallel tools": (
            200,
            say.body(
                hello, say.call(1, "a1", "f", F), say.call(2, "a2", "g", G[:3], G[3:]), end="tool_calls"
            ),
        ),
        "cut tool": (200, say.body(hello, say.call(1, "a1", "f", F[:4]), end="length")),
        "length": (200, say.body(hello, end="length")),
        "filter": (200, say.body(hello, end="content_filter")),
        "overload": (529, say.error(529, "overloaded_error", "Overloaded").split(b"data: ")[1]),
        "error in stream": (200, say.body(hello, say.error(500, "api_error", "oops"), end=None)),
        "end in the middle": (200, say.body(hello, end=None)),
    }


def cell(outcome) -> str:
    """An outcome in a few words."""
    end = outcome.end
    said = "+".join(name for name, text in (("reasoning", outcome.reasoning), ("text", outcome.text)) if text)
    calls = " ".join(f"{call.name}({', '.join(call.arguments)})" for call in end.tool_calls)
    usage = f"{end.usage.input}/{end.usage.output}" if end.usage and end.finish != "error" else ""
    fault = ""
    if end.fault is not None:
        wait = f" after {end.fault.retry_after:g}" if end.fault.retry_after else ""
        fault = end.fault.kind + (" retryable" if end.fault.retryable else "") + wait
    return " · ".join(part for part in (end.finish, said, calls, usage, fault) if part)


async def cancelled(server, reply, model, speaker, until) -> str:
    """A reader that goes away in the middle of the stream."""
    server.gone.clear()
    server.reply = reply([speaker.body(speaker.text("Hello"), end=None)], then="keepalive")
    seen: list[object] = []

    async def consume() -> None:
        async for event in model.stream(ASK):
            seen.append(event)  # noqa: PERF401 - one by one, to be seen before the end

    task = asyncio.create_task(consume())
    await until(lambda: seen)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await until(server.gone.is_set)
    return "closed, nothing later" if seen == [Text("Hello")] else repr(seen)


async def test_the_table(server, model, reply, ask, speakers, until):
    """Each cell is the same on every wire."""
    table: dict[str, dict[str, str]] = {name: {} for name in WANTED}
    for wire, speaker in speakers.items():
        spoken = model(server.url, wire=wire)
        for name, (status, body) in bodies(speaker).items():
            server.reply = reply([body], status, {"retry-after": "7"} if status != 200 else {})
            table[name][wire] = cell(await ask(spoken))
        table["cancel"][wire] = await cancelled(server, reply, spoken, speaker, until)
    width = max(len(text) for row in table.values() for text in row.values())
    print("|".join([f"{'':18}", *(f" {wire:{width}} " for wire in speakers)]))
    for name, row in table.items():
        print("|".join([f"{name:18}", *(f" {row[wire]:{width}} " for wire in speakers)]))
    assert table == {name: dict.fromkeys(speakers, wanted) for name, wanted in WANTED.items()}
