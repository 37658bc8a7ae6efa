"""Profiles that come while the server runs, and those of books that nobody trusts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HAIKU = "---\nid: haiku\nlabel: {zh: 俳句, en: Haiku}\nquick_actions: [{label: 春, message: 写春天}]\n---\n写一首俳句。\n"
PLAY = "---\nid: play\nlabel: 剧本\n---\n这是一部剧本。\n"
OWN = ".inkwright/profiles"
SIMPLE = {
    "workspace": {"applyEdit": True, "configuration": True},
    "textDocument": {
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}}
    },
}
PULLING = {**SIMPLE, "textDocument": {**SIMPLE["textDocument"], "diagnostic": {}}}
WATCHING = {
    **SIMPLE,
    "workspace": {**SIMPLE["workspace"], "didChangeWatchedFiles": {"dynamicRegistration": True}},
}


def drop(folder: Path, name: str, text: str) -> None:
    """A file that is there as a whole or not at all, whenever it is looked at."""
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    aside = folder / name.replace("/", "-").removesuffix(".md")
    aside.write_text(text, "utf-8")
    aside.replace(folder / name)


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


def has(*ids: str) -> Callable[[set[str]], bool]:
    return lambda found: found >= set(ids)


def lacks(id_: str) -> Callable[[set[str]], bool]:
    return lambda found: id_ not in found


@pytest.fixture
def profiles(tmp_path) -> Path:
    """The user's folder of profiles; it is not there yet."""
    return tmp_path / "home" / "config" / "inkwright" / "profiles"


async def test_a_users_new_file_is_offered_without_a_restart(start, profiles, until):
    """In listProfiles and in code actions, with its quick action; and gone with its file."""
    editor = await start()
    uri = editor.open("第一章.md")
    assert "haiku" not in await listed(editor)
    assert "haiku" not in await offered(editor, uri)
    drop(profiles, "haiku.md", HAIKU)
    await until(lambda: listed(editor), has("haiku"))
    await until(lambda: offered(editor, uri), has("haiku"))
    await until(lambda: listed(editor, uri=uri), has("haiku"))
    (profiles / "haiku.md").unlink()
    await until(lambda: offered(editor, uri), lacks("haiku"))


async def test_a_file_that_cannot_be_used_is_told_of_once(start, profiles, until):
    """With its line, as soon as it is there; what stands beside it works."""
    editor = await start()
    drop(profiles, "bad.md", "---\nid: bad\nrounds: many\n---\nx\n")
    drop(profiles, "abilities/haiku.md", HAIKU)
    await until(lambda: listed(editor), has("haiku"))
    drop(profiles, "domains/play.md", PLAY)
    await until(lambda: listed(editor), has("play"))
    await editor.client.until(lambda: editor.client.got("window/showMessage"))
    told = [m["message"] for m in editor.client.got("window/showMessage")]
    assert [message.startswith("配置 profiles/bad.md 第 3 行") for message in told] == [True]


@pytest.mark.parametrize("how", ["client", "settings", "file", "environment"])
async def test_a_trusted_books_file_is_offered_without_a_restart(start, spawn, book, tmp_path, how, until):
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
    await until(lambda: offered(editor, uri), has("haiku"))
    for argument in ({}, {"uri": uri}):
        await until(lambda argument=argument: listed(editor, **argument), has("haiku", "play"))
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

    def messages() -> list[str]:
        shown = [m["message"] for m in editor.client.got("window/showMessage")]
        return [message for message in shown if ".inkwright/profiles" in message]

    if told:
        await editor.client.until(messages)
    assert await editor.client.quit() == 0
    assert len(messages()) == int(told)
    assert editor.client.log.decode().count("are not used") == 1


async def test_a_trusted_books_profile_replaces_none(start, book):
    """It may add an id; that of a built-in is told of and left out."""
    drop(book / OWN, "polish.md", HAIKU.replace("haiku", "polish"))
    editor = await start(initializationOptions={"trusted": True})
    found = await editor.client.command("inkwright.listProfiles", {"uri": editor.uri("第一章.md")})
    (polish,) = [p for p in found if p["id"] == "polish"]
    assert polish["label"] == "润色优化"
    await editor.client.until(lambda: editor.client.got("window/showMessage"))
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


async def test_trust_that_is_given_later_counts(start, book, until):
    """A setting that comes is used at once, and so is one that goes."""
    drop(book / OWN, "haiku.md", HAIKU)
    editor = await start()
    uri = editor.open("第一章.md")
    assert "haiku" not in await offered(editor, uri)
    for folders, there in (([str(book)], True), ([], False)):
        editor.settings = {"trustedFolders": folders}
        editor.client.notify("workspace/didChangeConfiguration", {"settings": None})
        await until(lambda: offered(editor, uri), has("haiku") if there else lacks("haiku"))


async def create(editor, **argument):
    return await editor.client.request(
        "workspace/executeCommand", {"command": "inkwright.createProfile", "arguments": [argument]}
    )


async def own(editor) -> str:
    """The book becomes one of its own; the URI of a chapter."""
    uri = editor.open("第一章.md")
    await editor.client.command("inkwright.createBook", {"uri": uri})
    return uri


@pytest.mark.parametrize(("trusted", "locale"), [(True, "zh-cn"), (False, "en")])
async def test_a_new_ability(start, book, trusted, locale):
    """Its file stands in the book, is offered at once where that is trusted, and where it is not that is said."""
    editor = await start(initializationOptions={"trusted": trusted}, locale=locale)
    uri = await own(editor)
    before = await listed(editor, uri=uri)
    made = (await create(editor, uri=uri, name="古风润色", id="gufeng", home="book"))["result"]
    path = book / OWN / "abilities/gufeng.md"
    assert made["uri"] == path.as_uri()
    assert (made["id"], made["home"], made["trusted"]) == ("gufeng", "book", trusted)
    assert (made["message"] is None) == trusted
    assert trusted or "trust" in made["message"]
    assert ("# A new ability" in path.read_text("utf-8")) == (locale == "en")
    assert await listed(editor, uri=uri) - before == ({"gufeng"} if trusted else set())
    assert ("gufeng" in await offered(editor, uri)) == trusted
    again = await create(editor, uri=uri, name="别的", id="gufeng", home="book")
    assert again["error"]["data"] == {"code": "profile_exists"}
    (folder_of_it,) = (book / OWN).iterdir()
    assert len(list(folder_of_it.iterdir())) == 1


@pytest.mark.parametrize("trusted", [True, False])
async def test_new_abilities_at_once(start, book, trusted):
    """Several whose names have no Latin letters get a number each, whatever the files that are there hold by now."""
    editor = await start(initializationOptions={"trusted": trusted})
    uri = await own(editor)
    first = (await create(editor, uri=uri, name="甲", home="book"))["result"]
    drop(book / OWN, "abilities/ability-1.md", HAIKU)  # the writer has given it another id
    made = await asyncio.gather(*(create(editor, uri=uri, name=name, home="book") for name in "乙丙丁"))
    assert first["id"] == "ability-1"
    assert {one["result"]["id"] for one in made} == {"ability-2", "ability-3", "ability-4"}
    same = await asyncio.gather(
        *(create(editor, uri=uri, name=name, home="book") for name in ("Same one", "same one"))
    )
    assert sorted("error" in one for one in same) == [False, True]
    assert len(list((book / OWN / "abilities").iterdir())) == 5


async def test_a_new_ability_is_one_that_can_be_used(start, book, profiles):
    """In a book that is not trusted it would not be: unless that is asked for, it is the writer's."""
    editor = await start()
    uri = await own(editor)
    made = (await create(editor, uri=uri, name="My own"))["result"]
    assert made["uri"] == (profiles / "abilities/my-own.md").as_uri()
    assert (made["home"], made["trusted"], made["message"]) == ("user", True, None)
    assert "my-own" in await offered(editor, uri)


async def test_a_new_ability_without_a_book(start, book, profiles):
    """A folder that is no book of its own is left alone: the ability is the writer's; on request it is refused."""
    editor = await start()
    uri = editor.open("第一章.md")
    made = (await create(editor, uri=uri, name="My own"))["result"]
    assert made["uri"] == (profiles / "abilities/my-own.md").as_uri()
    assert (made["home"], made["trusted"], made["message"]) == ("user", True, None)
    assert "my-own" in await offered(editor, uri)
    refused = await create(editor, uri=uri, name="x", home="book")
    assert refused["error"]["data"] == {"code": "profile_needs_book"}
    assert not (book / ".inkwright").exists()


@pytest.mark.parametrize(
    ("argument", "code"),
    [
        ({"name": ""}, "profile_bad_name"),
        ({"name": "x", "id": "../../x"}, "profile_bad_id"),
        ({"name": "润色优化"}, "profile_exists"),
        ({"name": "polish"}, "profile_exists"),
    ],
)
async def test_a_new_ability_that_cannot_be(start, profiles, argument, code):
    """It is told why, in a sentence, and nothing is written."""
    editor = await start()
    answer = (await create(editor, uri=editor.uri("第一章.md"), **argument))["error"]
    assert answer["data"] == {"code": code}
    assert "。" in answer["message"]
    assert not profiles.exists()


async def test_a_new_ability_through_a_link_out_of_the_book(start, book, tmp_path):
    """The book's folder of profiles leads elsewhere: nothing is written there."""
    editor = await start()
    uri = await own(editor)
    (tmp_path / "elsewhere").mkdir()
    (book / OWN).symlink_to(tmp_path / "elsewhere")
    answer = (await create(editor, uri=uri, name="x", home="book"))["error"]
    assert answer["data"] == {"code": "profile_leads_out"}
    assert not list((tmp_path / "elsewhere").iterdir())


BROKEN = "---\nid: new\noutptu: edit\ntools: [read_chaptr]\n---\n写。\n"


@pytest.mark.parametrize("pull", [False, True])
@pytest.mark.parametrize("locale", ["zh-cn", "en"])
async def test_what_is_wrong_with_a_profile_is_shown(start, profiles, pull, locale, until):
    """In the place where it stands, in the language of the user, with what was meant; until it is mended."""
    editor = await start(capabilities=PULLING if pull else SIMPLE, locale=locale)
    drop(profiles, "abilities/new.md", BROKEN)
    uri = (profiles / "abilities/new.md").as_uri()
    editor.texts[uri], editor.versions[uri] = BROKEN, 1
    editor.client.open(uri, BROKEN)

    async def said():
        if not pull:
            return await editor.diagnostics(uri)
        document = {"textDocument": {"uri": uri}}
        return (await editor.client.call("textDocument/diagnostic", document))["items"]

    (one,) = await said()
    assert editor.piece(uri, one["range"]) == "outptu"
    assert (one["code"], one["source"], one["severity"]) == ("profile_unknown_key_near", "inkwright", 1)
    assert ("不能写" in one["message"]) == (locale == "zh-cn")
    fixes = await editor.client.call(
        "textDocument/codeAction",
        {
            "textDocument": {"uri": uri},
            "range": one["range"],
            "context": {"diagnostics": [one], "only": ["quickfix"]},
        },
    )
    (fix,) = fixes
    assert fix["isPreferred"]
    editor.apply(fix["edit"])
    (one,) = await said()
    assert (one["code"], one["severity"], editor.piece(uri, one["range"])) == (
        "profile_tool_unknown",
        2,
        "read_chaptr",
    )
    editor.type(uri, editor.find(uri, "chaptr"), "chapter", delete=6)
    assert await said() == []


@pytest.mark.parametrize(
    ("typed", "there", "absent"),
    [
        ("ou", {"output"}, {"outline", "id"}),
        ("scope: ", {"selection", "scene", "chapter", "book"}, {"report"}),
        ("tools: [read_c", {"read_chapter", "read_chapter_chunk"}, {"create_note_card"}),
        ("extends: po", {"polish"}, {"breakdown"}),
        ("quick_actions:\n  - la", {"label: "}, {"rounds"}),
    ],
)
async def test_what_may_be_written_in_a_profile_is_offered(start, profiles, typed, there, absent):
    """Keys that are not there yet, and the words that a key takes; nothing of a chapter's front matter."""
    editor = await start()
    text = f"---\nid: new\n{typed}\n---\n写。\n"
    drop(profiles, "abilities/new.md", text)
    uri = (profiles / "abilities/new.md").as_uri()
    editor.texts[uri], editor.versions[uri] = text, 1
    editor.client.open(uri, text)
    where = {"textDocument": {"uri": uri}, "position": editor.position(uri, text.index(typed) + len(typed))}
    found = await editor.client.call("textDocument/completion", where)
    labels = {item["label"] for item in found["items"]}
    assert labels >= there
    assert not labels & absent


async def test_a_profile_of_a_book_that_is_not_trusted(start, book):
    """Its first line says that it is not used."""
    drop(book / OWN, "haiku.md", HAIKU)
    editor = await start()
    uri = editor.open(f"{OWN}/haiku.md")
    (one,) = await editor.diagnostics(uri)
    assert (one["code"], one["severity"]) == ("profile_unused_untrusted", 3)


async def test_what_links_lead_to_is_not_read_for_a_book_that_is_not_trusted(start, book, tmp_path):
    """A neighbour that is a link out of the book is passed over; one inside it, and every one of a trusted book, counts."""
    drop(tmp_path / "elsewhere", "theirs.md", HAIKU)
    drop(book / OWN, "abilities/play.md", PLAY)
    (book / OWN / "abilities/theirs.md").symlink_to(tmp_path / "elsewhere/theirs.md")
    new = f"{OWN}/abilities/zz.md"
    for trusted, codes in ((False, {"profile_unused_untrusted"}), (True, {"profile_twice"})):
        editor = await start(initializationOptions={"trusted": trusted})
        found = await editor.diagnostics(editor.open(new, HAIKU))
        assert {one["code"] for one in found} == codes
    editor = await start()
    found = await editor.diagnostics(editor.open(new, PLAY))
    assert {one["code"] for one in found} == {"profile_unused_untrusted", "profile_twice"}


@pytest.mark.parametrize("watched", [True, False])
async def test_clients_are_told_of_profiles_that_change(start, book, profiles, watched, until):
    """One that comes, changes, breaks, goes: the client is told, whether it watches files or a document is saved."""
    editor = await start(
        capabilities=WATCHING if watched else SIMPLE, initializationOptions={"trusted": True}
    )
    uri = editor.open("第一章.md")
    before = await listed(editor)
    file = book / OWN / "haiku.md"

    def seen(kind: int) -> None:
        if watched:
            changes = [{"uri": file.as_uri(), "type": kind}]
            editor.client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        else:
            editor.client.notify(
                "textDocument/didSave", {"textDocument": {"uri": uri}, "text": editor.texts[uri]}
            )

    def told() -> int:
        return len(editor.client.got("$/inkwright/profilesChanged"))

    async def changed(kind: int, ask: Any, true: Any) -> None:
        """The change is told of without a question, and the answers are new."""
        count = told()
        seen(kind)
        await editor.client.until(lambda: told() > count)
        await until(ask, true)

    async def labels() -> list[str]:
        found = await editor.client.command("inkwright.listProfiles")
        return [one["label"] for one in found if one["id"] == "haiku"]

    drop(file.parent, file.name, HAIKU)
    await changed(1, lambda: listed(editor), lambda found: found - before == {"haiku"})
    await until(lambda: offered(editor, uri), has("haiku"))
    drop(file.parent, file.name, HAIKU.replace("俳句", "短诗歌"))
    await changed(2, labels, lambda found: found == ["短诗歌"])
    drop(file.parent, file.name, HAIKU.replace("label", "lable"))
    await changed(2, lambda: listed(editor), lambda found: found == before)
    await editor.client.until(
        lambda: any("haiku.md 第 3 行" in m["message"] for m in editor.client.got("window/showMessage"))
    )
    file.unlink()
    seen(3)
    drop(profiles, "haiku.md", HAIKU)
    await changed(3, lambda: listed(editor), lambda found: found - before == {"haiku"})
    assert told() <= 5


async def test_a_wrong_argument_is_named(start):
    """`uri` is a text."""
    editor = await start()
    answer = await editor.client.request(
        "workspace/executeCommand", {"command": "inkwright.listProfiles", "arguments": [{"uri": 3}]}
    )
    assert "uri" in answer["error"]["message"]
