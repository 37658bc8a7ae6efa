"""Every test has a home of its own: no user file, no key, no cache of the machine reaches it."""

from __future__ import annotations

import asyncio
import inspect
import logging
import os
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# A busy machine is no fault, so no example has a deadline. CI plays the same examples each time; the
# long random runs are behind the mark `fuzz`.
settings.register_profile("house", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("house")


LIMIT = 60.0
"""Seconds for whatever must come: a wait that is over by then on the slowest machine, and never a measure."""

DISTRIBUTED = "not editors and not bench and not fuzz and not model and not network"


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Only the suite and whole folders of it are shared out among processes, a module to one of them.

    Single files begin sooner in this one, and what is marked drives real editors, measures, or prints.
    """
    files = [arg for arg in config.args if ".py" in arg]
    return 0 if files or config.option.markexpr != DISTRIBUTED else None


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home, with nothing in the environment that names a model or a key."""
    folder = tmp_path_factory.mktemp("home")
    for name in os.environ:
        if name.startswith("INKWRIGHT_") or name.endswith(("_API_KEY", "_API_KEY_FILE", "_PROXY", "_proxy")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(folder))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    return folder


class Crashes(logging.Handler):
    """The checks of a book that raised in this process: to a reader they look like checks that found nothing."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


@pytest.fixture(autouse=True)
def crashes() -> Iterator[Crashes]:
    """A check that crashes fails the test; one that means it to clears the lines."""
    log = logging.getLogger("inkwright.checks.book.engine")
    found = Crashes()
    log.addHandler(found)
    yield found
    log.removeHandler(found)
    assert not found.lines


async def _until(ask: Callable[[], Any], true: Callable[[Any], Any] = bool) -> Any:
    found: Any = None
    try:
        async with asyncio.timeout(LIMIT):
            while True:
                found = ask()
                if inspect.isawaitable(found):
                    found = await found
                if true(found):
                    return found
                await asyncio.sleep(0.01)
    except TimeoutError:
        raise AssertionError(f"never came; the last was {found!r}") from None


@pytest.fixture(scope="session")
def until() -> Callable[..., Awaitable[Any]]:
    """`await until(ask, true)` asks, whether at once or by awaiting, until the answer is true, and gives it.

    What comes in the background has no other sign: each thing that is to come is waited for by itself.
    """
    return _until
