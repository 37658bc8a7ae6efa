"""The floor: a bare pygls server that answers constants."""

from __future__ import annotations

from lsprotocol import types as t
from pygls.lsp.server import LanguageServer

server = LanguageServer("floor", "1")
HERE = t.Range(t.Position(0, 0), t.Position(0, 1))


@server.feature(t.TEXT_DOCUMENT_HOVER)
def hover(_: t.HoverParams) -> t.Hover:
    return t.Hover(contents=t.MarkupContent(t.MarkupKind.Markdown, "**林晚秋**"), range=HERE)


@server.feature(t.TEXT_DOCUMENT_COMPLETION)
def completion(_: t.CompletionParams) -> list[t.CompletionItem]:
    return [t.CompletionItem(label=f"名字{i}") for i in range(40)]


@server.feature(t.TEXT_DOCUMENT_DEFINITION)
def definition(params: t.DefinitionParams) -> t.Location:
    return t.Location(uri=params.text_document.uri, range=HERE)


if __name__ == "__main__":
    server.start_io()
