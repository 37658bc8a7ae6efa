"""What every answer must be: its ranges in the text that was asked about, on the borders of characters."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from client import Failed
from desk import Desk
from text import Text

Asked = dict[str, Any]


def require(true: object, what: str, *shown: object) -> None:
    if not true:
        raise Failed(
            what + " " + " ".join(json.dumps(one, ensure_ascii=False, default=str)[:1200] for one in shown)
        )


def inside(text: Text, where: Any, what: str) -> str:
    """The text of a range that must be in the text."""
    covered = text.covered(where)
    if covered is None:
        raise Failed(f"{what}: {where} is not in the text, which ends at {text.end}: {text.text!r:.1500}")
    return covered


def somewhere(desk: Desk, uri: str, where: Any, what: str) -> None:
    """A range in another document: it is in one of the states that this has had meanwhile."""
    states = list(desk.states(uri))
    if states and not any(state.covered(where) is not None for state in states):
        raise Failed(f"{what}: {where} is in no state of {uri}; now {states[0].text!r:.1500}")


def before(a: Any, b: Any) -> bool:
    return (a["line"], a["character"]) <= (b["line"], b["character"])


def around(outer: Any, inner: Any) -> bool:
    return before(outer["start"], inner["start"]) and before(inner["end"], outer["end"])


def decoded(data: list[int]) -> Iterator[tuple[dict[str, Any], int, int]]:
    """Range, type and modifiers of each semantic token."""
    require(len(data) % 5 == 0, "tokens are no fives", data)
    line = column = 0
    for at in range(0, len(data), 5):
        gap, step, length, kind, modifiers = data[at : at + 5]
        line, column = line + gap, (0 if gap else column) + step
        start = {"line": line, "character": column}
        yield {"start": start, "end": {"line": line, "character": column + length}}, kind, modifiers


# Of one document


def hover(desk: Desk, asked: Asked, text: Text, result: Any) -> None:
    if result is None:
        return
    require(result["contents"]["value"].strip(), "an empty hover")
    inside(text, result["range"], "hover")
    place = text.place(text.clamped(asked["position"]))
    require(
        around(result["range"], {"start": place, "end": place}), "a hover beside its place", asked, result
    )


def completion(desk: Desk, asked: Asked, text: Text, result: Any) -> None:
    items = [] if result is None else result if isinstance(result, list) else result["items"]
    place = text.place(text.clamped(asked["position"]))
    for item in items:
        where = item["textEdit"].get("range") or item["textEdit"]["replace"]
        inside(text, where, "completion")
        require(where["start"]["line"] == where["end"]["line"], "a completion over lines", item)
        require(around(where, {"start": place, "end": place}), "a completion beside its place", asked, item)


def places(desk: Desk, asked: Asked, text: Text, result: Any) -> None:
    for one in result or []:
        uri, where = (
            (one["uri"], one["range"]) if "uri" in one else (one["targetUri"], one["targetSelectionRange"])
        )
        somewhere(desk, uri, where, "a place")
        if "originSelectionRange" in one:
            inside(text, one["originSelectionRange"], "the origin")


def highlights(desk: Desk, asked: Asked, text: Text, result: Any) -> None:
    found = [json.dumps(one["range"]) for one in result or []]
    require(len(found) == len(set(found)), "a place highlighted twice", result)
    for one in result or []:
        require(inside(text, one["range"], "a highlight"), "an empty highlight", one)


def symbols(desk: Desk, asked: Asked, text: Text, result: Any) -> None:
    stack = [(one, None) for one in result or []]
    while stack:
        one, parent = stack.pop()
        require(one["name"].strip(), "a symbol without a name", one)
        inside(text, one["range"], "a symbol")
        inside(text, one["selectionRange"], "a symbol's line")
        require(around(one["range"], one["selectionRange"]), "a symbol's line outside of it", one)
        require(parent is None or around(parent["range"], one["range"]), "a child outside", one, parent)
        stack += [(child, one) for child in one.get("children", [])]


def book_symbols(desk: Desk, asked: Asked, text: Text, result: Any) -> None:
    for one in result or []:
        if "range" in one["location"]:
            somewhere(desk, one["location"]["uri"], one["location"]["range"], "a symbol of the book")


def folds(desk: Desk, asked: Asked, text: Text, result: Any) -> None:
    for one in result or []:
        require(
            0 <= one["startLine"] < one["endLine"] < len(text.lines), "a fold outside", one, len(text.lines)
        )


def selections(desk: Desk, asked: Asked, text: Text, result: Any) -> None:
    require(len(result) == len(asked["positions"]), "not a selection for each place", asked, result)
    for place, step in zip(asked["positions"], result, strict=True):
        at = text.place(text.clamped(place))
        require(around(step["range"], {"start": at, "end": at}), "a selection elsewhere", place, step)
        while "parent" in step:
            inside(text, step["range"], "a selection")
            require(around(step["parent"]["range"], step["range"]), "a selection that does not grow", step)
            step = step["parent"]
        if text.text:
            everything = {"start": {"line": 0, "character": 0}, "end": text.end}
            require(step["range"] == everything, "the widest selection is not the text", step, everything)


def tokens(desk: Desk, asked: Asked, text: Text, result: Any) -> None:
    if result is None:
        return
    uri = asked["textDocument"]["uri"]
    data = result.get("data")
    if data is None:
        known = desk.tokens.get(uri)
        if known is None or known[0] != asked["previousResultId"]:
            return  # asked with what has been replaced meanwhile
        data = list(known[1])
        for edit in sorted(result["edits"], key=lambda edit: -edit["start"]):
            require(edit["start"] + edit["deleteCount"] <= len(data), "an edit beyond the tokens", edit)
            data[edit["start"] : edit["start"] + edit["deleteCount"]] = edit.get("data", [])
    if "resultId" in result and any(d.uri == uri for d in desk.documents.values()):
        desk.tokens[uri] = (result["resultId"], data)
    last = {"line": 0, "character": 0}
    for where, kind, _ in decoded(data):
        require(inside(text, where, "a token"), "an empty token", where)
        require(0 <= kind < 5, "a token of no kind", kind)
        require(before(last, where["start"]), "tokens that overlap", where, last)
        last = where["end"]


def hints(desk: Desk, asked: Asked, text: Text, result: Any) -> None:
    for one in result or []:
        inside(text, {"start": one["position"], "end": one["position"]}, "a hint")


def ranges(desk: Desk, asked: Asked, text: Text, result: Any) -> None:
    for one in result or []:
        inside(text, one["range"], "a lens or link")


def actions(desk: Desk, asked: Asked, text: Text, result: Any) -> None:
    for one in result or []:
        require(one["title"].strip(), "an action without a title", one)
        for change in one.get("edit", {}).get("documentChanges", []):
            if change.get("textDocument", {}).get("uri") == asked["textDocument"]["uri"]:
                try:
                    text.edited(change["edits"])
                except ValueError as error:
                    raise Failed(f"{one['title']}: {error}") from None


def diagnostics(desk: Desk, asked: Asked, text: Text, result: Any) -> None:
    """They are of the text when they are answered, which may be a later one than when they were asked for."""
    document = desk.documents.get(asked["textDocument"]["uri"])
    items = result.get("items", [])
    if document is None or not items:
        return
    states = [document.text, *document.texts.values()]
    if not any(all(state.covered(one["range"]) is not None for one in items) for state in states):
        raise Failed(f"diagnostics of no state of the text: {str(items)[:600]} {document.text.text!r:.1500}")


def prepared(desk: Desk, asked: Asked, text: Text, result: Any) -> None:
    if result is not None:
        require(inside(text, result["range"], "what is to be renamed"), "nothing is to be renamed", result)


def calls(desk: Desk, asked: Asked, text: Text, result: Any) -> None:
    for one in result or []:
        item = one.get("from") or one.get("to") or one
        somewhere(desk, item["uri"], item["range"], "a thread")
        for where in one.get("fromRanges", []):
            origin = item["uri"] if "from" in one else asked["item"]["uri"]
            somewhere(desk, origin, where, "where a thread is called from")


def anything(desk: Desk, asked: Asked, text: Text, result: Any) -> None:
    """Whatever it is."""


CHECKS: dict[str, Callable[[Desk, Asked, Text, Any], None]] = {
    "textDocument/hover": hover,
    "textDocument/completion": completion,
    "textDocument/definition": places,
    "textDocument/typeDefinition": places,
    "textDocument/references": places,
    "textDocument/documentHighlight": highlights,
    "textDocument/documentSymbol": symbols,
    "workspace/symbol": book_symbols,
    "textDocument/foldingRange": folds,
    "textDocument/selectionRange": selections,
    "textDocument/semanticTokens/full": tokens,
    "textDocument/semanticTokens/full/delta": tokens,
    "textDocument/semanticTokens/range": lambda desk, asked, text, result: tokens(
        desk, {**asked, "range": None}, text, result and {"data": result["data"]}
    ),
    "textDocument/inlayHint": hints,
    "textDocument/codeLens": ranges,
    "textDocument/documentLink": ranges,
    "textDocument/codeAction": actions,
    "textDocument/diagnostic": diagnostics,
    "textDocument/prepareRename": prepared,
    "textDocument/prepareCallHierarchy": calls,
    "callHierarchy/incomingCalls": calls,
    "callHierarchy/outgoingCalls": calls,
}


def proposal(text: Text, found: Any) -> None:
    """The server's text is the client's: the hunks stand where they say, and are all that is new."""
    at, out = 0, ""
    for hunk in sorted(found["hunks"], key=lambda hunk: hunk["index"]):
        covered = inside(text, hunk["range"], "a hunk")
        require(valid(covered) == valid(hunk["before"]), "a hunk of another text", hunk, covered)
        start = text.exact(hunk["range"]["start"])
        assert start is not None
        require(start >= at, "hunks that overlap", found["hunks"])
        out += text.text[at:start] + hunk["after"]
        at = start + len(covered)
    out += text.text[at:]
    require(
        valid(out) == valid(found["text"]),
        "the server's text is another one",
        valid(out),
        valid(found["text"]),
    )


def valid(text: str) -> str:
    return "".join("\ufffd" if 0xD800 <= ord(char) < 0xE000 else char for char in text)
