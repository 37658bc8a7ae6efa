"""What tokens cost. An unknown price gives no cost: never a cost of nothing."""

from __future__ import annotations

from dataclasses import replace

from inkwright.domain.conversation import Usage
from inkwright.domain.model import ModelProfile, Price, is_loopback

FREE = Price("", 0, 0)
MILLION = 1_000_000


def price_of(profile: ModelProfile) -> Price | None:
    """The price of a profile; nothing for the offline engine and for a known server of models on this machine.

    Other servers on this machine may hand on to somebody who takes money: their price is unknown.
    """
    if profile.price is not None:
        return profile.price
    if profile.offline or (profile.provider.port and is_loopback(profile.host)):
        return FREE
    return None


def cost(usage: Usage, price: Price) -> float:
    """In the price's currency. What was read from a cache and written to one is part of the input."""
    read, written = usage.cache_read or 0, usage.cache_write or 0
    plain = max(0, usage.input - read - written)
    reading = price.input if price.cache_read is None else price.cache_read
    writing = price.input if price.cache_write is None else price.cache_write
    return (plain * price.input + read * reading + written * writing + usage.output * price.output) / MILLION


def priced(usage: Usage, price: Price | None) -> Usage:
    """The usage with its cost; as it is when the price is unknown or nothing was used."""
    if price is None or not (usage.input or usage.output):
        return usage
    return replace(usage, cost=cost(usage, price), currency=price.currency)


def amount(value: float, currency: str) -> str:
    """A sum for people: cents where they say enough, else two places that do."""
    places = 2
    while 0 < abs(value) < 10**-places and places < 8:
        places += 1
    return f"{value:.{places + (places > 2)}f} {currency}".strip()
