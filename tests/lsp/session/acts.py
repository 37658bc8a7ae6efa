"""What the random editor does: each act draws from its own source of chance, so that a part of a session can be played."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import answers
from client import Failed
from desk import Desk, Document
from text import Place
from words import FRONT, NAMES, TITLES, Words

LONG = 6_000
"""Characters beyond which a text is cut, so that a session stays quick."""
MOST_FILES = 26
REFUSALS = {-32800, -32801, -32802, -32803}
"""Cancelled by either side, changed meanwhile, cannot be done."""


class Play:
    """One session: `chance` is the present act's."""

    def __init__(self, desk: Desk, offered: dict[str, Any]) -> None:
        self.desk = desk
        self.client = desk.client
        self.offered = offered
        self.chance = random.Random(0)
        self.words = Words(self.chance)
        self.settings: Any = None
        self.published: dict[str, tuple[int | None, Any]] = {}
        self.streams: dict[str, list[str]] = {}
        self.proposals: list[str] = []
        self.runs: list[str] = []
        self.memories: list[str] = []
        self.items: list[Any] = []
        self.tokens = 0
        self.strange: list[str] = []

    def turn(self, seed: str) -> None:
        """The next act's chance."""
        self.chance = self.words.chance = random.Random(seed)

    # Picking

    def document(self) -> Document | None:
        found = list(self.desk.documents.values())
        return self.chance.choice(found) if found else None

    def place(self, document: Document) -> Place:
        """Mostly a place in the text, often at a name; now and then one that there is not."""
        text, pick = document.text, self.chance.random()
        if pick < 0.05:
            return {"line": self.chance.randint(0, 3000), "character": self.chance.randint(0, 3000)}
        if pick < 0.45:
            name = self.chance.choice((*NAMES, "[[", "@", "# ", "旧信"))
            at = text.text.find(name, self.chance.randint(0, len(text.text)))
            if at >= 0:
                return text.place(at + self.chance.randint(0, len(name)))
        place = text.place(self.chance.randint(0, len(text.text)))
        if pick > 0.97:
            place["character"] += self.chance.randint(0, 2)
        return place

    def range(self, document: Document) -> dict[str, Place]:
        text = document.text
        a = self.chance.randint(0, len(text.text))
        return text.where(a, min(len(text.text), a + self.chance.choice((0, 1, 30, 400, 9999))))

    # Asking

    def request(
        self,
        method: str,
        params: dict[str, Any],
        document: Document | None = None,
        then: Callable[[Any], None] = lambda _: None,
        refused: Callable[[], None] = lambda: None,
    ) -> None:
        """The answer is held against the text as it is now."""
        text = None if document is None else document.text
        check = answers.CHECKS.get(method)

        def done(response: dict[str, Any]) -> None:
            if "error" in response:
                strange = params.get("command", "").removeprefix("inkwright.") in self.strange
                if response["error"]["code"] not in REFUSALS and not strange:
                    raise Failed(f"{method}: {response['error']}")
                refused()
                return
            try:
                if check is not None and text is not None:
                    check(self.desk, params, text, response["result"])
                then(response["result"])
            except Failed as failure:
                raise Failed(f"{method} {str(params)[:600]}: {failure}") from None
            except (KeyError, TypeError, IndexError, AttributeError) as error:
                raise Failed(
                    f"{method}: an answer of another shape ({error!r}): {str(response)[:600]}"
                ) from error

        self.client.request(method, params, done)

    def command(
        self, name: str, argument: dict[str, Any], then: Callable[[Any], None] = lambda _: None
    ) -> None:
        given = {"command": f"inkwright.{name}", "arguments": [argument]}
        self.request("workspace/executeCommand", given, then=then)


# Typing


def edit(play: Play) -> None:
    if (document := play.document()) is None:
        return
    count = play.chance.choice((1, 1, 1, 2, 3, 5))
    text, changes = document.text, []
    for _ in range(count):
        change = _change(play, text)
        text = text.replaced(change.get("range"), change["text"])
        changes.append(change)
    play.desk.change(document, changes, play.chance.choice((1, 1, 1, 1, 4)))


def _change(play: Play, text: Any) -> dict[str, Any]:
    chance, size = play.chance, len(text.text)
    pick = chance.random()
    if size > LONG:
        return {"range": text.where(size // 3, size), "text": ""}
    if pick < 0.03:
        return {"text": play.words.chapter() if chance.random() < 0.8 else ""}
    if pick < 0.06:  # beyond the end, beyond a line
        a = {"line": chance.randint(0, 2 * len(text.lines)), "character": chance.choice((0, 3, 99999))}
        b = {"line": a["line"] + chance.choice((0, 0, 4)), "character": chance.choice((0, 7, 99999))}
        return {"range": {"start": a, "end": b}, "text": play.words.piece()}
    if pick < 0.09:  # in the middle of a character, maybe
        place = text.place(chance.randint(0, size))
        near = {**place, "character": max(0, place["character"] + chance.choice((-1, 1)))}
        return {"range": {"start": near, "end": near}, "text": play.words.piece()}
    if pick < 0.11:
        front = chance.choice(FRONT).format(name=play.words.name(), title=chance.choice(TITLES))
        return {"range": text.where(0, 0), "text": front}
    a = chance.randint(0, size)
    b = a if pick < 0.65 else min(size, a + chance.choice((1, 1, 1, 2, 5, 40, 300)))
    new = "" if pick > 0.9 else play.words.paste() if pick < 0.2 else play.words.piece()
    change: dict[str, Any] = {"range": text.where(a, b), "text": new}
    if chance.random() < 0.1:
        change["range"] = {"start": change["range"]["end"], "end": change["range"]["start"]}
    if chance.random() < 0.2:
        change["rangeLength"] = chance.choice((0, 1, 77, b - a))
    return change


def burst(play: Play) -> None:
    """A word, key by key, and what an editor asks about after each."""
    if (document := play.document()) is None:
        return
    for char in play.words.piece() + play.words.name():
        at = play.chance.randint(0, len(document.text.text))
        play.desk.change(document, [{"range": document.text.where(at, at), "text": char}])
        if play.chance.random() < 0.5:
            ask(play, document)


# Documents and files


def opening(play: Play) -> None:
    desk, chance = play.desk, play.chance
    if chance.random() < 0.1:
        uri = f"untitled:Untitled-{chance.randint(1, 3)}"
        if uri not in desk.documents:
            desk.open(None, uri, play.words.chapter())
        return
    closed = sorted(path for path in desk.files if desk.at(path) is None)
    if not closed or len(desk.documents) > 8:
        return
    path = chance.choice(closed)
    text = desk.files[path].text
    if chance.random() < 0.15:
        text = play.words.chapter()  # unsaved from an earlier session
    elif path in desk.marked and chance.random() < 0.5:
        text = "\ufeff" + text
    desk.open(path, desk.spelled(path, chance.randint(0, 2)), text)


def closing(play: Play) -> None:
    document = play.document()
    if document is not None and len(play.desk.documents) > 2 and document.path != play.desk.alone:
        play.desk.close(document)


def saving(play: Play) -> None:
    if (document := play.document()) is not None:
        play.desk.save(document, text=play.chance.random() < 0.7)
        if play.chance.random() < 0.8:
            play.desk.tell()


def outside(play: Play) -> None:
    """Another program writes, makes or deletes a file; the editor tells now, later, or with others."""
    desk, chance = play.desk, play.chance
    pick = chance.random()
    files = sorted(desk.files)
    if pick < 0.35 and len(files) < MOST_FILES:
        path, kind = _fresh(play), 1
        card = path.parent.name == "cards"
        desk.write(path, play.words.card() if card else play.words.chapter(), marked=chance.random() < 0.1)
    elif pick < 0.55 and len(files) > 12:
        path, kind = chance.choice([path for path in files if path != desk.alone]), 3
        desk.delete(path)
    else:
        path, kind = chance.choice(files), 2
        card = path.parent.name == "cards"
        desk.write(path, play.words.card() if card else play.words.chapter())
    desk.outside(path, kind)
    if chance.random() < 0.5:
        desk.tell()


def _fresh(play: Play) -> Any:
    """A file that there is not."""
    root = play.chance.choice(play.desk.roots)
    while True:
        number = play.chance.randint(1, 99)
        names = (
            f"cards/{play.words.name()} {number}.md",
            f"第{number}章.md",
            f"卷 {number % 3}/第{number}章 #a.md",
        )
        path = root / play.chance.choice(names)
        if path not in play.desk.files:
            return path


def telling(play: Play) -> None:
    paths = sorted(play.desk.unsaid)
    play.desk.tell(paths if play.chance.random() < 0.5 else paths[:1])


def moving(play: Play) -> None:
    """A file or a folder gets another name in the editor's tree."""
    desk, chance = play.desk, play.chance
    old = chance.choice(sorted(path for path in desk.files if path != desk.alone))
    new = _fresh(play)
    pair = {"files": [{"oldUri": old.as_uri(), "newUri": new.as_uri()}]}

    def follow(result: Any) -> None:
        if result is not None:
            desk.apply(result)
        if old in desk.files and not new.exists():
            desk.rename(old, new, told=chance.random() < 0.9)
            desk.tell([old, new] if chance.random() < 0.7 else [])

    if chance.random() < 0.8:
        play.request("workspace/willRenameFiles", pair, then=follow)
    else:
        follow(None)


def case(play: Play) -> None:
    """A file gets the same name in another case."""
    desk = play.desk
    old = play.chance.choice(sorted(desk.files))
    new = old.with_name(old.name.swapcase())
    if new not in desk.files and not new.exists() and desk.alone not in (old, new) and new != old:
        desk.rename(old, new, told=play.chance.random() < 0.5)
        desk.tell([old, new])


# Asking

AT = (
    "hover",
    "completion",
    "definition",
    "typeDefinition",
    "documentHighlight",
    "prepareRename",
    "prepareCallHierarchy",
)
WHOLE = ("documentSymbol", "foldingRange", "semanticTokens/full", "codeLens", "documentLink")


def asking(play: Play) -> None:
    if (document := play.document()) is not None:
        for _ in range(play.chance.choice((1, 1, 2, 4))):
            ask(play, document)


def ask(play: Play, document: Document) -> None:
    chance = play.chance
    about: dict[str, Any] = {"textDocument": {"uri": document.uri}}
    pick = chance.random()
    if pick < 0.4:
        params = {**about, "position": play.place(document)}
        method = chance.choice(AT)
        play.request(f"textDocument/{method}", params, document, lambda found: _remember(play, method, found))
    elif pick < 0.6:
        play.request(
            f"textDocument/{chance.choice(WHOLE)}",
            about,
            document,
            lambda found: _remember(play, "lens", found),
        )
    elif pick < 0.66:
        declared = {"includeDeclaration": chance.random() < 0.5}
        params = {**about, "position": play.place(document), "context": declared}
        play.request("textDocument/references", params, document)
    elif pick < 0.72:
        params = {**about, "positions": [play.place(document) for _ in range(chance.randint(1, 3))]}
        play.request("textDocument/selectionRange", params, document)
    elif pick < 0.78:
        known = play.desk.tokens.get(document.uri, ("none", []))[0]
        play.request("textDocument/semanticTokens/full/delta", {**about, "previousResultId": known}, document)
    elif pick < 0.84:
        method = chance.choice(("textDocument/semanticTokens/range", "textDocument/inlayHint"))
        play.request(method, {**about, "range": play.range(document)}, document)
    elif pick < 0.92:
        context = {"diagnostics": [], **({"only": ["quickfix"]} if chance.random() < 0.3 else {})}
        play.request(
            "textDocument/codeAction", {**about, "range": play.range(document), "context": context}, document
        )
    elif pick < 0.95:
        query = chance.choice(("", "夏", "zh", "lx", "Fred", "章", "第二", "😀"))
        play.request(
            "workspace/symbol", {"query": query}, document, lambda found: _remember(play, "symbol", found)
        )
    elif play.items:
        method, item = chance.choice(play.items)
        play.request(method, item, document)
    if "diagnosticProvider" in play.offered and chance.random() < 0.1:
        play.request("textDocument/diagnostic", about, document)
        if play.offered["diagnosticProvider"].get("workspaceDiagnostics") and chance.random() < 0.2:
            play.request("workspace/diagnostic", {"previousResultIds": []})


def _remember(play: Play, method: str, found: Any) -> None:
    """What can be resolved, or asked further about."""
    rows = found if isinstance(found, list) else []
    for one in rows[:3]:
        if method == "lens" and "data" in one:
            play.items.append(("codeLens/resolve", one))
        elif method == "symbol" and "range" not in one.get("location", {"range": 0}):
            play.items.append(("workspaceSymbol/resolve", one))
        elif method == "prepareCallHierarchy":
            play.items += [
                ("callHierarchy/incomingCalls", {"item": one}),
                ("callHierarchy/outgoingCalls", {"item": one}),
            ]
    del play.items[:-20]


def cancelling(play: Play) -> None:
    waiting = list(play.client.waiting)
    if waiting:
        play.client.notify("$/cancelRequest", {"id": play.chance.choice(waiting)})


def noise(play: Play) -> None:
    """What means nothing to anybody: the server takes it calmly."""
    client, gone = play.client, "file:///nowhere/第一章.md"
    where = {"textDocument": {"uri": gone}, "position": {"line": 1, "character": 1}}
    match play.chance.randint(0, 7):
        case 0:
            client.notify("$/setTrace", {"value": "off"})
        case 1:
            client.notify("$/inkwright/unknown", {"a": 1})
        case 2:
            client.notify("window/workDoneProgress/cancel", {"token": "nobody"})
        case 3:
            client.notify("$/cancelRequest", {"id": 10**9})
        case 4:
            play.request("textDocument/hover", where)
        case 5:
            item = {"uri": "untitled:nobody", "version": 3}
            client.notify("textDocument/didChange", {"textDocument": item, "contentChanges": [{"text": "x"}]})
        case 6:
            client.notify("textDocument/didClose", {"textDocument": {"uri": gone}})
        case _:
            client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": gone, "type": 3}]})


# Renaming


def renaming(play: Play) -> None:
    if (document := play.document()) is None:
        return
    new = play.chance.choice(
        (*NAMES, f"新名{play.chance.randint(1, 9)}", "New Name", "a/b", "林夏", " ", "名\n字")
    )
    params = {"textDocument": {"uri": document.uri}, "position": play.place(document), "newName": new}
    confirm = play.chance.random() < 0.5

    def made(result: Any) -> None:
        if result is not None and play.desk.apply(result, confirm=confirm):
            play.desk.tell()

    play.request("textDocument/rename", params, document, made)


def acting(play: Play) -> None:
    """A quick fix is taken."""
    if (document := play.document()) is None:
        return
    params = {
        "textDocument": {"uri": document.uri},
        "range": document.text.where(0, len(document.text.text)),
        "context": {"diagnostics": [], "only": [play.chance.choice(("quickfix", "source.fixAll"))]},
    }
    number = play.chance.random()

    def taken(result: Any) -> None:
        edits = [one["edit"] for one in result or [] if "edit" in one]
        if edits:
            play.desk.apply(edits[int(number * len(edits))])

    play.request("textDocument/codeAction", params, document, taken)
