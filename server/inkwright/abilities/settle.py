"""From how a run ended to what the writer gets: a proposal, a report, or the reason why not."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from inkwright.domain.errors import Fault
from inkwright.domain.proposal import Proposal
from inkwright.domain.run import RunEnded, RunRequest
from inkwright import proposals


@dataclass(frozen=True, slots=True)
class Settled:
    ended: RunEnded
    proposal: Proposal | None


def settle(request: RunRequest, ended: RunEnded, names: Collection[str]) -> Settled:
    """The final outcome. An edit whose every answer is no rewrite of its window failed with `no_rewrite`;
    one with some such answers is partial and keeps the others' hunks."""
    if request.profile.output != "edit" or ended.status not in ("completed", "partial"):
        return Settled(ended, None)
    made = proposals.make(
        request.id, request.snapshot, request.span, request.windows, ended.window_texts, names
    )
    if made.refused and ended.status == "completed":
        usable = made.proposal is not None and len(made.refused) < len(request.windows)
        fault = Fault("no_rewrite", {"windows": len(made.refused), "of": len(request.windows)})
        ended = replace(
            ended, status="partial" if usable else "failed", stop_reason="no_rewrite", fault=fault
        )
    return Settled(ended, made.proposal)
