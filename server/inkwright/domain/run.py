"""A run: what was asked, what happens, how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from inkwright.domain.conversation import Attempt, Effort, Image, Locale, Usage, Waiting
from inkwright.domain.errors import Fault
from inkwright.domain.profile import EffectiveProfile
from inkwright.domain.text import Snapshot, Span

if TYPE_CHECKING:
    from inkwright.domain.model import Price

Status = Literal["completed", "partial", "failed", "cancelled"]
State = Literal["queued", "running", "waiting", "completed", "partial", "failed", "cancelled", "interrupted"]
StopReason = Literal[
    "finished",
    "length",
    "rounds",
    "calls",
    "seconds",
    "silence",
    "tokens",
    "cost",
    "disconnected",
    "filtered",
    "reasoning_only",
    "no_rewrite",
    "needs_model",
    "busy",
    "cancelled",
    "interrupted",
    "error",
]


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of a run; 0 sets none. `seconds` is per window for an edit, per run elsewhere."""

    rounds: int
    calls: int = 50
    seconds: float = 0
    tokens: int = 0
    cost: float = 0


@dataclass(frozen=True, slots=True)
class Clocks:
    """Time limits on a model's connection, in seconds. `total` bounds the whole; 0 sets none."""

    connect: float = 30
    bytes: float = 60
    first_payload: float = 600
    payload: float = 120
    total: float = 0


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a prompt, as the context page lists it.

    `name` is a code (passage, before, after, card, outline, summary, product, instruction, message,
    memory, conversation, history, domain, ability, hint, suffix), `reason` a code with `params`, `tokens` an estimate. `cut` is the
    number of characters left out (all of them: `text` is ''). `source` is a book path or ''.
    """

    name: str
    text: str
    reason: str = ""
    params: Mapping[str, str | int] = field(default_factory=dict)
    tokens: int = 0
    cut: int = 0
    source: str = ""


@dataclass(frozen=True, slots=True)
class Window:
    """One stretch of the passage that goes to the model by itself. `span` lies in the snapshot."""

    index: int
    count: int
    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a pipeline as this run plays it. `index` counts through the whole run; `window` is the
    batch whose text it sees, of which there are `batches`; `label` and `instruction` in the run's language."""

    index: int
    count: int
    name: str
    label: str
    instruction: str
    tools: tuple[str, ...] = ()
    rounds: int = 1
    passage: bool = True
    window: int = 0
    batches: int = 1


StepStatus = Literal["completed", "partial", "failed", "cancelled", "pending"]


@dataclass(frozen=True, slots=True)
class Product:
    """What a step came to. A `completed` one is kept for a resumed run."""

    index: int
    name: str
    status: StepStatus
    text: str = ""
    window: int = 0


@dataclass(frozen=True, slots=True)
class RunRequest:
    """Everything a run needs, frozen: later typing does not reach into it.

    `span` is the target in `snapshot.text` (code points); `whole` when it is the whole chapter.
    `windows` cover the span in order, one for everything but long edits. `context` holds, for each
    window, the parts below the passage, best first.
    """

    id: str
    profile: EffectiveProfile
    book_root: str
    snapshot: Snapshot
    span: Span
    whole: bool
    windows: tuple[Window, ...]
    context: tuple[tuple[Part, ...], ...]
    message: str
    locale: Locale
    model: str
    effort: Effort
    budget: Budget
    memories: tuple[str, ...] = ()
    history: tuple[tuple[str, str], ...] = ()
    """Earlier turns of a conversation: (user, assistant)."""
    context_window: int = 0
    """What the model takes, in tokens; 0 when unknown. Context is cut to fit it."""
    pipeline: str = ""
    steps: tuple[Step, ...] = ()
    """The pipeline's steps in the order in which they run; none for every other run."""
    products: tuple[Product, ...] = ()
    """The completed steps of the run that this one resumes."""
    resumes: str = ""
    price: Price | None = None
    """What the model costs; None when nobody knows."""
    max_output: int = 0
    """The most that the model writes in one answer, in tokens; 0 when unknown."""
    images: tuple[Image, ...] = ()
    """Pictures that the writer gives to the model with the passage."""


# What a run yields, in order. Exactly one RunEnded ends it, also after cancel and crash.


@dataclass(frozen=True, slots=True)
class RunStarted:
    id: str
    model: str


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the final text; the deltas put together are `RunEnded.text` to the letter."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    text: str


@dataclass(frozen=True, slots=True)
class ToolStarted:
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class ToolEnded:
    id: str
    name: str
    ok: bool


@dataclass(frozen=True, slots=True)
class StepStarted:
    """A window of a long edit or a step of a pipeline; `index` from 0. `label` is a step's in the run's language.

    The first one of a pipeline brings all its `steps`.
    """

    index: int
    count: int
    name: str
    label: str = ""
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class StepEnded:
    index: int
    count: int
    name: str
    ok: bool


@dataclass(frozen=True, slots=True)
class RunWaiting:
    """The model's side is not at work yet, and why; None when it now is."""

    waiting: Waiting | None


@dataclass(frozen=True, slots=True)
class RunSettling:
    """The answer is whole; what the writer gets is being made of it."""


@dataclass(frozen=True, slots=True)
class UsageSoFar:
    usage: Usage


@dataclass(frozen=True, slots=True)
class RunEnded:
    """The outcome. `window_texts[i]` is what window i answered, None when it has no whole answer.

    `notices` are what the writer should know beside the outcome, such as context that was cut.
    """

    status: Status
    stop_reason: StopReason
    text: str
    usage: Usage
    window_texts: tuple[str | None, ...] = ()
    fault: Fault | None = None
    notices: tuple[Fault, ...] = ()
    steps: tuple[Product, ...] = ()
    """Every step of a pipeline, those that were not reached as `pending`."""


RunEvent = (
    RunStarted
    | TextDelta
    | ReasoningDelta
    | ToolStarted
    | ToolEnded
    | StepStarted
    | StepEnded
    | RunWaiting
    | RunSettling
    | UsageSoFar
    | RunEnded
)


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One request to the model, as the journal keeps it: no system prompt, no key, no reasoning."""

    run_id: str
    index: int
    window: int
    round: int
    prompt_hash: str
    prompt_chars: int
    text: str
    finish: str
    usage: Usage | None
    seconds: float
    provider_request_id: str = ""
    error_kind: str = ""
    calls: tuple[ToolRecord, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    """Those that came to nothing before the one that this record is of."""


@dataclass(frozen=True, slots=True)
class ToolRecord:
    id: str
    name: str
    arguments: Mapping[str, Any] | None
    raw: str
    result: str
    ok: bool
    seconds: float
