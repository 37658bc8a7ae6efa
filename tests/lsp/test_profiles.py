"""Profiles that come while the server runs, and those of books that nobody trusts."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

HAIKU = "---\nid: haiku\nlabel: {zh: 俳句, en: Haiku}\nquick_actions: [{label: 春, message: 写春天}]\n---\n写一首俳句。\n"
PLAY = "---\nid: play\nlabel: 剧本\n---\n这是一部剧本。\n"
OWN = ".inkwright/profiles"


def drop(folder: Path, name: str, text: str) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, "utf-8")


async def listed(editor, **argument) -> set[str]:
    return {p["id"] for p in await editor.client.command("inkwright.listProfiles", argument)}


async def offered(editor, uri: str) -> set[str]:
    """The abilities among the code actions at the start of a document."""
    place = {"line": 0, "character": 0}
    found = await editor.client.call(
        "textDocument/codeAction",
        {
            "textDocument": {"uri": uri},
            "range": {"start": place, "end": place},
            "context": {"diagnostics": [], "only": ["refactor"]},
        },
    )
    commands = [action["command"] for action in found]
    return {c["arguments"][0]["ability"] for c in commands if c["command"] == "inkwright.runAbility"}


async def until(told, id_: str, *, there: bool = True) -> None:
    """Asks until an id is there, or gone."""

    async def asked() -> None:
        while (id_ in await told()) != there:
            pass

    await asyncio.wait_for(asked(), 30)


@pytest.fixture
def profiles(tmp_path) -> Path:
    """The user's folder of profiles; it is not there yet."""
    return tmp_path / "home" / "config" / "inkwright" / "profiles"


async def test_a_users_new_file_is_offered_without_a_restart(start, profiles):
    """In listProfiles and in code actions, with its quick action; and gone with its file."""
    editor = await start()
    uri = editor.open("第一章.md")
    assert "haiku" not in await listed(editor)
    assert "haiku" not in await offered(editor, uri)
    drop(profiles, "haiku.md", HAIKU)
    await until(lambda: listed(editor), "haiku")
    assert "haiku" in await offered(editor, uri)
    assert "haiku" in await listed(editor, uri=uri)
    (profiles / "haiku.md").unlink()
    await until(lambda: offered(editor, uri), "haiku", there=False)


async def test_a_file_that_cannot_be_used_is_told_of_once(start, profiles):
    """With its line, as soon as it is there; what stands beside it works."""
    editor = await start()
    drop(profiles, "bad.md", "---\nid: bad\nrounds: many\n---\nx\n")
    drop(profiles, "abilities/haiku.md", HAIKU)
    await until(lambda: listed(editor), "haiku")
    drop(profiles, "domains/play.md", PLAY)
    await until(lambda: listed(editor), "play")
    told = [m["message"] for m in editor.client.got("window/showMessage")]
    assert [message.startswith("配置 profiles/bad.md 第 3 行") for message in told] == [True]


@pytest.mark.parametrize("how", ["client", "settings", "file", "environment"])
async def test_a_trusted_books_file_is_offered_without_a_restart(start, spawn, book, tmp_path, how):
    """Whoever says that it is trusted: the client, a setting, the user's file, the environment."""
    more = {}
    if how == "client":
        more = {"initializationOptions": {"trusted": True}}
    elif how == "settings":
        more = {"settings": {"trustedFolders": [str(tmp_path)]}}
    elif how == "file":
        drop(tmp_path / "home" / "config" / "inkwright", "config.toml", f"trustedFolders = ['{book}']\n")
    else:
        more = {"env": {"INKWRIGHT_TRUSTED_FOLDERS": str(book)}}
    editor = await start(**more)
    uri = editor.open("第一章.md")
    assert "haiku" not in await offered(editor, uri)
    drop(book / OWN, "haiku.md", HAIKU)
    drop(book / OWN, "domains/play.md", PLAY)
    await until(lambda: offered(editor, uri), "haiku")
    for argument in ({}, {"uri": uri}):
        assert {"haiku", "play"} <= await listed(editor, **argument)
    result = await editor.run("haiku", "第一章.md", message="写一首")
    assert result["ability"] == "haiku"


@pytest.mark.parametrize(
    ("options", "settings", "told"),
    [
        (None, None, True),
        ({"trusted": False}, None, False),
        ({"trusted": False}, "here", False),
        ({"trusted": "yes"}, "here", False),
        (None, {"trustedFolders": ["relative", 3]}, True),
    ],
)
async def test_an_untrusted_books_files_are_not_used(start, book, options, settings, told):
    """Not listed, not offered, not run; the writer is told why, unless the client itself withholds trust."""
    drop(book / OWN, "haiku.md", HAIKU)
    drop(book / OWN, "polish.md", HAIKU.replace("haiku", "polish"))
    here = {"trustedFolders": [str(book)]} if settings == "here" else settings
    editor = await start(settings=here, initializationOptions=options)
    uri = editor.open("第一章.md")
    assert "haiku" not in await offered(editor, uri)
    for argument in ({}, {"uri": uri}):
        assert "haiku" not in await listed(editor, **argument)
    result = await editor.run("haiku", "第一章.md", message="写一首")
    assert result["ability"] == "writing"
    messages = [m["message"] for m in editor.client.got("window/showMessage")]
    assert len([m for m in messages if ".inkwright/profiles" in m]) == int(told)
    assert await editor.client.quit() == 0
    assert editor.client.log.decode().count("are not used") == 1


async def test_a_trusted_books_profile_replaces_none(start, book):
    """It may add an id; that of a built-in is told of and left out."""
    drop(book / OWN, "polish.md", HAIKU.replace("haiku", "polish"))
    editor = await start(initializationOptions={"trusted": True})
    found = await editor.client.command("inkwright.listProfiles", {"uri": editor.uri("第一章.md")})
    (polish,) = [p for p in found if p["id"] == "polish"]
    assert polish["label"] == "润色优化"
    told = [m["message"] for m in editor.client.got("window/showMessage")]
    assert [message.startswith("配置 .inkwright/profiles/polish.md") for message in told] == [True]


async def test_a_link_out_of_a_trusted_folder_is_not_trusted(start, book, tmp_path):
    """What counts is where a book's files really lie."""
    elsewhere = tmp_path / "elsewhere"
    drop(elsewhere / OWN, "haiku.md", HAIKU)
    (elsewhere / "第一章.md").write_text("# 一\n\n林夏。\n", "utf-8")
    trusted = tmp_path / "trusted"
    trusted.mkdir()
    (trusted / "book").symlink_to(elsewhere)
    editor = await start(settings={"trustedFolders": [str(trusted)]})
    uri = (trusted / "book" / "第一章.md").as_uri()
    assert "haiku" not in await listed(editor, uri=uri)


async def test_trust_that_is_given_later_counts(start, book):
    """A setting that comes is used at once, and so is one that goes."""
    drop(book / OWN, "haiku.md", HAIKU)
    editor = await start()
    uri = editor.open("第一章.md")
    assert "haiku" not in await offered(editor, uri)
    for folders, there in (([str(book)], True), ([], False)):
        editor.settings = {"trustedFolders": folders}
        editor.client.notify("workspace/didChangeConfiguration", {"settings": None})
        await until(lambda: offered(editor, uri), "haiku", there=there)


async def test_a_wrong_argument_is_named(start):
    """`uri` is a text."""
    editor = await start()
    answer = await editor.client.request(
        "workspace/executeCommand", {"command": "inkwright.listProfiles", "arguments": [{"uri": 3}]}
    )
    assert "uri" in answer["error"]["message"]
