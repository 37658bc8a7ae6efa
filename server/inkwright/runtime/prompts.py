"""The messages of a run, put together in the engine's fixed order.

System: domain, ability, their hints, memories, then the suffix with the time: stable text first, so
that a prefix cache hits. User: instruction and message, the passage, then the parts below it, which
are cut from the bottom up. Manuscript text goes in after rendering, inside fences.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from inkwright.domain.conversation import ToolSpec
from inkwright.domain.run import Part, RunRequest, Window
from inkwright.domain.tokens import estimate
from inkwright.runtime import caps
from inkwright.runtime.fence import attribute, fence, key
from inkwright.runtime.history import earlier
from inkwright.runtime.texts import line, prose

CHAPTER_HERE = "current"
"""The id by which tools know a chapter that has no file."""

# Below the passage: order, characters of one part, number of parts. 0 sets no number.
_BELOW: Mapping[str, tuple[int, int, int]] = {
    "before": (0, caps.MARGIN_CHARS, 1),
    "after": (1, caps.MARGIN_CHARS, 1),
    "card": (2, caps.CARD_CHARS, caps.CARDS),
    "outline": (3, caps.OUTLINE_CHARS, 1),
    "summary": (4, caps.SUMMARY_CHARS, caps.SUMMARIES),
}
_OTHER = (5, caps.OTHER_CHARS, 0)


def system(request: RunRequest, now: datetime) -> str:
    """The system message. `now` is shown to the minute."""
    return "\n\n".join(part.text for part in system_parts(request, now) if part.text)


def system_parts(request: RunRequest, now: datetime) -> tuple[Part, ...]:
    """The parts of the system message in order; memories beyond their share are listed as cut."""
    profile, locale = request.profile, request.locale
    parts = [
        _part("domain", profile.domain_prompt, profile.domain),
        _part("ability", profile.ability_prompt, profile.ability),
        *(_part("hint", text) for text in profile.hints),
        *_memories(request),
        _part("suffix", prose("suffix", locale, now=now.strftime("%Y-%m-%d %H:%M"))),
    ]
    return tuple(part for part in parts if part.text or part.cut)


def user(request: RunRequest, window: Window, limit: int | None = None) -> tuple[str, tuple[Part, ...]]:
    """The user message of a window and its parts.

    `limit` is what the parts below the passage may take, in tokens; from the first that does not fit
    on, they are left out. The parts that are left out stay in the list, without text.
    """
    locale = request.locale
    below = _capped(request.context[window.index] if window.index < len(request.context) else ())
    kept = tuple(_fit(below, limit))
    mark = key(request.id, (window.text, *(part.text for part in kept)))
    head = [
        _part("instruction", _instruction(request, window)),
        _part("message", request.message and f"{line('author', locale)}\n{request.message}"),
        _part(
            "passage",
            window.text and fence(mark, "passage", window.text, request.snapshot.path),
        ),
    ]
    body = [fence(mark, part.name, part.text, part.source) for part in kept if part.text]
    text = "\n\n".join([*(part.text for part in head if part.text), *body])
    shown = [
        replace(part, text=window.text, reason="passage") if part.name == "passage" else part for part in head
    ]
    return text, (*(part for part in shown if part.text), *kept)


def tokens_below(request: RunRequest, window: Window) -> int:
    """What the parts below the passage would take without a limit."""
    context = request.context[window.index] if window.index < len(request.context) else ()
    return sum(part.tokens for part in _capped(context))


def room(request: RunRequest, window: Window, now: datetime, tools: Sequence[ToolSpec] = ()) -> int | None:
    """What the parts below the passage may take in the model's context window; None when all of them fit
    or the window is not known."""
    if not request.context_window:
        return None
    below = tokens_below(request, window)
    text, _ = user(request, window)
    fixed = [system(request, now), text, *(m.content for m in earlier(request.history, request.locale))]
    fixed += [spec.text for spec in tools]
    left = request.context_window - reserve(request, window) - sum(map(estimate, fixed)) + below
    return max(0, left) if left < below else None


def reserve(request: RunRequest, window: Window) -> int:
    """Tokens kept free for the answer: an edit gives the passage back, and notes."""
    wanted = 2 * estimate(window.text) + 500 if request.profile.output == "edit" else 4000
    return min(wanted, request.context_window // 2)


def _instruction(request: RunRequest, window: Window) -> str:
    locale = request.locale
    kind = {"edit": "edit", "insert": "insert"}.get(request.profile.output, "report")
    out = [
        prose(kind, locale),
        line("chapter", locale, chapter=attribute(request.snapshot.path) or CHAPTER_HERE),
    ]
    if window.count > 1:
        out.append(line("window", locale, index=window.index + 1, count=window.count))
    return "\n".join(out)


def _memories(request: RunRequest) -> Iterable[Part]:
    """One part of all memories that fit, and one without text for each that does not."""
    head = line("memories", request.locale)
    kept: list[str] = []
    dropped: list[Part] = []
    for memory in request.memories:
        entry = "- " + " ".join(memory.split())
        if estimate("\n".join([head, *kept, entry])) <= caps.MEMORY_TOKENS:
            kept.append(entry)
        else:
            dropped.append(Part("memory", "", "memory_share", cut=len(memory)))
    if kept:
        yield _part("memory", "\n".join([head, *kept]), "memories")
    yield from dropped


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
