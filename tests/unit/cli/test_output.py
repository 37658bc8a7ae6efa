"""What a command says, where, and what becomes of it when nobody can hear."""

from __future__ import annotations

import errno
import io
import json
import sys
from urllib.parse import unquote

import pytest

from inkwright.app import main
from inkwright.cli import index
from inkwright.cli.context import Context
from inkwright.domain.errors import Fault


class Broken(io.StringIO):
    """A stream that takes nothing, or (late) fails when it is flushed."""

    def __init__(self, error: OSError, *, late: bool = False) -> None:
        super().__init__()
        self.error, self.late = error, late

    def write(self, text: str) -> int:
        if not self.late:
            raise self.error
        return len(text)

    def flush(self) -> None:
        raise self.error


FULL = OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("more", [(), ("--json",)])
@pytest.mark.parametrize(
    ("stream", "said"),
    [
        (Broken(FULL), True),
        (Broken(FULL, late=True), True),
        (None, True),
        (Broken(BrokenPipeError(errno.EPIPE, "Broken pipe")), False),
        (Broken(BrokenPipeError(errno.EPIPE, "Broken pipe"), late=True), False),
    ],
)
def test_an_answer_that_cannot_be_written_is_one_line_and_a_failure(
    book, capsys, monkeypatch, stream, said, more
) -> None:
    """A full disk, no stdout at all: said, with status 3. A reader that left has no need to be told."""
    monkeypatch.setattr(sys, "stdout", stream)
    status = main(["index", str(book), *more])
    err = capsys.readouterr().err
    assert status == 3
    assert len(err.splitlines()) == said
    assert "Traceback" not in err


@pytest.mark.parametrize("stream", [None, Broken(BrokenPipeError()), Broken(FULL, late=True)])
def test_a_run_needs_no_stderr(book, capsys, monkeypatch, stream) -> None:
    """Nobody watches it stream: the answer is the same."""
    monkeypatch.setattr(sys, "stderr", stream)
    assert main(["run", "polish", str(book / "第001章.md"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["status"] == "completed"
    assert main(["run", "polish", str(book / "第001章.md")]) == 0
    assert "一旦天黑" in capsys.readouterr().out


def test_on_a_screen_an_answer_is_shown_once(book, capsys, monkeypatch) -> None:
    """It has been streamed there; the diff is what is new. In a file it is the output."""
    argv = ["run", "analysis", str(book / "第002章.md")]
    assert main(argv) == 0
    answer = capsys.readouterr().out
    assert answer.strip()
    for stream in (sys.stdout, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    assert main(argv) == 0
    assert capsys.readouterr() == ("", answer)


def test_a_notice_stands_on_a_line_of_its_own_and_once(capsys) -> None:
    """Behind streamed text that ended in the middle of a line too."""
    context = Context(build=None, locale="en", json=False, debug=False)  # type: ignore[arg-type]
    context.note("half a line", end="")
    context.notice(Fault("command_cancelled"))
    context.notice(Fault("command_cancelled"))
    context.notice(Fault("no_folder", {"path": "a\nb"}))
    assert capsys.readouterr().err.split("\n") == [
        "half a line",
        "inkwright: Cancelled.",
        "inkwright: There is no folder a b. Check the path.",
        "",
    ]


@pytest.mark.parametrize(
    "argv",
    [
        ("check", "none.md", "--format", "json"),
        ("check", "none.md", "--json"),
        ("runs", "list", "none", "--json"),
    ],
)
def test_who_asked_for_json_gets_his_faults_in_json(call, argv) -> None:
    """In whichever way it was asked for."""
    status, out, err = call(*argv)
    assert status == 3
    assert json.loads(out)["error"]["message"] in err


def test_options_are_given_in_full_and_none_stands_behind_two_dashes(call) -> None:
    """`--js` is no `--json`; behind `--` a word is a word, were it `--debug`."""
    assert call("index", "x", "--js")[0] == 2
    refused = ("ask", "--endpoint", "http://127.0.0.1:1", "--model", "m", "--")
    for word in ("--json", "--debug"):
        status, out, err = call(*refused, word)
        assert (status, out) == (3, "")
        assert "127.0.0.1:1" in err


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_fault_of_ours_is_one_line_without_a_traceback(call, book, monkeypatch, more) -> None:
    """Whatever breaks, and though it is logged as well."""

    async def run(*_: object) -> int:
        import logging

        try:
            raise ValueError("林夏")
        except ValueError:
            logging.getLogger("inkwright.x").exception("broken")
            raise

    monkeypatch.setattr(index, "run", run)
    status, out, err = call("index", book, *more)
    assert (status, len(err.splitlines())) == (3, 1)
    assert "林夏" not in out + err
    assert "Traceback" not in err


def test_a_type_of_book_that_nobody_has_is_said_in_the_writers_language(call, book) -> None:
    """One line, and novel stands in."""
    (book / "book.toml").write_text('type = "Novel"\n', "utf-8")
    status, _, err = call("run", "analysis", book / "第002章.md")
    assert status == 0
    assert [line for line in err.splitlines() if "Novel" in line] == [
        "inkwright: 没有名为 Novel 的书籍类型，已按 novel 运行。请检查 book.toml 里的 type。"
    ]


def test_the_settings_language_is_spoken(call, book, home) -> None:
    """Whatever the system's: notices of the settings themselves, diagnostics, errors."""
    config = home / ".config" / "inkwright"
    config.mkdir(parents=True)
    (config / "config.toml").write_text('locale = "en"\nwindow = "x"\n', "utf-8")
    _, out, err = call("check", book / "第001章.md")
    assert err.startswith("inkwright: The setting window (config.toml) must be a number")
    assert "应" not in out
    status, _, err = call("run", "polish", book / "第001章.md", "--model", "none")
    assert (status, "There is no model named none" in err) == (3, True)


@pytest.mark.parametrize("command", [("runs", "list"), ("doctor",), ("book", "show"), ("index",)])
def test_a_folder_that_is_none_makes_no_data(call, home, command) -> None:
    """A mistyped DIR is named, and nothing is created for it."""
    status, out, _ = call(*command, "no-such-folder", "--json")
    assert (status, json.loads(out)["error"]["code"]) == (3, "no_folder")
    assert not [path for path in home.rglob("*") if path.suffix == ".db"]


@pytest.mark.skipif(sys.platform == "win32", reason="no such names there")
def test_a_name_with_a_line_end_stays_on_its_line(call, book, monkeypatch) -> None:
    """Control characters of names are shown as escapes, in rows and in what is told beside them; URIs encode them."""
    monkeypatch.chdir(book)
    odd = "a\nb\x1b[31m\x9b\r\u2028.md"
    shown = r"a\x0ab\x1b[31m\x9b\x0d\u2028.md"
    (book / odd).write_text("他来了,走了。\n", "utf-8")
    (book / "v\n").mkdir()
    (book / "v\n" / "第3章.md").write_text("---\ntitle: [\n---\n他来了,走了。\n", "utf-8")
    _, out, err = call("check", book)
    rows = out.split("\n")
    assert f"{shown}:1:4: " in "\n".join(rows)
    assert any(row.startswith(r"v\x0a/第3章.md:4:4: ") for row in rows)
    assert all(".md:" in row for row in rows if row)
    _, out, err = call("index", book)
    assert any(row.endswith(f"  {shown}") for row in out.split("\n"))
    assert r"v\x0a" in out.split("\n")
    assert r"v\x0a/第3章.md:" in err
    assert all(row.startswith("v\\x0a/") for row in err.rstrip("\n").split("\n"))
    for row in (out, err):
        assert not set(row) & set("\x1b\x9b\r\u2028")
    _, out, _ = call("search", "走了", book)
    assert sum(row.startswith(f"{shown}:1: ") for row in out.split("\n")) == 1
    _, out, _ = call("check", book, "--format", "sarif")
    uris = {
        one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for one in json.loads(out)["runs"][0]["results"]
    }
    assert {odd, "v\n/第3章.md"} <= {unquote(uri) for uri in uris}
    assert all(uri.isascii() and uri.isprintable() for uri in uris)
    assert odd in {file["path"] for file in json.loads(call("check", book, "--json")[1])["files"]}


def test_sarif_is_json_whatever_a_name_holds(call, book, monkeypatch) -> None:
    """What it says of a file by a name with a control character beyond ASCII is read as it was said."""
    monkeypatch.chdir(book)
    (book / "a\x85.md").write_bytes(b"\x00\x01\x02\xff" * 100)
    run = json.loads(call("check", ".", "--format", "sarif")[1])["runs"][0]
    (told,) = run["invocations"][0]["toolExecutionNotifications"]
    assert "a\x85.md" in told["message"]["text"]
