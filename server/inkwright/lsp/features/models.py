"""Models and keys: listModels, testModel, listEndpointModels, setSecret, forgetSecret. No answer holds a key."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from inkwright.lsp.arguments import Arguments

if TYPE_CHECKING:
    from inkwright.lsp.session import Session

Given = Mapping[str, Any]


def register(ls: Session) -> None:
    ls.command("inkwright.listModels")(list_models)
    ls.command("inkwright.testModel")(try_model)
    ls.command("inkwright.listEndpointModels")(list_endpoint_models)
    ls.command("inkwright.setSecret")(set_secret)
    ls.command("inkwright.forgetSecret")(forget_secret)


async def list_models(ls: Session, given: Given, _token: object) -> list[dict[str, Any]]:
    """{discover?, vendors?, file?} → the configured models; with `discover` the servers of this machine after them, with
    `vendors` those whose models a key would make, with `file` {file: true, path, uri, exists, problem} of the user's
    settings."""
    from inkwright.abilities import models

    args = Arguments("inkwright.listModels", given)
    discover, vendors, file = args.flag("discover"), args.flag("vendors"), args.flag("file")
    studio = await ls.current()
    settings = studio.settings

    def listed() -> list[dict[str, Any]]:
        return [
            models.model(one, settings, configured=studio.models.configured(one)) for one in settings.models
        ]

    out = await asyncio.to_thread(listed)
    if discover:
        out += [models.discovered(one) for one in await studio.models.discover()]
    if vendors:
        from inkwright.providers.catalog import providers

        out += [models.vendor(row) for row in await asyncio.to_thread(providers) if row.env]
    if file and studio.source is not None and (path := studio.source.path) is not None:
        exists = await asyncio.to_thread(path.exists)
        out.append(
            models.user_file(path, ls.documents.uri(path), studio.source.problem, ls.locale, exists=exists)
        )
    return out


async def try_model(ls: Session, given: Given, _token: object) -> dict[str, Any]:
    """{model?} → {model, works, url, reachable, latency, tools, keyConfigured, error}; '' is the default."""
    from inkwright.abilities import choose, models

    name = Arguments("inkwright.testModel", given).maybe("model")
    studio = await ls.current()
    profile = choose.of_name(studio.settings, name)
    return models.health(await studio.models.examine(profile), ls.locale)


async def list_endpoint_models(ls: Session, given: Given, _token: object) -> dict[str, Any]:
    """{endpoint, key?} → {endpoint, url, models: [name], error}: what an OpenAI-compatible endpoint says it offers.

    Only over https or on this machine, in ten seconds at most. `key` is a reference such as `editor:NAME` (see
    setSecret) or `env:NAME`; without one the key that is configured for the endpoint's host goes along, if there is
    one. A key that a model of another host uses, or a vendor's, is not sent. `error` is as in testModel: then
    `models` is empty, and the writer types the name.
    """
    from inkwright.abilities import models
    from inkwright.domain.errors import InkwrightError
    from inkwright.domain.keys import REFERENCE, is_key

    args = Arguments("inkwright.listEndpointModels", given)
    endpoint, key = args.text("endpoint"), args.maybe("key")
    if key and (REFERENCE.fullmatch(key) is None or is_key("key", key)):
        raise InkwrightError("secret_name_invalid")
    studio = await ls.current()
    return models.offered(await studio.models.offered(endpoint, key), ls.locale)


async def set_secret(ls: Session, given: Given, _token: object) -> dict[str, Any]:
    """{name, value} → {name}: a key from the editor's own store, in memory until the end of the session."""
    from inkwright.domain.errors import InkwrightError

    args = Arguments("inkwright.setSecret", given)
    name, value = args.text("name"), args.text("value")
    _check(name)
    studio = await ls.studio()
    fault = studio.models.secrets.hand_over(name, value)
    if fault is not None:
        raise InkwrightError(fault)
    await ls.reconfigure()
    return {"name": name}


async def forget_secret(ls: Session, given: Given, _token: object) -> dict[str, Any]:
    """{name} → {forgotten}: whether there was such a key."""
    name = Arguments("inkwright.forgetSecret", given).text("name")
    studio = await ls.studio()
    forgotten = studio.models.secrets.forget(name)
    if forgotten:
        await ls.reconfigure()
    return {"forgotten": forgotten}


def _check(name: str) -> None:
    """A name is what settings can refer to, and no key that was put into the wrong field."""
    from inkwright.domain.errors import InkwrightError
    from inkwright.domain.keys import REFERENCE, looks_like_key

    if looks_like_key(name) or REFERENCE.fullmatch(f"editor:{name}") is None:
        raise InkwrightError("secret_name_invalid")
