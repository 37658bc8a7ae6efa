"""Settings that are read again while the server runs; what runs goes on with the old ones."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inkwright.abilities.sources import Models
    from inkwright.abilities.studio import Studio
    from inkwright.domain.errors import Fault
    from inkwright.lsp.session import Session

MODELS_CHANGED = "$/inkwright/modelsChanged"
"""A notification without parameters: the models, or which of them is used, are others than before."""


class Configuring:
    """One reading at a time: of two changes the later one is read last."""

    def __init__(self, ls: Session) -> None:
        self._ls = ls
        self._reading = asyncio.Lock()
        self._under_way: set[asyncio.Task[None]] = set()
        self._old_models: list[Models] = []

    def begin(self, *, if_changed: bool, told: bool = False) -> asyncio.Task[None]:
        """Reads settings and profiles; `if_changed` only where the user's file has changed. A failure is `told` to who
        awaits the task, or shown."""
        task = self._ls.spawn(self._again(if_changed=if_changed), told=told)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return task

    async def settled(self) -> None:
        """Waits for what is being read, however that ends: what it says has been chosen already."""
        if self._under_way:
            await asyncio.wait({*self._under_way})

    async def _again(self, *, if_changed: bool) -> None:
        studio = await self._ls.studio()
        async with self._reading:
            if if_changed and not await self.stale():  # who came before has read it
                return
            before = () if studio.source is None else studio.source.told
            fresh = await self._ls.made()
            await fresh.workspace.close()
            self._unsay(before, () if studio.source is None else studio.source.told)
            others = _models(studio) != _models(fresh)
            studio.settings, studio.libraries, studio.locale = fresh.settings, fresh.libraries, fresh.locale
            self._old_models.append(studio.models)
            studio.models = fresh.models
            if not self._ls.running:
                await self.close()
        self._ls.checks.again()
        self._ls.profiles_changed()
        if others:
            self._ls.client.notify(MODELS_CHANGED, {})
        self._ls.spawn(self._ls.client.refresh_lenses())  # a run that waits for settings waits for no answer

    async def stale(self) -> bool:
        """Whether the user's file says something else than when it was read."""
        studio = await self._ls.studio()
        return studio.source is not None and await asyncio.to_thread(studio.source.changed)

    async def close(self) -> None:
        """Closes the models that no run uses any more."""
        while self._old_models:
            await self._old_models.pop().close()

    def _unsay(self, before: Iterable[Fault], now: Collection[Fault]) -> None:
        """What was wrong with settings and is not any more may be said once it is again."""
        from inkwright.i18n import render

        for fault in before:
            if fault not in now:
                self._ls.client.forget(render(fault, self._ls.locale))


def _models(studio: Studio) -> tuple[object, ...]:
    """What a client shows of models."""
    settings = studio.settings
    return settings.models, settings.model, settings.abilities, settings.refused
