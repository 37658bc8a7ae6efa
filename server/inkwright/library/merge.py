"""Ability × domain: what the two make together, and what stands in for one that is unknown."""

from __future__ import annotations

import logging

from inkwright.domain.conversation import Locale
from inkwright.domain.profile import EffectiveProfile, Mode, Profile
from inkwright.library.loader import ROUNDS, SECONDS
from inkwright.library.registry import Library

_log = logging.getLogger(__name__)

DEFAULT_ABILITY = "writing"
DEFAULT_DOMAIN = "novel"
HINTS = 3  # per profile


def merge(
    library: Library, ability_id: str, domain_id: str, message: str, locale: Locale
) -> EffectiveProfile:
    """The effective profile for a message.

    An unknown ability takes writing's prompt and tools, none of its hints, and the wide budget; an
    unknown domain takes novel's with a warning, an unset one ('') without. The domain's own hints
    match in either case.
    """
    found = library.ability(ability_id)
    ability = found or _builtin(library.ability(DEFAULT_ABILITY))
    domain = library.domain(domain_id or DEFAULT_DOMAIN)
    if domain is None:
        _log.warning("unknown book type %.40r: %s stands in", domain_id, DEFAULT_DOMAIN)
        domain = _builtin(library.domain(DEFAULT_DOMAIN))
    new = tuple(name for name in domain.tools if name not in ability.tools)
    from_domain = hints(domain, message, locale)
    from_ability = hints(ability, message, locale) if found else ()
    of_ability, of_domain = _origin(ability), _origin(domain)
    rounds, seconds = (ability.rounds, ability.seconds) if found else (ROUNDS, SECONDS)
    budget = of_ability if found else "fallback"
    mode = _mode(ability, domain)
    return EffectiveProfile(
        ability=ability.id,
        domain=domain.id,
        locale=locale,
        label=ability.label[locale],
        domain_prompt=domain.prompt[locale],
        ability_prompt=ability.prompt[locale],
        hints=(*from_domain, *from_ability),
        tools=(*ability.tools, *new),
        rounds=max(rounds, domain.rounds),
        seconds=max(seconds, domain.seconds),
        calls=ability.calls,
        parallel=ability.parallel,
        mode=mode,
        output=ability.output,
        scope=ability.scope,
        model=ability.model or domain.model,
        effort=ability.effort or domain.effort,
        pipeline=domain.pipeline,
        length=ability.length,
        allows=ability.allows,
        ability_matched=found is not None,
        origins={
            "domain_prompt": of_domain,
            "ability_prompt": of_ability,
            "hints": " + ".join([of_domain] * bool(from_domain) + [of_ability] * bool(from_ability)),
            "tools": " + ".join([of_ability] * bool(ability.tools) + [of_domain] * bool(new)),
            "rounds": of_domain if domain.rounds > rounds else budget,
            "seconds": of_domain if domain.seconds > seconds else budget,
            "calls": of_ability,
            "parallel": of_ability,
            "mode": of_domain if mode == "pipeline" else of_ability,
            "output": of_ability,
            "scope": of_ability,
            "model": of_ability if ability.model else of_domain if domain.model else "",
            "effort": of_ability if ability.effort else of_domain if domain.effort else "",
            "pipeline": of_domain if domain.pipeline else "",
            "length": of_ability if ability.length else "",
            "allows": of_ability if ability.allows else "",
        },
    )


def hints(profile: Profile, message: str, locale: Locale) -> tuple[str, ...]:
    """The first three hints, in table order, one of whose words stands in the message."""
    folded = message.casefold()
    hit = (h for h in profile.hints if any(word.casefold() in folded for word in h.words))
    return tuple(h.text[locale] for h, _ in zip(hit, range(HINTS), strict=False))


def _mode(ability: Profile, domain: Profile) -> Mode:
    """The domain's pipeline is for what makes cards of a chapter; all else keeps its own mode in every book."""
    if ability.mode == "single":
        return "single"
    made = domain.pipeline and ability.output == "cards" and ability.scope == "chapter"
    return "pipeline" if made else "react"


def _origin(profile: Profile) -> str:
    return f"{profile.kind} {profile.id} ({profile.origin})"


def _builtin(profile: Profile | None) -> Profile:
    if profile is None:
        raise LookupError("the package lacks a built-in profile")
    return profile
