"""A studio on a small real book, with scripted models in the place of real ones."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from inkwright.abilities.asks import Ask
from inkwright.abilities.studio import Studio
from inkwright.config import Settings
from inkwright.domain.errors import Fault
from inkwright.domain.model import ModelProfile
from inkwright.domain.ports import BookView, ChatModel
from inkwright.domain.run import RunEvent
from inkwright.library import libraries
from inkwright.runtime.scripted import ScriptedModel
from inkwright.workspace import Workspace

CHAPTER = "林夏到的时候，船已经走了。\n\n她数了数铜钱，一共十七枚。\n\n“再等等。”周衡说。\n"


@dataclass
class Models:
    """Gives the scripted model whatever is asked for."""

    model: ChatModel
    closed: bool = False

    def get(self, profile: ModelProfile, view: BookView | None) -> ChatModel:
        return self.model

    def configured(self, profile: ModelProfile) -> bool:
        return True

    async def close(self) -> None:
        self.closed = True


@dataclass
class Stage:
    """A studio, its book's root, the model it talks to and what the writer was told.

    A model that pauses for some seconds pauses until `go`.
    """

    root: Path
    studio: Studio
    models: Models
    notices: list[Fault] = field(default_factory=list)
    go: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def chapter(self) -> Path:
        return self.root / "第001章 渡口.md"

    def plays(self, *script: object) -> ScriptedModel:
        self.models.model = model = ScriptedModel(script, sleep=lambda _: self.go.wait())  # type: ignore[arg-type]
        return model

    async def ask(self, ability: str = "polish", **more: object) -> Ask:
        _, snapshot = await self.studio.workspace.snapshot(self.chapter)
        return Ask(ability, snapshot, self.chapter, **more)  # type: ignore[arg-type]


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    root = tmp_path / "书"
    (root / "cards").mkdir(parents=True)
    (root / "book.toml").write_text('title = "渡口"\ntype = "novel"\nlanguage = "zh-CN"\n', "utf-8")
    (root / "第001章 渡口.md").write_text(CHAPTER, "utf-8")
    (root / "cards" / "林夏.md").write_text(
        "---\ntype: character\nname: 林夏\nprivate: 她是写信的人\n---\n药铺学徒。\n", "utf-8"
    )
    notices: list[Fault] = []
    models = Models(ScriptedModel(()))
    workspace = Workspace([root], notices.append)
    studio = Studio(Settings(), libraries.Libraries(None), workspace, "zh", models)
    yield Stage(root, studio, models, notices)
    await studio.close()
    assert models.closed


@pytest.fixture
def seen() -> Callable[[list[RunEvent]], str]:
    from inkwright.domain.run import TextDelta

    return lambda events: "".join(e.text for e in events if isinstance(e, TextDelta))
