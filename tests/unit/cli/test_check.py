"""`inkwright check`: SARIF that a code host reads, a book's own switches, what is intended, the hook's command line."""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path
from urllib.parse import unquote

import pytest
import yaml

from inkwright.cli.main import parser

ROOT = Path(__file__).parents[3]


def _sarif(out: str) -> dict:
    (run,) = json.loads(out)["runs"]
    return run


def test_sarif_is_what_the_json_says(call, book, monkeypatch) -> None:
    """Same places, lines and columns from 1 in UTF-16, relative encoded paths, rules by index, fixes, fingerprints."""
    monkeypatch.chdir(book.parent)
    (book / "第 3 章.md").write_text("# 三\n\n𠮷野说,一但下雨就走。\n\n一但天晴就来。\n", "utf-8")
    status, out, _ = call("check", book, "--format", "sarif")
    assert status == 1
    run = _sarif(out)
    plain = json.loads(call("check", book, "--format", "json")[1])["files"]
    told = [(file["path"], one) for file in plain for one in file["diagnostics"]]
    assert len(run["results"]) == len(told)
    assert run["columnKind"] == "utf16CodeUnits"
    rules = run["tool"]["driver"]["rules"]
    prints = [tuple(result["partialFingerprints"].items()) for result in run["results"]]
    assert len(set(prints)) == len(prints)
    for result, (path, one) in zip(run["results"], told, strict=True):
        place = result["locations"][0]["physicalLocation"]
        uri = place["artifactLocation"]["uri"]
        assert uri.isascii()
        assert " " not in uri
        assert unquote(uri) == path
        start, end = one["range"]["start"], one["range"]["end"]
        assert place["region"] == {
            "startLine": start["line"] + 1,
            "startColumn": start["character"] + 1,
            "endLine": end["line"] + 1,
            "endColumn": end["character"] + 1,
        }
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == one["code"]
        assert result["level"] in ("error", "warning", "note")
        assert ("fixes" in result) == (one["fix"] is not None)
    for rule in rules:
        assert rule["shortDescription"]["text"]
        assert rule["help"]["text"]
        assert "{" not in rule["shortDescription"]["text"]


def test_a_fingerprint_outlives_edits_elsewhere(call, book, monkeypatch) -> None:
    """A paragraph that is put before a fault does not make it another one."""
    monkeypatch.chdir(book)
    chapter = book / "第001章.md"
    before = _sarif(call("check", chapter, "--format", "sarif")[1])["results"]
    chapter.write_text(chapter.read_text("utf-8").replace("# 渡口\n", "# 渡口\n\n天亮了。\n"), "utf-8")
    after = _sarif(call("check", chapter, "--format", "sarif")[1])["results"]
    assert [r["partialFingerprints"] for r in before] == [r["partialFingerprints"] for r in after]


@pytest.mark.parametrize(
    ("table", "left"),
    [
        ("", {"zh-misspelled": "warning"}),
        ('[checks]\ndisabled = ["zh-words"]\n', {}),
        ("[checks]\nenabled = false\n", {}),
        ('[checks.severity]\nzh-misspelled = "hint"\n', {"zh-misspelled": "hint"}),
        ('[checks.severity]\nzh-misspelled = "off"\n', {}),
        ("[checks]\ndisabled = 3\n", {"zh-misspelled": "warning"}),
    ],
)
def test_a_book_says_which_checks_it_wants(call, book, table, left) -> None:
    """In `book.toml`, which goes with it."""
    (book / "第002章.md").write_text("# 旧信\n\n一但下雨就走。\n", "utf-8")
    (book / "book.toml").write_text(f'title = "书"\n{table}', "utf-8")
    out = call("check", book / "第002章.md", "--json")[1]
    (file,) = json.loads(out)["files"]
    assert {one["code"]: one["severity"] for one in file["diagnostics"]} == left


def test_what_is_intended_is_listed_and_taken_back(call, book) -> None:
    """It is silent until it is forgotten; a line that cannot be read is named, and is no failure."""
    chapter = book / "第002章.md"
    chapter.write_text("# 旧信\n\n一但下雨就走。\n", "utf-8")
    file = book / ".inkwright/decisions.jsonl"
    file.parent.mkdir()
    line = '{"kind": "intended", "code": "zh-misspelled", "text": "一但"}'
    file.write_text(f"<<<<<<< a\n{line}\n=======\n{line}\n>>>>>>> b\n", "utf-8")
    status, out, err = call("check", chapter)
    assert (status, out) == (0, "")
    assert "decisions.jsonl" in err
    status, out, _ = call("check", book, "--intended", "--json")
    (one,) = json.loads(out)["intended"]
    assert (one["code"], one["text"], one["everywhere"]) == ("zh-misspelled", "一但", True)
    assert call("check", "--forget", one["id"], book)[0] == 0
    assert line not in file.read_text("utf-8")
    assert call("check", chapter)[0] == 1
    assert call("check", book, "--forget", "none")[0] != 0


WORKSPACES = ROOT / "tests/workspaces"
OTHERS = [
    ("novel-generator", "chapters/chapter_2.txt", "一但下雨就走。"),
    ("andrea", "第一卷/第2章.txt", "一但下雨就走。"),
    ("novelwriter", "content/0e17daca5f3e1.nwd", "He went to the the door."),
]


@pytest.mark.parametrize(("workspace", "chapter", "fault"), OTHERS)
def test_a_folder_is_checked_with_the_chapters_of_every_layout(
    call, tmp_path, monkeypatch, workspace, chapter, fault
) -> None:
    """Also those that are no Markdown; by the hook's command line too, from the folder that holds the project."""
    folder = tmp_path / "repo" / workspace
    shutil.copytree(WORKSPACES / workspace, folder)
    with (folder / chapter).open("a", encoding="utf-8") as file:
        file.write(f"\n\n{fault}\n")
    monkeypatch.chdir(folder.parent)
    status, out, _ = call("check", workspace)
    assert status == 1
    assert f"{workspace}/{chapter}:" in out
    (folder.parent / "requirements.txt").write_text(f"{fault}\n", "utf-8")
    status, out, _ = call("check", "--in-book", f"{workspace}/{chapter}", "requirements.txt")
    assert status == 1
    assert f"{workspace}/{chapter}:" in out
    assert "requirements" not in out
    assert call("check", "requirements.txt")[1]
    assert call("check", "--in-book", "nosuch.txt")[0] == 3


def test_a_folder_without_a_chapter_says_what_one_is(call, tmp_path) -> None:
    """Nothing printed would look like nothing wrong."""
    (tmp_path / "a.txt").write_text("一但下雨就走。\n", "utf-8")
    status, out, err = call("check", tmp_path)
    assert (status, out) == (0, "")
    assert ".md" in err
    assert ".md" in call("index", tmp_path)[2]


def test_what_a_file_is_full_of_is_counted(call, book) -> None:
    """The first five of a code and how many more there are; all of it with `--all` and in JSON; the same exit."""
    chapter = book / "第002章.md"
    chapter.write_text("# 旧信\n" + "\n一但下雨就走。\n" * 21, "utf-8")
    status, out, err = call("check", chapter)
    lines = [line for line in out.splitlines() if "[zh-misspelled]" in line]
    assert (status, len(lines)) == (1, 5)
    assert "16" in out.splitlines()[-1]
    assert "zh-misspelled 21" in err
    status, out, _ = call("check", chapter, "--all")
    assert (status, out.count("[zh-misspelled]")) == (1, 21)
    (file,) = json.loads(call("check", chapter, "--json")[1])["files"]
    assert sum(one["code"] == "zh-misspelled" for one in file["diagnostics"]) == 21


def test_a_path_that_never_was_is_not_called_gone(call, book) -> None:
    """A typing error on the command line is told as one."""
    status, _, err = call("check", book / "nosuch.md")
    assert status == 3
    assert "没有这个文件" in err


def test_the_hook_calls_a_command_that_there_is(call, book) -> None:
    """pre-commit hands the changed text files to its entry."""
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    words = shlex.split(hook["entry"])
    assert words[0] == "inkwright"
    files = [str(book / "第001章.md"), str(book / "第002章.md")]
    assert parser().parse_args([*words[1:], *files]).command == "check"
    assert call(*words[1:], *files)[0] == 1
    assert call(*words[1:], files[1])[0] == 0


def test_a_file_of_a_profile_is_checked_as_one(call, book):
    """What is wrong with it is told with its place; its prompt is not proofread."""
    file = book / ".inkwright/profiles/x.md"
    file.parent.mkdir(parents=True)
    file.write_text("---\nlable: x\n---\n他说,走吧。\n", "utf-8")
    status, out, _ = call("check", file, "--json")
    assert status == 1
    (checked,) = json.loads(out)["files"]
    assert [one["code"] for one in checked["diagnostics"]] == [
        "profile_unused_untrusted",
        "profile_unknown_key_near",
    ]
