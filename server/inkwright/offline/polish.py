"""Polish by the proofreading rules: the passage with the sure fixes made, then what was changed and why."""

from __future__ import annotations

import asyncio
from collections import Counter

from inkwright.checks import checking
from inkwright.domain import text as places
from inkwright.domain.conversation import Locale, Task
from inkwright.domain.diagnostic import Diagnostic
from inkwright.domain.text import Span, TextEdit
from inkwright.i18n import tr
from inkwright.offline.desk import Desk, Setting

SEPARATORS: dict[Locale, str] = {"zh": "=== 修改说明 ===", "en": "=== Notes ==="}
MOST = 40
"""Kinds of change or remark that the notes name one by one; of more, the number."""


async def polish(desk: Desk, task: Task) -> str:
    whole = await desk.whole(task)
    return await asyncio.to_thread(_polish, desk, task, whole)


def _polish(desk: Desk, task: Task, whole: str) -> str:
    setting = desk.place(whole, task)
    found = [one for one in desk.proofread(setting) if _near(one, setting.span)]
    made = [(one, edit) for one in found for edit in _edits(one, setting)]
    revised = places.apply(task.passage, [edit for _, edit in made])
    done = [one for one, _ in made]
    left = [one for one in found if one not in done and _inside(one.span, setting.span)]
    further = desk.goes_on(setting)
    if further and not done and not left:
        return revised
    notes = _notes(done, left, task.locale, further=further)
    return f"{revised}\n\n{SEPARATORS[task.locale]}\n{notes}"


def _near(one: Diagnostic, window: Span) -> bool:
    return _inside(one.span, window) or (one.fix is not None and one.fix.span.touches(window))


def _inside(span: Span, window: Span) -> bool:
    return window.start <= span.start < window.end


def _edits(one: Diagnostic, setting: Setting) -> list[TextEdit]:
    """The fix inside the passage, at most one; of a fix that crosses its border, the part inside.

    Every window of one text sees the same fixes, so the parts that two windows make are the whole.
    """
    if one.fix is None or not _sound(one, setting):
        return []
    window, span = setting.span, one.fix.span
    low, high = max(span.start, window.start), min(span.end, window.end)
    if low >= high:
        return []
    new = one.fix.new if window.start <= span.start else ""
    return [TextEdit(Span(low - window.start, high - window.start), new)]


def _sound(one: Diagnostic, setting: Setting) -> bool:
    """Half a pair is not repaired without the other, nor a mark whose surroundings are not known."""
    partner = one.params.get("partner")
    if not isinstance(partner, int):
        return True
    window = setting.span
    if not window.start <= one.span.start + partner < window.end:
        return False
    return setting.known or _is_inner(one, setting)


def _is_inner(one: Diagnostic, setting: Setting) -> bool:
    """Whether the paragraph of `one` is whole for sure, in a passage that is all we have of its text."""
    inside = [p.span for p in setting.document.paragraphs if p.prose]
    own = next((span for span in inside if span.start <= one.span.start < span.end), None)
    if own is None:
        return False
    ends = setting.text[own.end : own.end + 1] != "" or own.end != inside[-1].end
    return own.start != inside[0].start and ends


def _notes(done: list[Diagnostic], left: list[Diagnostic], locale: Locale, *, further: bool) -> str:
    """That it is rules is said once, in the first window of a passage."""
    lines = [] if further else [tr("offline_rules", locale)]
    if done:
        lines += ["", tr("offline_changed", locale, {"count": len(done)}), *_list(done, locale)]
    elif not further:
        lines += ["", tr("offline_unchanged", locale)]
    if left:
        lines += ["", tr("offline_left", locale, {"count": len(left)}), *_list(left, locale)]
    return "\n".join(lines).lstrip("\n") + "\n"


def _list(found: list[Diagnostic], locale: Locale) -> list[str]:
    kinds = Counter((checking.message(one, locale), _change(one)) for one in found)
    rows = [
        tr("offline_item", locale, {"message": text, "change": change, "count": count})
        if change
        else tr("offline_remark", locale, {"message": text, "count": count})
        for (text, change), count in kinds.most_common(MOST)
    ]
    if len(kinds) > MOST:
        rows.append(
            tr(
                "offline_more",
                locale,
                {"count": sum(kinds.values()) - sum(n for _, n in kinds.most_common(MOST))},
            )
        )
    return rows


def _change(one: Diagnostic) -> str:
    if one.fix is None:
        return ""
    return (
        f"`{one.params['found']}` → `{one.fix.new}`"
        if one.fix.new.strip()
        else f"`{one.params['found']}` → ∅"
    )
