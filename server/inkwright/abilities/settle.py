"""From how a run ended to what the writer gets: a proposal, a report, or the reason why not."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace

from inkwright.domain.cards import Card
from inkwright.domain.proposal import Proposal
from inkwright.domain.run import RunEnded, RunRequest
from inkwright.proposals.insertion import insertion
from inkwright.proposals.make import make
from inkwright.proposals.names import Names


def settle(request: RunRequest, ended: RunEnded, cards: Iterable[Card]) -> tuple[RunEnded, Proposal | None]:
    """The final outcome and its proposal. `cards` are the book's. Takes CPU time.

    An edit whose every answer is no rewrite of its window has failed with `no_rewrite`; with some such
    answers it is partial and keeps the hunks of the others.
    """
    if ended.status not in ("completed", "partial"):
        return ended, None
    if request.profile.output == "insert":
        return _inserted(request, ended)
    if request.profile.output != "edit":
        return ended, None
    made = make(
        request.id,
        request.snapshot,
        request.span,
        request.windows,
        ended.window_texts,
        Names(cards),
        length=request.profile.length,
        allows=request.profile.allows,
        created_at=time.time(),
    )
    if made.refused and ended.status == "completed":
        some = len(made.refused) < len(request.windows)
        ended = replace(
            ended, status="partial" if some else "failed", stop_reason="no_rewrite", fault=made.fault
        )
    return ended, made.proposal


def _inserted(request: RunRequest, ended: RunEnded) -> tuple[RunEnded, Proposal | None]:
    """What was written of a text that broke off is offered as well: the writer sees that it is partial."""
    answer = next(iter(ended.window_texts), None) or ended.text
    made = insertion(request.id, request.snapshot, request.span.start, answer, created_at=time.time())
    if isinstance(made, Proposal):
        return ended, made
    return replace(ended, status="failed", stop_reason="no_rewrite", fault=made), None
