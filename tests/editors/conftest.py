"""A Neovim for the tests: installed once, with a home of its own; and a terminal to see it in."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib import util
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
REPO = HERE.parent.parent
RESULTS = REPO / "test-results" / "neovim"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A browser and an editor are not ours: what failed is played once more from the beginning, and told as a rerun."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Why something was played once more is said: a race in a scene is a fault too."""
    for report in terminalreporter.getreports("rerun"):
        terminalreporter.write_sep("-", f"failed at first: {report.nodeid}")
        terminalreporter.write_line("\n".join(report.longreprtext.splitlines()[-40:]))


@pytest.fixture(scope="session")
def nvim() -> Path:
    """A real Neovim, installed once per machine."""
    cache = Path(os.environ.get("INKWRIGHT_EDITORS", Path.home() / ".cache" / "editors"))
    subprocess.run(["bash", HERE / "neovim" / "install.sh", cache / "neovim"], check=True)
    return cache / "neovim" / "bin" / "nvim"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A book whose path has a space, a percent sign and Chinese."""
    root = tmp_path / "书 100%"
    root.mkdir()
    return root


@pytest.fixture
def environment(tmp_path: Path, book: Path) -> dict[str, str]:
    """A home of its own, no model, and this checkout's server."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("INKWRIGHT_", "XDG_", "NVIM", "LC_")) and not name.endswith("_API_KEY")
    }
    server = Path(sys.executable).parent / "inkwright"
    return {
        **kept,
        "HOME": str(tmp_path / "home"),
        "XDG_CONFIG_HOME": str(tmp_path / "home" / ".config"),
        "LANG": "C.UTF-8",
        "NO_PROXY": "127.0.0.1",
        "INKWRIGHT_TEST_BOOK": str(book),
        "INKWRIGHT_TEST_SERVER": json.dumps([str(server), "lsp"]),
    }


class Screen:
    """A terminal with Neovim in it."""

    def __init__(self, tmux: str, socket: str, environment: dict[str, str], results: Path) -> None:
        self._base = [tmux, "-L", socket, "-u", "-f", "/dev/null"]
        self._environment = environment
        self._results = results

    def tmux(self, *command: str) -> str:
        done = subprocess.run(
            [*self._base, *command], env=self._environment, capture_output=True, text=True, encoding="utf-8"
        )
        return done.stdout

    def open(self, columns: int, lines: int, command: str) -> None:
        self.tmux("new-session", "-d", "-x", str(columns), "-y", str(lines), command)

    def close(self) -> None:
        self.tmux("kill-server")

    def keys(self, *keys: str) -> None:
        self.tmux("send-keys", *keys)

    def type(self, text: str) -> None:
        """Text as it is, whatever keys are called."""
        self.tmux("send-keys", "-l", text)

    def command(self, text: str) -> None:
        self.type(f":{text}")
        self.keys("Enter")

    def text(self) -> str:
        return self.tmux("capture-pane", "-p")

    def wait(self, wanted: Callable[[str], bool], name: str) -> str:
        """The screen as soon as it fits and stands; kept as NAME.txt, also when it never does.

        Neovim must never wait for a key because of what it had to say.
        """
        end = time.monotonic() + 120
        before = ""
        while True:
            seen = self.text()
            fits = wanted(seen) and seen == before
            if fits or time.monotonic() > end:
                self._results.mkdir(parents=True, exist_ok=True)
                (self._results / f"{name}.txt").write_text(seen, "utf-8")
                assert fits, seen
                assert "Press ENTER" not in seen, seen
                assert "-- More --" not in seen, seen
                return seen
            before = seen
            time.sleep(0.1)


@pytest.fixture
def model(environment: dict[str, str], tmp_path: Path) -> Iterator[Callable[[str], Any]]:
    """A slow model that gives one answer, set in the environment; `control` in it is where it is told what to do."""
    spec = util.spec_from_file_location("slow_model", HERE / "neovim" / "slow_model.py")
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with contextlib.ExitStack() as stack:

        def begin(answer: str) -> Any:
            control = tmp_path / "control"
            control.mkdir()
            made = stack.enter_context(module.slow_model(answer, control))
            environment.update(
                INKWRIGHT_ENDPOINT=made.endpoint,
                INKWRIGHT_MODEL="slow",
                INKWRIGHT_API_KEY="none",
                INKWRIGHT_TEST_CONTROL=str(control),
            )
            return made

        yield begin


@pytest.fixture
def terminal(environment: dict[str, str]) -> Iterator[Screen]:
    tmux = shutil.which("tmux")
    if tmux is None:
        pytest.skip("needs tmux")
    environment["TERM"] = "xterm-256color"
    screen = Screen(tmux, f"inkwright-{os.getpid()}", environment, RESULTS)
    yield screen
    screen.close()
