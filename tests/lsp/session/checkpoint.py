"""The session comes to rest, and its server must say what a fresh one says of the same files and documents."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import answers
import runs
from acts import Play
from client import Client, Failed
from words import NAMES

from editors import EDITORS

SECONDS = 120.0
"""What follows typing and file events must be done by then."""
PROVIDERS = {
    *("positionEncoding", "textDocumentSync", "completionProvider", "hoverProvider", "definitionProvider"),
    *("typeDefinitionProvider", "referencesProvider", "documentHighlightProvider", "documentSymbolProvider"),
    *("codeActionProvider", "codeLensProvider", "documentLinkProvider", "workspaceSymbolProvider"),
    *("renameProvider", "foldingRangeProvider", "selectionRangeProvider", "executeCommandProvider"),
    *(
        "callHierarchyProvider",
        "semanticTokensProvider",
        "inlayHintProvider",
        "diagnosticProvider",
        "workspace",
    ),
}


async def initialize(client: Client, roots: list[Path], encoding: str, editor: str) -> dict[str, Any]:
    params = {
        "processId": None,
        "rootUri": roots[0].as_uri(),
        "capabilities": {**EDITORS[editor], "general": {"positionEncodings": [encoding]}},
        "workspaceFolders": [{"uri": root.as_uri(), "name": root.name} for root in roots],
        "locale": "zh-cn",
    }
    offered: dict[str, Any] = (await client.call("initialize", params))["capabilities"]
    client.notify("initialized", {})
    if offered["positionEncoding"] != encoding:
        raise Failed(f"not the client's encoding: {offered['positionEncoding']}")
    return offered


def all_is_played(offered: dict[str, Any]) -> None:
    """Whatever the server offers has its part in the session."""
    missing = set(offered) - PROVIDERS
    if missing:
        raise Failed(f"the session does not play what the server offers: {sorted(missing)}")


def answer(play: Play, method: str, params: Any) -> Any:
    if method == "workspace/configuration":
        return [play.settings]
    if method == "workspace/applyEdit":
        refused, play.desk.refusing = play.desk.refusing, False
        return {"applied": not refused and play.desk.apply(params["edit"])}
    return {"success": True} if method == "window/showDocument" else None


def hear(play: Play, method: str, params: Any) -> None:
    if method == "textDocument/publishDiagnostics":
        _published(play, params)
    elif method == "$/progress" and params["token"] in play.streams:
        events = play.streams[params["token"]]
        if events and events[-1] in runs.TERMINAL:
            raise Failed(f"an event after the last one: {params}")
        events.append(params["value"]["event"])
    elif method == "window/showMessage" and params["type"] == 1:
        raise Failed(f"an error is shown: {params['message']}")


def _published(play: Play, params: Any) -> None:
    uri, version = params["uri"], params.get("version")
    document = play.desk.documents.get(uri)
    play.published[uri] = (version, params["diagnostics"])
    if document is None:
        return
    text = document.texts.get(version, document.text if version is None else None)
    if text is not None:
        for one in params["diagnostics"]:
            answers.inside(text, one["range"], f"diagnostic {one.get('code')} of version {version}")


async def compare(play: Play, editor: str) -> None:
    """Raises `Failed` where the two servers differ once both have come to rest."""
    desk, client = play.desk, play.client
    await client.settle()
    for token, events in play.streams.items():
        answers.require(
            sum(event in runs.TERMINAL for event in events) == 1, "not one last event", token, events
        )
    play.streams.clear()
    await _calm(play)
    await _texts(play)
    await _decided(play)  # what a text held already was not listed before
    folder = desk.folder / f"fresh-{client.sent}"
    fresh = await Client.start(folder / "home", folder / "cache")
    try:
        other = Play(desk, await initialize(fresh, desk.roots, desk.encoding, editor))
        other.client = fresh
        fresh.on_request = lambda method, _: [None] if method == "workspace/configuration" else None
        fresh.on_notification = lambda method, params: hear(other, method, params)
        for document in desk.documents.values():
            item = {"uri": document.uri, "languageId": "markdown", "version": document.version}
            fresh.notify("textDocument/didOpen", {"textDocument": {**item, "text": document.text.text}})
        await _alike(play, other, editor)
        await fresh.quit()
    finally:
        await fresh.kill()


async def _ask(play: Play, name: str, argument: dict[str, Any]) -> Any:
    return await play.client.call(*_command(name, argument))


async def _reject(play: Play, proposal: dict[str, Any]) -> None:
    """All hunks: without naming them those with findings would wait on."""
    hunks = [hunk["index"] for hunk in proposal["hunks"]]
    await _ask(play, "rejectProposal", {"proposalId": proposal["id"], "hunks": hunks})


async def _decided(play: Play) -> None:
    """Nothing that is listed waits any more."""
    for one in await _ask(play, "listProposals", {}):
        if one["hunks"]:  # none: the text holds all that is left of it
            await _reject(play, one)
    play.proposals.clear()


async def _calm(play: Play) -> None:
    """The old settings; nothing waits for the writer; the server has been told of every file."""
    desk, client = play.desk, play.client
    play.settings = None
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    await _decided(play)
    if not desk.documents:
        path = sorted(desk.files)[0]
        desk.open(path, path.as_uri(), desk.files[path].text)
    desk.tell()
    if not desk.watching:
        document = next(iter(desk.documents.values()))
        desk.save(document, text=True)


async def _texts(play: Play) -> None:
    """The whole text of every document, out of a proposal; and the tokens, once whole and once what is new."""
    for document in list(play.desk.documents.values()):
        at = len(document.text.text)
        play.desk.change(document, [{"range": document.text.where(at, at), "text": "\n\n他来了,走了。"}])
        play.tokens += 1
        argument = {"ability": "polish", "uri": document.uri, "message": f"m{play.tokens}"}
        result = await _ask(play, "runAbility", argument)
        if result["proposal"] is not None:
            answers.proposal(document.text, result["proposal"])
            await _reject(play, result["proposal"])
        about = {"textDocument": {"uri": document.uri}}
        whole = await play.client.call("textDocument/semanticTokens/full", about)
        answers.tokens(play.desk, about, document.text, whole)
        play.desk.change(document, [{"range": document.text.where(at, at), "text": "林夏“好”"}])
        asked = {**about, "previousResultId": whole["resultId"]}
        part = await play.client.call("textDocument/semanticTokens/full/delta", asked)
        answers.tokens(play.desk, asked, document.text, part)
        put_together = play.desk.tokens[document.uri][1]
        whole = await play.client.call("textDocument/semanticTokens/full", about)
        answers.require(put_together == whole["data"], "what is new makes other tokens than the whole", about)
        answers.tokens(play.desk, about, document.text, whole)


def questions(play: Play) -> list[tuple[str, Any]]:
    """What both servers are asked."""
    desk = play.desk
    out: list[tuple[str, Any]] = [
        ("workspace/symbol", {"query": query}) for query in ("", "夏", "zh", "章", "Fred")
    ]
    for root in desk.roots:
        uri = desk.uri(root / "第一章.md")
        out += [_command(name, {"uri": uri}) for name in ("getBook", "listCards", "stats")]
        out += [_command("search", {"uri": uri, "query": query}) for query in ("林夏", "走", "teh")]
    seen: set[str] = set()
    for document in desk.documents.values():
        about = {"textDocument": {"uri": document.uri}}
        text = document.text
        for method in ("documentSymbol", "foldingRange", "semanticTokens/full", "documentLink", "codeLens"):
            out.append((f"textDocument/{method}", about))
        everything = {**about, "range": text.where(0, len(text.text))}
        out.append(("textDocument/inlayHint", everything))
        out.append(
            ("textDocument/codeAction", {**everything, "context": {"diagnostics": [], "only": ["quickfix"]}})
        )
        if "diagnosticProvider" in play.offered:
            out.append(("textDocument/diagnostic", about))
        for name in NAMES:
            at = text.text.find(name)
            if at < 0:
                continue
            where = {**about, "position": text.place(at)}
            for method in ("hover", "definition", "documentHighlight"):
                out.append((f"textDocument/{method}", where))
            if name not in seen:
                seen.add(name)
                out.append(("textDocument/references", {**where, "context": {"includeDeclaration": True}}))
                out.append(("textDocument/completion", {**about, "position": text.place(at + 1)}))
    return out


def _command(name: str, argument: Any) -> tuple[str, Any]:
    return "workspace/executeCommand", {"command": f"inkwright.{name}", "arguments": [argument]}


CHANGING = {"resultId", "revision", "today", "id"}
"""Members that are of one process, or of the day."""


def plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items() if name not in CHANGING}
    return [plain(one) for one in value] if isinstance(value, list) else value


async def _alike(play: Play, fresh: Play, editor: str) -> None:
    asked = questions(play)
    expected = [await _said(fresh, question) for question in asked]
    until = time.monotonic() + SECONDS
    left = list(range(len(asked)))
    while left:
        different = []
        for number in left:
            found = await _said(play, asked[number])
            if found != expected[number]:
                # It may be the fresh one that was not ready.
                expected[number] = await _said(fresh, asked[number])
            if found != expected[number]:
                different.append((number, found))
        left = [number for number, _ in different]
        if left and time.monotonic() > until:
            number, found = different[0]
            raise Failed(
                _difference(asked[number], found, expected[number], len(left)) + _text(play, asked[number])
            )
        if left:
            await asyncio.sleep(0.2)
    if "diagnostic" not in EDITORS[editor]["textDocument"]:
        await _published_alike(play, fresh)


async def _said(play: Play, question: tuple[str, Any]) -> Any:
    """An answer without what is of one process: of several books the one that was opened first stands first."""
    response = await play.client.ask(*question)
    result = response.get("result")
    if question[0] == "workspace/symbol" and result:
        roots = [str(root) for root in play.desk.roots]
        result.sort(
            key=lambda one: next(
                (r for r in roots if str(play.desk.path(one["location"]["uri"])).startswith(r)), ""
            )
        )
    return plain(response)


def _text(play: Play, question: tuple[str, Any]) -> str:
    document = play.desk.documents.get(question[1].get("textDocument", {}).get("uri", ""))
    return "" if document is None else f"\n  text  {document.text.text!r}"


def _difference(asked: Any, found: Any, expected: Any, count: int) -> str:
    a, b = (json.dumps(one, ensure_ascii=False) for one in (found, expected))
    at = next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return (
        f"another answer than a fresh server's ({count} in all) to {json.dumps(asked, ensure_ascii=False)}:\n"
        f"  here  …{a[max(0, at - 300) : at + 300]}\n  fresh …{b[max(0, at - 300) : at + 300]}"
    )


async def _published_alike(play: Play, fresh: Play) -> None:
    until = time.monotonic() + SECONDS
    for document in play.desk.documents.values():
        expected: tuple[int | None, Any] = (document.version, [])
        while True:
            found = [one.published.get(document.uri, expected) for one in (play, fresh)]
            # Taken away when it was closed, and nothing has been said of it since: nothing is shown.
            found = [expected if shown == (None, []) else shown for shown in found]
            if all(version == document.version for version, _ in found) and found[0][1] == found[1][1]:
                break
            if time.monotonic() > until:
                a, b = (plain(one[1]) for one in found)
                raise Failed(_difference((document.uri, document.version, found[0][0], found[1][0]), a, b, 1))
            await asyncio.sleep(0.1)
