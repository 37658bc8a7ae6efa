"""Failures told from status, headers and body."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.providers.errors import classify, detail
from inkwright.providers.waits import retry_after

FULL = "This model's maximum context length is 65536 tokens."


@pytest.mark.parametrize(
    ("status", "said", "kind"),
    [
        (401, "", "auth"),
        (403, {"error": {"message": "forbidden"}}, "auth"),
        (403, {"code": 30001, "message": "Sorry, your account balance is insufficient"}, "balance"),
        (400, {"error": {"status": "INVALID_ARGUMENT", "details": [{"reason": "API_KEY_INVALID"}]}}, "auth"),
        (402, {"error": {"type": "unknown_error", "code": "invalid_request_error"}}, "balance"),
        (429, {"error": {"code": "insufficient_quota"}}, "balance"),
        (429, {"error": {"type": "exceeded_current_quota_error"}}, "balance"),
        (429, {"error": {"code": "1113", "message": "欠费"}}, "balance"),
        (400, {"code": "Arrearage", "message": "Access denied"}, "balance"),
        (500, "Insufficient Balance", "balance"),
        (429, "", "rate_limit"),
        (429, {"error": {"message": FULL}}, "rate_limit"),
        (400, "Too many tokens, please wait before trying again.", "rate_limit"),
        (429, {"error": {"type": "engine_overloaded_error"}}, "overloaded"),
        (503, "", "overloaded"),
        (529, "", "overloaded"),
        (0, {"type": "overloaded_error", "message": "Overloaded"}, "overloaded"),
        (500, "", "server"),
        (502, "<html>", "server"),
        (504, {"error": {}}, "server"),
        (0, {"type": "api_error"}, "server"),
        (0, {"code": 502, "message": "Provider returned error"}, "server"),
        (0, {"code": "429"}, "rate_limit"),
        (0, "something", "server"),
        (0, {}, "server"),
        (0, {"type": "invalid_request_error", "message": "bad"}, "bad_request"),
        (400, {"error": {"message": FULL}}, "context_length"),
        (413, "prompt is too long: 200001 tokens > 200000 maximum", "context_length"),
        (500, {"error": {"type": "exceed_context_size_error"}}, "context_length"),
        (400, "Requested tokens (2100) exceed context window of 2048", "context_length"),
        (400, "Input length 5000 exceeds the maximum length 4096", "context_length"),
        (400, "Range of input length should be [1, 30720]", "context_length"),
        (
            400,
            "The input token count (1200000) exceeds the maximum number of tokens allowed",
            "context_length",
        ),
        (400, "Invalid request: Your request exceeded model token limit: 8192", "context_length"),
        (413, "", "bad_request"),
        (400, {"error": {"message": "max_tokens is too large", "type": "server_error"}}, "bad_request"),
        (404, {"error": {"code": "model_not_found"}}, "bad_request"),
        (422, {"detail": [{"loc": ["body"], "msg": "field required", "type": "missing"}]}, "bad_request"),
        (400, {"error": {"code": "content_filter"}}, "content_filter"),
        (400, {"code": "DataInspectionFailed"}, "content_filter"),
        (301, "", "bad_request"),
    ],
)
def test_kinds(status, said, kind):
    """Every form that vendors are known for; retryable follows from the kind."""
    fault = classify(said, status)
    assert fault.kind == kind
    assert fault.retryable == (kind in ("rate_limit", "overloaded", "server"))


@pytest.mark.parametrize(
    ("headers", "body", "seconds"),
    [
        ({"retry-after": "7"}, None, 7),
        ({"retry-after": "0.5"}, None, 0.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, None, 1.5),
        ({"retry-after": "Tue, 01 Sep 2026 10:00:30 GMT", "date": "Tue, 01 Sep 2026 10:00:00 GMT"}, None, 30),
        ({"retry-after": "Tue, 01 Sep 2026 09:00:00 GMT", "date": "Tue, 01 Sep 2026 10:00:00 GMT"}, None, 0),
        ({}, {"error": {"details": [{"@type": "x/google.rpc.RetryInfo", "retryDelay": "17s"}]}}, 17),
        ({}, {"error": {"details": [{"retryDelay": "1.25s"}]}}, 1.25),
        ({"retry-after": "soon"}, None, None),
        ({"retry-after": "nan"}, None, None),
        ({"retry-after": "-3"}, None, None),
        ({"retry-after": "1e30"}, None, 7 * 24 * 3600),
        ({}, {"retryDelay": "17 s"}, None),
    ],
)
def test_waits(headers, body, seconds):
    """Seconds, dates by the server's own clock, milliseconds, RetryInfo; nonsense is no wait."""
    assert retry_after(headers, body) == seconds


def test_a_date_without_the_servers_clock():
    """Then ours counts."""
    now = datetime(2026, 9, 1, 10, 0, 0, tzinfo=UTC)
    assert retry_after({"retry-after": "Tue, 01 Sep 2026 10:01:00 GMT"}, None, now) == 60


def test_the_wait_is_in_the_message():
    """A named wait has a sentence of its own."""
    fault = classify("", 429, {"retry-after": "7"})
    assert (fault.code, fault.params["seconds"], fault.retry_after) == ("model_rate_limit_wait", 7, 7)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Rate limit\n reached", "Rate limit reached"),
        ("<!DOCTYPE html><html>", ""),
        ("Traceback (most recent call last):", ""),
        ('{"a": 1}', ""),
        ("Incorrect API key provided: sk-abcdefgh12345678.", "Incorrect API key provided: ***"),
        ("in organization org-a1b2c3 on tokens", "in organization org-… on tokens"),
        ("x" * 500, "x" * 199 + "…"),
        ("a\x1b[31mb\u202ec", "a [31mb c"),
    ],
)
def test_details(text, shown):
    """One short line without markup, control characters or anything like a key."""
    assert detail(text) == shown


def test_the_innermost_sentence_is_shown():
    """What a gateway wraps says more than the wrapping."""
    raw = '{"error":{"message":"' + FULL + '"}}'
    assert (
        classify({"error": {"message": "Provider returned error", "metadata": {"raw": raw}}}, 400).detail
        == FULL
    )


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["{", "[1]", '{"error":']),
    lambda v: (
        st.lists(v, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["error", "code", "message", "metadata", "raw", "details", "retryDelay", "status"]
            ),
            v,
            max_size=4,
        )
    ),
    max_leaves=10,
)


@given(
    json_values,
    st.integers(0, 999),
    st.dictionaries(st.sampled_from(["retry-after", "retry-after-ms", "date"]), st.text(max_size=30)),
)
def test_any_error(said, status, headers):
    """No error value raises."""
    fault = classify(said, status, headers)
    assert fault.kind is not None
    assert len(fault.detail) <= 200
