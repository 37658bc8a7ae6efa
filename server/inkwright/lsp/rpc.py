"""pygls' protocol, subclassed once: every fault of it that we know is answered here.

Each request has exactly one response; nothing in a response tells a path or a traceback; whatever
is kept for a message is freed when the message is done.
"""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t
from pygls.capabilities import ServerCapabilitiesBuilder
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
    JsonRpcRequestCancelled,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol, lsp_method

from inkwright.lsp import wire
from inkwright.lsp.asked import Asked
from inkwright.lsp.framing import frame
from inkwright.lsp.logs import trace

if TYPE_CHECKING:
    from cattrs import Converter

    from inkwright.lsp.session import Session
    from inkwright.lsp.transport import Output

log = logging.getLogger(__name__)

REQUEST_FAILED = -32803

Json = Mapping[str, Any]


class Rpc(LanguageServerProtocol):
    """Dispatch of messages. A handler may be `async def`, or a plain `def`.

    A plain one runs at once, in the order of arrival, and may return an awaitable for the rest:
    that is how a handler sees the document as it stood when the message came.
    """

    _server: Session

    def __init__(self, server: Session, converter: Converter) -> None:
        self._asked = Asked(self._send)
        self._initialized = False
        self.output: Output | None = None
        super().__init__(server, converter)
        converter.register_structure_hook(t.PreviousResultId, _previous)
        for name in ("did_open", "did_change", "did_close"):
            self.fm.builtin_features.pop(f"notebookDocument/{name.title().replace('_', '')}", None)

    def attach(self, output: Output) -> None:
        self.output = output

    @property
    def farewell(self) -> int:
        """The exit status when the client goes now: 0 only after `shutdown`."""
        return 0 if self._shutdown else 1

    @property
    def open_requests(self) -> int:
        """How many messages, in both directions, still wait for their end."""
        return len(self._request_futures) + len(self._asked)

    # Incoming

    def receive(self, body: bytes) -> None:
        """One message from the client. Never raises."""
        try:
            message = json.loads(body)
        except (ValueError, RecursionError):
            self._refuse(None, JsonRpcParseError())
            return
        if not isinstance(message, dict):
            self._refuse(None, JsonRpcInvalidRequest())
            return
        method, msg_id = message.get("method"), message.get("id")
        if method is None and ("result" in message or "error" in message):
            self._asked.take(message)
        elif not isinstance(method, str) or message.get("jsonrpc") != self.VERSION:
            self._refuse(msg_id if _is_id(msg_id) else None, JsonRpcInvalidRequest())
        elif "id" in message:
            self._receive_request(msg_id, method, message)
        else:
            self._receive_notification(method, message)

    def _receive_request(self, msg_id: Any, method: str, message: Json) -> None:
        if not _is_id(msg_id):
            self._refuse(None, JsonRpcInvalidRequest())
        elif self._shutdown or msg_id in self._request_futures:
            self._refuse(msg_id, JsonRpcInvalidRequest())
        elif self._initialized == (method == t.INITIALIZE):
            self._refuse(
                msg_id, JsonRpcInvalidRequest() if self._initialized else JsonRpcServerNotInitialized()
            )
        elif not self._known(method):
            self._refuse(msg_id, JsonRpcMethodNotFound.of(method))
        else:
            try:
                params = self._structure(method, message)
            except Exception as error:  # noqa: BLE001 - whatever cattrs raises: the params are at fault
                log.warning("invalid params of %s (%s)", method, type(error).__name__)
                self._refuse(msg_id, JsonRpcInvalidParams(f"Invalid params of {method}"))
                return
            contextvars.copy_context().run(self._handle_request, msg_id, method, params)

    def _receive_notification(self, method: str, message: Json) -> None:
        if method != t.EXIT and (self._shutdown or not self._initialized):
            return
        if not self._known(method) and method != t.CANCEL_REQUEST:
            return
        try:
            params = self._structure(method, message)
        except Exception as error:  # noqa: BLE001 - whatever cattrs raises: the params are at fault
            log.warning("invalid params of %s (%s)", method, type(error).__name__)
            return
        contextvars.copy_context().run(self._handle_notification, method, params)

    def _known(self, method: str) -> bool:
        return method in self.fm.builtin_features or method in self.fm.features

    def _structure(self, method: str, message: Json) -> Any:
        kind = self.get_message_type(method)
        if kind is None:
            return message.get("params")
        if method in NO_PARAMS:
            return None
        return self._converter.structure({"params": {}, **message}, kind).params

    # Handlers

    def _handle_request(self, msg_id: str | int, method_name: str, params: Any) -> None:
        self._ctx_msg_id.set(msg_id)
        self._execute_handler(
            msg_id,
            self._get_handler(method_name),
            partial(self._send_handler_result, msg_id=msg_id),
            (params,),
        )

    def _execute_handler(
        self,
        msg_id: str | int,
        handler: Callable[..., Any],
        callback: Callable[[Future[Any]], None],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        if inspect.isgeneratorfunction(handler):  # pygls' own
            super()._execute_handler(msg_id, handler, self._freed(msg_id, callback), args, kwargs)
            return
        future: Future[Any] | asyncio.Future[Any]
        try:
            result = handler(*(args or ()), **(kwargs or {}))
        except Exception as error:  # noqa: BLE001 - handed to the callback, which answers
            future = Future()
            future.set_exception(error)
        else:
            if inspect.isawaitable(result):
                future = asyncio.ensure_future(result)
            else:
                future = Future()
                future.set_result(result)
        self._request_futures[msg_id] = future  # type: ignore[assignment]
        future.add_done_callback(self._freed(msg_id, callback))  # type: ignore[arg-type]

    def _freed(
        self, msg_id: str | int, callback: Callable[[Future[Any]], None]
    ) -> Callable[[Future[Any]], None]:
        def done(future: Future[Any]) -> None:
            self._request_futures.pop(msg_id, None)
            callback(future)

        return done

    def _send_handler_result(self, future: Future[Any], *, msg_id: str | int) -> None:
        if future.cancelled():
            self._refuse(msg_id, JsonRpcRequestCancelled())
            return
        error = future.exception()
        if error is None:
            self._answer(msg_id, future.result())
        elif isinstance(error, JsonRpcException):
            self._refuse(msg_id, error)
        elif isinstance(error, asyncio.CancelledError):
            self._refuse(msg_id, JsonRpcRequestCancelled())
        else:
            self._refuse(msg_id, self._server.explain(error))

    def _check_handler_result(self, future: Future[Any]) -> None:
        if future.cancelled() or (error := future.exception()) is None:
            return
        from inkwright.domain.errors import InkwrightError

        if isinstance(error, InkwrightError):  # nobody waits for an answer: the writer is told
            self._server.notice(error.fault)
        else:
            log.error("a notification failed: %s", trace(error))

    def _handle_cancel_notification(self, msg_id: str | int) -> None:
        if (future := self._request_futures.get(msg_id)) is not None:
            future.cancel()

    # Outgoing

    def _answer(self, msg_id: str | int, result: Any) -> None:
        try:
            self._send({"jsonrpc": self.VERSION, "id": msg_id, "result": result})
        except (TypeError, ValueError, RecursionError) as error:
            log.error("an answer could not be written: %s", trace(error))  # noqa: TRY400 - without the text
            self._refuse(msg_id, JsonRpcInternalError("Internal error"))

    def _refuse(self, msg_id: str | int | None, error: JsonRpcException) -> None:
        body = {"code": error.code, "message": error.message}
        if error.data is not None:
            body["data"] = error.data
        self._send({"jsonrpc": self.VERSION, "id": msg_id, "error": body})

    def notify(self, method: str, params: Any | None = None) -> None:
        self._send({"jsonrpc": self.VERSION, "method": method, "params": params})

    async def ask(
        self, method: str, params: Any, seconds: float, late: Callable[[Any], None] | None = None
    ) -> Any:
        """A request to the client; see `Asked.ask`."""
        return await self._asked.ask(method, params, seconds, late)

    def _send(self, message: Json) -> None:
        if self.output is None:
            return
        for piece in frame(wire.body(message, self._plain)):
            self.output.write(piece)

    def _plain(self, value: Any) -> Any:
        if hasattr(value, "__attrs_attrs__"):
            return self._converter.unstructure(value)
        raise TypeError(f"{type(value).__name__} is no JSON value")

    # pygls' built-in methods, each with its fault answered

    @lsp_method(t.INITIALIZE)
    def lsp_initialize(self, params: t.InitializeParams) -> t.InitializeResult:  # type: ignore[override]
        self._initialized = True
        self.client_capabilities = params.capabilities
        encoding = ServerCapabilitiesBuilder.choose_position_encoding(params.capabilities)
        self._server.begin(params, str(getattr(encoding, "value", encoding)))
        builder = ServerCapabilitiesBuilder(
            params.capabilities,
            {*self.fm.features, *self.fm.builtin_features} - self._server.client.can.unknown,
            self.fm.feature_options,
            list(self.fm.commands),
            t.TextDocumentSyncKind.Incremental,
            None,
            encoding,
        )
        self.server_capabilities = builder.build()  # type: ignore[no-untyped-call]
        return t.InitializeResult(capabilities=self.server_capabilities, server_info=self.server_info)

    @lsp_method(t.INITIALIZED)
    def lsp_initialized(self, *args: Any) -> None:  # noqa: ARG002
        self._server.open()

    @lsp_method(t.SHUTDOWN)
    async def lsp_shutdown(self, *args: Any) -> None:  # type: ignore[override]  # noqa: ARG002
        self._shutdown = True
        self.cancel_requests()
        await self._server.close_session()

    def cancel_requests(self) -> None:
        """Cancels all that runs for the client, but not the request that asks for it."""
        current = self.msg_id
        for msg_id, future in list(self._request_futures.items()):
            if msg_id != current and not future.done():
                future.cancel()

    @lsp_method(t.EXIT)
    def lsp_exit(self, *args: Any) -> None:  # type: ignore[override]  # noqa: ARG002
        self._server.stop(self.farewell)

    @lsp_method(t.WORKSPACE_EXECUTE_COMMAND)
    def lsp_workspace__execute_command(self, params: t.ExecuteCommandParams) -> Any:
        handler = self.fm.commands.get(params.command)
        if handler is None:
            raise JsonRpcInvalidParams(f"Unknown command {params.command}")
        arguments = params.arguments or []
        if len(arguments) > 1 or (arguments and not isinstance(arguments[0] or {}, dict)):
            raise JsonRpcInvalidParams(f"{params.command} takes one object")
        result: Any | Awaitable[Any] = handler(
            (arguments[0] if arguments else None) or {}, params.work_done_token
        )
        return result

    @lsp_method(t.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: t.DidOpenTextDocumentParams) -> None:
        self._server.did_open(params)

    @lsp_method(t.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: t.DidChangeTextDocumentParams) -> None:
        self._server.did_change(params)

    @lsp_method(t.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: t.DidCloseTextDocumentParams) -> None:
        self._server.did_close(params)

    @lsp_method(t.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def lsp_workspace__did_change_workspace_folders(self, params: t.DidChangeWorkspaceFoldersParams) -> None:
        self._server.did_change_folders(params)

    @lsp_method(t.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    def lsp_work_done_progress_cancel(self, params: t.WorkDoneProgressCancelParams) -> None:
        self._server.progress_cancelled(params.token)


NO_PARAMS = frozenset({t.SHUTDOWN, t.EXIT})


def _is_id(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _previous(given: Any, _kind: object) -> t.PreviousResultId:
    """The converter makes a string of anything; here that would be a file that nobody has."""
    uri, value = given["uri"], given["value"]
    if not isinstance(uri, str) or not isinstance(value, str):
        raise TypeError("uri and value must be strings")
    return t.PreviousResultId(uri, value)
