"""A pipeline as one run plays it: its own effective profile, and its steps batch by batch."""

from __future__ import annotations

from dataclasses import replace

from inkwright.domain.conversation import Locale
from inkwright.domain.profile import EffectiveProfile, Pipeline, PipelineStep, Profile
from inkwright.domain.run import Step

SECONDS = 3600
"""What a whole pipeline may take, waiting at the provider's queue apart."""
CALLS = 50
"""Tool calls of one batch."""


def effective(pipeline: Pipeline, domain: Profile, locale: Locale) -> EffectiveProfile:
    """What every step has in common: the domain's prompt. The steps bring their own tools and rounds."""
    origin = f"pipeline {pipeline.id} ({pipeline.origin})"
    return EffectiveProfile(
        ability=pipeline.id,
        domain=domain.id,
        locale=locale,
        label=pipeline.label[locale],
        domain_prompt=domain.prompt[locale],
        ability_prompt="",
        hints=(),
        tools=tuple(dict.fromkeys(tool for step in pipeline.steps for tool in step.tools)),
        rounds=0,
        seconds=max(SECONDS, domain.seconds),
        calls=CALLS,
        parallel=True,
        mode="pipeline",
        output="cards",
        scope="chapter",
        model=domain.model,
        effort=domain.effort,
        pipeline=pipeline.id,
        origins={
            "domain_prompt": f"domain {domain.id} ({domain.origin})",
            **dict.fromkeys(("tools", "rounds", "seconds", "calls", "mode", "output"), origin),
        },
    )


def of_ability(profile: EffectiveProfile) -> EffectiveProfile:
    """An ability that runs its domain's pipeline: its seconds are those of a whole pipeline."""
    return replace(profile, seconds=max(SECONDS, profile.seconds))


def steps(pipeline: Pipeline, batches: int, locale: Locale) -> tuple[Step, ...]:
    """The steps of a batch for each batch, then those that are taken once."""
    order: list[tuple[PipelineStep, int]] = [
        (step, batch) for batch in range(batches) for step in pipeline.steps if step.each == "batch"
    ]
    order += [(step, batches - 1) for step in pipeline.steps if step.each == "chapter"]
    return tuple(
        Step(
            index=index,
            count=len(order),
            name=step.name,
            label=step.label[locale],
            instruction=step.instruction[locale],
            tools=step.tools,
            rounds=step.rounds,
            passage=step.passage,
            window=batch,
            batches=batches if step.each == "batch" else 1,
        )
        for index, (step, batch) in enumerate(order)
    )
