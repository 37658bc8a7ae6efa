"""What is tried again, after how long, and when a model is left alone."""

from __future__ import annotations

import pytest

from inkwright.domain.errors import Fault
from inkwright.i18n import render
from inkwright.providers.again import Again, dated
from inkwright.providers.errors import classify, fault
from inkwright.providers.rest import FIRST, LONGEST, Rest

AGAIN = Again(chance=lambda: 0.5)

FLEETING = [
    fault("connection", "model_connection_lost"),
    fault("timeout", "model_timeout_connect"),
    fault("timeout", "model_timeout_bytes"),
    classify("", 429),
    classify("", 500),
    classify("", 502),
    classify("", 503),
    classify("", 529),
    classify({"error": {"type": "overloaded_error", "message": "Overloaded"}}),
]
LASTING = [
    fault("connection", "model_connection_refused"),
    fault("connection", "model_name_unknown"),
    Fault("model_certificate", kind="connection"),
    fault("timeout", "model_timeout_total"),
    fault("timeout", "model_timeout_payload"),
    fault("malformed"),
    fault("content_filter"),
    classify("", 400),
    classify("", 401),
    classify("", 402),
    classify("", 404),
    classify({"error": {"code": "insufficient_quota", "message": "You exceeded your current quota"}}, 429),
    classify({"error": {"message": "maximum context length is 8192 tokens"}}, 400),
    None,
]


@pytest.mark.parametrize("found", FLEETING, ids=lambda f: f"{f.code}-{f.params.get('status', '')}")
def test_what_passes_is_tried_again_twice(found):
    """Resets, timeouts before the first byte, 429, overloaded and 5xx: at most two more times."""
    waits = [AGAIN.wait(found, tried, answered=False) for tried in (1, 2, 3)]
    assert waits == [0.75, 1.5, None]


@pytest.mark.parametrize("found", LASTING, ids=lambda f: f.code if f else "none")
def test_what_stays_is_not(found):
    """The same request would come to the same."""
    assert AGAIN.wait(found, 1, answered=False) is None


def test_a_timeout_after_the_first_byte_is_final():
    """The server was at work: the request may have been paid for."""
    assert AGAIN.wait(fault("timeout", "model_timeout_bytes"), 1, answered=True) is None
    assert AGAIN.wait(fault("connection", "model_connection_lost"), 1, answered=True) is not None


def test_not_before_the_server_says():
    """Retry-After is the least; the jitter comes on top of it; seconds and HTTP dates are the same."""
    for headers in (
        {"retry-after": "7"},
        {"retry-after": "Wed, 21 Oct 2026 07:28:07 GMT", "date": "Wed, 21 Oct 2026 07:28:00 GMT"},
        {"retry-after-ms": "7000"},
    ):
        wait = AGAIN.wait(classify("", 429, headers), 1, answered=True)
        assert wait == pytest.approx(7.25)


def test_a_server_that_wants_hours_is_told_of(monkeypatch):
    """Nobody waits for a day: the writer is told until when."""
    found = classify("", 429, {"retry-after": "86400"})
    assert AGAIN.wait(found, 1, answered=True) is None
    said = dated(found, now=lambda: 1_790_000_000.0)
    assert said.code == "model_wait_until"
    assert said.kind == "rate_limit"
    assert said.params["until"] in render(said, "en")
    assert str(said.params["until"]).startswith("2026-09-2")


@pytest.mark.parametrize(
    "headers", [{"retry-after": "-5"}, {"retry-after": "soon"}, {"retry-after": "nan"}, {}]
)
def test_nonsense_for_a_time_is_none(headers):
    """What is no time does not make the wait shorter than ours, nor endless."""
    assert AGAIN.wait(classify("", 429, headers), 1, answered=True) == 0.75


class Clock:
    now = 50.0

    def __call__(self) -> float:
        return self.now


TROUBLE = fault("server")


def failed(rest: Rest, times: int, found: Fault | None = TROUBLE) -> None:
    for _ in range(times):
        assert rest.refusal() is None
        rest.end(found, trial=rest.begin())


def test_five_faults_in_a_row_and_a_model_rests():
    """Four do not, nor five with an answer between; then nothing goes out, and why is said."""
    rest = Rest(Clock())
    failed(rest, 4)
    failed(rest, 1, None)
    failed(rest, 5)
    said = rest.refusal()
    assert said is not None
    assert (said.code, said.kind, said.retryable, said.retry_after) == (
        "model_resting",
        "overloaded",
        True,
        FIRST,
    )


def test_after_the_rest_one_tries():
    """Only one goes out; if it fails the next rest is twice as long, up to a limit; if not all is well."""
    clock = Clock()
    rest = Rest(clock)
    failed(rest, 5)
    expected = FIRST
    for _ in range(8):
        clock.now += expected
        assert rest.refusal() is None
        trial = rest.begin()
        assert trial
        assert rest.refusal() is not None
        rest.end(TROUBLE, trial=trial)
        expected = min(LONGEST, expected * 2)
        said = rest.refusal()
        assert said is not None
        assert said.retry_after == expected
    clock.now += expected
    rest.end(None, trial=rest.begin())
    failed(rest, 4)
    assert rest.refusal() is None


def test_a_trial_that_is_given_up_says_nothing():
    """The next one may try."""
    clock = Clock()
    rest = Rest(clock)
    failed(rest, 5)
    clock.now += FIRST
    rest.drop(trial=rest.begin())
    assert rest.refusal() is None


def test_a_fault_of_the_request_is_no_fault_of_the_model():
    """A key that is wrong or a prompt that is too long does not make it rest."""
    rest = Rest(Clock())
    for kind in ("auth", "balance", "context_length", "bad_request", "content_filter"):
        failed(rest, 5, fault(kind))


def test_those_that_were_under_way_do_not_lengthen_the_rest():
    """Requests that were out when it began and fail after it count for nothing."""
    clock = Clock()
    rest = Rest(clock)
    started = [rest.begin() for _ in range(20)]
    for trial in started:
        rest.end(TROUBLE, trial=trial)
    said = rest.refusal()
    assert said is not None
    assert said.retry_after == FIRST
