"""A model's failure, told from its HTTP status, its headers and whatever its body says."""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, get_args

from inkwright.domain.errors import ErrorKind, Fault
from inkwright.providers.waits import retry_after
from inkwright.secrets import redact

RETRYABLE: frozenset[ErrorKind] = frozenset(("rate_limit", "overloaded", "server", "timeout", "connection"))
MAX_DETAIL = 200
_DEPTH = 12

_CODE_KEYS = ("code", "type", "status", "error_type", "reason", "status_code")
_TEXT_KEYS = ("message", "msg", "error_msg", "status_msg", "detail", "error", "raw")
_NEST_KEYS = (
    "error",
    "errors",
    "detail",
    "details",
    "metadata",
    "innererror",
    "inner_error",
    "base_resp",
    "data",
)


@dataclass(slots=True)
class _Said:
    """What an error's body says: its codes (casefolded), sentences, and a number that is a status."""

    codes: set[str] = field(default_factory=set)
    texts: list[str] = field(default_factory=list)
    status: int = 0

    @property
    def text(self) -> str:
        return "\n".join(self.texts).casefold()


def fault(kind: ErrorKind, code: str = "", **params: str | int | float) -> Fault:
    """A fault of a model, retryable when its kind is."""
    return Fault(code or f"model_{kind}", params, kind=kind, retryable=kind in RETRYABLE)


def classify(said: Any, status: int = 0, headers: Mapping[str, str] | None = None) -> Fault:
    """The fault for an error value (parsed JSON or text), under an HTTP status (0: inside a 200).

    The status decides and the body refines it; an empty account is one whatever the status.
    `headers` have lower-case names.
    """
    body = _Said()
    _collect(said, body, 0)
    status = status if status >= 300 else body.status
    kind = _kind(status, body)
    code = f"model_{kind}"
    params: dict[str, str | int | float] = {"status": status} if status else {}
    wait = retry_after(headers or {}, said) if kind in RETRYABLE else None
    if kind == "rate_limit" and wait:
        code, params["seconds"] = "model_rate_limit_wait", max(1, math.ceil(wait))
    elif kind == "auth" and not status:
        code = "model_auth_stream"
    elif status == 404 and kind == "bad_request":
        code = "model_not_found"
    elif 300 <= status < 400:
        code = "model_redirect"
    return Fault(
        code,
        params,
        kind=kind,
        retryable=kind in RETRYABLE,
        retry_after=wait,
        detail=detail(body.texts[-1] if body.texts else ""),
    )


def detail(text: str) -> str:
    """A server's sentence fit to be shown: one line, short, no markup, no traceback, nothing like a key."""
    line = " ".join("".join(ch if ch.isprintable() else " " for ch in text).split())
    if re.search(
        r"<\s*(?:!doctype|html|head|body|script)|Traceback \(most recent|^[\[{]", line, re.IGNORECASE
    ):
        return ""
    line = re.sub(r"\borg-\w+", "org-…", redact(line))
    return line if len(line) <= MAX_DETAIL else line[: MAX_DETAIL - 1] + "…"


def _kind(status: int, said: _Said) -> ErrorKind:
    codes, phrases = _by_code(said), _by_phrase(said)
    if status == 402 or "balance" in codes or "balance" in phrases:
        return "balance"
    if status in (401, 403):
        return "auth"
    if status == 429:
        return "overloaded" if "overloaded" in codes else "rate_limit"
    if status in (503, 529):
        return "overloaded"
    if "context_length" in codes:
        return "context_length"
    # "Too many tokens, please wait" is throttling: it comes before the phrases of a full context.
    order: tuple[ErrorKind, ...] = ("content_filter", "auth", "overloaded", "rate_limit")
    for kind in order:
        if kind in codes:
            return kind
    named: tuple[ErrorKind, ...] = ("rate_limit", "context_length", "auth", "content_filter", "overloaded")
    for kind in named:
        if kind in phrases:
            return kind
    if 300 <= status < 500 or (not status and "bad_request" in codes and "server" not in codes):
        return "bad_request"
    return "server"


def _collect(value: Any, said: _Said, depth: int) -> None:
    if depth > _DEPTH:
        return
    if isinstance(value, str):
        nested = _nested(value)
        if nested is not None:
            _collect(nested, said, depth + 1)
        elif value.strip():
            said.texts.append(value[:10_000])
    elif isinstance(value, list):
        for item in value[:20]:
            _collect(item, said, depth + 1)
    elif isinstance(value, dict):
        for key in _CODE_KEYS:
            _code(value.get(key), said)
        for key in _TEXT_KEYS:
            if isinstance(text := value.get(key), str):
                _collect(text, said, depth + 1)
        for key in _NEST_KEYS:
            if isinstance(inner := value.get(key), dict | list):
                _collect(inner, said, depth + 1)


def _code(code: Any, said: _Said) -> None:
    if isinstance(code, bool) or not isinstance(code, int | str):
        return
    text = str(code)[:100] if isinstance(code, str) or abs(code) < 10**9 else ""
    said.codes.add(text.casefold())
    if re.fullmatch(r"[345]\d\d", text) and not said.status:
        said.status = int(text)


def _nested(text: str) -> Any:
    """The JSON object that some gateways put into a sentence; None when it is a plain one."""
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict | list) else None


def _by_code(said: _Said) -> set[ErrorKind]:
    table = _tables()
    return {kind for kind, codes in table.codes.items() if not codes.isdisjoint(said.codes)}


def _by_phrase(said: _Said) -> set[ErrorKind]:
    table, text = _tables(), said.text
    found = {kind for kind, phrases in table.phrases.items() if any(p in text for p in phrases)}
    for kind, pairs in table.pairs.items():
        if any((at := text.find(a)) >= 0 and text.find(b, at) >= 0 for a, b in pairs):
            found.add(kind)
    return found


@dataclass(frozen=True, slots=True)
class _Tables:
    codes: Mapping[ErrorKind, frozenset[str]]
    phrases: Mapping[ErrorKind, tuple[str, ...]]
    pairs: Mapping[ErrorKind, tuple[tuple[str, str], ...]]


@cache
def _tables() -> _Tables:
    raw = tomllib.loads((files("inkwright.providers") / "errors.toml").read_text("utf-8"))
    return _Tables(
        {kind: frozenset(c.casefold() for c in codes) for kind, codes in _kinds(raw["codes"])},
        {kind: tuple(p.casefold() for p in phrases) for kind, phrases in _kinds(raw["phrases"])},
        {kind: tuple((a.casefold(), b.casefold()) for a, b in pairs) for kind, pairs in _kinds(raw["pairs"])},
    )


def _kinds(table: Mapping[str, Any]) -> Iterator[tuple[ErrorKind, Any]]:
    for kind in get_args(ErrorKind):
        if kind in table:
            yield kind, table[kind]
