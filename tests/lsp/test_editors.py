"""The recorded capabilities of real editors, through a client library that is strict about types."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest_lsp
from lsprotocol import types as t
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities, make_test_lsp_client

TEXT = "# 第三章\n\n😀𠮷野说,走吧。林夏没有说话。\n"
CARD = "---\ntype: character\n---\n# 林夏\n\n左手有疤。\n"
UNITS = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
WIDTH = {"utf-8": 1, "utf-16": 2, "utf-32": 4}
EXPECTED = {"neovim": "utf-8", "visual-studio-code": "utf-16", "emacs": "utf-32"}


def make() -> LanguageClient:
    """A client that grants what an editor grants."""
    client = make_test_lsp_client()
    client.protocol.fm.features.pop(t.PROGRESS, None)
    client.streamed = []

    @client.feature(t.PROGRESS)
    def progress(params):
        client.streamed.append(params)

    @client.feature(t.WORKSPACE_APPLY_EDIT)
    def apply(params):
        client.applied = params
        return t.ApplyWorkspaceEditResult(applied=True)

    @client.feature(t.CLIENT_REGISTER_CAPABILITY)
    def register(params):
        return None

    @client.feature(t.WORKSPACE_CODE_LENS_REFRESH)
    def refresh(params):
        return None

    return client


@pytest_lsp.fixture(
    params=sorted(EXPECTED),
    config=ClientServerConfig(
        server_command=[sys.executable, "-m", "inkwright", "lsp"],
        client_factory=make,
        server_env={
            "PATH": os.environ["PATH"],
            # No home can be made here, by whomever the tests are run.
            "HOME": os.devnull,
            "XDG_CACHE_HOME": os.devnull,
            "XDG_DATA_HOME": os.devnull,
            "PYTHONUTF8": "1",
        },
    ),
)
async def client(request, lsp_client: LanguageClient, tmp_path: Path):
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards/林夏.md").write_text(CARD)
    lsp_client.root = tmp_path
    able = client_capabilities(request.param)
    lsp_client.pulls = able.text_document is not None and able.text_document.diagnostic is not None
    result = await lsp_client.initialize_session(
        t.InitializeParams(
            capabilities=able,
            workspace_folders=[t.WorkspaceFolder(uri=tmp_path.as_uri(), name="书")],
            locale="zh",
        )
    )
    lsp_client.encoding = str(
        getattr(result.capabilities.position_encoding, "value", result.capabilities.position_encoding)
    )
    assert lsp_client.encoding == EXPECTED[request.param]
    yield
    await lsp_client.shutdown_session()


def position(client, piece):
    before = TEXT[: TEXT.index(piece)].rpartition("\n")
    units = len(before[2].encode(UNITS[client.encoding])) // WIDTH[client.encoding]
    return t.Position(line=before[0].count("\n") + 1, character=units)


async def test_the_main_path(client):
    """Diagnostics, hover, actions, a run, lenses and accepting, each answer of the right type."""
    uri = (client.root / "第三章.md").as_uri()
    published = asyncio.ensure_future(client.wait_for_notification(t.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS))
    await asyncio.sleep(0)
    client.text_document_did_open(
        t.DidOpenTextDocumentParams(
            text_document=t.TextDocumentItem(uri=uri, language_id="markdown", version=1, text=TEXT)
        )
    )
    document = t.TextDocumentIdentifier(uri=uri)
    if client.pulls:  # an editor that asks is sent nothing
        published.cancel()
        report = await client.text_document_diagnostic_async(
            t.DocumentDiagnosticParams(text_document=document)
        )
        found = report.items
    else:
        await asyncio.wait_for(published, 60)
        found = client.diagnostics[uri]
    comma = next(d for d in found if d.range.start == position(client, ","))
    assert comma.range.end.line == comma.range.start.line

    over = await client.text_document_hover_async(
        t.HoverParams(text_document=document, position=position(client, "林夏"))
    )
    assert "左手有疤" in over.contents.value
    assert over.range.start == position(client, "林夏")

    actions = await client.text_document_code_action_async(
        t.CodeActionParams(
            text_document=document, range=comma.range, context=t.CodeActionContext(diagnostics=[comma])
        )
    )
    assert any(getattr(action, "edit", None) for action in actions)

    result = await client.workspace_execute_command_async(
        t.ExecuteCommandParams(
            command="inkwright.runAbility",
            arguments=[{"ability": "polish", "uri": uri, "streamToken": "s"}],
        )
    )
    assert result["status"] == "completed"
    assert result["proposal"]["hunks"]

    lenses = await client.text_document_code_lens_async(t.CodeLensParams(text_document=document))
    assert [lens.command is None for lens in lenses].index(True) > 2
    assert {lens.command.command for lens in lenses if lens.command} == {
        "inkwright.acceptProposal",
        "inkwright.rejectProposal",
        "inkwright.runAbility",
    }
    resolved = await client.code_lens_resolve_async(next(lens for lens in lenses if not lens.command))
    assert resolved.command.title
    tokens = await client.text_document_semantic_tokens_full_async(t.SemanticTokensParams(document))
    assert tokens.data
    assert len(tokens.data) % 5 == 0
    verdict = await client.workspace_execute_command_async(
        t.ExecuteCommandParams(
            command="inkwright.acceptProposal", arguments=[{"proposalId": result["proposal"]["id"]}]
        )
    )
    assert verdict["applied"] == [hunk["index"] for hunk in result["proposal"]["hunks"]]
    (change,) = client.applied.edit.document_changes
    assert change.text_document.version == 1

    symbols = await client.text_document_document_symbol_async(t.DocumentSymbolParams(text_document=document))
    assert [symbol.name for symbol in symbols] == ["第三章"]
    completed = await client.text_document_completion_async(
        t.CompletionParams(text_document=document, position=t.Position(line=1, character=0))
    )
    assert [item.label for item in completed.items] == ["林夏"]
    definition = await client.text_document_definition_async(
        t.DefinitionParams(text_document=document, position=position(client, "林夏"))
    )
    found = [place.target_uri if hasattr(place, "target_uri") else place.uri for place in definition]
    assert found == [(client.root / "cards/林夏.md").as_uri()]
