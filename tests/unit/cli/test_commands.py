"""The command line through its front door: answers on stdout, all else on stderr, an exit status for each."""

from __future__ import annotations

import importlib.util
import json

import pytest


def test_a_run_leaves_the_file_and_gives_the_contracts_object(call, book, chapter) -> None:
    """Every field is there; the hunks' ranges are UTF-16 and hold what they say."""
    status, out, err = call("run", "polish", book / "第001章.md", "--json")
    assert status == 0
    result = json.loads(out)
    assert set(result) == {
        "requestId",
        "ability",
        "status",
        "stopReason",
        "model",
        "text",
        "proposal",
        "usage",
        "error",
    }
    assert (result["status"], result["stopReason"], result["model"]) == ("completed", "finished", "offline")
    assert result["text"] in err
    lines = chapter.split("\n")
    for hunk in result["proposal"]["hunks"]:
        start, end = hunk["range"]["start"], hunk["range"]["end"]
        assert lines[start["line"]][start["character"] : end["character"]] == hunk["before"]
    assert (book / "第001章.md").read_text("utf-8") == chapter


def test_apply_all_writes_the_proposal_and_a_second_run_proposes_nothing(call, book) -> None:
    """Exactly proposal.text stands in the file."""
    path = book / "第001章.md"
    _, out, _ = call("run", "polish", path, "--apply-all", "--json")
    result = json.loads(out)
    assert path.read_text("utf-8") == result["proposal"]["text"]
    assert result["applied"]["applied"] == [h["index"] for h in result["proposal"]["hunks"]]
    _, out, _ = call("run", "polish", path, "--json")
    assert json.loads(out)["proposal"] is None


def test_lines_bound_the_passage(call, book) -> None:
    """Only the lines asked for are looked at; a line past the end is named."""
    status, out, _ = call("run", "polish", book / "第001章.md", "--lines", "6-6", "--json")
    assert status == 0
    hunks = json.loads(out)["proposal"]["hunks"]
    assert {h["range"]["start"]["line"] for h in hunks} == {5}
    status, out, err = call("run", "polish", book / "第001章.md", "--lines", "90-91", "--json")
    assert status == 3
    assert json.loads(out)["error"]["code"] == "lines_out_of_range"
    assert "90" in err


def test_text_output_is_the_answer_and_a_diff(call, book) -> None:
    """For people: the answer, then a unified diff."""
    status, out, _ = call("run", "polish", book / "第001章.md")
    assert status == 0
    assert "+她数了数铜钱：十七枚。一旦天黑，就没有船了……" in out


def test_writing_needs_a_model(call, book) -> None:
    """The offline engine says so: failed, needs_model, exit 3."""
    status, out, err = call("run", "writing", book / "第001章.md", "--json")
    result = json.loads(out)
    assert status == 3
    assert (result["status"], result["stopReason"]) == ("failed", "needs_model")
    assert len(err.strip().split("\n")) == 1


def test_index_lists_chapters_cards_and_mentions(call, book) -> None:
    """The contract's object, in reading order."""
    status, out, _ = call("index", book, "--json")
    value = json.loads(out)
    assert status == 0
    assert [c["path"] for c in value["chapters"]] == ["第001章.md", "第002章.md"]
    assert value["chapters"][0]["title"] == "渡口"
    (card,) = value["cards"]
    assert card["chapters"] == {"第001章.md": 1}
    assert card["mentions"] == 1
    assert value["problems"] == []
    assert call("index", book)[0] == 0


def test_index_and_book_count_by_the_rule_that_the_settings_name(call, book, home) -> None:
    """Where the book names none; the JSON has all four in any case."""
    config = home / ".config" / "inkwright"
    config.mkdir(parents=True)
    (config / "config.toml").write_text('count = "nonspace"\n', "utf-8")
    _, out, _ = call("index", book, "--json")
    counts = json.loads(out)["chapters"][1]["counts"]
    assert counts["nonspace"] != counts["mixed"]
    _, out, _ = call("index", book)
    assert f" {counts['nonspace']}  旧信" in out
    _, out, _ = call("book", "show", book, "--json")
    assert json.loads(out)["count"] == "nonspace"


def test_check_of_a_folder_is_a_check_of_one_book(call, tmp_path) -> None:
    """Cards of one of its folders name what stands in another; a file named twice is checked once."""
    (tmp_path / "角色").mkdir()
    (tmp_path / "正文").mkdir()
    (tmp_path / "正文" / "1.md").write_text("一但来了。\n", "utf-8")
    status, out, _ = call("check", tmp_path, tmp_path / "正文" / "1.md", "--json")
    (file,) = json.loads(out)["files"]
    assert (status, [d["code"] for d in file["diagnostics"]]) == (1, ["zh-misspelled"])
    (tmp_path / "角色" / "一但.md").write_text("药铺学徒。\n", "utf-8")
    status, out, _ = call("check", tmp_path, "--json")
    assert status == 0
    assert [f["diagnostics"] for f in json.loads(out)["files"]] == [[], []]


def test_one_bad_file_costs_a_check_of_its_folder_nothing_else(call, book) -> None:
    """It is named, the others are checked, and the check has not been done: exit 3."""
    (book / "x.md").write_bytes(bytes(range(256)) * 20)
    status, out, err = call("check", book, "--json")
    value = json.loads(out)
    assert status == 3
    assert [(p["path"].rpartition("/")[2], p["code"]) for p in value["problems"]] == [("x.md", "file_binary")]
    assert any(f["diagnostics"] for f in value["files"])
    assert len(err.strip().split("\n")) == 1


def test_check_counts_alarms_in_its_exit_status(call, book, tmp_path) -> None:
    """1 with a warning, 0 without; three formats."""
    status, out, _ = call("check", book / "第001章.md", "--format", "json")
    assert status == 1
    (file,) = json.loads(out)["files"]
    assert any(d["fix"] for d in file["diagnostics"])
    assert call("check", book / "第002章.md")[0] == 0
    status, out, _ = call("check", book, "--format", "sarif")
    sarif = json.loads(out)
    assert sarif["version"] == "2.1.0"
    assert sarif["runs"][0]["results"]


def test_profiles_and_their_explanation(call) -> None:
    """Abilities first, no prompt in the list; the explanation names origins."""
    _, out, _ = call("profiles", "--json")
    profiles = json.loads(out)["profiles"]
    assert [p["id"] for p in profiles][:4] == ["writing", "analysis", "research", "polish"]
    assert all("prompt" not in p for p in profiles)
    _, out, _ = call("profiles", "--explain", "polish", "--domain", "novel", "--json")
    assert json.loads(out)["origins"]["rounds"]
    assert call("profiles", "--domain", "novel")[0] == 2


def test_a_profile_that_cannot_be_used_is_told_of_by_whoever_needs_it(call, book, home) -> None:
    """File, line and what is wrong, once, in the writer's language; the rest works; doctor fails."""
    folder = home / ".config" / "inkwright" / "profiles"
    folder.mkdir(parents=True)
    (folder / "x.md").write_text("---\nid: x\nrounds: many\n---\nx\n", "utf-8")
    for argv in (("profiles",), ("run", "analysis", book / "第002章.md", "--json")):
        status, _, err = call(*argv)
        assert status == 0
        assert err.count("profiles/x.md 第 3 行") == 1
    status, out, _ = call("doctor", book, "--json")
    assert status == 3
    assert [c["code"] for c in json.loads(out)["checks"] if not c["ok"]] == ["profile_unusable"]


def test_a_book_is_created_shown_and_edited(call, book) -> None:
    """Create makes .inkwright/ and book.toml; edit keeps the rest."""
    assert call("book", "create", book, "--title", "渡口", "--type", "novel")[0] == 0
    assert (book / ".inkwright" / "inkwright.db").is_file()
    assert call("book", "edit", book, "--author", "某人")[0] == 0
    _, out, _ = call("book", "show", book, "--json")
    value = json.loads(out)
    assert (value["title"], value["author"], value["chapters"], value["cards"]) == ("渡口", "某人", 2, 1)
    assert call("book", "edit", book)[0] == 2


def test_runs_are_listed_and_shown(call, book) -> None:
    """What was run can be looked up afterwards."""
    _, out, _ = call("run", "polish", book / "第001章.md", "--json")
    run = json.loads(out)["requestId"]
    # A file outside a marked book belongs to its own folder.
    _, out, _ = call("runs", "list", book, "--json")
    assert run in [r["requestId"] for r in json.loads(out)["runs"]]
    _, out, _ = call("runs", "show", run, book, "--json")
    assert json.loads(out)["steps"][0]["finish"] == "stop"
    assert call("runs", "show", "nothing", book)[0] == 3


def test_doctor_says_what_is_well(call, book) -> None:
    """All ok: exit 0."""
    status, out, _ = call("doctor", book, "--json")
    value = json.loads(out)
    assert status == 0
    assert value["ok"]
    assert {"python", "database", "index", "model"} <= {c["name"] for c in value["checks"]}


def test_what_a_book_file_cannot_be_used_for_is_said_once(call, book) -> None:
    """It and a book in the book, by every command that lists them; they are remarks, and doctor is content."""
    (book / "book.toml").write_text('title = "渡口\n', "utf-8")
    (book / "内").mkdir()
    (book / "内" / "book.toml").write_text("", "utf-8")
    status, out, err = call("doctor", book, "--json")
    codes = [check["code"] for check in json.loads(out)["checks"] if check["code"]]
    assert (status, sorted(codes), err) == (0, ["book_file_bad_toml", "book_inside"], "")
    status, _, err = call("index", book)
    assert (status, [line.rsplit(" ", 1)[1] for line in err.splitlines()]) == (
        0,
        ["[book_file_bad_toml]", "[book_inside]"],
    )
    assert err.count("TOML") == 1
    status, out, _ = call("check", book / "book.toml")
    assert (status, out.count("book_file_bad_toml")) == (1, 1)


def test_doctor_asks_harper_where_it_is_switched_on(call, book, home) -> None:
    """One that is not there, or cannot be run, fails the doctor and says what to do; switched off it is no matter."""
    config = home / ".config" / "inkwright"
    config.mkdir(parents=True, exist_ok=True)
    (config / "config.toml").write_text("[checks]\nharper = true\n", "utf-8")
    status, out, _ = call("doctor", book, "--json")
    (found,) = [c for c in json.loads(out)["checks"] if c["name"] == "harper"]
    here = importlib.util.find_spec("harper") is not None
    assert (status, found["ok"]) == ((0, True) if here else (3, False))
    assert here or "checks.harper" in found["message"]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_demo_plays_and_leaves_nothing_behind(call, language, home) -> None:
    """Hunks are shown and accepted in a copy; polished again only doubts are left; the home is as it was."""
    before = sorted(home.rglob("*"))
    status, out, _ = call("demo", "--language", language, "--json")
    assert sorted(home.rglob("*")) == before
    value = json.loads(out)
    assert status == 0
    assert value["applied"]["applied"]
    doubts = [h for h in value["proposal"]["hunks"] if h["findings"]]
    assert value["left"] == len(doubts)


@pytest.mark.parametrize(
    ("argv", "status"),
    [
        ((), 2),
        (("nonsense",), 2),
        (("run", "polish"), 2),
        (("run", "polish", "x.md", "--lines", "7-3"), 2),
        (("run", "polish", "x.md", "--lines", "1-99999999999999999999"), 2),
        (("lsp", "--tcp", "99999999999999999999"), 2),
        (("lsp", "--tcp", "65536"), 2),
        (("lsp", "--tcp", "-1"), 2),
        (("search", "x", ".", "--limit", "-1"), 2),
        (("run", "polish", "no-such-file.md", "--json"), 3),
        (("index", "no-such-folder", "--json"), 3),
        (("check", "no-such-file.md", "--json"), 3),
    ],
)
def test_wrong_use_is_one_line_and_its_own_status(call, argv, status) -> None:
    """No traceback; with --json the error stands on stdout too."""
    got, out, err = call(*argv)
    assert got == status
    assert len(err.strip().split("\n")) == 1
    assert "Traceback" not in err
    if "--json" in argv:
        assert json.loads(out)["error"]["message"]


def test_a_file_that_is_not_utf8_is_read_and_never_written(call, tmp_path) -> None:
    """GB18030 is analysed; a polish of it is refused with what to do."""
    path = tmp_path / "旧稿.md"
    data = ("林夏到的时候，船已经走了。她坐下来，等了很久很久。" * 5).encode("gb18030")
    path.write_bytes(data)
    assert call("run", "analysis", path, "--json")[0] == 0
    status, out, _ = call("run", "polish", path, "--apply-all", "--json")
    assert status == 3
    assert json.loads(out)["error"]["code"] == "readonly_document"
    assert path.read_bytes() == data


def test_a_binary_file_is_named_as_one(call, tmp_path) -> None:
    """Neither polished nor checked, and no traceback."""
    path = tmp_path / "x.md"
    path.write_bytes(bytes(range(256)) * 20)
    assert json.loads(call("run", "polish", path, "--json")[1])["error"]["code"] == "file_binary"
    assert json.loads(call("check", path, "--json")[1])["error"]["code"] == "file_binary"


def test_no_control_character_reaches_the_terminal(call, tmp_path) -> None:
    """What a chapter or a model holds cannot colour, move or rename a terminal."""
    path = tmp_path / "章.md"
    path.write_text("林夏\x1b]0;坏\x07来了,她说\x1b[31m：走。\n", "utf-8")
    _, out, err = call("run", "polish", path)
    assert "来了" in out
    assert "\x1b" not in out + err
    assert "\x07" not in out + err


def test_json_holds_control_characters_as_escapes(call, tmp_path) -> None:
    """NEL and DEL in a text come back as they were: the object is JSON, and the same text."""
    path = tmp_path / "章.md"
    text = "林夏\x85来了,她说\x7f：走。\n"
    path.write_text(text, "utf-8", newline="")
    _, out, _ = call("run", "polish", path, "--json")
    assert json.loads(out)["proposal"]["text"] == text.replace(",", "，")


@pytest.mark.parametrize("command", ["index", "threads", "report", "usage", "doctor"])
def test_the_folder_one_stands_in_is_the_book(call, book, monkeypatch, command: str) -> None:
    """Where a command is about a book, and none is named."""
    monkeypatch.chdir(book)
    named = call(command, book, "--json")
    assert named[0] == 0
    assert json.loads(call(command, "--json")[1]).keys() == json.loads(named[1]).keys()
