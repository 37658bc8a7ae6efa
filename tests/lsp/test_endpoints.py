"""listEndpointModels: what an endpoint says it offers, asked before anything is configured; no key goes astray."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

KEY = "canary-key-0123456789abcdef"
OWN = "another-key-0123456789abcdef"
COMMAND = "inkwright.listEndpointModels"


class Endpoint:
    """A real HTTP server on 127.0.0.1 that says `body` under `status`, and keeps what it was asked."""

    def __init__(self) -> None:
        self.status = "200 OK"
        self.body = json.dumps({"object": "list", "data": [{"id": "nomic-embed-text"}, {"id": "qwen3:8b"}]})
        self.heads: list[str] = []
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            self.heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
            head = f"HTTP/1.1 {self.status}\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n"
            writer.write(head.encode() + self.body.encode())
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@pytest.fixture
async def endpoint() -> AsyncIterator[Endpoint]:
    found = Endpoint()
    listening = await asyncio.start_server(found.serve, "127.0.0.1", 0)
    found.port = listening.sockets[0].getsockname()[1]
    yield found
    listening.close()


@pytest.mark.parametrize("typed", ["", "/", "/chat/completions", "/models"])
async def test_the_models_of_an_endpoint_that_nothing_is_configured_for(start, endpoint, typed):
    """Those that write first; asked once, with GET, without a key, however the endpoint was typed."""
    editor = await start()
    found = await editor.client.command(COMMAND, {"endpoint": endpoint.url + typed})
    assert found == {
        "endpoint": endpoint.url + typed,
        "url": f"{endpoint.url}/models",
        "models": ["qwen3:8b", "nomic-embed-text"],
        "error": None,
    }
    (head,) = endpoint.heads
    assert head.startswith("GET /v1/models HTTP/1.1\r\n")
    assert "authorization" not in head.lower()


async def test_a_key_goes_along_to_its_own_host_and_to_no_other(start, endpoint):
    """One just handed over goes to the endpoint that is asked; a vendor's, and one that a model of another host uses, do not."""
    mine = {"endpoint": "http://127.0.0.1:9/v1", "model": "m", "key": "editor:mine"}
    editor = await start(settings={"models": {"mine": mine}})
    for name, value in (("fresh", KEY), ("mine", OWN), ("deepseek", OWN)):
        await editor.client.command("inkwright.setSecret", {"name": name, "value": value})
    found = await editor.client.command(COMMAND, {"endpoint": endpoint.url, "key": "editor:fresh"})
    assert found["models"]
    assert f"Bearer {KEY}" in endpoint.heads.pop()
    for ref in ("editor:mine", "editor:deepseek", "env:DEEPSEEK_API_KEY"):
        found = await editor.client.command(COMMAND, {"endpoint": endpoint.url, "key": ref})
        assert (found["models"], found["error"]["code"]) == ([], "key_other_host")
    found = await editor.client.command(COMMAND, {"endpoint": endpoint.url, "key": "editor:nobody"})
    assert found["error"]["code"] == "key_missing_editor"
    assert endpoint.heads == []


@pytest.mark.parametrize("origin", ["user", "workspace"])
async def test_the_key_of_a_configured_host_goes_along_unless_a_folder_configured_it(start, endpoint, origin):
    """What a folder's settings say of keys moves none of them, not even where the folder is trusted."""
    models = {"models": {"mine": {"endpoint": endpoint.url, "model": "m", "key": "editor:mine"}}}
    settings = {"workspace": models} if origin == "workspace" else models
    editor = await start(settings=settings, initializationOptions={"trusted": True})
    await editor.client.command("inkwright.setSecret", {"name": "mine", "value": KEY})
    found = await editor.client.command(COMMAND, {"endpoint": endpoint.url})
    assert found["models"]
    assert (KEY in endpoint.heads[0]) == (origin == "user")


async def test_the_environments_key_belongs_to_the_environments_endpoint(start, endpoint):
    """INKWRIGHT_API_KEY goes to INKWRIGHT_ENDPOINT, named or not, and to no other port."""
    env = {"INKWRIGHT_ENDPOINT": endpoint.url, "INKWRIGHT_MODEL": "m", "INKWRIGHT_API_KEY": KEY}
    editor = await start(env=env)
    for given in ({}, {"key": "env:INKWRIGHT_API_KEY"}):
        await editor.client.command(COMMAND, {"endpoint": endpoint.url, **given})
        assert f"Bearer {KEY}" in endpoint.heads.pop()
    other = {"endpoint": "http://127.0.0.1:9/v1", "key": "env:INKWRIGHT_API_KEY"}
    assert (await editor.client.command(COMMAND, other))["error"]["code"] == "key_other_host"


REFUSALS = [
    ("401 Unauthorized", json.dumps({"error": {"message": f"bad key {KEY}"}}), "endpoint_auth", "auth"),
    ("404 Not Found", "404 page not found", "endpoint_no_list", "bad_request"),
    ("405 No", "", "endpoint_no_list", "bad_request"),
    ("500 Oops", "", "model_server", "server"),
    ("302 Found\r\nlocation: /elsewhere", "", "model_redirect", "bad_request"),
    ("200 OK", "<html>", "endpoint_not_list", "malformed"),
    ("200 OK", '{"models": []}', "endpoint_not_list", "malformed"),
    ("200 OK", '{"data": [{"name": "m"}]}', "endpoint_not_list", "malformed"),
    ("200 OK", "[" * 100_000, "endpoint_not_list", "malformed"),
    ("200 OK", " " * 8_000_001, "endpoint_not_list", "malformed"),
]


@pytest.mark.parametrize("locale", ["zh-cn", "en"])
async def test_what_is_no_list_is_a_sentence(start, endpoint, locale):
    """In the writer's language, with the address and nothing of the key; never an LSP error."""
    editor = await start(locale=locale)
    await editor.client.command("inkwright.setSecret", {"name": "mine", "value": KEY})
    for endpoint.status, endpoint.body, code, kind in REFUSALS:
        found = await editor.client.command(COMMAND, {"endpoint": endpoint.url, "key": "editor:mine"})
        assert (found["models"], found["error"]["code"], found["error"]["kind"]) == ([], code, kind)
        assert KEY not in json.dumps(found)
        assert "127.0.0.1" in found["error"]["message"]
        assert "{" not in found["error"]["message"]


async def test_names_that_are_none_are_left_out_and_there_are_not_too_many(start, endpoint):
    """Control characters, other types, a key said back; of thousands the first thousand."""
    names = [{"id": "a\x07"}, {"id": 3}, "x", {"id": f"is-{KEY}"}, *({"id": f"m{n}"} for n in range(5000))]
    endpoint.body = json.dumps({"data": names})
    editor = await start()
    await editor.client.command("inkwright.setSecret", {"name": "mine", "value": KEY})
    found = await editor.client.command(COMMAND, {"endpoint": endpoint.url, "key": "editor:mine"})
    assert found["models"] == [f"m{n}" for n in range(996)]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("http://models.example.com/v1", "endpoint_in_clear"),
        ("http://192.168.1.7:8080/v1", "endpoint_in_clear"),
        ("ftp://127.0.0.1/v1", "model_endpoint_invalid"),
        ("api.example.com/v1", "model_endpoint_invalid"),
        ("http://127.0.0.1:9/v1", "model_connection_refused"),
    ],
)
async def test_only_https_and_this_machine_are_asked(start, given, code):
    """What is no such address is a sentence; nobody is asked."""
    editor = await start()
    found = await editor.client.command(COMMAND, {"endpoint": given})
    assert (found["models"], found["error"]["code"]) == ([], code)
    assert found["error"]["message"]


@pytest.mark.parametrize("ref", [KEY, "sk-canary-0123456789abcdef", "env:two words", "book:key"])
async def test_a_key_where_its_name_belongs_is_refused_without_being_said_back(start, endpoint, ref):
    """Nothing is asked, and the message does not have it."""
    editor = await start()
    given = {"command": COMMAND, "arguments": [{"endpoint": endpoint.url, "key": ref}]}
    response = await editor.client.request("workspace/executeCommand", given)
    assert response["error"]["data"]["code"] == "secret_name_invalid"
    assert ref not in response["error"]["message"]
    assert endpoint.heads == []
