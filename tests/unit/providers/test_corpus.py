"""Every recorded stream is read as it must be, however the network cut it."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inkwright.providers.errors import fault

TIMEOUT = fault("timeout", "model_timeout_payload")


def ended(case):
    """What the transport would report after the body: a silence, or a clean end."""
    return TIMEOUT if case.http["then"] in ("hang", "keepalive") else None


def test_whole(stream_case, streams, as_expected):
    """In one piece."""
    as_expected(
        streams.read(stream_case.body, wire=stream_case.wire, ended=ended(stream_case)), stream_case.expect
    )


def test_bytewise(stream_case, streams, as_expected):
    """One byte at a time."""
    pieces = (stream_case.body[n : n + 1] for n in range(len(stream_case.body)))
    as_expected(streams.read(*pieces, wire=stream_case.wire, ended=ended(stream_case)), stream_case.expect)


def test_as_recorded(stream_case, streams, as_expected):
    """Cut where the recording was cut."""
    as_expected(
        streams.read(*stream_case.chunks, wire=stream_case.wire, ended=ended(stream_case)), stream_case.expect
    )


@given(data=st.data())
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_random_cuts(stream_case, streams, as_expected, data):
    """Cut anywhere, empty pieces included; the events say the same in the same order."""
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream_case.body)), max_size=12)))
    pieces = [stream_case.body[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream_case.body)], strict=True)]
    as_expected(streams.read(*pieces, wire=stream_case.wire, ended=ended(stream_case)), stream_case.expect)
