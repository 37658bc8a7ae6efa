"""The JSON shapes of runs, of what they propose, and of the journal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING

from inkwright.abilities.shapes import JSON, error, range_, time, usage
from inkwright.domain.text import Encoding, Lines
from inkwright.i18n import tr

if TYPE_CHECKING:
    from inkwright.abilities.asks import RunResult, Verdict
    from inkwright.domain.conversation import Locale
    from inkwright.domain.profile import EffectiveProfile
    from inkwright.domain.proposal import Proposal
    from inkwright.domain.run import Product, StepRecord
    from inkwright.store.journal_rows import StoredRun


def proposal(value: Proposal, encoding: Encoding, locale: Locale, *, pending: bool = False) -> JSON:
    """{id, uri, version, text, hunks}; ranges lie in the text that the proposal was made from.

    `pending` leaves out the hunks that are decided already.
    """
    lines = Lines(value.base)
    return {
        "id": value.id,
        "uri": value.uri,
        "version": value.version,
        "text": value.text,
        "hunks": [
            {
                "index": hunk.index,
                "range": range_(lines.range(hunk.span, encoding)),
                "before": hunk.before,
                "after": hunk.after,
                "findings": [
                    {"code": finding.code, "message": tr(finding.code, locale, finding.params)}
                    for finding in hunk.findings
                ],
            }
            for hunk in value.hunks
            if not pending or hunk.state == "pending"
        ],
    }


def run_result(value: RunResult, encoding: Encoding, locale: Locale) -> JSON:
    """The result of a run; of a pipeline's with `steps`, `cards` and `candidates`."""
    out: JSON = {
        "requestId": value.request_id,
        "ability": value.ability,
        "status": value.status,
        "stopReason": value.stop_reason,
        "model": value.model,
        "text": value.text,
        "proposal": None if value.proposal is None else proposal(value.proposal, encoding, locale),
        "usage": usage(value.usage),
        "error": None if value.fault is None else error(value.fault, locale),
    }
    if value.pipeline is not None:
        out["pipeline"] = value.pipeline or None
        out["steps"] = [product(one) for one in value.steps]
        out["cards"] = list(value.cards)
    if value.pipeline is not None or value.candidates:
        out["candidates"] = list(value.candidates)
    return out


def product(value: Product) -> JSON:
    """A step of a pipeline; `batch` counts from 0."""
    return {"name": value.name, "status": value.status, "text": value.text, "batch": value.window}


def verdict(value: Verdict) -> JSON:
    return {
        "applied": list(value.applied),
        "stale": list(value.stale),
        "rejected": list(value.rejected),
    }


def effective_profile(value: EffectiveProfile) -> JSON:
    """Every field of an effective profile, `origins` naming where each came from.

    For the owner of the machine: it holds the prompts, which no client is ever sent.
    """
    out: JSON = {}
    for entry in fields(value):
        head, *rest = entry.name.split("_")
        item = getattr(value, entry.name)
        out[head + "".join(map(str.capitalize, rest))] = list(item) if isinstance(item, tuple) else item
    out["origins"] = {
        head + "".join(map(str.capitalize, rest)): origin
        for (head, *rest), origin in ((name.split("_"), o) for name, o in value.origins.items())
    }
    return out


def stored_run(
    value: StoredRun,
    locale: Locale,
    steps: Sequence[StepRecord] | None = None,
    products: Sequence[Product] | None = None,
) -> JSON:
    """A run of the journal: no system prompt, no secret, no text of the manuscript but its own answer.

    `steps` are its requests to the model; a pipeline's own steps are its `products`.
    """
    from inkwright.abilities.past import why

    out: JSON = {
        "requestId": value.id,
        "ability": value.ability,
        "domain": value.domain,
        "status": value.state,
        "stopReason": value.stop_reason,
        "model": value.model,
        "message": value.message,
        "uri": value.uri,
        "path": value.path,
        "text": value.text,
        "usage": usage(value.usage),
        "proposal": value.proposal_id or None,
        "error": None if (fault := why(value)) is None else error(fault, locale),
        "createdAt": time(value.created_at),
        "endedAt": None if value.ended_at is None else time(value.ended_at),
    }
    if value.pipeline:
        out |= {"pipeline": value.pipeline, "resumes": value.resumes or None}
    if products is not None and value.pipeline:
        out["products"] = [product(one) for one in products]
    if steps is not None:
        out["steps"] = [step(one) for one in steps]
    return out


def step(value: StepRecord) -> JSON:
    return {
        "index": value.index,
        "window": value.window,
        "round": value.round,
        "text": value.text,
        "finish": value.finish,
        "seconds": round(value.seconds, 3),
        "promptChars": value.prompt_chars,
        "promptHash": value.prompt_hash,
        "usage": None if value.usage is None else usage(value.usage),
        "errorKind": value.error_kind or None,
        "attempts": [
            {
                "code": one.code,
                "kind": one.kind or None,
                "seconds": round(one.seconds, 3),
                "wait": round(one.wait, 3),
                "providerRequestId": one.provider_request_id or None,
                "usage": None if one.usage is None else usage(one.usage),
            }
            for one in value.attempts
        ],
        "toolCalls": [
            {
                "id": call.id,
                "name": call.name,
                "arguments": None if call.arguments is None else dict(call.arguments),
                "ok": call.ok,
                "result": call.result,
                "seconds": round(call.seconds, 3),
            }
            for call in value.calls
        ],
    }
