"""`inkwright usage`: what models used for a book, as text and as JSON."""

from __future__ import annotations

import json

ANSWER = {
    "choices": [{"delta": {"content": "好。"}, "finish_reason": "stop"}],
    "usage": {
        "prompt_tokens": 1000,
        "completion_tokens": 100,
        "prompt_tokens_details": {"cached_tokens": 400},
    },
}


def said(answer: dict) -> bytes:
    body = f"data: {json.dumps(answer)}\n\ndata: [DONE]\n\n"
    return f"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n{body}".encode()


def test_a_book_without_runs(call, book):
    """Nothing was used: said beside the answer, and an empty report."""
    status, out, err = call("usage", book)
    assert (status, out) == (0, "")
    assert err
    status, out, _ = call("usage", book, "--json")
    assert status == 0
    assert json.loads(out) | {"since": None} == {"since": None, "rows": [], "days": [], "totals": []}


def test_days_are_counted_from_none(call, book):
    """Fewer than none is wrong use; more than there have been is all of them."""
    for days in ("-1", "x", "1.5"):
        status, out, err = call("usage", book, "--days", days)
        assert (status, out) == (2, "")
        assert "--days" in err
    for days in (0, 10**30):
        status, out, _ = call("usage", book, "--days", days, "--json")
        assert (status, json.loads(out)["since"]) == (0, None)


async def test_what_a_run_used_is_there_afterwards(talker, book, home):
    """In another process, with what nobody knows the price of said; the offline engine costs nothing."""
    talker.answer = said(ANSWER)
    for _ in range(2):
        assert (await talker.run("run", "analysis", book / "第001章.md"))[0] == 0
    await talker.run("run", "analysis", book / "第001章.md", "--model", "offline")
    status, out, _ = await talker.run("usage", book, "--json")
    assert status == 0
    (row,) = json.loads(out)["rows"]
    assert (row["model"], row["ability"], row["requests"]) == ("m", "analysis", 2)
    assert (row["input"], row["output"], row["cacheRead"]) == (2000, 200, 800)
    assert (row["cost"], row["currency"], row["unpriced"]) == (None, None, 2)
    status, out, _ = await talker.run("usage", book, "--days", "1")
    assert status == 0
    assert "2000" in out
    assert "price is not known" in out


async def test_a_price_of_the_users_makes_a_cost(talker, book, home):
    """From the user's file; the ceiling there stops the next run, whose exit says so."""
    talker.answer = said(ANSWER)
    config = home / ".config" / "inkwright" / "config.toml"
    config.parent.mkdir(parents=True)
    price = '{ currency = "CNY", input = 2, output = 8, cacheRead = 0.5 }'
    text = f'model = "own"\n[models.own]\nendpoint = "{talker.url}"\nmodel = "m"\nprice = {price}\n'
    config.write_text(text)
    status, out, _ = await talker.run("run", "analysis", book / "第001章.md", "--model", "own", "--json")
    assert status == 0
    cost = (600 * 2 + 400 * 0.5 + 100 * 8) / 1e6
    assert json.loads(out)["usage"] == {
        "input": 1000,
        "output": 100,
        "cacheRead": 400,
        "cost": cost,
        "currency": "CNY",
    }
    _, out, _ = await talker.run("usage", book)
    assert "0.0022 CNY" in out
    config.write_text(f"maxCostPerDay = 0.002\n{text}")
    status, out, err = await talker.run("run", "analysis", book / "第001章.md", "--model", "own", "--json")
    assert status == 3
    assert json.loads(out)["stopReason"] == "cost"
    assert "0.0020 CNY" in err
