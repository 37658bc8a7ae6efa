"""The messages with which a loop begins, and the parts that they are made of.

The context page shows what this makes: what a model sees is put together nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from inkwright.domain.conversation import Message, ToolSpec
from inkwright.domain.run import Part, RunRequest
from inkwright.domain.tokens import estimate
from inkwright.runtime import history, products, prompts
from inkwright.runtime.stage import Stage


@dataclass(frozen=True, slots=True)
class Opening:
    """`system` are the parts of the system message; `parts` all others, those without text were left out.

    `below` is what may be cut, in tokens: the parts below the passage first, then the products. `turns` of the
    conversation go along as they were. `cut`: something was left out so that it fits the model.
    """

    messages: tuple[Message, ...]
    system: tuple[Part, ...]
    parts: tuple[Part, ...]
    below: int
    turns: int
    cut: bool = False

    @property
    def size(self) -> int:
        return sum(estimate(message.content) for message in self.messages)


def opening(request: RunRequest, stage: Stage, now: datetime, tools: Sequence[ToolSpec] = ()) -> Opening:
    """All that goes along, as far as the model's context window, where it is known, takes it."""
    made = _opening(request, stage, now, None, history.TURNS)
    if not request.context_window:
        return made
    room = request.context_window - prompts.reserve(request, stage.window)
    room -= sum(estimate(spec.text) for spec in tools)
    turns = made.turns
    while made.size > room and (made.below or made.turns):
        if made.below and not made.cut:
            made = _opening(request, stage, now, max(0, made.below - made.size + room), turns, cut=True)
            continue
        if not turns:
            break
        turns -= 1
        made = _opening(request, stage, now, 0, turns, cut=True)
    return made


def halved(request: RunRequest, stage: Stage, now: datetime, made: Opening) -> Opening:
    """`made` with half of what may be cut, for a model that said that it was too much."""
    return _opening(request, stage, now, made.below // 2, made.turns // 2, cut=True)


def _opening(
    request: RunRequest, stage: Stage, now: datetime, limit: int | None, turns: int, *, cut: bool = False
) -> Opening:
    system = prompts.system_parts(request, now, turns)
    head = Message("system", prompts.joined(system))
    past = prompts.past(request)
    recent = history.parts(past, request.locale, request.id, turns)[1]
    turns = min(turns, len(past))
    words, came = products.message(request, stage, limit)
    left = None if limit is None else max(0, limit - sum(part.tokens for part in came))
    text, parts = prompts.user(request, stage, left)
    messages = [
        head,
        *history.earlier(past, request.locale, turns),
        Message("user", text, images=request.images),
    ]
    if words:
        messages.append(Message("user", words))
    below = sum(part.tokens for part in (*parts, *came) if part.name not in prompts.HEAD)
    parts = (*([recent] if recent else ()), *parts, *came)
    return Opening(tuple(messages), system, parts, below, turns, cut)
