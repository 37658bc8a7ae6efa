"""How a run may end: from a model's fault to a stop reason, from a stop reason to a status."""

from __future__ import annotations

from typing import get_args

from inkwright.domain.errors import Fault
from inkwright.domain.run import Status, StopReason

_ITS_OWN: frozenset[str] = frozenset({"needs_model", "no_rewrite", "busy"})
# Codes of streams that ended without an end, though nothing of an answer had come.
_ENDED: frozenset[str] = frozenset(
    {"run_disconnected", "model_empty", "model_cut_off", "model_connection_lost"}
)
_FAILED: frozenset[StopReason] = frozenset({"needs_model", "no_rewrite", "busy"})


def reason_of(fault: Fault, *, began: bool) -> StopReason:
    """The stop reason of a model's fault; `began` when the answer had begun to come.

    A connection that was never made is an error; one that broke, or ended without an end, is
    `disconnected`. A clock that fired is `silence`.
    """
    if fault.code in _ITS_OWN:
        return _known(fault.code)
    if fault.kind == "timeout":
        return "silence"
    if fault.kind == "content_filter":
        return "filtered"
    if fault.code in _ENDED or (fault.kind == "connection" and began):
        return "disconnected"
    return "error"


def status_of(reason: StopReason, text: str) -> Status:
    """`finished` is completed; what has usable text is partial; the rest failed or was cancelled."""
    if reason == "finished":
        return "completed"
    if reason == "cancelled":
        return "cancelled"
    return "partial" if text.strip() and reason not in _FAILED else "failed"


def fault_of(reason: StopReason, **params: str | int | float) -> Fault | None:
    """The sentence that goes with a stop reason for which the model gave no fault of its own."""
    return None if reason in ("finished", "cancelled") else Fault(f"run_{reason}", dict(params))


def _known(code: str) -> StopReason:
    return next(reason for reason in get_args(StopReason) if reason == code)
