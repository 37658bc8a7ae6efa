"""The messages of a run, put together in the engine's fixed order.

System: domain, ability, their hints, memories, what the conversation was about, then the suffix with
the time: stable text first, so that a prefix cache hits. User: instruction and message, the passage, then the parts below it, which
are cut from the bottom up. Manuscript text goes in after rendering, inside fences.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from inkwright.domain.run import Part, RunRequest, Window
from inkwright.domain.tokens import estimate
from inkwright.runtime import caps, history
from inkwright.runtime.fence import attribute, fence, key
from inkwright.runtime.stage import Stage
from inkwright.runtime.steptext import label
from inkwright.runtime.texts import line, prose

CHAPTER_HERE = "current"
"""The id by which tools know a chapter that has no file."""

HEAD = frozenset({"instruction", "message", "passage"})
"""The parts of a user message that are never cut."""
# Below the passage: order, characters of one part, number of parts. 0 sets no number.
_BELOW: Mapping[str, tuple[int, int, int]] = {
    "before": (0, caps.MARGIN_CHARS, 1),
    "after": (1, caps.MARGIN_CHARS, 1),
    "card": (2, caps.CARD_CHARS, caps.CARDS),
    "outline": (3, caps.OUTLINE_CHARS, 1),
    "summary": (4, caps.SUMMARY_CHARS, caps.SUMMARIES),
}
_OTHER = (5, caps.OTHER_CHARS, 0)


def past(request: RunRequest) -> tuple[tuple[str, str], ...]:
    """The turns of the conversation that the run may know: the steps of a pipeline know none."""
    return () if request.steps else request.history


def joined(parts: Iterable[Part]) -> str:
    return "\n\n".join(part.text for part in parts if part.text)


def system_parts(request: RunRequest, now: datetime, turns: int = history.TURNS) -> tuple[Part, ...]:
    """The parts of the system message in order; memories beyond their share are listed as cut.

    `now` is shown to the minute; of the conversation all but the last `turns` turns are summed up.
    """
    profile, locale = request.profile, request.locale
    older, _ = history.parts(past(request), locale, request.id, turns)
    parts = [
        _part("domain", profile.domain_prompt, profile.domain),
        _part("ability", profile.ability_prompt, profile.ability),
        *(_part("hint", text) for text in profile.hints),
        *_memories(request),
        *([older] if older else ()),
        _part("suffix", prose("suffix", locale, now=now.strftime("%Y-%m-%d %H:%M"))),
    ]
    return tuple(part for part in parts if part.text or part.cut)


def user(request: RunRequest, stage: Stage, limit: int | None = None) -> tuple[str, tuple[Part, ...]]:
    """The user message of a window or step, and its parts.

    `limit` is what the parts below the passage may take, in tokens; from the first that does not fit
    on, they are left out. The parts that are left out stay in the list, without text.
    """
    locale = request.locale
    below = tuple(_fit(_capped(stage.context), limit))
    mark = key(request.id, (stage.passage, *(part.text for part in below)))
    passage = stage.passage and fence(mark, "passage", stage.passage, request.snapshot.path)
    head = [
        _part("instruction", "\n".join(_order(request, stage))),
        _part("message", request.message and f"{line('author', locale)}\n{request.message}"),
        _part("passage", passage, "passage"),
    ]
    body = [fence(mark, part.name, part.text, part.source) for part in below if part.text]
    text = "\n\n".join([*(part.text for part in head if part.text), *body])
    head[-1] = replace(head[-1], text=stage.passage)
    return text, (*(part for part in head if part.text), *below)


def reserve(request: RunRequest, window: Window) -> int:
    """Tokens kept free for the answer, of a model whose context window is known."""
    return min(expected(request, window), request.context_window // 2)


def expected(request: RunRequest, window: Window) -> int:
    """About the most tokens that an answer has: an edit gives the passage back, and notes."""
    return 2 * estimate(window.text) + 500 if request.profile.output == "edit" else 4000


def _order(request: RunRequest, stage: Stage) -> Iterable[str]:
    locale, window, step = request.locale, stage.window, stage.step
    if step is not None:
        yield prose("step", locale, label=label(step), instruction=step.instruction.strip())
    else:
        output = request.profile.output
        yield prose(output if output in ("edit", "insert", "summary") else "report", locale)
    yield line("chapter", locale, chapter=attribute(request.snapshot.path) or CHAPTER_HERE)
    if window.count > 1:
        yield line("window", locale, index=window.index + 1, count=window.count)


def memories(request: RunRequest) -> tuple[Part, ...]:
    """A part for each memory, best first; one that is over their share stays in the list without text."""
    head = line("memories", request.locale)
    kept: list[str] = []
    out: list[Part] = []
    for memory in request.memories:
        entry = "- " + " ".join(memory.split())
        if estimate("\n".join([head, *kept, entry])) <= caps.MEMORY_TOKENS:
            kept.append(entry)
            out.append(_part("memory", entry, "memories"))
        else:
            out.append(Part("memory", "", "memory_share", cut=len(memory)))
    return tuple(out)


def _memories(request: RunRequest) -> Iterable[Part]:
    """One part of all memories that go along, and one without text for each that does not."""
    parts = memories(request)
    if kept := [part.text for part in parts if part.text]:
        yield _part("memory", "\n".join([line("memories", request.locale), *kept]), "memories")
    yield from (part for part in parts if not part.text)


def _capped(parts: Iterable[Part]) -> tuple[Part, ...]:
    """The parts in the order of the message, each within its cap."""
    ordered = sorted(parts, key=lambda part: _BELOW.get(part.name, _OTHER)[0])
    count: dict[str, int] = {}
    out: list[Part] = []
    for part in ordered:
        _, chars, number = _BELOW.get(part.name, _OTHER)
        if part.text:
            count[part.name] = count.get(part.name, 0) + 1
            if number and count[part.name] > number:
                out.append(_dropped(part))
                continue
        # The text before a passage is worth most where it meets the passage.
        text = part.text[-chars:] if part.name == "before" else part.text[:chars]
        out.append(replace(part, text=text, tokens=estimate(text), cut=part.cut + len(part.text) - len(text)))
    return tuple(out)


def _fit(parts: Iterable[Part], limit: int | None) -> Iterable[Part]:
    used, full = 0, False
    for part in parts:
        full = full or (limit is not None and used + part.tokens > limit)
        used += part.tokens
        yield _dropped(part) if full and part.text else part


def _dropped(part: Part) -> Part:
    return replace(part, text="", tokens=0, cut=part.cut + len(part.text))


def _part(name: str, text: str, reason: str = "") -> Part:
    return Part(name, text, reason, tokens=estimate(text))
