"""The text of a pipeline around its steps' own words: the one set of functions for stream and outcome."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from inkwright.domain.conversation import Locale
from inkwright.domain.errors import Fault
from inkwright.domain.run import Product, Step
from inkwright.i18n import render, tr
from inkwright.runtime.fence import attribute
from inkwright.runtime.state import SEPARATOR


def title(step: Step, locale: Locale) -> str:
    """Number, label and batch of a step on one line."""
    code = "step_title_batch" if step.batches > 1 else "step_title"
    return tr(
        code,
        locale,
        {
            "index": step.index + 1,
            "count": step.count,
            "label": label(step),
            "batch": step.window + 1,
            "batches": step.batches,
        },
    )


def label(step: Step) -> str:
    return attribute(step.label) or attribute(step.name) or str(step.index + 1)


def header(step: Step, locale: Locale) -> str:
    return f"## {title(step, locale)}"


def placeholder(locale: Locale) -> str:
    """What stands below the header of a step that wrote nothing."""
    return tr("step_empty", locale)


def stopped(done: int, step: Step, fault: Fault, locale: Locale) -> str:
    """How many of all steps are done, which one was the last, and why it was."""
    params = {"done": done, "count": step.count, "index": step.index + 1, "label": label(step)}
    return tr("step_stopped", locale, {**params, "why": render(fault, locale)})


def pieces(step: Step, product: Product, locale: Locale) -> Iterable[str]:
    """The parts of a finished step's text, which a separator sets apart."""
    yield header(step, locale)
    if product.text:
        yield product.text
    if not product.text.strip():
        yield placeholder(locale)


def text_of(steps: Sequence[Step], products: Sequence[Product], locale: Locale) -> str:
    """What the run of these steps said, as far as its products are known; what was never begun is not in it."""
    known = {product.index: product for product in products if product.status != "pending"}
    return SEPARATOR.join(
        piece for step in steps if step.index in known for piece in pieces(step, known[step.index], locale)
    )
