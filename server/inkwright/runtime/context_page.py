"""What the model saw, as a page of Markdown: every part with its reason, its size and what was cut.

The house's own prompts are listed by size alone; what comes from the book and the author is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from inkwright import i18n
from inkwright.domain.conversation import Locale, ToolSpec, Usage
from inkwright.domain.memory import Memory
from inkwright.domain.money import amount
from inkwright.domain.run import Part, Product, RunEnded, RunRequest, StepRecord
from inkwright.domain.tokens import estimate
from inkwright.i18n import tr
from inkwright.runtime import prompts, stage, steptext
from inkwright.runtime.opening import Opening, opening
from inkwright.runtime.page_parts import Link, cell, code_block, known, no_link, reason, source
from inkwright.runtime.stage import Stage

_HIDDEN = frozenset({"domain", "ability", "hint", "suffix", "instruction"})


def render(
    request: RunRequest,
    locale: Locale,
    *,
    now: datetime,
    tools: Sequence[ToolSpec] = (),
    steps: Sequence[StepRecord] = (),
    ended: RunEnded | None = None,
    memories: Sequence[Memory] = (),
    products: Sequence[Product] = (),
    link: Link = no_link,
) -> str:
    """The page of a run that is to come, goes on or has ended; `steps` as far as they are known.

    `tools` are all that the run may be offered, those of a pipeline's steps among them. `memories` are
    those that are known to say why one goes along, `products` what a pipeline has come to so far,
    unless `ended` says it. `link` gives the URI of a path in the book, '' for none.
    """
    page = _Page(request, locale, now, tools, link)
    done = products or (ended.steps if ended else ()) or request.products
    out = [*page.head(), *page.memories(memories)]
    out += page.pipeline(done) if request.steps else page.windows()
    if steps:
        out.append(page.calls(steps))
    if ended is not None:
        out += ["\n".join(f"- {i18n.render(fault, locale)}" for fault in ended.notices)]
        out.append(_usage(ended.usage, locale))
    return "\n\n".join(part for part in out if part) + "\n"


class _Page:
    def __init__(
        self, request: RunRequest, locale: Locale, now: datetime, tools: Sequence[ToolSpec], link: Link
    ) -> None:
        self.request = request
        self.locale = locale
        self.now = now
        self.tools = {spec.name: spec for spec in tools}
        self.link = link

    def head(self) -> Iterable[str]:
        request, profile = self.request, self.request.profile
        offered = dict.fromkeys(spec.name for at in stage.stages(request) for spec in self._offered(at))
        names = ", ".join(offered) or self._("context_none")
        yield f"# {self._('context_title', label=profile.label)}"
        yield self._("context_intro")
        where = source(request.snapshot.path, self.link)
        rows = [
            f"- {self._('context_model')}: {cell(request.model)}",
            f"- {self._('context_profile')}: {profile.ability} × {profile.domain}",
            f"- {self._('context_passage')}: {where} [{request.span.start}, {request.span.end})",
            f"- {self._('context_tools')}: {cell(names)}",
        ]
        if request.pipeline:
            rows.insert(2, f"- {self._('context_pipeline')}: {cell(request.pipeline)}")
        yield "\n".join(rows)

    def memories(self, recalled: Sequence[Memory]) -> Iterable[str]:
        """Each memory that goes along, or would not go into their share, with why it was chosen."""
        listed = list(zip(self.request.memories, prompts.memories(self.request), strict=True))
        if not listed:
            return
        rows = [_row([self._(c) for c in ("part_memory", "context_reason", "context_tokens")]), _RULE_3]
        for content, part in listed:
            why = reason(part, self.locale) if part.cut else known(content, recalled, self.locale)
            rows.append(_row([cell(content), why, str(part.tokens)]))
        yield f"## {self._('part_memory')}"
        yield "\n".join(rows)

    def windows(self) -> Iterable[str]:
        last: Opening | None = None
        for at in stage.stages(self.request):
            last = made = self._opening(at)
            if len(self.request.windows) > 1:
                window = at.window
                yield f"## {self._('context_window', index=window.index + 1, count=window.count)}"
            yield self._table([*made.system, *made.parts], at)
            yield from self._texts(part for part in made.parts if part.name != "history")
        if last is not None:
            yield from self._past(last)

    def pipeline(self, done: Sequence[Product]) -> Iterable[str]:
        """The parts that all steps share once, then what each step sees, then the texts."""
        stages = stage.stages(self.request, [p for p in done if p.status == "completed"])
        first = self._opening(stages[0])
        yield f"## {self._('context_shared')}"
        yield self._table(first.system, None)
        known_steps = {product.index: product for product in done}
        for at in stages:
            step = at.step
            assert step is not None
            status = known_steps[step.index].status if step.index in known_steps else "pending"
            yield f"## {cell(steptext.title(step, self.locale))}"
            yield f"{self._('context_status')}: {self._(f'context_step_{status}')}"
            yield self._table([*self._opening(at).parts, *self._to_come(at)], at)
        yield from self._passages(stages)

    def _to_come(self, at: Stage) -> Iterable[Part]:
        """The products that the step will see, which are not there yet."""
        assert at.step is not None
        there = {product.index for product in at.products}
        for step in self.request.steps[: at.step.index]:
            if step.index not in there and (at.step.batches == 1 or step.window == at.step.window):
                yield Part("product", "", "product_to_come", {"step": steptext.title(step, self.locale)})

    def _passages(self, stages: Sequence[Stage]) -> Iterable[str]:
        """The author's message once, and each batch's passage once."""
        shown: set[str] = set()
        for at in stages:
            for part in self._opening(at).parts:
                if part.name in ("message", "passage") and part.text not in shown:
                    shown.add(part.text)
                    yield self._text(part)

    def _past(self, made: Opening) -> Iterable[str]:
        for part in (*made.system, *made.parts):
            if part.name in ("conversation", "history") and part.text:
                yield self._text(part)

    def calls(self, steps: Iterable[StepRecord]) -> str:
        rows = []
        for step in steps:
            for call in step.calls:
                how = self._("context_ok" if call.ok else "context_failed")
                arguments = call.arguments if call.arguments is not None else call.raw
                label = cell(self._(f"tool_{call.name[:100]}"))
                rows.append(f"- {label} `{cell(str(arguments))}`: {how}")
        return "\n".join([f"## {self._('context_calls')}", "", *(rows or [self._("context_none")])])

    def _opening(self, at: Stage) -> Opening:
        return opening(self.request, at, self.now, self._offered(at))

    def _offered(self, at: Stage) -> tuple[ToolSpec, ...]:
        return tuple(self.tools[name] for name in at.tools if name in self.tools)

    def _table(self, parts: Iterable[Part], at: Stage | None) -> str:
        columns = ("context_part", "context_reason", "context_source", "context_tokens")
        rows = [_row([self._(column) for column in columns]), _RULE_4]
        total = 0
        for part in parts:
            total += part.tokens
            why = reason(part, self.locale)
            if part.cut:
                cut = self._("context_cut", cut=part.cut)
                why = f"{why} ({cut})" if why else cut
            name = self._(f"part_{part.name}")
            rows.append(_row([cell(name), cell(why), source(part.source, self.link), str(part.tokens)]))
        tools = self._offered(at) if at else ()
        if tools:
            size = sum(estimate(spec.text) for spec in tools)
            total += size
            named = cell(", ".join(spec.name for spec in tools)) if at and at.step else ""
            rows.append(_row([self._("context_tools"), named, "", str(size)]))
        rows.append(_row([f"**{self._('context_total')}**", "", "", f"**{total}**"]))
        return "\n".join(rows)

    def _texts(self, parts: Iterable[Part]) -> Iterable[str]:
        for part in parts:
            if part.text and part.name not in _HIDDEN:
                yield self._text(part)

    def _text(self, part: Part) -> str:
        why = cell(reason(part, self.locale))
        heading = self._(f"part_{part.name}") + (f": {why}" if why else "")
        return f"### {heading}\n\n{code_block(part.text)}"

    def _(self, code: str, **params: object) -> str:
        return tr(code, self.locale, params)


_RULE_3 = "| --- | --- | ---: |"
_RULE_4 = "| --- | --- | --- | ---: |"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _usage(usage: Usage, locale: Locale) -> str:
    estimated = f" ({tr('context_estimated', locale)})" if usage.estimated else ""
    out = [f"## {tr('context_usage', locale)}", "", f"- {usage.input} + {usage.output}{estimated}"]
    if usage.cost is not None:
        out.append(f"- {tr('context_cost', locale)}: {amount(usage.cost, usage.currency)}")
    return "\n".join(out)
