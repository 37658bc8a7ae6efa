"""The table of vendors and models."""

from __future__ import annotations

import json

import pytest

from inkwright.config import ModelReader
from inkwright.domain.conversation import Message, ModelRequest, ToolSpec
from inkwright.domain.model import (
    COMPATIBLE,
    KnownModel,
    ModelProfile,
    Price,
    Provider,
    host_of,
    is_loopback,
    provider_of,
)
from inkwright.providers.catalog import providers
from inkwright.providers.openai_chat import encode
from inkwright.providers.wires import wire

ROWS = providers()
BY_ID = {row.id: row for row in ROWS}


def test_everyone_is_there():
    """The vendors and the local servers that writers have."""
    assert {
        "deepseek", "openai", "anthropic", "gemini", "qwen", "glm", "kimi", "siliconflow", "openrouter",
        "ollama", "lmstudio", "llamacpp", "vllm",
    } <= set(BY_ID)  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_rows(row):
    """A row works: a wire that exists, an endpoint that is its own host's, a key or this machine."""
    wire(row.wire)
    if row.endpoint:
        assert provider_of(row.endpoint, ROWS) is row
        assert bool(row.env) is not is_loopback(host_of(row.endpoint))
    if row.env:
        assert row.model or not row.endpoint
    if row.model and row.models:
        known = row.known(row.model)
        assert known.name == row.model
        assert known.context_window >= known.max_output
    for model in row.models:
        assert row.known(model.name) is model
        if model.price is not None:
            assert 0 < model.price.input <= model.price.output
            assert (model.price.cache_read or 0) < model.price.input


@pytest.mark.parametrize("row", [row for row in ROWS if row.port], ids=lambda row: row.id)
def test_local_servers(row):
    """Are known by their port on this machine alone."""
    assert provider_of(f"http://localhost:{row.port}/v1", ROWS) is row
    assert provider_of(f"http://[::1]:{row.port}", ROWS) is row
    assert provider_of(f"http://example.com:{row.port}", ROWS) is COMPATIBLE


VENDOR = Provider(
    "x",
    "X",
    models=(
        KnownModel("a", context_window=1),
        KnownModel("a-5", context_window=2, price=Price("USD", 1, 2)),
        KnownModel("a-5-5", context_window=3),
    ),
)


@pytest.mark.parametrize(
    ("model", "window", "priced"),
    [
        ("a-5", 2, True),
        ("a-5-20260101", 2, True),
        ("a-5-2026-01-01", 2, True),
        ("a-5-latest", 2, True),
        ("a-5-mini", 2, False),
        ("a-5-5", 3, False),
        ("a-5-5-mini", 3, False),
        ("a-50", 1, False),
        ("ab", 0, False),
    ],
)
def test_known(model, window, priced):
    """The longest name wins at a border; a price is taken by nothing but the model itself."""
    known = VENDOR.known(model)
    assert (known.context_window, known.price is not None) == (window, priced)


def test_a_vendors_key_makes_its_model():
    """With all that the table knows of it."""
    (profile,) = ModelReader(ROWS, {"ANTHROPIC_API_KEY": "k"}, {}).usual()
    assert (profile.wire, profile.model, profile.context_window) == (
        "anthropic",
        "claude-sonnet-5-5",
        1_000_000,
    )
    assert (profile.vision, profile.schema, profile.price and profile.price.currency) == (
        True,
        "schema",
        "USD",
    )
    (profile,) = ModelReader(ROWS, {"GEMINI_API_KEY": "k"}, {}).usual()
    assert (profile.wire, profile.thinking) == ("gemini", "level")


@pytest.mark.parametrize(
    ("endpoint", "asked", "wire"),
    [
        ("https://api.anthropic.com", None, "anthropic"),
        ("https://api.deepseek.com/anthropic", "anthropic", "anthropic"),
        ("https://api.deepseek.com", None, "openai"),
        ("http://127.0.0.1:11434/v1", None, "openai"),
        ("https://example.com", None, "openai"),
        ("https://example.com", "gemini", "gemini"),
    ],
)
def test_the_wire(endpoint, asked, wire):
    """What was asked for, else the vendor's own."""
    assert ModelReader(ROWS, {}, {}).typed(endpoint, "m", asked).wire == wire


def test_tools_and_effort_of_chat_completions():
    """OpenAI's refuse tools together with an effort: the only one they take is sent."""
    row = BY_ID["openai"]
    profile = ModelProfile("m", row.endpoint, "gpt-5.4", provider=row, efforts=row.efforts)
    tool = (ToolSpec("f", "d", {}),)
    for tools, effort, sent in (
        (tool, "high", "none"),
        (tool, "off", "none"),
        ((), "high", "high"),
        ((), "off", "none"),
    ):
        request = ModelRequest((Message("user", "x"),), tools, effort=effort)
        assert json.loads(encode.body(profile, request))["reasoning_effort"] == sent
