"""A run's parts as the columns of its row, and back."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any, cast

from inkwright.domain.conversation import Attempt, Effort, Locale, Usage
from inkwright.domain.errors import Fault
from inkwright.domain.profile import EffectiveProfile
from inkwright.domain.run import Budget, Part, State, Step, StepRecord, StopReason, ToolRecord, Window
from inkwright.domain.text import Span
from inkwright.store.values import Packed, pack_json, unpack, unpack_json

# Parts that are our own prompt: they never reach the database.
_PROMPT = frozenset({"domain", "ability", "hint", "suffix"})


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run as the journal knows it. `ended_at` is None while it runs; times in seconds since 1970."""

    id: str
    book_id: str
    process_id: str
    state: State
    stop_reason: StopReason | None
    ability: str
    domain: str
    profile_hash: str
    model: str
    effort: Effort
    locale: Locale
    message: str
    body_hash: str
    uri: str
    path: str
    version: int | None
    span: Span
    whole: bool
    snapshot: str
    """The digest of the text that the run was made from."""
    text: str
    window_texts: tuple[str | None, ...]
    usage: Usage
    fault: Fault | None
    memories: tuple[str, ...]
    history: tuple[tuple[str, str], ...]
    pipeline: str
    """The pipeline's id, '' for every other run."""
    steps: tuple[Step, ...]
    """The pipeline's steps as they were planned, with an empty `instruction`: that is our own prompt."""
    resumes: str
    """The id of the run that this one went on with, or ''."""
    notices: tuple[Fault, ...]
    budget: Budget | None
    """None for a run of a database that did not keep it."""
    context_window: int
    """What the model was known to take, in tokens; 0 when unknown."""
    proposal_id: str
    server_version: str
    created_at: float
    updated_at: float
    ended_at: float | None


def run(row: sqlite3.Row) -> StoredRun:
    return StoredRun(
        id=unpack(row["id"]),
        book_id=row["book_id"],
        process_id=row["process_id"],
        state=cast("State", row["state"]),
        stop_reason=cast("StopReason | None", row["stop_reason"]),
        ability=unpack(row["ability"]),
        domain=unpack(row["domain"]),
        profile_hash=row["profile_hash"],
        model=unpack(row["model"]),
        effort=cast("Effort", row["effort"]),
        locale=cast("Locale", row["locale"]),
        message=unpack(row["message"]),
        body_hash=row["body_hash"],
        uri=unpack(row["uri"]),
        path=unpack(row["path"]),
        version=row["version"],
        span=Span(row["span_start"], row["span_end"]),
        whole=bool(row["whole"]),
        snapshot=row["snapshot"],
        text=unpack(row["text"]),
        window_texts=tuple(unpack_json(row["window_texts"])),
        usage=Usage(**unpack_json(row["usage"])),
        fault=fault(unpack_json(row["fault"])),
        memories=tuple(unpack_json(row["memories"])),
        history=tuple((user, answer) for user, answer in unpack_json(row["history"])),
        pipeline=unpack(row["pipeline"]),
        steps=steps_out(unpack_json(row["steps"])),
        resumes=unpack(row["resumes"]),
        notices=tuple(Fault(**found) for found in unpack_json(row["notices"])),
        budget=None if row["budget"] is None else Budget(**unpack_json(row["budget"])),
        context_window=row["context_window"],
        proposal_id=row["proposal_id"] or "",
        server_version=row["server_version"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        ended_at=row["ended_at"],
    )


def step(row: sqlite3.Row, calls: Iterable[sqlite3.Row]) -> StepRecord:
    return StepRecord(
        run_id=unpack(row["run_id"]),
        index=row["idx"],
        window=row["window"],
        round=row["round"],
        prompt_hash=row["prompt_hash"],
        prompt_chars=row["prompt_chars"],
        text=unpack(row["text"]),
        finish=row["finish"],
        usage=usage(row["usage"]),
        seconds=row["seconds"],
        provider_request_id=unpack(row["provider_request_id"]),
        error_kind=row["error_kind"],
        calls=tuple(tool(call) for call in calls),
        attempts=tuple(attempt(found) for found in unpack_json(row["attempts"])),
    )


def usage(packed: Packed | None) -> Usage | None:
    found = unpack_json(packed)
    return None if found is None else Usage(**found)


def attempt(found: dict[str, Any]) -> Attempt:
    used = found["usage"]
    return Attempt(**found | {"usage": None if used is None else Usage(**used)})


def tool(row: sqlite3.Row) -> ToolRecord:
    return ToolRecord(
        id=unpack(row["call_id"]),
        name=unpack(row["name"]),
        arguments=unpack_json(row["arguments"]),
        raw=unpack(row["raw"]),
        result=unpack(row["result"]),
        ok=bool(row["ok"]),
        seconds=row["seconds"],
    )


def fault(found: dict[str, Any] | None) -> Fault | None:
    return None if found is None else Fault(**found)


def steps_in(steps: tuple[Step, ...]) -> Packed:
    """The planned steps, without their instructions."""
    return pack_json([asdict(replace(step, instruction="")) for step in steps])


def steps_out(found: list[dict[str, Any]]) -> tuple[Step, ...]:
    return tuple(Step(**step | {"tools": tuple(step["tools"])}) for step in found)


def windows_out(found: list[list[int]], snapshot: str) -> tuple[Window, ...]:
    spans = [Span(start, end) for start, end in found]
    return tuple(Window(i, len(spans), span, span.of(snapshot)) for i, span in enumerate(spans))


def context_in(context: tuple[tuple[Part, ...], ...]) -> list[list[dict[str, Any]]]:
    """The parts below the passage, without any that is our own prompt."""
    return [[asdict(part) for part in parts if part.name not in _PROMPT] for parts in context]


def context_out(found: list[list[dict[str, Any]]]) -> tuple[tuple[Part, ...], ...]:
    return tuple(tuple(Part(**part) for part in parts) for parts in found)


def profile_hash(profile: EffectiveProfile) -> str:
    """Tells two effective profiles apart without keeping their prompts."""
    data = pack_json(asdict(replace(profile, origins={})))
    return hashlib.sha256(data if isinstance(data, bytes) else data.encode("utf-8")).hexdigest()
