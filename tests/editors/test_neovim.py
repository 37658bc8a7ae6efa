"""The Neovim plugin in a real Neovim: inside it, and on the screen as a writer sees it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.editors, pytest.mark.timeout(600)]

HERE = Path(__file__).parent
REPO = HERE.parent.parent
RESULTS = REPO / "test-results" / "neovim"

Model = Callable[[str], Any]

REWRITE = """\
# 渡口

　　林夏到的时候，船已走了很久。她站在渡口看江水。

　　“再等等。”周衡说。他慢慢抬起了头。

　　天渐渐地黑了下来，风很大。
"""


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


def test_cancel_and_typing(nvim: Path, book: Path, environment: dict[str, str], model: Model) -> None:
    """With a slow model: cancel leaves the buffer byte for byte; typing meanwhile loses and misplaces nothing."""
    model(REWRITE)
    run(nvim, "interrupted", book, environment)


@pytest.mark.parametrize("locale", ["zh", "en"])
def test_meanwhile(nvim: Path, book: Path, environment: dict[str, str], model: Model, locale: str) -> None:
    """A text emptied, saved under another name or named anew during a run: one outcome, said once."""
    model("# 渡口\n\n他慢慢抬起了头。\n\n天黑了，风很大。\n")
    run(nvim, "meanwhile", book, {**environment, "INKWRIGHT_TEST_LOCALE": locale})


def test_models_cards_and_others(nvim: Path, book: Path, environment: dict[str, str], model: Model) -> None:
    """A model from the list of an endpoint; a card's name of several words; what others change is seen at once."""
    made = model("好的")
    (made.control / "models").write_text("first-model\nSecond/Model-2\n", "utf-8")
    (made.control / "quick").touch()
    kept = {name: value for name, value in environment.items() if name not in (
        "INKWRIGHT_ENDPOINT", "INKWRIGHT_MODEL", "INKWRIGHT_API_KEY",
    )}  # fmt: skip
    run(nvim, "others", book, {**kept, "INKWRIGHT_TEST_ENDPOINT": made.endpoint})


def test_without_a_run(nvim: Path, book: Path, environment: dict[str, str]) -> None:
    """Missing server, :checkhealth, :help, completion, options, book, cards, context."""
    run(nvim, "plain", book, environment)


def test_the_engine(nvim: Path, book: Path, environment: dict[str, str]) -> None:
    """Pipeline with cards as files, memories, candidates, further messages, search, summary, resume."""
    run(nvim, "engine", book, environment)


def test_before_the_server_is_there(nvim: Path, book: Path, environment: dict[str, str]) -> None:
    """What is asked for in the moment of opening is done as soon as it can be, or said not to be done."""
    run(nvim, "early", book, environment)


def test_texts_of_others(nvim: Path, book: Path, environment: dict[str, str]) -> None:
    """With a chapter open nothing of another file is sent or changed; a server that died says how to start it again."""
    run(nvim, "foreign", book, environment)


def test_line_ends(nvim: Path, book: Path, environment: dict[str, str]) -> None:
    """Where Neovim and the server count lines differently nothing is edited, and what to do about it is right."""
    run(nvim, "endings", book, environment)


def test_decided_elsewhere(nvim: Path, book: Path, environment: dict[str, str]) -> None:
    """A review of what was decided elsewhere, an ability that does not exist, whole words, nothing modifiable."""
    run(nvim, "elsewhere", book, environment)


def test_windows_of_the_plugin(nvim: Path, book: Path, environment: dict[str, str]) -> None:
    """Whatever is typed in a window that the plugin shows something in is about the chapter that it came from."""
    run(nvim, "windows", book, environment)


def test_messages(nvim: Path, book: Path, environment: dict[str, str]) -> None:
    """On a screen of 80 cells no message, in neither language, waits for a key."""
    run(nvim, "messages", book, environment)


# -- the screen --------------------------------------------------------------------------------


@pytest.fixture
def screen(nvim: Path, book: Path, terminal: Any) -> Any:
    chapter = book / "第一章 渡口.md"
    chapter.write_text(
        "# 第一章 渡口\n\n　　林夏到的时候,船已经走了。她站在渡口，看江水。。\n\n　　“再等等。”周衡说。他的的确走得很远!\n",
        "utf-8",
        newline="",
    )
    terminal.open(110, 34, f"'{nvim}' --clean -u '{HERE / 'neovim' / 'init.lua'}' '{chapter}'")
    return terminal


def test_the_screen_of_a_review(screen: Any, book: Path) -> None:
    """A writer polishes, sees both texts side by side, accepts one hunk, then all, and undoes it."""
    screen.wait(lambda seen: "林夏到的时候" in seen, "1-chapter")
    screen.keys(":Inkwright polish", "Enter")
    seen = screen.wait(lambda seen: "a 接受" in seen and "时候，船" in seen, "2-review")
    assert "时候,船" in seen
    assert "剩 3 处" in seen
    screen.keys("a")
    screen.wait(lambda seen: seen.count("时候，船") == 2 and "剩 2 处" in seen, "3-one-accepted")
    screen.keys("A")
    screen.wait(lambda seen: "修改建议都已决定" in seen or "a 接受" not in seen, "4-all-accepted")
    screen.keys("u")
    screen.wait(lambda seen: "看江水。。" in seen and "时候，船" in seen, "5-undone")
    screen.keys(":w", "Enter")
    screen.wait(lambda seen: "written" in seen or "已写入" in seen, "6-written")
    assert "时候，船已经走了。" in (book / "第一章 渡口.md").read_text("utf-8")


def test_the_screen_of_the_next_day(nvim: Path, book: Path, terminal: Any) -> None:
    """What waits since yesterday is gone to and accepted by what is typed before the server is there; far ones are drawn."""
    chapter = book / "第一章.md"
    days = "".join(f"第{day}日,他走到渡口看江水。\n\n" for day in range(1, 81))
    chapter.write_text(f"# 第一章\n\n{days}", "utf-8", newline="")
    command = f"'{nvim}' --clean -u '{HERE / 'neovim' / 'init.lua'}' '{chapter}'"
    terminal.open(
        80, 24, f"{command} -c 'Inkwright polish'; {command} -c 'Inkwright next' -c 'Inkwright accept'"
    )
    terminal.wait(lambda seen: "剩 80 处" in seen, "early-1-polished-before-the-server-was-there")
    terminal.command("qall!")
    terminal.wait(lambda seen: "接受 1 处" in seen and "第1日，他" in seen, "early-2-accepted")
    terminal.wait(lambda seen: "第2日,，他" in seen and "79 处待定" in seen, "early-3-drawn")
    terminal.keys("G")
    terminal.wait(lambda seen: "第80日,，他" in seen and "第2日" not in seen, "early-4-drawn-at-the-end")
    terminal.keys("g", "g", "g", "r", "n")
    terminal.wait(lambda seen: "这里没有卡片的名字" in seen, "early-5-a-rename-of-nothing")
