"""Model profiles: several at once, each with limits, abilities, price; a model per ability."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import pytest

from inkwright import config
from inkwright.abilities import images
from inkwright.abilities.choose import choose
from inkwright.domain.errors import InkwrightError
from inkwright.domain.model import Price
from inkwright.i18n import render
from inkwright.providers.catalog import providers


@pytest.fixture
def load(tmp_path):
    def run(file="", editor=None, environ=None, **more):
        path = tmp_path / "config.toml"
        path.write_text(file, "utf-8")
        return config.load(environ or {}, path, editor, providers(), **more)

    return run


WHOLE = """
[models.a]
provider = "deepseek"
model = "deepseek-v4-pro"
kind = "text"
contextWindow = 1000
maxOutput = 500
concurrency = 4
requestsPerMinute = 60
tokensPerMinute = 90000
effort = "high"
capabilities = { tools = false, jsonSchema = "object", vision = true, efforts = ["max", "high"] }
price = { currency = "cny", input = 1, output = 2.5, cacheRead = 0.1 }
"""


@pytest.mark.parametrize("spelling", ["camel", "snake"])
def test_every_field_of_a_profile(load, spelling):
    """As documented, or with the underscores that TOML files are full of."""
    text = WHOLE
    if spelling == "snake":
        for name in (
            "contextWindow",
            "maxOutput",
            "requestsPerMinute",
            "tokensPerMinute",
            "jsonSchema",
            "cacheRead",
        ):
            snake = "".join(f"_{c.lower()}" if c.isupper() else c for c in name)
            text = text.replace(name, snake)
    loaded = load(text)
    assert loaded.problems == ()
    a = loaded.settings.profile("a")
    assert (a.context_window, a.max_output, a.concurrency) == (1000, 500, 4)
    assert (a.requests_per_minute, a.tokens_per_minute, a.effort, a.kind) == (60, 90000, "high", "text")
    assert (a.tools, a.schema, a.vision, a.efforts) == (False, "object", True, ("high", "max"))
    assert a.price == Price("CNY", 1, 2.5, 0.1, None)


@pytest.mark.parametrize("row", [p for p in providers() if p.endpoint], ids=lambda p: p.id)
def test_a_provider_alone_is_enough(load, row):
    """Endpoint, wire and model of every vendor come from its row; a local server's model must be named."""
    loaded = load(f'[models.x]\nprovider = "{row.id}"\n' + ("" if row.model else 'model = "m"\n'))
    assert loaded.problems == ()
    x = loaded.settings.profile("x")
    assert (x.endpoint, x.wire, x.model, x.provider) == (row.endpoint, row.wire, row.model or "m", row)
    assert loaded.settings.model == "x"


@pytest.mark.parametrize(
    ("line", "code", "key"),
    [
        ("concurrency = 0", "setting_not_number", "concurrency"),
        ('requestsPerMinute = "x"', "setting_not_number", "requestsPerMinute"),
        ('kind = "poem"', "setting_not_choice", "kind"),
        ('effort = "low"', "setting_effort_unknown", "effort"),
        ('capabilities = { tools = "yes" }', "setting_not_flag", "capabilities.tools"),
        ('capabilities = { jsonSchema = "maybe" }', "setting_not_choice", "capabilities.jsonSchema"),
        ('capabilities = { efforts = ["huge"] }', "setting_not_choice", "capabilities.efforts"),
        ("capabilities = { telepathy = true }", "setting_unknown", "capabilities.telepathy"),
        ('price = { currency = "USD" }', "price_incomplete", "price"),
        ('price = { currency = "dollars", input = 1, output = 1 }', "setting_not_currency", "price.currency"),
        ('price = { currency = "USD", input = -1, output = 1 }', "setting_not_number", "price.input"),
        ("price = 3", "setting_not_table", "price"),
    ],
)
def test_a_bad_value_is_named_once_and_its_default_used(load, line, code, key):
    """And everything else of the profile stands."""
    loaded = load(f'[models.a]\nprovider = "deepseek"\ncontextWindow = 1234\n{line}')
    assert [(p.code, p.params["key"]) for p in loaded.problems] == [(code, f"models.a.{key}")]
    assert loaded.settings.profile("a").context_window == 1234
    for locale in ("zh", "en"):
        assert "{" not in render(loaded.problems[0], locale)


def test_a_model_per_ability(load):
    """By name, key by key from file and editor; one that is not there is named and left out."""
    file = '[models.a]\nprovider = "kimi"\n[models.b]\nprovider = "glm"\n[abilities]\npolish = "a"\nwriting = "a"\n'
    loaded = load(file, {"abilities": {"polish": "b", "analysis": "nobody"}})
    assert dict(loaded.settings.abilities) == {"polish": "b", "writing": "a", "analysis": "nobody"}
    assert loaded.settings.refused.keys() == {"nobody"}
    assert [(p.code, p.params["key"]) for p in loaded.problems] == [
        ("setting_model_unknown", "abilities.analysis")
    ]


def test_a_model_of_embeddings_is_never_a_default(load):
    """Neither because it stands first nor because somebody names it."""
    file = '[models.e]\nendpoint = "http://127.0.0.1:1"\nmodel = "m"\nkind = "embedding"\n[models.b]\nprovider = "glm"\n'
    assert load(file).settings.model == "b"
    loaded = load('model = "e"\n' + file)
    assert (loaded.settings.profile("b").id, [p.code for p in loaded.problems]) == (
        "b",
        ["setting_model_not_text"],
    )
    assert loaded.settings.refused.keys() == {"e"}


@pytest.mark.parametrize("wire", ["openai", "anthropic", "gemini"])
def test_the_wire_of_the_environment(load, wire):
    """INKWRIGHT_WIRE works for all three."""
    environ = {
        "INKWRIGHT_ENDPOINT": "http://127.0.0.1:9/x",
        "INKWRIGHT_MODEL": "m",
        "INKWRIGHT_WIRE": wire,
    }
    assert load(environ=environ).settings.profile().wire == wire


FILE = 'model = "own"\n[models.own]\nendpoint = "https://own.example/v1"\nmodel = "x"\n'


@pytest.mark.parametrize(
    ("editor", "key"),
    [
        ({"model": "m", "models": {"m": {"endpoint": "https://there.example/v1", "model": ""}}}, "model"),
        ({"model": "m", "models": {"m": {"endpoint": "nonsense", "model": "x"}}}, "model"),
        ({"model": "m"}, "model"),
        ({"abilities": {"polish": "m"}}, "abilities.polish"),
        ({"workspace": {"model": "m"}}, "model"),
    ],
)
def test_a_chosen_model_that_cannot_be_used_is_refused(load, editor, key):
    """No run falls to the model that another source names; the fault tells the setting, in both languages."""
    settings = load(FILE, editor, trusted=True).settings
    own = settings.abilities.get("polish", "")
    with pytest.raises(InkwrightError) as refused:
        choose(settings, "", (own, ""), [])
    fault = refused.value.fault
    assert (fault.code, fault.params["key"], fault.params["name"]) == ("setting_model_unknown", key, "m")
    assert all(key in render(fault, locale) for locale in ("zh", "en"))
    with pytest.raises(InkwrightError) as unseen:
        images.chosen(replace(settings, abilities={images.ABILITY: own}), "")
    assert unseen.value.fault.code == "setting_model_unknown"


def test_what_was_not_chosen_is_not_refused(load):
    """A broken model that nobody names, one named by a source that another one overrides, and a model asked for."""
    broken = {"models": {"m": {"endpoint": "https://there.example/v1", "model": ""}}}
    assert choose(load(FILE, broken).settings, "", (), []).id == "own"
    assert choose(load(FILE.replace("own", "gone", 1), {"model": "own"}).settings, "", (), []).id == "own"
    assert choose(load(FILE, {**broken, "model": "m"}).settings, "own", (), []).id == "own"
    assert choose(load("", broken).settings, "", (), []).offline


class TestWorkspace:
    """What a folder's own settings say of models."""

    GIVEN: ClassVar = {
        "workspace": {
            "model": "w",
            "models": {"w": {"endpoint": "https://evil.example/v1", "model": "m"}},
            "abilities": {"polish": "w"},
        }
    }

    @pytest.mark.parametrize("trusted", [None, False])
    def test_untrusted_it_is_said_once_and_nothing_of_it_used(self, load, trusted):
        """No profile, no default, no ability."""
        loaded = load(editor=self.GIVEN, trusted=trusted)
        assert [p.code for p in loaded.problems] == ["workspace_untrusted"]
        assert [m.id for m in loaded.settings.models] == ["offline"]
        assert loaded.settings.model == "offline"
        assert loaded.settings.abilities == {}

    def test_trusted_it_counts(self, load):
        """As the folder's own choice."""
        loaded = load(editor=self.GIVEN, trusted=True)
        assert loaded.problems == ()
        assert (loaded.settings.model, loaded.settings.profile().origin) == ("w", "workspace")
        assert loaded.settings.abilities == {"polish": "w"}

    def test_it_takes_no_name_of_the_writers_own(self, load):
        """The same name keeps the writer's endpoint and key."""
        file = '[models.w]\nprovider = "deepseek"'
        loaded = load(file, self.GIVEN, {"DEEPSEEK_API_KEY": "k"}, trusted=True)
        assert loaded.settings.profile("w").host == "api.deepseek.com"

    def test_it_is_no_default_by_merely_being_there(self, load):
        """Its models can be chosen; the one that nobody chose is not used."""
        models = self.GIVEN["workspace"]["models"]
        loaded = load(editor={"workspace": {"models": models}}, trusted=True)
        assert loaded.settings.model == "offline"

    @pytest.mark.parametrize("ref", ["env:HOME", "keyring:studio", "editor:studio", "file:~/.ssh/id"])
    def test_it_names_none_of_the_writers_keys(self, load, ref):
        """A vendor's key goes to that vendor whoever asks; any other is refused."""
        given = {"workspace": {"models": {"w": {"endpoint": "https://h/v1", "model": "m", "key": ref}}}}
        loaded = load(editor=given, trusted=True)
        assert [p.code for p in loaded.problems] == ["workspace_key_refused"]
        assert loaded.settings.profile("w").key is None

    @pytest.mark.parametrize("key", [{}, {"key": "env:AZURE_OPENAI_API_KEY"}])
    @pytest.mark.parametrize("origin", ["workspace", "editor"])
    def test_a_host_that_anybody_can_have_gets_no_key_from_it(self, load, key, origin):
        """Every customer of Azure has a subdomain: the writer says which one is theirs, a folder does not."""
        table = {"w": {"endpoint": "https://evil.openai.azure.com/openai/v1", "model": "m", **key}}
        given = {"workspace": {"models": table}} if origin == "workspace" else {"models": table}
        loaded = load(editor=given, environ={"AZURE_OPENAI_API_KEY": "k"}, trusted=True)
        assert (loaded.settings.profile("w").key is None) == (origin == "workspace")

    def test_a_vendors_key_stays_with_the_vendor(self, load):
        """The reference may be there; the hosts are the vendor's."""
        given = {
            "workspace": {
                "models": {
                    "w": {"endpoint": "https://evil.example/v1", "model": "m", "key": "keyring:deepseek"}
                }
            }
        }
        w = load(editor=given, trusted=True).settings.profile("w")
        assert not w.key.goes_to(w.endpoint)

    @pytest.mark.parametrize("trusted", [True, False])
    def test_a_key_in_it_is_named_and_not_read(self, load, trusted):
        """At the top or in a model's table, trusted or not; the text of it is nowhere."""
        given = {
            "workspace": {
                "apiKey": "sk-canary-0123456789",
                "models": {"w": {"provider": "kimi", "apiKey": "sk-canary-0123456789"}},
            }
        }
        loaded = load(editor=given, trusted=trusted)
        told = {(p.code, p.params["key"], p.params["where"]) for p in loaded.problems}
        assert ("setting_holds_key", "apiKey", "workspace") in told
        if trusted:
            assert ("setting_holds_key", "models.w.apiKey", "workspace") in told
        assert "canary" not in repr(loaded)


class TestStoredKeys:
    """Keys outside the environment, by name."""

    def test_a_vendors_stored_key_is_as_good_as_its_variable(self, load):
        """Under the vendor's id or under the variable's name; the variable itself comes first."""
        for name in ("deepseek", "DEEPSEEK_API_KEY"):
            profile = load(stored={name: f"keyring:{name}"}).settings.profile()
            assert (profile.id, profile.key.ref) == ("deepseek", f"keyring:{name}")
        both = load(environ={"DEEPSEEK_API_KEY": "k"}, stored={"deepseek": "editor:deepseek"})
        assert both.settings.profile().key.ref == "env:DEEPSEEK_API_KEY"

    @pytest.mark.parametrize("ref", ["env:K", "keyring:k", "editor:k.1", "file:~/keys/k", "file:k"])
    def test_a_reference_goes_to_its_endpoint(self, load, ref):
        """And to no other host, port or scheme."""
        file = f'[models.a]\nendpoint = "https://h.example/v1"\nmodel = "m"\nkey = "{ref}"'
        key = load(file).settings.profile("a").key
        assert key.ref == ref
        assert key.goes_to("https://h.example/other")
        for other in (
            "https://g.example/v1",
            "https://h.example:8443/v1",
            "http://h.example/v1",
            "https://h.example@g.example/v1",
            "https://u:p@h.example/v1",
            "https://h.example.g.example/v1",
        ):
            assert not key.goes_to(other), other

    @pytest.mark.parametrize(
        "ref", ["env:a b", "keyring:", "keyring:sk-0123456789abcdefgh", "ftp:x", "env:1x", "file:a\\nb"]
    )
    def test_what_is_no_reference_is_refused(self, load, ref):
        """And not repeated."""
        loaded = load(f'[models.a]\nprovider = "kimi"\nkey = "{ref}"')
        assert [p.code for p in loaded.problems] == ["setting_holds_key"]
        assert "0123456789" not in repr(loaded)

    def test_an_endpoint_with_a_password_or_a_key_is_refused(self, load):
        """It would stand in the file; the model is left out."""
        for endpoint in ("https://u:secretsecret@h/v1", "https://h/v1?api_key=canary0123456"):
            loaded = load(f'[models.a]\nendpoint = "{endpoint}"\nmodel = "m"')
            assert [p.code for p in loaded.problems] == ["setting_holds_key"]
            assert loaded.settings.profile("a") is None
