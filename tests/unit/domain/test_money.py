"""What tokens cost: by table, caches apart, never over two currencies, never nothing for what is not known."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.conversation import Usage
from inkwright.domain.model import OFFLINE, ModelProfile, Price, Provider
from inkwright.domain.money import FREE, amount, cost, price_of, priced

PRICE = Price("CNY", 2, 8, cache_read=0.5, cache_write=4)


def test_caches_have_prices_of_their_own():
    """They are parts of the input; without a price of their own they cost what the input costs."""
    usage = Usage(1_000_000, 500_000, cache_read=600_000, cache_write=100_000)
    assert cost(usage, PRICE) == pytest.approx(0.3 * 2 + 0.6 * 0.5 + 0.1 * 4 + 0.5 * 8)
    assert cost(usage, Price("CNY", 2, 8)) == pytest.approx(2 + 4)
    assert cost(Usage(10, 0, cache_read=500), PRICE) >= 0


def test_what_nobody_knows_has_no_cost():
    """Neither a usage without a price nor a sum with such a part."""
    assert priced(Usage(10, 5), None).cost is None
    known = priced(Usage(10, 5), PRICE)
    assert (known + Usage(1, 1)).cost is None
    assert (Usage(1, 1) + known).cost is None
    assert (known + Usage()).cost == known.cost
    assert (Usage() + known).currency == "CNY"


def test_two_currencies_have_no_sum():
    """Unless one of them is nothing."""
    dollars = priced(Usage(10, 5), Price("USD", 1, 1))
    assert (priced(Usage(10, 5), PRICE) + dollars).cost is None
    assert priced(Usage(10, 5), FREE) + dollars == Usage(20, 10, cost=dollars.cost, currency="USD")


def test_only_known_servers_of_this_machine_are_free():
    """Another program on this machine may hand on to somebody who takes money."""
    ollama = Provider("ollama", "Ollama", port=11434)
    local = ModelProfile("m", "http://127.0.0.1:11434/v1", "x", provider=ollama)
    assert price_of(local) == price_of(OFFLINE) == FREE
    assert price_of(ModelProfile("m", "http://127.0.0.1:4000/v1", "x")) is None
    assert price_of(ModelProfile("m", "http://example.com:11434/v1", "x", provider=ollama)) is None
    assert (
        price_of(ModelProfile("m", "http://127.0.0.1:11434/v1", "x", provider=ollama, price=PRICE)) is PRICE
    )


@pytest.mark.parametrize(
    ("value", "shown"), [(12.5, "12.50 CNY"), (0.25, "0.25 CNY"), (0.00123, "0.0012 CNY"), (0, "0.00 CNY")]
)
def test_amounts_for_people(value, shown):
    """As many places as it takes to see something."""
    assert amount(value, "CNY") == shown


USAGES = st.builds(
    Usage,
    st.integers(0, 9),
    st.integers(0, 9),
    cost=st.none() | st.integers(0, 9).map(float),
    currency=st.sampled_from(["CNY", "USD"]),
)


@given(USAGES, USAGES)
def test_a_sum_knows_no_more_than_its_parts(one, other):
    """What one part leaves open, or says in another currency, the sum leaves open too."""
    total = one + other
    assert (total.input, total.output) == (one.input + other.input, one.output + other.output)
    parts = [part for part in (one, other) if not part.nothing]
    currencies = {part.currency for part in parts if part.cost}
    if any(part.cost is None for part in parts) or len(currencies) > 1:
        assert total.cost is None
    elif parts:
        assert total.cost == sum(part.cost or 0 for part in parts)
