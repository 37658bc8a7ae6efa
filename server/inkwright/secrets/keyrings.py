"""The system's keyring, which may not be there, may be locked, and may wait for its user for ever."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from inkwright.domain.errors import InkwrightError

SERVICE = "inkwright"
SECONDS = 5.0
PLAIN = ("keyrings.alt", "keyring.backends.fail", "keyring.backends.null")
"""Backends that are none, or write keys down in the open."""


class Keyring:
    """Each call runs on a thread of its own and is left to itself after `seconds`.

    All raise `InkwrightError`: keyring_absent (the extra is not installed), keyring_none (this machine has
    none that can be used), keyring_locked (no answer in time), keyring_failed. They block.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._under_way: threading.Thread | None = None
        self._lock = threading.Lock()

    def get(self, name: str) -> str:
        """The entry of a name, '' when there is none."""
        return self._ask(lambda ring: ring.get_password(SERVICE, name)) or ""

    def set(self, name: str, value: str) -> None:
        self._ask(lambda ring: ring.set_password(SERVICE, name, value))

    def delete(self, name: str) -> bool:
        """Whether there was an entry."""

        def gone(ring: Any) -> bool:
            there = ring.get_password(SERVICE, name) is not None
            if there:
                ring.delete_password(SERVICE, name)
            return there

        return bool(self._ask(gone))

    def _ask(self, question: Callable[[Any], Any]) -> Any:
        answers: list[Any] = []

        def work() -> None:
            try:
                answers.append(question(_backend()))
            except InkwrightError as error:
                answers.append(error)
            except Exception as error:  # noqa: BLE001 - backends raise whatever their system does
                answers.append(InkwrightError("keyring_failed", error=type(error).__name__))

        with self._lock:
            if self._under_way is not None and self._under_way.is_alive():
                raise InkwrightError("keyring_locked")
            thread = self._under_way = threading.Thread(target=work, daemon=True, name="keyring")
            thread.start()
            thread.join(self._seconds)
        if not answers:
            raise InkwrightError("keyring_locked")
        if isinstance(answers[0], InkwrightError):
            raise answers[0]
        return answers[0]


def _backend() -> Any:
    """The best backend that keeps keys as secrets."""
    try:
        import keyring
    except ImportError as error:
        raise InkwrightError("keyring_absent") from error
    chosen = keyring.get_keyring()
    for backend in getattr(chosen, "backends", None) or [chosen]:
        if backend.priority >= 1 and not type(backend).__module__.startswith(PLAIN):
            return backend
    raise InkwrightError("keyring_none")
