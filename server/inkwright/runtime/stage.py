"""What one loop is about: a window of an edit, the whole of any other run, or a step of a pipeline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inkwright.domain.conversation import Task
from inkwright.domain.run import Part, Product, RunRequest, Step, Window
from inkwright.domain.text import Span


@dataclass(frozen=True, slots=True)
class Stage:
    """`rounds` of 0 sets no limit. `context` are the parts below the passage, `products` those of the earlier
    steps that this step may see."""

    window: Window
    tools: tuple[str, ...]
    rounds: int
    context: tuple[Part, ...] = ()
    step: Step | None = None
    products: tuple[Product, ...] = ()

    @property
    def passage(self) -> str:
        return self.window.text if self.step is None or self.step.passage else ""

    def task(self, request: RunRequest) -> Task:
        step = self.step
        return Task(
            ability=request.profile.ability,
            domain=request.profile.domain,
            locale=request.locale,
            message=request.message,
            passage=self.passage,
            path=request.snapshot.path,
            offset=self.window.span.start,
            step=step.name if step else "",
            products=tuple((product.name, product.text) for product in self.products),
        )


def windows(request: RunRequest) -> tuple[Window, ...]:
    return request.windows or (Window(0, 1, request.span, request.span.of(request.snapshot.text)),)


def of_window(request: RunRequest, window: Window) -> Stage:
    single = request.profile.mode == "single"
    tools, rounds = ((), 1) if single else (request.profile.tools, request.budget.rounds)
    return Stage(window, tools, rounds, _context(request, window.index))


def of_step(request: RunRequest, step: Step, done: Sequence[Product]) -> Stage:
    """A step of a batch sees what came of that batch; one that is taken once for a chapter sees all of it."""
    pieces = windows(request)
    products = tuple(product for product in done if product.index < step.index)
    context: tuple[Part, ...] = ()
    if step.batches > 1 or len(pieces) == 1:
        window = pieces[step.window]
        products = tuple(product for product in products if product.window == step.window)
        context = _context(request, window.index) if step.passage else ()
    else:
        span = Span(pieces[0].span.start, pieces[-1].span.end)
        window = Window(0, 1, span, span.of(request.snapshot.text))
    return Stage(window, step.tools, step.rounds, context, step, products)


def _context(request: RunRequest, index: int) -> tuple[Part, ...]:
    return request.context[index] if index < len(request.context) else ()


def stages(request: RunRequest, done: Sequence[Product] = ()) -> tuple[Stage, ...]:
    """All loops of a run in order, each step with those of `done` that it may see."""
    if request.steps:
        return tuple(of_step(request, step, done) for step in request.steps)
    return tuple(of_window(request, window) for window in windows(request))
