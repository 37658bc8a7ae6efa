"""What a request may cost: asked before it goes out, written down after it."""

from __future__ import annotations

from dataclasses import replace

from inkwright.domain.conversation import Usage
from inkwright.domain.errors import Fault, InkwrightError
from inkwright.domain.money import MILLION, amount
from inkwright.runtime import prompts
from inkwright.runtime.keeping import kept
from inkwright.runtime.stage import Stage
from inkwright.runtime.state import Run
from inkwright.runtime.turn import Turn

MOST = 10**9
LEAST_OUTPUT = 256
"""An answer of fewer tokens is worth no request."""


async def allow(run: Run, stage: Stage, turn: Turn) -> Fault | None:
    """Why the turn is not to be paid for. Else its output limit is what the rest of the money pays for.

    What it is going to cost is what it sends, and an answer as long as its kind usually is.
    """
    if run.purse is None:
        return None
    price, request = run.request.price, run.request
    sent = made = 0.0
    if price is not None:
        sent = turn.input * max(price.input, price.cache_write or 0) / MILLION
        usual = max(LEAST_OUTPUT, prompts.expected(request, stage.window))
        made = min(usual, request.max_output or usual) * price.output / MILLION
    try:
        left = await run.purse.room(run.meter.usage.cost or 0, sent + made)
    except InkwrightError as error:
        return error.fault
    if left is not None and price is not None and price.output:
        pays = min(MOST, int((left - sent) * MILLION / price.output))
        turn.capped = not request.max_output or pays < request.max_output
        if turn.capped:
            turn.request = replace(turn.request, max_output=max(1, pays))
    return None


async def settle(run: Run, usage: Usage) -> None:
    """Writes down what a turn did cost; money that cannot be written down is said."""
    if run.purse is None:
        return
    if (unwritten := await kept(run.request.id, run.purse.spend(usage.cost or 0))) is not None:
        run.notice(unwritten)


def limit(run: Run) -> str:
    price = run.request.price
    return amount(run.meter.budget.cost, price.currency if price is not None else "")
