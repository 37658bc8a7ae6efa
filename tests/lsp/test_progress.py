"""Work-done progress with every kind of client."""

from __future__ import annotations

import asyncio

WORK_DONE = {"window": {"workDoneProgress": True}}


def values(client, token=None):
    return [p["value"] for p in client.got("$/progress") if token is None or p["token"] == token]


async def ready(spawn, capabilities=None):
    client = await spawn("probe.py")
    client.answers["window/workDoneProgress/create"] = lambda _: None
    await client.initialize(capabilities)
    return client


async def test_the_clients_own_token(spawn):
    """A token of the request is used as it is: begin, reports that never fall, end; then it is forgotten."""
    client = await ready(spawn)
    await client.command("probe.work", {"percentages": [10, 5, 250, -3]}, workDoneToken="t")
    kinds = [value["kind"] for value in values(client, "t")]
    assert kinds[0] == "begin"
    assert kinds[-1] == "end"
    assert kinds.count("begin") == kinds.count("end") == 1
    assert [value["percentage"] for value in values(client, "t")[:-1]] == [0, 10, 10, 100, 100]
    assert values(client, "t")[0]["cancellable"] is True
    assert not client.requests
    assert (await client.command("probe.state"))["progress"] == 0


async def test_a_token_of_ours(spawn):
    """Without a token the server creates one, and what happened before it was taken is in its begin."""
    client = await ready(spawn, WORK_DONE)
    running = asyncio.ensure_future(client.command("probe.work", {"percentages": [40], "wait": True}))
    await client.until(lambda: values(client))
    begin = values(client)[0]
    assert begin == {
        "kind": "begin",
        "title": "Work",
        "cancellable": True,
        "percentage": 40,
        "message": "at 40",
    }
    token = client.got("$/progress")[0]["token"]
    client.notify("window/workDoneProgress/cancel", {"token": token})
    assert await running == "stopped"
    await client.until(lambda: values(client)[-1]["kind"] == "end")
    assert (await client.command("probe.state"))["progress"] == 0


async def test_a_client_without_progress(spawn):
    """A client that has no progress gets none."""
    client = await ready(spawn)
    assert await client.command("probe.work", {"percentages": [1, 2]}) == "worked"
    assert not values(client)
    assert not client.requests


async def test_a_client_that_refuses_the_token(spawn):
    """A refused token is never used, and the work goes on."""
    client = await ready(spawn, WORK_DONE)
    del client.answers["window/workDoneProgress/create"]
    assert await client.command("probe.work", {"percentages": [1, 2]}) == "worked"
    state = await client.command("probe.state")
    assert not values(client)
    assert (state["progress"], state["requests"]) == (0, 0)


async def test_work_that_ends_before_its_token_is_taken(spawn):
    """A token that comes too late is not begun."""
    client = await ready(spawn, WORK_DONE)
    taken = asyncio.Event()

    async def later():
        await taken.wait()

    client.answers["window/workDoneProgress/create"] = lambda _: later()
    assert await client.command("probe.work", {"percentages": [1]}) == "worked"
    taken.set()
    await asyncio.gather(*client._later)
    assert await client.command("probe.echo", {}) == {}
    assert not values(client)


async def test_a_cancel_for_nothing(spawn):
    """Cancelling an unknown or finished token does nothing."""
    client = await ready(spawn)
    await client.command("probe.work", {"percentages": [1]}, workDoneToken=7)
    for token in (7, "nobody's"):
        client.notify("window/workDoneProgress/cancel", {"token": token})
    assert await client.command("probe.echo", {"a": 1}) == {"a": 1}
