"""The Neovim plugin in a real Neovim: inside it, and on the screen as a writer sees it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib import util
from pathlib import Path
from types import ModuleType

import pytest

pytestmark = [pytest.mark.editors, pytest.mark.timeout(600)]

HERE = Path(__file__).parent
REPO = HERE.parent.parent
RESULTS = REPO / "test-results" / "neovim"

REWRITE = """\
# 渡口

　　林夏到的时候，船已走了很久。她站在渡口看江水。

　　“再等等。”周衡说。他慢慢抬起了头。

　　天渐渐地黑了下来，风很大。
"""


def _module(name: str) -> ModuleType:
    spec = util.spec_from_file_location(name, HERE / "neovim" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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


def run(nvim: Path, name: str, book: Path, environment: dict[str, str]) -> None:
    """Runs one Lua file of tests; what it said is in `test-results` and in the failure."""
    done = subprocess.run(
        [nvim, "--clean", "--headless", "-n", "-l", HERE / "neovim" / f"{name}.lua"],
        cwd=book,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    )
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / f"{name}.log").write_text(done.stdout, "utf-8")
    assert done.returncode == 0, done.stdout[-12_000:]
    # A Neovim that waits for a key ends without a word when there is no keyboard.
    assert re.search(r"^[1-9]\d* passed, 0 failed$", done.stdout, re.MULTILINE), done.stdout[-12_000:]


def test_polish_and_review(nvim: Path, book: Path, environment: dict[str, str]) -> None:
    """Offline polish streams, is reviewed hunk by hunk and at once, and one undo takes it back."""
    run(nvim, "polish", book, environment)


def test_cancel_and_typing(nvim: Path, book: Path, environment: dict[str, str], tmp_path: Path) -> None:
    """With a slow model: cancel leaves the buffer byte for byte; typing meanwhile loses and misplaces nothing."""
    control = tmp_path / "control"
    control.mkdir()
    with _module("slow_model").slow_model(REWRITE, control) as model:
        environment |= {
            "INKWRIGHT_ENDPOINT": model.endpoint,
            "INKWRIGHT_MODEL": "slow",
            "INKWRIGHT_API_KEY": "none",
            "INKWRIGHT_TEST_CONTROL": str(control),
        }
        run(nvim, "interrupted", book, environment)


def test_without_a_run(nvim: Path, book: Path, environment: dict[str, str]) -> None:
    """Missing server, :checkhealth, :help, completion, options, book, cards, context."""
    run(nvim, "plain", book, environment)


def test_the_engine(nvim: Path, book: Path, environment: dict[str, str]) -> None:
    """Pipeline with cards as files, memories, candidates, further messages, search, summary, resume."""
    run(nvim, "engine", book, environment)


# -- the screen --------------------------------------------------------------------------------


class Screen:
    """A terminal of 110 by 34 with Neovim in it."""

    def __init__(self, tmux: str, socket: str, environment: dict[str, str]) -> None:
        self._base = [tmux, "-L", socket, "-u", "-f", "/dev/null"]
        self._environment = environment

    def tmux(self, *command: str) -> str:
        done = subprocess.run(
            [*self._base, *command], env=self._environment, capture_output=True, text=True, encoding="utf-8"
        )
        return done.stdout

    def keys(self, *keys: str) -> None:
        self.tmux("send-keys", *keys)

    def text(self) -> str:
        return self.tmux("capture-pane", "-p")

    def wait(self, wanted: Callable[[str], bool], name: str) -> str:
        """The screen as soon as it fits; kept as `test-results/neovim/NAME.txt` also when it never does."""
        end = time.monotonic() + 60
        while True:
            seen = self.text()
            fits = wanted(seen)
            if fits or time.monotonic() > end:
                RESULTS.mkdir(parents=True, exist_ok=True)
                (RESULTS / f"{name}.txt").write_text(seen, "utf-8")
                assert fits, seen
                return seen
            time.sleep(0.1)


@pytest.fixture
def screen(nvim: Path, book: Path, environment: dict[str, str]) -> Iterator[Screen]:
    tmux = shutil.which("tmux")
    if tmux is None:
        pytest.skip("needs tmux")
    chapter = book / "第一章 渡口.md"
    chapter.write_text(
        "# 第一章 渡口\n\n　　林夏到的时候,船已经走了。她站在渡口，看江水。。\n\n　　“再等等。”周衡说。他的的确走得很远!\n",
        "utf-8",
        newline="",
    )
    terminal = Screen(tmux, f"inkwright-{os.getpid()}", {**environment, "TERM": "xterm-256color"})
    init = HERE / "neovim" / "init.lua"
    terminal.tmux("new-session", "-d", "-x", "110", "-y", "34", f"'{nvim}' --clean -u '{init}' '{chapter}'")
    yield terminal
    terminal.tmux("kill-server")


def test_the_screen_of_a_review(screen: Screen, book: Path) -> None:
    """A writer polishes, sees both texts side by side, accepts one hunk, then all, and undoes it."""
    screen.wait(lambda seen: "林夏到的时候" in seen, "1-chapter")
    screen.keys(":Inkwright polish", "Enter")
    seen = screen.wait(lambda seen: "a 接受" in seen and "时候，船" in seen, "2-review")
    assert "时候,船" in seen
    assert "剩 3 处" in seen
    screen.keys("a")
    screen.wait(lambda seen: seen.count("时候，船") == 2, "3-one-accepted")
    screen.keys("A")
    screen.wait(lambda seen: "修改建议都已决定" in seen or "a 接受" not in seen, "4-all-accepted")
    screen.keys("u")
    screen.wait(lambda seen: "看江水。。" in seen and "时候，船" in seen, "5-undone")
    screen.keys(":w", "Enter")
    screen.wait(lambda seen: "written" in seen or "已写入" in seen, "6-written")
    assert "时候，船已经走了。" in (book / "第一章 渡口.md").read_text("utf-8")
