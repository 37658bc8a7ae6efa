"""webnovel-writer: numbered chapters below 正文 or 定稿, told apart by its state file or its contract."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from inkwright.manuscript.layouts.base import OTHER, Place, Project, below, join
from inkwright.manuscript.layouts.ground import Ground

ID = "webnovel-writer"

_PEOPLE = frozenset(("人物档案", "人物", "角色"))
_PLANS = frozenset(("作品契约", "构想", "大纲", "账本", "本书记忆", "文风", "草稿区", "工作区"))


def find(ground: Ground) -> Iterator[Project]:
    """One for each folder with `.webnovel/`, and one for each with `作品契约/`."""
    for base in ground.bases(".webnovel"):
        state = ground.json(join(base, ".webnovel/state.json"))
        about = state.get("project_info") if isinstance(state, Mapping) else None
        title = _text(about, "title", "name", "书名")
        hero = _text(state.get("protagonist_state") if isinstance(state, Mapping) else None, "name", "姓名")
        yield Project(ID, base, partial(_place, base, hero), title=title)
    for base in ground.bases("作品契约"):
        yield Project(ID, base, partial(_finished, base))


def _place(base: str, hero: str, path: str) -> Place | None:
    name = below(base, path)
    if name.startswith("设定集/") and name.endswith(".md"):
        stem = name.rpartition("/")[2].rpartition(".")[0]
        if stem == "主角卡":
            return Place("card", "character", fixed=True, title=hero)
        if stem.startswith(("主角", "女主", "反派", "配角")) or "角色" in name or "人物" in name:
            return Place("card", "character", fixed=True)
    return None


def _finished(base: str, path: str) -> Place | None:
    """What is finished is not to be edited; what is planned is no chapter."""
    folder, _, rest = below(base, path).partition("/")
    if folder == "定稿" and rest:
        volume = rest.rpartition("/")[0]
        return Place("chapter", volume=volume, readonly="finished") if path.endswith(".md") else None
    if folder in _PLANS and rest:
        return OTHER
    if folder == "世界书" and path.endswith(".md"):
        kind = "character" if rest.partition("/")[0] in _PEOPLE else ""
        return Place("card", kind) if kind else None
    return None


def _text(table: Any, *keys: str) -> str:
    found = (table.get(key) for key in keys) if isinstance(table, Mapping) else ()
    return next((value.strip() for value in found if isinstance(value, str) and value.strip()), "")
