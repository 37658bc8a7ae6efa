"""The door to the editor: the only thing that sends anything to it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from inkwright.lsp.wire import Json, dumps

if TYPE_CHECKING:
    from inkwright.lsp.rpc import Rpc

log = logging.getLogger(__name__)

ANSWER_SECONDS = 30.0
OWN_SAVES = frozenset({"helix"})
"""Clients that take watchers and tell of nothing but what they save themselves."""
BLOCK_CURSORS = frozenset({"helix"})
"""Clients whose bare cursor is a selection of one character."""
CR_IN_LINES = frozenset({"neovim"})
"""Clients for which a CR without LF is a character of its line, though LSP calls it a line end."""
_TOKENS = (
    t.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
    t.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA,
    t.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE,
)
_PULL = (t.TEXT_DOCUMENT_DIAGNOSTIC, t.WORKSPACE_DIAGNOSTIC)


class Client:
    """What the editor can do, and what is sent to it.

    Every question has a time limit. A client that answers null, an error or nonsense is asked no
    less politely than one that answers well: `ask` gives None then.
    """

    def __init__(self, rpc: Rpc) -> None:
        self._rpc = rpc
        self.can = Capabilities(t.ClientCapabilities())
        self._told: set[str] = set()
        self._configured: dict[str, Any] | None = None

    def notify(self, method: str, params: Any) -> None:
        self._rpc.notify(method, params)

    async def ask(self, method: str, params: Any, seconds: float = ANSWER_SECONDS) -> Any:
        """The raw JSON result; None after an error answer or `seconds` of silence."""
        try:
            return await self._rpc.ask(method, params, seconds)
        except TimeoutError:
            log.warning("the client did not answer %s", method)
        except JsonRpcException as error:
            log.warning("the client refused %s (%s)", method, error.code)
        return None

    async def configuration(self, section: str, late: Callable[[], object]) -> dict[str, Any] | None:
        """The editor's settings of a section; None when it gives none. While it says nothing, what it said last holds;
        `late` is called when it says something else after all."""
        if not self.can.configuration:
            return None

        def heard(answer: Any) -> None:
            before, self._configured = self._configured, _section(answer)
            if self._configured != before:
                late()

        params = {"items": [{"section": section}]}
        try:
            answer = await self._rpc.ask(t.WORKSPACE_CONFIGURATION, params, ANSWER_SECONDS, heard)
        except TimeoutError:
            log.warning("the client did not answer %s", t.WORKSPACE_CONFIGURATION)
        except JsonRpcException as error:
            log.warning("the client refused %s (%s)", t.WORKSPACE_CONFIGURATION, error.code)
        else:
            self._configured = _section(answer)
        return self._configured

    async def apply(self, label: str, edit: Any) -> bool:
        """True when the client says that it made the edit."""
        answer = await self.ask(t.WORKSPACE_APPLY_EDIT, {"label": label, "edit": edit})
        return isinstance(answer, dict) and answer.get("applied") is True

    async def register(self, method: str, options: Any) -> None:
        registration = {"id": f"inkwright:{method}", "method": method, "registerOptions": options}
        await self.ask(t.CLIENT_REGISTER_CAPABILITY, {"registrations": [registration]})

    async def refresh_lenses(self) -> None:
        if self.can.refresh_lenses:
            await self.ask(t.WORKSPACE_CODE_LENS_REFRESH, None)

    async def refresh_aids(self) -> None:
        """Names or settings have changed: what is shown of them in the text is asked for anew."""
        if self.can.refresh_tokens:
            await self.ask(t.WORKSPACE_SEMANTIC_TOKENS_REFRESH, None)
        if self.can.refresh_hints:
            await self.ask(t.WORKSPACE_INLAY_HINT_REFRESH, None)

    async def refresh_diagnostics(self) -> None:
        """What was answered of documents may not hold any more: it is asked for anew."""
        if self.can.refresh_diagnostics:
            await self.ask(t.WORKSPACE_DIAGNOSTIC_REFRESH, None)

    def show(self, message: str, kind: t.MessageType = t.MessageType.Warning) -> None:
        self.notify(t.WINDOW_SHOW_MESSAGE, {"type": kind.value, "message": message})

    def show_once(self, message: str, kind: t.MessageType = t.MessageType.Warning) -> None:
        """The same message again is not shown."""
        if message not in self._told:
            self._told.add(message)
            self.show(message, kind)

    def forget(self, message: str) -> None:
        """What it says does not hold any more: once it does again, it is shown again."""
        self._told.discard(message)

    def progress(self, token: str | int, value: Any) -> None:
        """`value` may be JSON already."""
        params: Any = {"token": token, "value": value}
        if isinstance(value, Json):
            params = Json(f'{{"token":{dumps(token)},"value":{value}}}')
        self.notify(t.PROGRESS, params)

    async def create_progress(self, token: str) -> bool:
        """True when the client has taken the token."""
        try:
            await self._rpc.ask(t.WINDOW_WORK_DONE_PROGRESS_CREATE, {"token": token}, ANSWER_SECONDS)
        except (TimeoutError, JsonRpcException):
            return False
        return True

    def diagnostics(self, uri: str, version: int | None, items: str) -> None:
        """`items` is JSON."""
        about = {"uri": uri} if version is None else {"uri": uri, "version": version}
        params = Json(f'{dumps(about)[:-1]},"diagnostics":{items}}}')
        self.notify(t.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, params)


def _section(answer: Any) -> dict[str, Any] | None:
    """The one section that was asked for; None for whatever is none."""
    first = answer[0] if isinstance(answer, list) and answer else None
    return first if isinstance(first, dict) else None


class Capabilities:
    """The client's capabilities that change what we send; absent ones are False. `name` is the client's own."""

    def __init__(self, given: t.ClientCapabilities, name: str = "") -> None:
        workspace, window, document = given.workspace, given.window, given.text_document
        edit = workspace.workspace_edit if workspace else None
        watched = workspace.did_change_watched_files if workspace else None
        lens = workspace.code_lens if workspace else None
        symbol = document.document_symbol if document else None
        action = document.code_action if document else None
        hover = document.hover if document else None
        own = given.experimental.get("inkwright") if isinstance(given.experimental, dict) else None
        self.book_changed = isinstance(own, dict) and own.get("bookChanged") is True
        self.apply_edit = bool(workspace and workspace.apply_edit)
        self.configuration = bool(workspace and workspace.configuration)
        followed = workspace.did_change_configuration if workspace else None
        self.follow_configuration = bool(followed and followed.dynamic_registration)
        # Resource operations stand in documentChanges only: Neovim names the one and means both.
        self.document_changes = bool(edit and (edit.document_changes or edit.resource_operations))
        self.annotations = bool(self.document_changes and edit and edit.change_annotation_support)
        self.rename_files = bool(edit and "rename" in (edit.resource_operations or ()))
        document_shown = window.show_document if window else None
        self.show_document = bool(document_shown and document_shown.support)
        self.watch_files = bool(watched and watched.dynamic_registration)
        self.sees_others = self.watch_files and name.lower() not in OWN_SAVES
        """It tells of files that other programs change."""
        self.block_cursor = name.lower() in BLOCK_CURSORS
        self.cr_in_lines = name.lower() in CR_IN_LINES
        self.watch_outside = bool(self.watch_files and watched and watched.relative_pattern_support)
        self.refresh_lenses = bool(lens and lens.refresh_support)
        tokens = workspace.semantic_tokens if workspace else None
        self.refresh_tokens = bool(tokens and tokens.refresh_support)
        hints = workspace.inlay_hint if workspace else None
        self.refresh_hints = bool(hints and hints.refresh_support)
        self.unknown: frozenset[str] = frozenset(
            method
            for methods, there in (
                (_TOKENS, document and document.semantic_tokens),
                ((t.TEXT_DOCUMENT_INLAY_HINT,), document and document.inlay_hint),
                (_PULL, document and document.diagnostic),
            )
            if not there
            for method in methods
        )
        """What the client has never heard of: it is not offered."""
        self.work_done = bool(window and window.work_done_progress)
        self.symbol_tree = bool(symbol and symbol.hierarchical_document_symbol_support)
        whole_book = workspace.symbol if workspace else None
        late = whole_book.resolve_support if whole_book else None
        self.resolve_symbols = bool(late and "location.range" in late.properties)
        definition = document.definition if document else None
        self.definition_links = bool(definition and definition.link_support)
        type_definition = document.type_definition if document else None
        self.type_definition_links = bool(type_definition and type_definition.link_support)
        item = document.completion.completion_item if document and document.completion else None
        self.snippets = bool(item and item.snippet_support)
        fold = document.folding_range if document else None
        self.fold_limit = fold.range_limit if fold and fold.range_limit else 0
        self.action_literals = bool(action and action.code_action_literal_support)
        pull = document.diagnostic if document else None
        pushed = document.publish_diagnostics if document else None
        refreshed = workspace.diagnostics if workspace else None
        self.pull = pull is not None
        """It asks for diagnostics: then none are pushed."""
        self.related_documents = bool(pull and pull.related_document_support)
        self.related_information = bool(
            (pull and pull.related_information) or (pushed and pushed.related_information)
        )
        self.refresh_diagnostics = bool(refreshed and refreshed.refresh_support)
        self.markdown = bool(hover and hover.content_format and t.MarkupKind.Markdown in hover.content_format)

    def can_edit(self, text: str) -> bool:
        """Whether a position in a text is the same place for the client: no edit is sent to it where it is not."""
        from inkwright.domain.text import lone_cr

        return not (self.cr_in_lines and lone_cr(text))
