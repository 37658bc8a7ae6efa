"""What goes along of what a writer said before, and what a run leaves to remember."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from inkwright.domain.conversation import Locale
from inkwright.domain.errors import Fault, StorageError
from inkwright.domain.memory import Memory
from inkwright.domain.profile import EffectiveProfile
from inkwright.domain.run import RunEnded, RunRequest
from inkwright.library.registry import Library
from inkwright.memory.recall import lines, recall
from inkwright.memory.remember import remember
from inkwright.workspace import OpenBook


async def recalled(
    book: OpenBook,
    profile: EffectiveProfile,
    message: str,
    notices: list[Fault],
    *,
    trial: bool,
    distrusted: bool,
) -> tuple[Memory, ...]:
    """The memories for a run, in the words of its prompt. A database that fails costs the memories, not
    the run, and it is said. Those of a `distrusted` book stay out, and that is said too."""
    try:
        found = await recall(
            book.state.memories, profile.ability, message, stamp=not trial and not distrusted
        )
    except StorageError as error:
        notices.append(error.fault)
        return ()
    if found and distrusted:
        notices.append(Fault("memories_untrusted", {"count": len(found)}))
        return ()
    return worded(found, profile.locale)


def worded(found: Sequence[Memory], locale: Locale) -> tuple[Memory, ...]:
    """The memories with what a prompt says of them for their content."""
    said = lines(found, locale)
    return tuple(replace(memory, content=line) for memory, line in zip(found, said, strict=True))


async def kept(
    book: OpenBook, request: RunRequest, ended: RunEnded, library: Library, *, by_rule: bool
) -> None:
    """Remembers what a run that was completed leaves behind. Raises `StorageError`.

    The message of a quick action is ours, not the writer's. Of the answers only a model's report can
    teach anything: an edit is manuscript, and what rules say they would say again. What its tools read
    of the book is manuscript too.
    """
    message = "" if request.message in _ready_made(library) else request.message
    answer = ended.text if request.profile.output == "report" and not by_rule else ""
    material = [window.text for window in request.windows]
    material += [part.text for parts in request.context for part in parts]
    if answer:
        steps = await book.state.runs.steps(request.id)
        material += [call.result for step in steps for call in step.calls]
    await remember(
        book.state.memories,
        request.profile.ability,
        message,
        answer,
        completed=ended.status == "completed",
        material=material,
    )


def _ready_made(library: Library) -> frozenset[str]:
    return frozenset(
        text
        for profile in (*library.abilities(), *library.domains())
        for quick in profile.quick_actions
        for text in quick.message.values()
    )
