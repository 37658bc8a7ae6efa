"""What the random editor has the server do: runs, proposals, lists, settings."""

from __future__ import annotations

from typing import Any

import answers
from acts import Play

TERMINAL = {"done", "error", "cancelled"}


def running(play: Play) -> None:
    """A run without a model: of a whole text or a part of it; cancelled at times, one way or the other."""
    if (document := play.document()) is None:
        return
    chance, text = play.chance, document.text
    play.tokens += 1
    token = f"s{play.tokens}"
    argument: dict[str, Any] = {
        "ability": chance.choice(("polish", "polish", "analysis", "research", "writing"))
    }
    argument |= {"uri": document.uri, "requestId": f"r{token}", "streamToken": token}
    argument["message"] = chance.choice(("", "看看", "Check it."))
    part = chance.random() < 0.3
    if part:
        argument["range"] = play.range(document)
    play.streams[token] = []

    def ended(result: Any) -> None:
        events = play.streams[token]
        answers.require(
            events and events[-1] in TERMINAL, "a run that ended without its last event", result, events
        )
        play.runs.append(result["requestId"])
        del play.runs[:-20]
        found = result["proposal"]
        if found is not None:
            play.proposals.append(found["id"])
            answers.require(
                found["version"] == version, "a proposal of another version", found["version"], version
            )
            for hunk in found["hunks"]:
                covered = answers.inside(text, hunk["range"], "a hunk")
                same = answers.valid(covered) == answers.valid(hunk["before"])
                answers.require(same, "a hunk of another text", hunk, covered)
            if not part:
                answers.proposal(text, found)

    version = document.version
    play.command("runAbility", argument, ended)
    pick = chance.random()
    if pick < 0.1:
        play.client.notify("$/cancelRequest", {"id": max(play.client.waiting)})
    elif pick < 0.2:
        play.command("cancelRun", {"requestId": argument["requestId"]})


def deciding(play: Play) -> None:
    if not play.proposals:
        return
    chosen = play.proposals.pop(play.chance.randrange(len(play.proposals)))
    argument: dict[str, Any] = {"proposalId": chosen}
    if play.chance.random() < 0.3:
        argument["hunks"] = [0]
    play.desk.refusing = play.chance.random() < 0.1
    play.command(play.chance.choice(("acceptProposal", "rejectProposal")), argument)


def commanding(play: Play) -> None:
    """Everything else that can be asked for by a command."""
    chance, desk = play.chance, play.desk
    path = chance.choice(sorted(desk.files))
    uri = desk.uri(path)
    some = {"uri": uri} if chance.random() < 0.7 else {}
    match chance.choice((*NAMES, *play.strange)):
        case "listMemories":
            play.command(
                "listMemories", {**some, "limit": 5}, lambda found: _memories(play, found["memories"])
            )
        case "addMemory":
            play.command("addMemory", {"uri": uri, "content": f"不要用“的”{chance.randint(1, 30)}"})
        case "updateMemory" if play.memories:
            play.command("updateMemory", {"id": chance.choice(play.memories), "content": "短句为主。"})
        case "deleteMemory" if play.memories:
            play.command("deleteMemory", {"id": chance.choice(play.memories)})
        case "getRun" if play.runs:
            play.command("getRun", {"requestId": chance.choice(play.runs)})
        case "showContext" if play.runs:
            play.command("showContext", {"requestId": chance.choice(play.runs)})
        case "search":
            play.command("search", {**some, "query": chance.choice(("林夏", "走", "teh", "😀", "”", "第"))})
        case "moveChapter":
            play.command("moveChapter", {"uri": uri, "index": chance.randint(0, 5)}, lambda _: desk.tell())
        case "updateBook":
            play.command(
                "updateBook", {"uri": desk.uri(desk.roots[0] / "第一章.md"), "author": play.words.name()}
            )
        case "createCard" if len(desk.files) < 24:
            argument = {"uri": uri, "name": f"新 {chance.randint(1, 99)}", "type": "item"}
            play.command("createCard", argument, lambda found: _made(play, found["uri"]))
        case "runPipeline":
            play.command("runPipeline", {"uri": uri})
        case "rejectCandidates" | "acceptCandidates":
            play.command("rejectCandidates", {"uri": uri, "ids": ["nobody"]})
        case "clearMemories" | "getSummary" | "getBook" | "stats" | "listCards" | "listCandidates" as name:
            play.command(name, {"uri": uri})
        case "listRuns" | "listProposals" | "usage" as name:
            play.command(name, some)
        case "listProfiles" | "listModels" as name:
            play.command(name, {})
        case name if name in play.strange:
            given = {"command": f"inkwright.{name}", "arguments": [{"uri": uri}]}
            play.request("workspace/executeCommand", given, then=lambda _: desk.tell())


NAMES = (
    *("listMemories", "addMemory", "updateMemory", "deleteMemory", "clearMemories", "listRuns", "getRun"),
    *("listProposals", "showContext", "getBook", "updateBook", "stats", "listCards", "createCard", "search"),
    *("listCandidates", "acceptCandidates", "rejectCandidates", "getSummary", "usage", "listProfiles"),
    *("listModels", "moveChapter", "runPipeline"),
)
APART = {"runAbility", "cancelRun", "acceptProposal", "rejectProposal"}
LEFT_OUT = {"createBook", "testModel", "setSecret", "forgetSecret", "describeImage"}
"""They change what the whole session stands on, or need a model; each has tests of its own."""


def strange(offered: dict[str, Any]) -> list[str]:
    """Commands that nothing here knows of: they get a URI and must answer, or say what is missing."""
    commands = {name.removeprefix("inkwright.") for name in offered["executeCommandProvider"]["commands"]}
    return sorted(commands - {*NAMES, *APART, *LEFT_OUT})


def _memories(play: Play, found: list[dict[str, Any]]) -> None:
    play.memories = [one["id"] for one in found]


def _made(play: Play, uri: str) -> None:
    """A file that the server has made."""
    path = play.desk.path(uri)
    if path is not None and path.exists() and path not in play.desk.files:
        play.desk.write(path, path.read_bytes().decode())
        play.desk.outside(path, 1)


def setting(play: Play) -> None:
    """Other settings, soon the old ones again."""
    play.settings = play.chance.choice(
        (None, {}, {"hover": False}, {"locale": "en"}, {"count": "han"}, {"checks": 3})
    )
    play.client.notify("workspace/didChangeConfiguration", {"settings": None})
