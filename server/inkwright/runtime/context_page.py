"""What the model saw, as a page of Markdown: every part with its reason, its size and what was cut.

The house's own prompts are listed by size alone; what comes from the book and the author is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from inkwright import i18n
from inkwright.domain.conversation import Locale, ToolSpec, Usage
from inkwright.domain.run import Part, RunEnded, RunRequest, StepRecord, Window
from inkwright.domain.tokens import estimate
from inkwright.i18n import tr
from inkwright.runtime import history, prompts

_HIDDEN = frozenset({"domain", "ability", "hint", "suffix", "instruction"})


def render(
    request: RunRequest,
    locale: Locale,
    *,
    now: datetime,
    tools: Sequence[ToolSpec] = (),
    steps: Sequence[StepRecord] = (),
    ended: RunEnded | None = None,
) -> str:
    """The page of a run that is to come, goes on or has ended; `steps` as far as they are known."""
    profile = request.profile
    out = [
        f"# {tr('context_title', locale, {'label': profile.label})}",
        tr("context_intro", locale),
        "\n".join(
            [
                f"- {tr('context_model', locale)}: {_cell(request.model)}",
                f"- {tr('context_profile', locale)}: {profile.ability} × {profile.domain}",
                f"- {tr('context_passage', locale)}: {_cell(request.snapshot.path)} {_span(request)}",
                f"- {tr('context_tools', locale)}: {_tools(tools, locale)}",
            ]
        ),
    ]
    head = [*prompts.system_parts(request, now), *_history(request)]
    several = len(request.windows) > 1
    for window in request.windows:
        _, parts = prompts.user(request, window, prompts.room(request, window, now, tools))
        both = [*head, *parts]
        if several:
            title = tr("context_window", locale, {"index": window.index + 1, "count": window.count})
            out.append(f"## {title}")
        out += [_table(both, tools, locale), *_texts(parts, window, locale)]
    memories = [part for part in head if part.name in ("memory", "history") and part.text]
    out += [_text(part, locale) for part in memories]
    if steps:
        out.append(_calls(steps, locale))
    if ended is not None:
        out += ["\n".join(f"- {i18n.render(fault, locale)}" for fault in ended.notices)]
        out.append(_usage(ended.usage, locale))
    return "\n\n".join(part for part in out if part) + "\n"


def _span(request: RunRequest) -> str:
    return f"[{request.span.start}, {request.span.end})"


def _table(parts: Iterable[Part], tools: Sequence[ToolSpec], locale: Locale) -> str:
    columns = ("context_part", "context_reason", "context_source", "context_tokens")
    rows = [
        "| " + " | ".join(tr(column, locale) for column in columns) + " |",
        "| --- | --- | --- | ---: |",
    ]
    total = 0
    for part in parts:
        total += part.tokens
        reason = _reason(part, locale)
        if part.cut:
            cut = tr("context_cut", locale, {"cut": part.cut})
            reason = f"{reason} ({cut})" if reason else cut
        cells = (tr(f"part_{part.name}", locale), reason, part.source, str(part.tokens))
        rows.append("| " + " | ".join(map(_cell, cells)) + " |")
    if tools:
        size = sum(estimate(spec.text) for spec in tools)
        total += size
        rows.append(f"| {tr('context_tools', locale)} | | | {size} |")
    rows.append(f"| **{tr('context_total', locale)}** | | | **{total}** |")
    return "\n".join(rows)


def _texts(parts: Iterable[Part], window: Window, locale: Locale) -> Iterable[str]:
    for part in parts:
        if part.text and part.name not in _HIDDEN:
            shown = window.text if part.name == "passage" else part.text
            yield _text(Part(part.name, shown, part.reason, part.params, source=part.source), locale)


def _text(part: Part, locale: Locale) -> str:
    """A part's own text in a fence that is longer than any run of ticks in it."""
    longest, run = 2, 0
    for char in part.text:
        run = run + 1 if char == "`" else 0
        longest = max(longest, run)
    ticks = "`" * (longest + 1)
    reason = _reason(part, locale)
    title = tr(f"part_{part.name}", locale) + (f": {_cell(reason)}" if reason else "")
    return f"### {title}\n\n{ticks}text\n{part.text}\n{ticks}"


def _reason(part: Part, locale: Locale) -> str:
    """The sentence for a part's reason; a reason without one (a profile's id, say) as it is."""
    code = f"reason_{part.reason}"
    text = tr(code, locale, part.params)
    return part.reason if text == code else text


def _history(request: RunRequest) -> Iterable[Part]:
    messages = history.earlier(request.history, request.locale)
    if messages:
        text = "\n\n".join(message.content for message in messages)
        yield Part("history", text, "history", tokens=estimate(text))


def _tools(tools: Sequence[ToolSpec], locale: Locale) -> str:
    return ", ".join(spec.name for spec in tools) or tr("context_none", locale)


def _calls(steps: Iterable[StepRecord], locale: Locale) -> str:
    rows = []
    for step in steps:
        for call in step.calls:
            how = tr("context_ok" if call.ok else "context_failed", locale)
            arguments = call.arguments if call.arguments is not None else call.raw
            label = _cell(tr(f"tool_{call.name[:100]}", locale))
            rows.append(f"- {label} `{_cell(str(arguments))}`: {how}")
    return "\n".join([f"## {tr('context_calls', locale)}", "", *(rows or [tr("context_none", locale)])])


def _usage(usage: Usage, locale: Locale) -> str:
    estimated = f" ({tr('context_estimated', locale)})" if usage.estimated else ""
    out = [f"## {tr('context_usage', locale)}", "", f"- {usage.input} + {usage.output}{estimated}"]
    if usage.cost is not None:
        out.append(f"- {tr('context_cost', locale)}: {usage.cost}")
    return "\n".join(out)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("`", "'")
