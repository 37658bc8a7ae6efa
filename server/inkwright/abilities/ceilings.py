"""What runs may cost: a run by itself, and all runs of a day, whatever book and process they belong to."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

from inkwright.config import Settings
from inkwright.domain.errors import Fault, InkwrightError
from inkwright.domain.model import ModelProfile, Price
from inkwright.domain.money import amount, price_of
from inkwright.store.usage import Spending
from inkwright.workspace import Workspace


class Ceilings:
    """One for all runs of a process: what their requests under way are going to cost counts as spent.

    `now` gives seconds since 1970: the day is the writer's own, as their clock has it.
    """

    def __init__(self, workspace: Workspace, now: Callable[[], float] = time.time) -> None:
        self.now = now
        self.held: defaultdict[str, float] = defaultdict(float)
        self._workspace = workspace

    def of(self, model: ModelProfile, settings: Settings) -> RunPurse:
        """The purse of one run."""
        return RunPurse(self, model, price_of(model), settings)

    async def spending(self) -> Spending:
        """What days cost stands in the database of documents without a book. Raises `StorageError`."""
        return (await self._workspace.book(None)).state.spending


@dataclass(slots=True)
class RunPurse:
    """Implements `domain.ports.Purse`. A ceiling in one currency says nothing about a price in another."""

    ceilings: Ceilings
    model: ModelProfile
    price: Price | None
    settings: Settings
    _held: float = 0.0

    async def room(self, spent: float, wanted: float) -> float | None:
        """Raises `InkwrightError`: run_cost_ahead, run_cost_day, run_cost_unknown, run_cost_currency; storage
        errors, since what cannot be read is no room."""
        settings, price = self.settings, self.price
        per_run, per_day = settings.max_cost_per_run, settings.max_cost_per_day
        if not (per_run or per_day):
            return None
        if price is None:
            raise InkwrightError("run_cost_unknown", model=self.model.id)
        if not (price.input or price.output):
            return None
        if settings.currency not in ("", price.currency):
            raise InkwrightError(
                "run_cost_currency", model=self.model.id, price=price.currency, limit=settings.currency
            )
        limits: list[tuple[float, str, float]] = []
        if per_run:
            limits.append((per_run - spent, "run_cost_ahead", per_run))
        if per_day:
            spending = await self.ceilings.spending()
            today = await spending.of(price.currency, self.ceilings.now())
            others = self.ceilings.held[price.currency] - self._held
            limits.append((per_day - today - others, "run_cost_day", per_day))
        left, code, limit = min(limits)
        if left < wanted:
            said = {
                "limit": amount(limit, price.currency),
                "left": amount(max(0.0, left), price.currency),
                "wanted": amount(wanted, price.currency),
            }
            raise InkwrightError(Fault(code, {**said}))
        self._hold(wanted)
        return left

    async def spend(self, cost: float) -> None:
        try:
            if cost > 0 and self.price is not None:
                spending = await self.ceilings.spending()
                await spending.add(self.price.currency, cost, self.ceilings.now())
        finally:
            self._hold(0.0)

    def _hold(self, amount: float) -> None:
        if self.price is not None:
            self.ceilings.held[self.price.currency] += amount - self._held
            self._held = amount
