"""The error tree. An error carries a code and parameters; the sentence is made where it is shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

ErrorKind = Literal[
    "auth",
    "balance",
    "rate_limit",
    "context_length",
    "overloaded",
    "bad_request",
    "server",
    "malformed",
    "timeout",
    "connection",
    "content_filter",
]


@dataclass(frozen=True, slots=True)
class Fault:
    """An expected failure as a value.

    `code` names a message in `locales/*/`; `params` fill it. `kind` and `retryable` are set for
    faults of a model. `retry_after` in seconds. `detail` is an upstream sentence that passed the
    allow-list: short, without secrets.
    """

    code: str
    params: dict[str, str | int | float] = field(default_factory=dict)
    kind: ErrorKind | None = None
    retryable: bool = False
    retry_after: float | None = None
    detail: str = ""


class InkwrightError(Exception):
    """Raised when a caller asked for what cannot be done; always carries a `Fault`."""

    def __init__(self, fault: Fault | str, **params: str | int | float) -> None:
        self.fault = fault if isinstance(fault, Fault) else Fault(fault, dict(params))
        super().__init__(self.fault.code)


class StorageError(InkwrightError):
    """The database could not be read or written. Never to be turned into "empty"."""


class ModelError(InkwrightError):
    """A model's fault, raised by a `ChatModel` before or inside its stream."""
