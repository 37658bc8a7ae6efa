"""What the READMEs print exists and works as printed."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest

from inkwright import config
from inkwright.checks import checking
from inkwright.cli.main import COMMANDS, parser
from inkwright.config import schema
from inkwright.manuscript import bookfile
from inkwright.providers.catalog import providers

ROOT = Path(__file__).parents[2]
READMES = ["README.md", "README.zh-CN.md"]
CODE = re.compile(r"`([^`]+)`")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.M | re.S)
ROW = re.compile(r"^\| (`inkwright [^|]*) \| ([^|]*) \|$", re.M)


@pytest.fixture(params=READMES)
def readme(request: pytest.FixtureRequest) -> str:
    return (ROOT / request.param).read_text("utf-8")


def blocks(text: str, language: str) -> list[str]:
    return [body for kind, body in BLOCK.findall(text) if kind == language]


def words(command: str) -> list[str]:
    return shlex.split(command)[1:]


def rows(text: str) -> list[tuple[list[list[str]], list[list[str]]]]:
    """Of each row of the command table: the commands in its first cell, the options in its second."""
    out = []
    for left, right in ROW.findall(text):
        first, *others = CODE.findall(left)
        commands = [words(first), *([words(first)[0], *shlex.split(other)] for other in others)]
        options = [shlex.split(code) for code in CODE.findall(right) if code.startswith("--")]
        out.append((commands, options))
    return out


def test_every_command_parses(readme):
    """Each command of the table is one, takes the options that stand beside it, and `--json`."""
    table = rows(readme)
    assert table
    for commands, options in table:
        for command in commands:
            assert parser().parse_args([*command, "--json"]).command == command[0]
        for option in options:
            base = commands[0] if commands[0][0] != "profiles" else ["profiles"]
            assert parser().parse_args([*base, *option]).command == base[0]


def test_every_command_is_documented(readme):
    """The table and the first screen name every command there is, and no other."""
    named = {command[0] for commands, _ in rows(readme) for command in commands}
    named |= set(re.findall(r"\binkwright (\w+)", "\n".join(blocks(readme, "sh"))))
    assert named >= set(COMMANDS)
    assert named <= {*COMMANDS, "lsp"}


def test_the_book_file_is_read_as_printed(readme, tmp_path):
    """The example of `book.toml` switches rules that there are, with nothing to complain about."""
    example, _ = blocks(readme, "toml")
    (tmp_path / "book.toml").write_text(example, "utf-8")
    fields, problems = bookfile.read(tmp_path)
    assert problems == ()
    named = {*fields.checks.off, *fields.checks.severity}
    assert named
    for code in named:
        assert checking.about(code, "en")


def test_the_user_file_is_read_as_printed(readme, tmp_path):
    """The example of `config.toml` gives the model that it names, with nothing to complain about."""
    _, example = blocks(readme, "toml")
    name = tomllib.loads(example)["model"]
    (tmp_path / "config.toml").write_text(example)
    loaded = config.load({}, tmp_path / "config.toml", None, providers())
    assert loaded.problems == ()
    assert loaded.settings.model == name
    profile = loaded.settings.profile(name)
    assert profile is not None
    assert profile.key is not None


def test_settings_are_those_of_the_schema(readme):
    """All that a model's table takes is named, and nothing else; other settings that are named are read."""
    known = schema.properties()
    model = known["models"]["additionalProperties"]["properties"]
    (said,) = re.findall(r"(?:A model's table takes|一个模型的表可以写)(.*?`clocks`)", readme, re.S)
    fields = {*model, *model["capabilities"]["properties"], *model["price"]["properties"]}
    assert sorted(re.findall(r"`(\w+)`", said)) == sorted(fields)
    checked = set(re.findall(r"`checks\.(\w+)", readme))
    assert checked
    assert checked <= set(known["checks"]["properties"])
    assert set(re.findall(r"`(\w+) = ", readme)) <= set(known)


def test_the_variables_are_read_as_printed(readme):
    """What is exported makes a model without any file."""
    exported = [line for body in blocks(readme, "sh") for line in body.splitlines() if "export" in line]
    assert len(exported) == 2
    for line in exported:
        pairs = dict(word.split("=", 1) for word in shlex.split(line.partition("#")[0])[1:])
        loaded = config.load(pairs, None, None, providers())
        assert loaded.problems == ()
        assert loaded.settings.model != "offline"


def test_links_and_pictures_are_there(readme):
    """No link into the repository leads nowhere."""
    targets = [target for target in re.findall(r"\]\(([^)]+)\)", readme) if "://" not in target]
    assert targets
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_both_languages_say_the_same():
    """The two READMEs have the same sections, commands and examples."""
    en, zh = ((ROOT / name).read_text("utf-8") for name in READMES)
    assert len(re.findall(r"^## ", en, re.M)) == len(re.findall(r"^## ", zh, re.M))
    assert [[c[0] for c in commands] for commands, _ in rows(en)] == [
        [c[0] for c in commands] for commands, _ in rows(zh)
    ]
    assert blocks(en, "toml") == blocks(zh, "toml")
    assert blocks(en, "lua") == blocks(zh, "lua")
    assert blocks(en, "markdown") == blocks(zh, "markdown")


def test_the_tasks_that_are_named_exist():
    """`uv run poe X` and `pytest -m X` are what they are called."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]
    texts = [(ROOT / name).read_text("utf-8") for name in [*READMES, ".ci/run"]]
    tasks = {task for text in texts for task in re.findall(r"uv run poe ([\w-]+)", text)}
    marks = {mark for text in texts for mark in re.findall(r"pytest -m (\w+)", text)}
    assert tasks
    assert tasks <= set(settings["poe"]["tasks"])
    assert marks
    assert marks <= {line.partition(":")[0] for line in settings["pytest"]["ini_options"]["markers"]}


def test_every_room_of_the_architecture_exists():
    """The map names the rooms that there are, and its journey names modules that there are."""
    text = (ROOT / "server" / "ARCHITECTURE.md").read_text("utf-8")
    package = ROOT / "server" / "inkwright"
    rooms = "\n".join(line.split("|")[1] for line in text.splitlines() if line.startswith("| `"))
    named = {name.rstrip("/") for name in re.findall(r"`([a-z]+(?:\.py|/))`", rooms)}
    assert {"app.py", "domain", "lsp", "cli"} <= named
    assert [name for name in named if not (package / name).exists()] == []
    journey = text[text.index("```text") : text.index("```", text.index("```text") + 3)]
    for room, module in re.findall(r"\b(runtime|lsp|store|abilities|providers)\.([a-z]+)\b", journey):
        assert list(package.glob(f"{room}/{module}*")), f"{room}.{module}"
