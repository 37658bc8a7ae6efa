"""Every record that a logger writes leaves without keys."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path

from inkwright.secrets.redaction import redact
from inkwright.secrets.sources import Secrets


def guard(logger: logging.Logger, environ: Mapping[str, str], folder: Path | None = None) -> Secrets:
    """The secrets of an environment and a folder of keys, with every handler of `logger` redacting them.

    A second call, when settings are read again, takes the place of the first; what an editor has handed
    over is kept.
    """
    filters = [f for h in logger.handlers for f in h.filters if isinstance(f, RedactingFilter)]
    secrets = Secrets(environ, filters[-1].secrets if filters else None, folder)
    for handler in logger.handlers:
        for old in filters:
            handler.removeFilter(old)
        handler.addFilter(RedactingFilter(secrets, handler.formatter))
    return secrets


def redacted(logger: logging.Logger, text: str) -> str:
    """A text without the keys that the guard of a logger knows, and without what looks like one."""
    for handler in logger.handlers:
        for found in handler.filters:
            if isinstance(found, RedactingFilter):
                text = found.secrets.redact(text)
    return redact(text)


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
