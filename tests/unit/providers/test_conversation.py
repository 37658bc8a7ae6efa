"""One conversation over every wire: what the server reads is the same, and so is what comes back."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.conversation import Image, Message, ModelRequest, ToolCall, ToolSpec
from inkwright.domain.model import ModelProfile, Schema
from inkwright.providers.wires import wire

TOOLS = (
    ToolSpec("f", "does", {"type": "object", "properties": {"x": {"type": "string"}}}),
    ToolSpec("g", "does more", {"type": "object", "properties": {"y": {"type": "array"}}}),
)
WIRES = ("openai", "anthropic", "gemini")
OPAQUE = {"openai": "想一想。", "anthropic": "c2lnbmF0dXJl", "gemini": "dGhvdWdodA=="}


@dataclass(frozen=True)
class Turn:
    """A turn as a server understands it, whatever the wire. Ids are numbered: each wire has its own."""

    who: str
    text: str = ""
    calls: tuple[tuple[str, str], ...] = ()
    results: tuple[tuple[str, str], ...] = ()
    images: int = 0


def sent(name: str, request: ModelRequest, **fields: Any) -> dict[str, Any]:
    profile = ModelProfile(**{"id": "m", "endpoint": "http://h", "model": "demo", "wire": name, **fields})
    return json.loads(wire(name).body(profile, request))


def view(name: str, body: dict[str, Any]) -> list[Turn]:
    """The turns of a request's body, read as that wire's server reads them."""
    turns = {"openai": of_chat, "anthropic": of_messages, "gemini": of_contents}[name](body)
    out: list[Turn] = []
    for turn in turns:
        if out and turn.who == out[-1].who == "user" and turn.results and not out[-1].text:
            last = out.pop()
            turn = Turn("user", turn.text, (), last.results + turn.results, last.images + turn.images)
        elif out and turn.who == out[-1].who:
            last = out.pop()
            text = "\n\n".join(part for part in (last.text, turn.text) if part)
            both = (last.calls + turn.calls, last.results + turn.results, last.images + turn.images)
            turn = Turn(turn.who, text, *both)
        out.append(turn)
    return out


def canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def of_chat(body: dict[str, Any]) -> list[Turn]:
    names: dict[str, str] = {}
    out = []
    for message in body["messages"]:
        content = message["content"]
        parts = content if isinstance(content, list) else [{"type": "text", "text": content or ""}]
        text = "".join(part["text"] for part in parts if part["type"] == "text")
        images = sum(part["type"] == "image_url" for part in parts)
        if message["role"] == "tool":
            out.append(Turn("user", results=((names[message["tool_call_id"]], text),)))
            continue
        calls = []
        for call in message.get("tool_calls", ()):
            names[call["id"]] = call["function"]["name"]
            calls.append((call["function"]["name"], canonical(json.loads(call["function"]["arguments"]))))
        out.append(Turn(message["role"], text, tuple(calls), images=images))
    return out


def of_messages(body: dict[str, Any]) -> list[Turn]:
    system = body.get("system", "")
    text = system if isinstance(system, str) else "".join(block["text"] for block in system)
    out = [Turn("system", text)] if text else []
    names: dict[str, str] = {}
    assert [m["role"] for m in body["messages"]] == [
        ("user", "assistant")[n % 2] for n in range(len(body["messages"]))
    ]
    for message in body["messages"]:
        content = message["content"]
        blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
        assert blocks
        texts, calls, results, images = [], [], [], 0
        for block in blocks:
            match block["type"]:
                case "text":
                    assert block["text"].strip()
                    texts.append(block["text"])
                case "tool_use":
                    names[block["id"]] = block["name"]
                    calls.append((block["name"], canonical(block["input"])))
                case "tool_result":
                    assert not texts, "results come first"
                    results.append((names[block["tool_use_id"]], block["content"]))
                case "image":
                    images += 1
        joined = ("" if message["role"] == "assistant" else "\n\n").join(texts)
        out.append(Turn(message["role"], joined, tuple(calls), tuple(results), images))
    return out


def of_contents(body: dict[str, Any]) -> list[Turn]:
    system = body.get("systemInstruction", {"parts": []})
    text = "".join(part["text"] for part in system["parts"])
    out = [Turn("system", text)] if text else []
    for content in body["contents"]:
        who = {"user": "user", "model": "assistant"}[content["role"]]
        assert content["parts"]
        texts = [part["text"] for part in content["parts"] if part.get("text") and not part.get("thought")]
        calls = [part["functionCall"] for part in content["parts"] if "functionCall" in part]
        results = [part["functionResponse"] for part in content["parts"] if "functionResponse" in part]
        joined = ("" if who == "assistant" else "\n\n").join(texts)
        out.append(
            Turn(
                who,
                joined,
                tuple((call["name"], canonical(call["args"])) for call in calls),
                tuple((result["name"], result["response"]["result"]) for result in results),
                sum("inlineData" in part for part in content["parts"]),
            )
        )
    return out


def first_answer(speaker) -> bytes:
    """Reasoning with opaque state, text, and two calls at once."""
    thought = OPAQUE["openai"] if speaker.wire == "openai" else "想一想。"
    return speaker.body(
        speaker.thought(thought, OPAQUE[speaker.wire], 0),
        speaker.text("我查一下。", 1),
        speaker.call(2, "toolu_1", "f", '{"x": ', '"林黛玉"}', opaque=OPAQUE[speaker.wire]),
        speaker.call(3, "toolu_2", "g", '{"y": [1, {"z": null}]}'),
        end="tool_calls",
    )


async def test_the_same_conversation(server, model, reply, speakers):
    """Text, reasoning, parallel calls and their results: equal in the neutral form on both sides; what is
    opaque goes back to the letter, and on its own wire only."""
    heard, read = {}, {}
    for name, speaker in speakers.items():
        spoken = model(server.url, wire=name)
        messages = [Message("system", "你是编辑。"), Message("user", "她住在哪里？")]
        server.reply = reply([first_answer(speaker)])
        first = [event async for event in spoken.stream(ModelRequest(tuple(messages), TOOLS))]
        end = first[-1]
        text = "".join(event.text for event in first[:-1] if type(event).__name__ == "Text")
        thought = "".join(event.text for event in first[:-1] if type(event).__name__ == "Reasoning")
        messages.append(Message("assistant", text, end.tool_calls, carry=end.carry))
        messages += [Message("tool", f"结果 {n}", tool_call_id=c.id) for n, c in enumerate(end.tool_calls, 1)]
        server.reply = reply([speaker.body(speaker.text("潇湘馆。"))])
        second = [event async for event in spoken.stream(ModelRequest(tuple(messages), TOOLS))]
        body = server.requests[-1].json
        assert OPAQUE[name] in server.requests[-1].body.decode()
        for other in WIRES:
            if other != name:
                elsewhere = json.dumps(sent(other, ModelRequest(tuple(messages), TOOLS)), ensure_ascii=False)
                assert OPAQUE[name] not in elsewhere
        read[name] = view(name, body)
        heard[name] = (
            text,
            thought,
            [(call.name, call.arguments) for call in end.tool_calls],
            end.finish,
            (end.usage.input, end.usage.output),
            "".join(event.text for event in second[:-1]),
            second[-1].finish,
        )
    assert heard["openai"] == heard["anthropic"] == heard["gemini"]
    assert read["openai"] == read["anthropic"] == read["gemini"]
    assert read["openai"] == [
        Turn("system", "你是编辑。"),
        Turn("user", "她住在哪里？"),
        Turn(
            "assistant",
            "我查一下。",
            (("f", '{"x": "林黛玉"}'), ("g", '{"y": [1, {"z": null}]}')),
        ),
        Turn("user", results=(("f", "结果 1"), ("g", "结果 2"))),
    ]


words = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=12).filter(str.strip)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=4),
    lambda v: st.lists(v, max_size=2) | st.dictionaries(st.text(max_size=3), v, max_size=2),
    max_leaves=4,
)
arguments = st.dictionaries(st.text(max_size=4), values, max_size=3)


@st.composite
def conversations(draw) -> tuple[Message, ...]:
    """A system prompt, then turns: a user's, an answer, or an answer with calls and all their results."""
    out = [Message("system", draw(words)), Message("user", draw(words))]
    for n in range(draw(st.integers(0, 4))):
        calls = tuple(
            ToolCall(f"id:{n}.{m}", draw(st.sampled_from("fg")), draw(arguments))
            for m in range(draw(st.integers(0, 3)))
        )
        out.append(Message("assistant", draw(words) if not calls or draw(st.booleans()) else "", calls))
        out += [Message("tool", draw(words), tool_call_id=call.id) for call in calls]
        if not calls or draw(st.booleans()):
            out.append(Message("user", draw(words)))
    return tuple(out)


@given(conversations())
def test_every_conversation_reads_the_same(messages):
    """Whatever was said and called: every wire's server understands the same turns."""
    views = [view(name, sent(name, ModelRequest(messages, TOOLS))) for name in WIRES]
    assert views[0] == views[1] == views[2]


@pytest.mark.parametrize("name", WIRES)
def test_tools(name):
    """Name, description and schema arrive."""
    body = json.dumps(sent(name, ModelRequest((Message("user", "x"),), TOOLS)))
    for spec in TOOLS:
        assert f'"name": "{spec.name}", "description": "{spec.description}"' in body
        assert json.dumps(spec.parameters["properties"]) in body


@pytest.mark.parametrize("name", WIRES)
def test_images(name):
    """A picture goes along with its user's text, as base64 under its type."""
    picture = Image("image/png", b"\x89PNG")
    body = sent(name, ModelRequest((Message("user", "what is it?", images=(picture,)),)))
    assert view(name, body) == [Turn("user", "what is it?", images=1)]
    assert "iVBORw==" in json.dumps(body)
    assert "image/png" in json.dumps(body)
    assert "PNG" not in repr(picture)


SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}


@pytest.mark.parametrize(
    ("name", "schema", "expected"),
    [
        ("openai", "none", {}),
        ("openai", "object", {"response_format": {"type": "json_object"}}),
        (
            "openai",
            "schema",
            {
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {
                        "name": "answer",
                        "schema": {**SCHEMA, "additionalProperties": False},
                        "strict": True,
                    },
                }
            },
        ),
        ("openai", "tool", {"tool_choice": {"type": "function", "function": {"name": "answer"}}}),
        ("anthropic", "none", {}),
        ("anthropic", "object", {}),
        (
            "anthropic",
            "schema",
            {
                "output_config": {
                    "format": {"type": "json_schema", "schema": {**SCHEMA, "additionalProperties": False}}
                }
            },
        ),
        ("anthropic", "tool", {"tool_choice": {"type": "tool", "name": "answer"}}),
        (
            "gemini",
            "schema",
            {"generationConfig": {"responseMimeType": "application/json", "responseJsonSchema": SCHEMA}},
        ),
        ("gemini", "object", {"generationConfig": {"responseMimeType": "application/json"}}),
        (
            "gemini",
            "tool",
            {"toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["answer"]}}},
        ),
    ],
)
def test_a_structured_answer(name: str, schema: Schema, expected: dict[str, Any]):
    """Is asked for in the wire's way, as far as the model's profile says that it goes."""
    request = ModelRequest((Message("user", "x"),), schema=SCHEMA)
    body = sent(name, request, schema=schema)
    plain = sent(name, ModelRequest((Message("user", "x"),)))
    more = {key: value for key, value in body.items() if plain.get(key) != value}
    if schema == "tool":
        assert '"name": "answer"' in json.dumps(more.pop("tools"))
    assert more == expected


def test_a_loose_schema_is_not_strict():
    """What leaves properties open is sent as it is meant."""
    loose = {**SCHEMA, "required": []}
    body = sent("openai", ModelRequest((Message("user", "x"),), schema=loose), schema="schema")
    assert body["response_format"]["json_schema"]["strict"] is False


@pytest.mark.parametrize("name", WIRES)
@pytest.mark.parametrize(
    "messages",
    [
        (Message("system", "only rules"),),
        (Message("assistant", "I begin"), Message("user", "go on")),
        (Message("user", "a"), Message("assistant", ""), Message("user", "b")),
        (Message("user", "a"), Message("system", "late"), Message("user", "b")),
        (Message("user", "a"), Message("tool", "r", tool_call_id="lost")),
    ],
)
def test_odd_conversations_can_be_sent(name, messages):
    """What history can leave behind makes a request that its server takes."""
    body = sent(name, ModelRequest(messages))
    if name == "openai":
        assert body["messages"]
        return
    turns = body["messages" if name == "anthropic" else "contents"]
    roles = [turn["role"] for turn in turns]
    assert roles[0] == "user"
    assert all(a != b for a, b in itertools.pairwise(roles))
