"""One client and what the server holds for it. The handlers of `features` get it as `ls`."""

from __future__ import annotations

import asyncio
import logging
import os
import weakref
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException, JsonRpcInternalError
from pygls.lsp.server import LanguageServer

from inkwright import __version__
from inkwright.lsp import features, uris, watch
from inkwright.lsp.books import Books
from inkwright.lsp.client import Capabilities, Client
from inkwright.lsp.configuring import Configuring
from inkwright.lsp.documents import Documents
from inkwright.lsp.elsewhere import Others
from inkwright.lsp.folders import usable
from inkwright.lsp.logs import trace
from inkwright.lsp.pending import Pending
from inkwright.lsp.progress import Progress, WorkDone
from inkwright.lsp.protocol import SECTION
from inkwright.lsp.rpc import REQUEST_FAILED, Rpc
from inkwright.lsp.undone import Undone
from inkwright.lsp.warm import Compiled
from inkwright.manuscript.collector import paused

if TYPE_CHECKING:
    from inkwright.abilities.studio import Studio
    from inkwright.domain.conversation import Locale
    from inkwright.domain.errors import Fault
    from inkwright.domain.text import Encoding
    from inkwright.lsp.build import Build
    from inkwright.lsp.checking import Checking
    from inkwright.lsp.features.files import Outside
    from inkwright.lsp.running import Running

log = logging.getLogger(__name__)

CLOSE_SECONDS = 5.0
STARTED = 5.0
"""Seconds after which a start is over, and all that it needs has been loaded."""


class Session(LanguageServer):
    """The state of one client: what it can do, its documents, its settings, its studio."""

    protocol: Rpc

    def __init__(self, build: Build, compiled: Compiled | None = None) -> None:
        super().__init__("inkwright", __version__, protocol_cls=Rpc)
        self.client = Client(self.protocol)
        self.documents = Documents()
        self.progress_bars = Progress(self.client)
        self.encoding: Encoding = "utf-16"
        self.language = ""
        self.folders: tuple[Path, ...] = ()
        self.options: Mapping[str, Any] | None = None
        self.trusted: bool | None = None
        self.wants_books = False
        """Whether the client wants to be told what other processes do to its books."""
        self.stopped = asyncio.Event()
        self.exit_code = 1
        self.running: dict[str, list[Running]] = {}
        self.expected: dict[str, tuple[Path, Path]] = {}
        """Files that an edit of ours renames, by the key of the new URI, until the client tells of it."""
        self.books = Books(self)
        self.configuring = Configuring(self)
        self.pending = Pending(self)
        self.undone = Undone(self)
        self.checks: Checking
        self.profiles_changed: Callable[[], None]
        self.outside: Outside
        self._build = build
        self._compiled = compiled
        self._studio: asyncio.Task[Studio] | None = None
        self._built: Studio | None = None
        self._on_open: list[Callable[[Session], Coroutine[Any, Any, None]]] = []
        self._review_locks: weakref.WeakValueDictionary[str, asyncio.Lock] = weakref.WeakValueDictionary()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closing: asyncio.Task[None] | None = None
        self.others = Others(self)
        features.register(self)

    # Lifecycle

    def begin(self, params: t.InitializeParams, encoding: str) -> None:
        """What `initialize` tells; nothing is opened before it is answered."""
        self.encoding = cast("Encoding", encoding)
        self.client.can = Capabilities(
            params.capabilities, params.client_info.name if params.client_info else ""
        )
        self.language = params.locale or next(
            (value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), ""
        )
        folders = [folder.uri for folder in params.workspace_folders or ()]
        if not folders and (root := params.root_uri or params.root_path):
            folders = [root if "://" in root else uris.from_path(Path(root))]
        self.folders = tuple(path for uri in folders if (path := uris.path(uri)) is not None)
        options = params.initialization_options
        self.options = options if isinstance(options, dict) else None
        if self.options is not None and "trusted" in self.options:
            self.trusted = self.options["trusted"] is True
        self.wants_books = self.client.can.book_changed or (self.options or {}).get("bookChanged") is True
        if params.process_id:
            watch.watch(params.process_id, lambda: self.stop(1))

    @property
    def locale(self) -> Locale:
        """The settings' language, else the client's, else the system's."""
        return self.client_locale if self.ready_studio is None else self.ready_studio.locale

    @property
    def client_locale(self) -> Locale:
        """What counts while the settings name no language."""
        from inkwright.i18n import pick

        return pick(self.language)

    def tr(self, code: str, **params: object) -> str:
        from inkwright.i18n import tr

        return tr(code, self.locale, params)

    def open(self) -> asyncio.Task[Studio]:
        """Starts reading the settings and building the studio, once."""
        if self._studio is None:
            self._studio = self.spawn(self._open(), told=True)
        return self._studio

    async def studio(self) -> Studio:
        """The studio, once it stands. Cancelling the caller does not cancel the building."""
        if (built := self.ready_studio) is not None:
            return built
        return await asyncio.shield(self.open())

    @property
    def ready_studio(self) -> Studio | None:
        """The studio if it stands already."""
        task = self._studio
        done = task is not None and task.done() and not task.cancelled() and task.exception() is None
        return task.result() if task is not None and done else None

    def when_open(self, work: Callable[[Session], Coroutine[Any, Any, None]]) -> None:
        """Has `work` done once the studio stands."""
        self._on_open.append(work)

    async def _open(self) -> Studio:
        try:
            with paused():
                studio = self._built = await self.made()
            await self._refolder(studio)
        except Exception as error:
            self.client.show(self.explain(error).message, t.MessageType.Error)
            raise
        for work in self._on_open:
            self.spawn(work(self))
        if self._compiled is not None:
            self.spawn(self._keep(self._compiled))
        return studio

    async def _keep(self, compiled: Compiled) -> None:
        """What is loaded in the first moments is kept as well; of a short session what there was."""
        try:
            await asyncio.sleep(STARTED)
        finally:
            compiled.restore()
            await asyncio.to_thread(compiled.save)

    async def made(self) -> Studio:
        """A studio from the settings as they are now; its books are another's to open."""
        editor = await self.client.configuration(SECTION, lambda: self.configuring.begin(if_changed=False))
        if editor is None and self.options is not None:
            editor = self.options.get(SECTION, self.options)
        return await self._build(
            editor=editor if isinstance(editor, dict) else None,
            locale=self.client_locale,
            folders=self.folders,
            notify=self._from_any_thread(self.notice),
            progress=self._scanning,
            trusted=self.trusted,
            profiles_changed=self._from_any_thread(lambda: self.profiles_changed()),
            source=None if self._built is None else self._built.source,
        )

    async def current(self) -> Studio:
        """The studio, with what the user's file says just now and what the client has told of its settings so far."""
        await self.configuring.settled()
        await self.reconfigure(if_changed=True)
        return await self.studio()

    async def reconfigure(self, *, if_changed: bool = False) -> None:
        """Reads settings and profiles again, `if_changed` only where the user's file has changed. Whoever waits for it
        may be cancelled: what was read is taken all the same."""
        if not if_changed or await self.configuring.stale():
            await asyncio.shield(self.configuring.begin(if_changed=if_changed, told=True))

    def _scanning(self, root: Path) -> Callable[[int, int], None]:
        """Shows the first scan of a book, from whatever thread tells of it."""
        bars: list[WorkDone] = []

        def told(done: int, all_: int) -> None:
            if not bars:
                if done >= all_:  # there was nothing to read: nothing is shown
                    return
                title = self.tr("progress_index", book=root.name)
                bars.append(self.progress_bars.begin(title, measured=True))
            bars[0].report(f"{done}/{all_}", 100 * done / all_ if all_ else 100)
            if done >= all_:
                bars[0].end()

        return self._from_any_thread(told)

    def _from_any_thread(self, call: Callable[..., None]) -> Callable[..., None]:
        loop = asyncio.get_running_loop()

        def handed(*args: Any) -> None:
            loop.call_soon_threadsafe(call, *args)

        return handed

    def review_lock(self, proposal_id: str) -> asyncio.Lock:
        """Decisions on one proposal are made one after the other."""
        return self._review_locks.setdefault(proposal_id, asyncio.Lock())

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
                if self._built is not None:
                    await self.undone.close()
                self._studio = None
                pending = [task for task in self._tasks if not task.done()]
                for task in pending:
                    task.cancel()
                await asyncio.gather(*pending, return_exceptions=True)
                self.progress_bars.close()
                if self._built is not None:
                    await self._built.close()
                await self.configuring.close()
        except TimeoutError:
            log.error("not everything could be closed in time")  # noqa: TRY400 - says all there is
        except Exception as error:  # noqa: BLE001 - the process ends whatever happens here
            log.error("closing failed: %s", trace(error))  # noqa: TRY400 - without the text

    def spawn(self, work: Coroutine[Any, Any, Any], *, told: bool = False) -> asyncio.Task[Any]:
        """A task that the session owns: it ends with the session at the latest.

        A failure is shown or logged, unless it is `told` to a caller who awaits the task.
        """
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(lambda done: self._ended(done, told=told))
        return task

    def _ended(self, task: asyncio.Task[Any], *, told: bool) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is None or told:
            return
        from inkwright.domain.errors import InkwrightError

        if isinstance(error, InkwrightError):
            self.notice(error.fault)
        else:
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
        self.documents.changed(params, self.encoding, cr_in_lines=self.client.can.cr_in_lines)

    def did_close(self, params: t.DidCloseTextDocumentParams) -> None:
        self.documents.closed(params.text_document.uri)

    def did_change_folders(self, params: t.DidChangeWorkspaceFoldersParams) -> None:
        gone = {uris.key(folder.uri) for folder in params.event.removed}
        kept = [folder for folder in self.folders if uris.key(uris.from_path(folder)) not in gone]
        added = [path for folder in params.event.added if (path := uris.path(folder.uri)) is not None]
        self.folders = tuple(dict.fromkeys([*kept, *added]))
        if self.ready_studio is not None:
            # At once, since what is asked next is asked of the new folders; looked at more closely after.
            self.ready_studio.workspace.folders[:] = self.folders
            self.books.forget()
            self.spawn(self._follow_folders(self.ready_studio))

    async def _follow_folders(self, studio: Studio) -> None:
        await self._refolder(studio)
        self.books.forget()
        await self.books.open_inner()

    async def _refolder(self, studio: Studio) -> None:
        """Hands the studio those of the client's folders that can be a book."""
        from inkwright.domain.errors import Fault

        there, wide = await asyncio.to_thread(usable, self.folders)
        for folder in wide:
            self.notice(Fault("root_refused", {"root": str(folder)}))
        await studio.workspace.refolder(there)

    def progress_cancelled(self, token: str | int) -> None:
        self.progress_bars.cancelled(token)
