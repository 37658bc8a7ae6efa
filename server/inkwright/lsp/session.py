"""One client and what the server holds for it. The handlers of `features` get it as `ls`."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException, JsonRpcInternalError
from pygls.lsp.server import LanguageServer

from inkwright import __version__
from inkwright.lsp import features, uris, watch
from inkwright.lsp.client import Abilities, Client
from inkwright.lsp.collector import paused
from inkwright.lsp.documents import Documents
from inkwright.lsp.logs import trace
from inkwright.lsp.progress import Progress
from inkwright.lsp.protocol import SECTION
from inkwright.lsp.rpc import REQUEST_FAILED, Rpc

if TYPE_CHECKING:
    from inkwright.abilities.studio import Studio
    from inkwright.domain.conversation import Locale
    from inkwright.domain.errors import Fault
    from inkwright.domain.text import Encoding

log = logging.getLogger(__name__)

CLOSE_SECONDS = 5.0


class Build(Protocol):
    """Makes the studio, once `initialize` has been answered.

    `editor` holds the client's settings, None when it gives none. Nothing but this call may import
    the engine; it should do so off the loop.
    """

    def __call__(
        self,
        *,
        editor: Mapping[str, Any] | None,
        locale: Locale,
        folders: Sequence[Path],
        notify: Callable[[Fault], None],
    ) -> Awaitable[Studio]: ...


class Session(LanguageServer):
    """The state of one client: what it can do, its documents, its settings, its studio."""

    protocol: Rpc

    def __init__(self, build: Build) -> None:
        super().__init__("inkwright", __version__, protocol_cls=Rpc)
        self.client = Client(self.protocol)
        self.documents = Documents()
        self.progress_bars = Progress(self.client)
        self.encoding: Encoding = "utf-16"
        self.language = ""
        self.folders: tuple[Path, ...] = ()
        self.options: Mapping[str, Any] | None = None
        self.stopped = asyncio.Event()
        self.exit_code = 1
        self._build = build
        self._studio: asyncio.Task[Studio] | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closing: asyncio.Task[None] | None = None
        features.register(self)

    # Lifecycle

    def begin(self, params: t.InitializeParams, encoding: str) -> None:
        """What `initialize` tells; nothing is opened before it is answered."""
        self.encoding = cast("Encoding", encoding)
        self.client.can = Abilities(params.capabilities)
        self.language = params.locale or next(
            (value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), ""
        )
        folders = [folder.uri for folder in params.workspace_folders or ()]
        if not folders and (root := params.root_uri or params.root_path):
            folders = [root if "://" in root else uris.from_path(Path(root))]
        self.folders = tuple(path for uri in folders if (path := uris.path(uri)) is not None)
        options = params.initialization_options
        self.options = options if isinstance(options, dict) else None
        if params.process_id:
            watch.watch(params.process_id, lambda: self.stop(1))

    @property
    def locale(self) -> Locale:
        from inkwright.i18n import pick

        return pick(self.language)

    def tr(self, code: str, **params: object) -> str:
        from inkwright.i18n import tr

        return tr(code, self.locale, params)

    def open(self) -> asyncio.Task[Studio]:
        """Starts reading the settings and building the studio, once."""
        if self._studio is None:
            self._studio = self.spawn(self._open())
        return self._studio

    async def studio(self) -> Studio:
        """The studio, once it stands. Cancelling the caller does not cancel the building."""
        return await asyncio.shield(self.open())

    async def _open(self) -> Studio:
        editor = await self.client.configuration(SECTION)
        if editor is None and self.options is not None:
            editor = self.options.get(SECTION, self.options)
        try:
            with paused():
                return await self._build(
                    editor=editor, locale=self.locale, folders=self.folders, notify=self.notice
                )
        except Exception as error:
            log.error("the studio could not be built: %s", trace(error))  # noqa: TRY400 - without the text
            self.client.show(self.explain(error).message, t.MessageType.Error)
            raise

    def stop(self, code: int) -> None:
        """Ends the process once everything is closed; the first reason counts."""
        if not self.stopped.is_set():
            self.exit_code = code
            self.stopped.set()

    async def close_session(self) -> None:
        """Cancels every task and closes the studio, in CLOSE_SECONDS at most; safe to call twice."""
        if self._closing is None:
            self._closing = asyncio.ensure_future(self._close())
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                studio, self._studio = self._studio, None
                pending = [task for task in self._tasks if not task.done() and task is not studio]
                for task in pending:
                    task.cancel()
                await asyncio.gather(*pending, return_exceptions=True)
                self.progress_bars.close()
                if studio is not None and not studio.done():
                    studio.cancel()
                elif studio is not None and not studio.cancelled() and studio.exception() is None:
                    await studio.result().close()
        except TimeoutError:
            log.error("not everything could be closed in time")  # noqa: TRY400 - says all there is
        except Exception as error:  # noqa: BLE001 - the process ends whatever happens here
            log.error("closing failed: %s", trace(error))  # noqa: TRY400 - without the text

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """A task that the session owns: its failure is logged, its end is at the session's at the latest."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a task failed: %s", trace(error))

    # Faults

    def notice(self, fault: Fault) -> None:
        """Shows a fault to the user, each sentence once."""
        from inkwright.i18n import render

        self.client.show_once(render(fault, self.locale))

    def explain(self, error: BaseException) -> JsonRpcException:
        """An exception as an error answer: a sentence for the user, no path, no traceback."""
        from inkwright.domain.errors import InkwrightError
        from inkwright.i18n import render

        if isinstance(error, InkwrightError):
            data = {"code": error.fault.code}
            return JsonRpcException(render(error.fault, self.locale), REQUEST_FAILED, data)
        log.error("a request failed: %s", trace(error))
        return JsonRpcInternalError(self.tr("server_internal", error=type(error).__name__))

    # What the protocol hands on

    def did_open(self, params: t.DidOpenTextDocumentParams) -> None:
        self.documents.opened(params.text_document)

    def did_change(self, params: t.DidChangeTextDocumentParams) -> None:
        self.documents.changed(params, self.encoding)

    def did_close(self, params: t.DidCloseTextDocumentParams) -> None:
        self.documents.closed(params.text_document.uri)

    def did_change_folders(self, params: t.DidChangeWorkspaceFoldersParams) -> None:
        gone = {uris.key(folder.uri) for folder in params.event.removed}
        kept = [folder for folder in self.folders if uris.key(uris.from_path(folder)) not in gone]
        added = [path for folder in params.event.added if (path := uris.path(folder.uri)) is not None]
        self.folders = tuple(dict.fromkeys([*kept, *added]))

    def progress_cancelled(self, token: str | int) -> None:
        self.progress_bars.cancelled(token)
