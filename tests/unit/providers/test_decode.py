"""Chunks of the chat-completions wire, beyond what the recordings hold."""

from __future__ import annotations

import json
from typing import Any

import pytest

from inkwright.domain.conversation import Finished, Usage
from inkwright.providers.errors import fault


def call(index: Any = None, id: Any = None, name: Any = None, arguments: Any = None, **more: Any) -> dict:  # noqa: A002
    """A fragment of a call, without what is None."""
    function = {k: v for k, v in {"name": name, "arguments": arguments}.items() if v is not None}
    return {
        k: v for k, v in {"index": index, "id": id, "function": function, **more}.items() if v is not None
    }


@pytest.fixture
def calls(streams):
    """The calls that fragments make, one fragment a chunk."""

    def read(*fragments: Any, finish: str = "tool_calls") -> Finished:
        deltas = [streams.delta(tool_calls=[fragment]) for fragment in fragments]
        return streams.read(streams.sse(*deltas, streams.delta(finish))).end

    return read


def named(end: Finished) -> list[tuple[str, Any]]:
    return [(c.name, c.arguments) for c in end.tool_calls]


class TestCalls:
    """Which call a fragment belongs to."""

    def test_name_in_every_fragment_without_id(self, calls):
        """By index, until the arguments are whole and a name comes again."""
        end = calls(
            call(0, name="f", arguments='{"a"'),
            call(0, name="f", arguments=":1}"),
            call(0, name="f", arguments='{"a":2}'),
        )
        assert named(end) == [("f", {"a": 1}), ("f", {"a": 2})]

    def test_id_per_fragment(self, calls):
        """A new id without a name is the same call, with or without an index; the first id counts."""
        for index in (0, None):
            end = calls(call(index, "a", "f", '{"x":'), call(index, "b", None, "1}"))
            assert [(c.id, c.name, c.arguments) for c in end.tool_calls] == [("a", "f", {"x": 1})]

    def test_new_id_and_name_inside_arguments(self, calls):
        """While the arguments are not whole, the call goes on."""
        end = calls(call(0, "a", "f", '{"x":'), call(0, "b", "f", "1}"))
        assert named(end) == [("f", {"x": 1})]

    def test_without_index_and_id(self, calls):
        """The last call, until its arguments are whole and a name comes."""
        end = calls(
            call(name="f", arguments='{"x":'),
            call(arguments="1}"),
            call(name="g"),
            call(arguments='{"y":2}'),
        )
        assert named(end) == [("f", {"x": 1}), ("g", {"y": 2})]
        assert all(c.id for c in end.tool_calls)

    def test_a_name_in_pieces(self, calls):
        """A further piece before any argument belongs to the name; later a different name is ignored."""
        end = calls(
            call(0, "a", "get_"),
            call(0, name="tide"),
            call(0, arguments="{"),
            call(0, name="x", arguments="}"),
        )
        assert named(end) == [("get_tide", {})]

    def test_cumulative_with_closing_repeat(self, calls):
        """Fragments and, at the end, the whole again."""
        end = calls(call(0, "a", "f", '{"x"'), call(0, arguments=":1}"), call(0, arguments='{"x":1}'))
        assert named(end) == [("f", {"x": 1})]

    def test_two_cumulative_calls_at_one_index(self, calls):
        """A new id with a name begins a call when either reading of the first is whole."""
        end = calls(
            call(0, "a", "f", '{"x"'),
            call(0, "a", "f", '{"x":1}'),
            call(0, "b", "f", '{"y"'),
            call(0, "b", "f", '{"y":2}'),
        )
        assert named(end) == [("f", {"x": 1}), ("f", {"y": 2})]

    @pytest.mark.parametrize("empty", ["", None, "null", " ", {}])
    def test_nothing_is_an_empty_object(self, calls, empty):
        """No arguments in any spelling."""
        assert named(calls(call(0, "a", "f", empty))) == [("f", {})]

    @pytest.mark.parametrize("raw", ["[1]", "3", '"x"', "true"])
    def test_no_object(self, calls, raw):
        """JSON that is no object is kept as text and not run."""
        end = calls(call(0, "a", "f", raw))
        assert [(c.arguments, c.raw) for c in end.tool_calls] == [(None, raw)]

    @pytest.mark.parametrize("finish", ["tool_calls", "stop"])
    def test_cut_under_another_label(self, calls, finish):
        """Arguments that stop in the middle were cut off, whatever the server calls it."""
        end = calls(call(0, "a", "f", '{"text":"once upon'), finish=finish)
        assert (end.finish, end.tool_calls, end.fault) == ("length", (), None)

    def test_whole_calls_of_a_cut_answer(self, calls):
        """The call that is whole is reported, the finish stays."""
        end = calls(call(0, "a", "f", "{}"), call(1, "b", "g", '{"x'), finish="length")
        assert (end.finish, named(end)) == ("length", [("f", {})])

    def test_the_same_id_twice(self, calls):
        """Every call can be answered by its own id."""
        end = calls(call(0, "a", "f", "{}"), call(1, "a", "g", "{}"))
        assert len({c.id for c in end.tool_calls}) == 2

    def test_legacy_function_call(self, streams):
        """It counts when no tool call came, and is the same call again when one did."""
        old = streams.delta(function_call={"name": "f", "arguments": '{"x":1}'})
        both = streams.delta(
            tool_calls=[call(0, "a", "f", '{"x":1}')], function_call={"name": "f", "arguments": '{"x":1}'}
        )
        for chunk in (old, both):
            end = streams.read(streams.sse(chunk, streams.delta("function_call"))).end
            assert (end.finish, named(end)) == ("tool_calls", [("f", {"x": 1})])

    def test_nonsense(self, calls):
        """Fragments of the wrong type are skipped."""
        end = calls(None, 3, [], {}, call(0), {"function": None}, call(True, arguments=True), finish="stop")
        assert (end.finish, end.tool_calls) == ("stop", ())


class TestEnds:
    """How an answer ends."""

    @pytest.mark.parametrize(
        ("reason", "finish", "kind"),
        [
            ("stop", "stop", None),
            ("eos", "stop", None),
            ("tool_calls", "stop", None),
            ("length", "length", None),
            ("content_filter", "content_filter", "content_filter"),
            ("sensitive", "content_filter", "content_filter"),
            ("network_error", "error", "server"),
            ("error", "error", "server"),
            ("insufficient_system_resource", "error", "overloaded"),
        ],
    )
    def test_reasons(self, streams, reason, finish, kind):
        """Each reason that vendors give."""
        end = streams.read(streams.sse(streams.delta(reason, content="a"))).end
        assert (end.finish, end.fault and end.fault.kind) == (finish, kind)

    def test_two_reasons(self, streams):
        """A second, plain stop does not hide the length."""
        body = streams.sse(streams.delta("length", content="a"), streams.delta("stop"))
        assert streams.read(body).end.finish == "length"

    def test_done_alone(self, streams):
        """`[DONE]` without a reason is a normal end."""
        assert streams.read(streams.sse(streams.delta(content="a"))).end.finish == "stop"

    def test_refusal(self, streams):
        """What the model says in refusing is the text; it is no answer."""
        outcome = streams.read(
            streams.sse(streams.delta(refusal="I can"), streams.delta("stop", refusal="'t."))
        )
        assert (outcome.text, outcome.end.finish, outcome.end.fault.code) == (
            "I can't.",
            "content_filter",
            "model_refused",
        )

    @pytest.mark.parametrize("then", [b"data: {broken\n\n", b"data: {", b""])
    def test_whatever_follows_the_reason(self, streams, then):
        """Damage after the reason costs the usage, not the answer."""
        body = streams.sse(streams.delta("stop", content="a"), done=False)
        outcome = streams.read(body + then, ended=fault("connection", "model_connection_lost"))
        assert (outcome.text, outcome.end.finish, outcome.end.fault) == ("a", "stop", None)

    def test_silence_keeps_its_fault(self, streams):
        """What happened to the connection is what is reported."""
        silence = fault("timeout", "model_timeout_bytes")
        body = streams.sse(streams.delta(content="a"), done=False)
        assert streams.read(body + b"data: {", ended=silence).end.fault == silence

    def test_nothing_at_all(self, streams):
        """An empty 200 is no answer."""
        for body in (b"", streams.sse(streams.delta(role="assistant"), done=False)):
            assert streams.read(body).end.fault.code == "model_empty"

    @pytest.mark.parametrize(
        "chunk",
        [
            {"error": "overloaded"},
            {"error": {"message": "overloaded"}},
            {"object": "error", "message": "overloaded", "code": 50_000},
            {"code": "x", "message": "overloaded"},
        ],
    )
    def test_errors_in_the_stream(self, streams, chunk):
        """Each form ends the answer; the text, the usage and no call are kept."""
        usage = {"prompt_tokens": 1, "completion_tokens": 2}
        begun = {**streams.delta(content="a", tool_calls=[call(0, "i", "f", "{}")]), "usage": usage}
        outcome = streams.read(streams.sse(begun, chunk, streams.delta("stop", content="b")))
        assert (outcome.text, outcome.end.finish, outcome.end.fault.kind) == ("a", "error", "overloaded")
        assert (outcome.end.usage, outcome.end.tool_calls) == (Usage(1, 2), ())

    @pytest.mark.parametrize("error", [None, "", False, 0])
    def test_no_error(self, streams, error):
        """A field that says there is none."""
        assert (
            streams.read(streams.sse({**streams.delta("stop", content="a"), "error": error})).end.finish
            == "stop"
        )


class TestText:
    """What is text and what is reasoning."""

    def test_a_surrogate_pair_over_two_chunks(self, streams):
        """Halves that servers escape one by one are one character; a lone one is replaced."""
        body = b"".join(
            b'data: {"choices":[{"delta":{"content":"%b"}}]}\n\n' % half
            for half in (b"a\\ud83e", b"\\udeb4b", b"\\ud83e", b"c")
        )
        assert streams.read(body + b"data: [DONE]\n\n").text == "a🪴b\ufffdc"

    def test_surrogates_in_calls(self, streams):
        """Arguments, names and ids can be written down too."""
        end = streams.read(
            streams.sse(
                streams.delta("stop", tool_calls=[call(0, "i\ud800", "f", '{"a\\ud800":["\\ud800"]}')])
            )
        ).end
        assert end.tool_calls[0].arguments == {"a\ufffd": ["\ufffd"]}
        end.tool_calls[0].id.encode()

    def test_carry(self, streams):
        """Reasoning that must go back is kept whole, under the field it came in."""
        thought = [streams.delta(reasoning_content="想"), streams.delta(reasoning_content="好")]
        end = streams.read(
            streams.sse(*thought, streams.delta("stop", tool_calls=[call(0, "i", "f", "{}")]))
        ).end
        assert end.carry == {"openai": {"reasoning_content": "想好"}}

    def test_details_with_more_than_text(self, streams):
        """A router's signed or encrypted blocks go back whole, instead of the text that repeats them."""

        def detail(kind, index, **more):
            return streams.delta(
                reasoning=more.get("text", ""),
                reasoning_details=[{"type": kind, "index": index, "format": "x", **more}],
            )

        end = streams.read(
            streams.sse(
                detail("reasoning.text", 0, text="想"),
                detail("reasoning.text", 0, text="好", signature=None),
                detail("reasoning.text", 0, text="", signature="c2ln"),
                detail("reasoning.encrypted", 1, data="b3Bh"),
                streams.delta("stop", tool_calls=[call(0, "i", "f", "{}")]),
            )
        ).end
        assert end.carry == {
            "openai": {
                "reasoning_details": [
                    {
                        "type": "reasoning.text",
                        "index": 0,
                        "format": "x",
                        "text": "想好",
                        "signature": "c2ln",
                    },
                    {"type": "reasoning.encrypted", "index": 1, "format": "x", "data": "b3Bh"},
                ]
            }
        }

    def test_what_rides_on_a_call(self, streams):
        """Is kept with it."""
        extra = {"google": {"thought_signature": "c2ln"}}
        fragments = [call(0, "i", "f", "{}", extra_content=extra), call(1, "j", "g", "{}")]
        end = streams.read(streams.sse(streams.delta("stop", tool_calls=fragments))).end
        assert end.carry == {"openai": {"extra_content": [extra, None]}}

    def test_parts(self, streams):
        """Content as a list of typed parts."""
        parts = [
            {"type": "thinking", "thinking": [{"type": "text", "text": "t"}]},
            {"type": "text", "text": "a"},
            3,
        ]
        outcome = streams.read(streams.sse(streams.delta("stop", content=parts)))
        assert (outcome.text, outcome.reasoning) == ("a", "t")

    def test_message_beside_delta(self, streams):
        """A last chunk that repeats the whole message adds nothing."""
        last = {"choices": [{"delta": {}, "message": {"content": "ab"}, "finish_reason": "stop"}]}
        assert streams.read(streams.sse(streams.delta(content="ab"), last)).text == "ab"

    def test_whole_completion_without_reason(self, streams):
        """A JSON body that is whole is an answer."""
        body = json.dumps({"choices": [{"message": {"content": "a"}}]}).encode()
        assert (streams.read(body).text, streams.read(body).end.finish) == ("a", "stop")


@pytest.mark.parametrize(
    ("given", "usage"),
    [
        ({"prompt_tokens": 3, "completion_tokens": 4}, Usage(3, 4)),
        ({"input_tokens": 3, "output_tokens": 4}, Usage(3, 4)),
        ({"prompt_tokens": 3, "prompt_tokens_details": {"cached_tokens": 2}}, Usage(3, 0, 2)),
        ({"prompt_tokens": 3, "prompt_cache_hit_tokens": 2}, Usage(3, 0, 2)),
        (
            {"prompt_tokens": 3, "completion_tokens_details": {"reasoning_tokens": 1}, "cost": 0.5},
            Usage(3, 0, reasoning=1, cost=0.5, currency="USD"),
        ),
        ({"prompt_tokens": float("nan"), "completion_tokens": True}, None),
        ({"prompt_tokens": float("inf"), "completion_tokens": -1}, None),
        ({}, None),
        ([1], None),
    ],
)
def test_usage(streams, given, usage):
    """Tokens under every vendor's names; nonsense is none."""
    assert (
        streams.read(streams.sse({**streams.delta("stop", content="a"), "usage": given})).end.usage == usage
    )


def test_usage_inside_the_choice(streams):
    """Kimi puts it there."""
    chunk = streams.delta("stop", content="a")
    chunk["choices"][0]["usage"] = {"prompt_tokens": 3, "completion_tokens": 4}
    assert streams.read(streams.sse(chunk)).end.usage == Usage(3, 4)
