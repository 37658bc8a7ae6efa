"""The composition root: the only place where concrete classes meet. Imports nothing before it is needed."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inkwright.abilities.studio import Studio
    from inkwright.config import Settings, UserFile
    from inkwright.domain.conversation import Locale
    from inkwright.domain.diagnostic import Diagnostic
    from inkwright.domain.errors import Fault
    from inkwright.domain.manuscript import Problem
    from inkwright.domain.model import ModelProfile
    from inkwright.domain.ports import BookView, ChatModel
    from inkwright.domain.profile import Profile
    from inkwright.library.folder import Entry
    from inkwright.library.libraries import Libraries
    from inkwright.library.registry import Library
    from inkwright.providers import Answering
    from inkwright.providers.discovery import Found
    from inkwright.providers.health import Health
    from inkwright.providers.offering import Offered
    from inkwright.secrets import Secrets


def main(argv: Sequence[str] | None = None) -> int:
    """The command line; returns the exit status (`lsp` ends the process itself)."""
    argv = sys.argv[1:] if argv is None else argv
    if argv == ["lsp"] or argv == ["lsp", "--stdio"]:
        # How editors start it: the command line's own parser would cost a tenth of the start.
        return _serve(None, False)
    from inkwright.cli.main import main as run

    return run(argv, build, _serve)


def _serve(port: int | None, debug: bool) -> int:
    from inkwright.lsp.server import serve

    serve(build, port, debug=debug)


async def build(
    *,
    editor: Mapping[str, Any] | None,
    locale: Locale,
    folders: Sequence[Path],
    notify: Callable[[Fault], None],
    progress: Callable[[Path], Callable[[int, int], None]] = lambda _: lambda _done, _all: None,
    trusted: bool | None = None,
    profiles_changed: Callable[[], None] = lambda: None,
    source: UserFile | None = None,
    environ: Mapping[str, str] | None = None,
) -> Studio:
    """A studio from the editor's settings (None: none), the environment and the user's file.

    What is wrong with a setting goes to `notify`, its default is used. `progress` gets the root of a
    book that is scanned for the first time and gives what is told (files done, files in all). `trusted`
    is the client's word on the books of its folders. `profiles_changed` is called, from any thread, when profiles
    that were read have been read anew. `source` is the user's file of the studio that this one takes the place of.
    """
    import asyncio

    return await asyncio.to_thread(
        _build, editor, locale, folders, notify, progress, trusted, profiles_changed, source, environ
    )


def _build(
    editor: Mapping[str, Any] | None,
    locale: Locale,
    folders: Sequence[Path],
    notify: Callable[[Fault], None],
    progress: Callable[[Path], Callable[[int, int], None]],
    trusted: bool | None,
    profiles_changed: Callable[[], None],
    source: UserFile | None,
    environ: Mapping[str, str] | None,
) -> Studio:
    import logging
    import os

    from inkwright import config
    from inkwright.abilities.studio import Studio
    from inkwright.providers.catalog import providers
    from inkwright.secrets import guard
    from inkwright.workspace import Workspace

    environ = os.environ if environ is None else environ
    user_file = config.user_file()
    if source is None or source.path != user_file:
        source = config.UserFile(user_file)
    secrets = guard(logging.getLogger("inkwright"), environ, user_file.parent / "keys")
    loaded = config.load(environ, source, editor, providers(), secrets.stored(), trusted)
    source.told = loaded.problems
    for problem in loaded.problems:
        notify(problem)
    locale = loaded.settings.locale or locale
    return Studio(
        loaded.settings,
        _Profiles(user_file.parent / "profiles", locale, notify, profiles_changed),
        Workspace(folders, notify, progress),
        locale,
        _Models(secrets, loaded.settings, environ),
        trusted,
        source,
    )


class _Profiles:
    """The libraries, imported when the first of them is asked for.

    A file that cannot be used is told of with its line, and the rest works.
    """

    def __init__(
        self, folder: Path, locale: Locale, notify: Callable[[Fault], None], changed: Callable[[], None]
    ) -> None:
        self._folder = folder
        self._locale = locale
        self._notify = notify
        self._changed = changed
        self._lock = threading.Lock()
        self._made: Libraries | None = None

    def of(self, root: Path | None) -> Library:
        return self._libraries().of(root)

    def has_own(self, root: Path) -> bool:
        return self._libraries().has_own(root)

    def known(self, ability: str) -> Profile | None:
        return None if self._made is None else self._made.known(ability)

    def look(self) -> bool:
        return self._made is not None and self._made.look()

    def folder(self, root: Path | None) -> Path | None:
        return self._folder if root is None else self._libraries().folder(root)

    def entry(self, file: Path, root: Path | None) -> tuple[Path, Entry] | None:
        return self._libraries().entry(file, root)

    def review(self, file: Path, text: str, root: Path | None, *, trusted: bool) -> tuple[Diagnostic, ...]:
        return self._libraries().review(file, text, root, trusted=trusted)

    def _libraries(self) -> Libraries:
        with self._lock:
            if self._made is None:
                from inkwright.library.libraries import Libraries

                self._made = Libraries(self._folder, self._tell, _tools, changed=self._changed)
            return self._made

    def _tell(self, problem: Problem) -> None:
        from inkwright.domain.errors import Fault
        from inkwright.i18n import tr

        code = "profile_remark" if problem.code == "profile_tools_unknown" else "profile_unusable"
        message = tr(problem.code, self._locale, problem.params)
        self._notify(Fault(code, {"path": problem.path, "line": problem.line + 1, "message": message}))


def _tools() -> Collection[str]:
    """The names of all tools."""
    from inkwright.tools.toolbox import TOOLS

    return TOOLS


class _Models:
    """Models over HTTP are shared by all books; the offline engine is bound to one."""

    def __init__(self, secrets: Secrets, settings: Settings, environ: Mapping[str, str]) -> None:
        self.secrets = secrets
        self._off = settings.checks.off
        self._configured = settings.models
        self._environ = environ
        self._over_http: dict[str, Answering] = {}

    def get(self, profile: ModelProfile, view: BookView | None) -> ChatModel:
        if profile.offline:
            from inkwright.offline.model import OfflineModel

            return OfflineModel(view, disabled=self._off)
        if profile.id not in self._over_http:
            from inkwright.providers import shared

            self._over_http[profile.id] = shared(profile, self.secrets)
        return self._over_http[profile.id]

    def configured(self, profile: ModelProfile) -> bool:
        return profile.key is None or self.secrets.configured(profile.key.ref)

    async def examine(self, profile: ModelProfile) -> Health:
        from inkwright.providers.health import examine

        return await examine(profile, self.secrets)

    async def discover(self) -> tuple[Found, ...]:
        from inkwright.providers.catalog import providers
        from inkwright.providers.discovery import discover

        return await discover(providers())

    async def offered(self, endpoint: str, key: str) -> Offered:
        import asyncio

        from inkwright.config import ModelReader
        from inkwright.providers.catalog import providers
        from inkwright.providers.offering import offered

        def read() -> ModelProfile:
            reader = ModelReader(providers(), self._environ, {}, self.secrets.stored())
            return reader.unnamed(endpoint, key, self._configured)

        return await offered(await asyncio.to_thread(read), self.secrets)

    async def close(self) -> None:
        models, self._over_http = list(self._over_http.values()), {}
        for model in models:
            await model.close()
