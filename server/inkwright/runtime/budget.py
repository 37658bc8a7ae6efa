"""The limits of a run and what has been used of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from inkwright.domain.conversation import Usage
from inkwright.domain.profile import EffectiveProfile
from inkwright.domain.run import Budget, StopReason

Clock = Callable[[], float]


def budget_of(profile: EffectiveProfile) -> Budget:
    """The budget that a profile sets; a single shot is one round.

    Of a pipeline `seconds` are those of the whole, `calls` those of one batch; each step has its rounds.
    """
    rounds = 1 if profile.mode == "single" else profile.rounds
    return Budget(rounds=rounds, calls=profile.calls, seconds=profile.seconds)


@dataclass(slots=True)
class Meter:
    """`deadline` is on `clock`, None for no limit. Calls, tokens and cost run through all windows; the calls of a
    pipeline are counted for each batch.

    A call that is refused counts too: a model that goes on calling what it may not comes to an end.
    """

    budget: Budget
    clock: Clock
    usage: Usage = field(default_factory=Usage)
    calls: int = 0
    deadline: float | None = None

    def start(self) -> None:
        """Start the seconds of a run, or of an edit's window."""
        self.deadline = self.clock() + self.budget.seconds if self.budget.seconds else None

    def next_batch(self) -> None:
        """The tool calls of a pipeline's batch begin."""
        self.calls = 0

    def left(self) -> float | None:
        return None if self.deadline is None else max(0.0, self.deadline - self.clock())

    def uncounted(self, seconds: float) -> None:
        """Time in a provider's queue is not the run's."""
        if self.deadline is not None:
            self.deadline += seconds

    def over(self, more: int = 0) -> StopReason | None:
        """The limit that is reached, if one is; `more` tokens are about to be used."""
        if self.deadline is not None and self.clock() >= self.deadline:
            return "seconds"
        if self.budget.tokens and self.usage.input + self.usage.output + more >= self.budget.tokens:
            return "tokens"
        if self.budget.cost and (self.usage.cost or 0) >= self.budget.cost:
            return "cost"
        return None

    def room(self) -> int | None:
        """How many more tool calls may run; None for no limit."""
        return max(0, self.budget.calls - self.calls) if self.budget.calls else None
