"""A pipeline as one run plays it: its own effective profile, and its steps batch by batch."""

from __future__ import annotations

from collections.abc import Sequence

from inkwright.domain.conversation import Locale
from inkwright.domain.profile import EffectiveProfile, Pipeline, PipelineStep, Profile
from inkwright.domain.run import Product, Step

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


def kept(products: Sequence[Product], planned: Sequence[Step]) -> tuple[Product, ...]:
    """Those of an earlier run's products that this plan can go on from: completed, from the first step on,
    and of the same steps."""
    done = {product.index: product for product in products if product.status == "completed"}
    out: list[Product] = []
    for step in planned:
        product = done.get(step.index)
        if product is None or (product.name, product.window) != (step.name, step.window):
            break
        out.append(product)
    return tuple(out)
