"""Keys: where they come from, and how they stay out of everything that is written down."""

from __future__ import annotations

import base64
import logging
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import quote

from inkwright.domain.errors import Fault

MASK = "***"
MAX_FILE = 16_384

PATTERNS = re.compile(
    r"(?i:\bbearer\s+)[\w.~+/=-]{8,}"
    r"|\b(?:sk|pk|rk|gsk|xai|hf|nvapi|ghp|gho|ghs|github_pat|glpat)[-_][A-Za-z0-9_*.-]{12,}"
    r"|\bAIza[\w-]{30,}"
    r"|\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}"
    r"|(?i:(?:x-)?(?:goog-)?api[-_]?key|access[-_]?token|password)[\"']?\s*[:=]\s*[\"']?[^\s\"'&,}]{8,}"
    r"|(?<=://)[^/\s:@]+:[^/\s@]+(?=@)"
)


class Secret:
    """A key that shows itself only through `reveal`: not in repr, str, format, pickle or JSON."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        return self._value

    def __repr__(self) -> str:
        return MASK

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return MASK

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    def __hash__(self) -> int:
        return hash((Secret, self._value))

    def __bool__(self) -> bool:
        return bool(self._value)

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError("a secret is not to be pickled")


class Secrets:
    """Looks references up and remembers what it handed out, so that `redact` can take it back.

    `env:NAME` is the variable NAME, else the content of the file that NAME_FILE points to. No value
    leaves it but as a `Secret`. `before` is the instance that this one takes the place of: what either
    of them hands out, both take back.
    """

    def __init__(self, environ: Mapping[str, str], before: Secrets | None = None) -> None:
        self._environ = environ
        self._known: set[str] = set() if before is None else before._known  # noqa: SLF001 - of its own kind

    def __repr__(self) -> str:
        return "Secrets()"

    def configured(self, ref: str) -> bool:
        """Whether something stands behind a reference; the value itself is not read."""
        name = ref.removeprefix("env:")
        return bool(self._environ.get(name, "").strip() or self._environ.get(f"{name}_FILE", "").strip())

    def resolve(self, ref: str) -> Secret | Fault:
        """The key behind a reference; a `Fault` of kind auth when there is none that can be used."""
        name = ref.removeprefix("env:")
        value = self._environ.get(name, "").strip()
        if not value:
            path = self._environ.get(f"{name}_FILE", "").strip()
            if not path:
                return Fault("key_missing", {"name": name}, kind="auth")
            try:
                with Path(path).expanduser().open("rb") as file:
                    value = file.read(MAX_FILE).decode("utf-8-sig").strip()
            except (OSError, ValueError, RuntimeError):
                return Fault("key_file_unreadable", {"name": f"{name}_FILE"}, kind="auth")
            if not value:
                return Fault("key_missing", {"name": name}, kind="auth")
        if not value.isascii() or not value.isprintable() or " " in value:
            return Fault("key_malformed", {"name": name}, kind="auth")
        self._known.add(value)
        return Secret(value)

    def redact(self, text: str) -> str:
        """`text` without any key handed out so far and without anything that looks like one."""
        return redact(text, tuple(self._known))


def redact(text: str, known: Iterable[str] = ()) -> str:
    """Known values go first (also URL- and base64-encoded), the longest before its parts; then patterns."""
    forms: set[str] = set()
    for value in known:
        if len(value) >= 4:
            encoded = base64.b64encode(value.encode()).decode().rstrip("=")
            forms |= {value, quote(value, safe=""), encoded, encoded.replace("+", "-").replace("/", "_")}
    for form in sorted(forms, key=len, reverse=True):
        text = text.replace(form, MASK)
    return PATTERNS.sub(MASK, text)


def guard(logger: logging.Logger, environ: Mapping[str, str]) -> Secrets:
    """The secrets of an environment, with every handler of `logger` redacting them. A second call, when
    settings are read again, takes the place of the first."""
    filters = [f for h in logger.handlers for f in h.filters if isinstance(f, RedactingFilter)]
    secrets = Secrets(environ, filters[-1].secrets if filters else None)
    for handler in logger.handlers:
        for old in filters:
            handler.removeFilter(old)
        handler.addFilter(RedactingFilter(secrets, handler.formatter))
    return secrets


class RedactingFilter(logging.Filter):
    """Put on every handler: a record leaves with its message, arguments and traceback redacted.

    How much of an exception is shown stays the matter of the handler's own `formatter`.
    """

    def __init__(self, secrets: Secrets, formatter: logging.Formatter | None = None) -> None:
        super().__init__()
        self.secrets = secrets
        self._formatter = formatter or logging.Formatter()

    def filter(self, record: logging.LogRecord) -> bool:
        try:
            text = record.getMessage()
        except (TypeError, ValueError, KeyError, IndexError):
            text = str(record.msg)
        record.msg, record.args = self.secrets.redact(text), None
        if record.exc_info and not record.exc_text:
            record.exc_text = self._formatter.formatException(record.exc_info)
        record.exc_info = None
        if record.exc_text:
            record.exc_text = self.secrets.redact(record.exc_text)
        if record.stack_info:
            record.stack_info = self.secrets.redact(record.stack_info)
        return True
