"""Settings from four sources, each value good or named."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright import config
from inkwright.abilities.choose import choose
from inkwright.config import ModelReader, Settings
from inkwright.domain.errors import Fault, InkwrightError
from inkwright.domain.run import Clocks
from inkwright.i18n import render
from inkwright.providers.catalog import providers


@pytest.fixture
def load(tmp_path):
    """Loads from an environment, a file's text and an editor's answer."""

    def run(environ=None, file=None, editor=None):
        path = tmp_path / "config.toml"
        if file is not None:
            path.write_bytes(file.encode() if isinstance(file, str) else file)
        return config.load(environ or {}, path, editor, providers())

    return run


def codes(loaded) -> list[str]:
    return [problem.code for problem in loaded.problems]


class TestLayers:
    """Defaults < user file < environment < editor, key by key."""

    def test_defaults(self, load):
        """With nothing set: the offline engine."""
        assert load() == config.Loaded(Settings())
        assert load().settings.profile().offline

    def test_each_key_by_itself(self, load):
        """A key of a higher layer hides that key alone."""
        settings = load(
            {"DEEPSEEK_API_KEY": "k"},
            file='count = "han"\nwindow = 900\n[clocks]\nbytes = 70\n[checks]\nenabled = false\n[checks.severity]\na = "hint"',
            editor={"window": 1000, "clocks": {"payload": 7}, "checks": {"severity": {"b": "off"}}},
        ).settings
        assert (settings.count, settings.window) == ("han", 1000)
        assert (settings.profile().clocks.bytes, settings.profile().clocks.payload) == (70, 7)
        assert settings.checks == config.Checks(False, (), {"a": "hint", "b": "off"})

    def test_default_model(self, load):
        """Editor, environment, file, the first configured, a vendor's key, offline."""
        file = '[models.a]\nendpoint = "http://127.0.0.1:1"\nmodel = "x"\n[models.b]\nendpoint = "http://127.0.0.1:2"\nmodel = "y"\n'
        keyed = {"DEEPSEEK_API_KEY": "k"}
        own = {"INKWRIGHT_ENDPOINT": "http://127.0.0.1:3", "INKWRIGHT_MODEL": "z"}
        assert load(keyed).settings.model == "deepseek"
        assert load(keyed, file).settings.model == "a"
        assert load(keyed, 'model = "b"\n' + file).settings.model == "b"
        assert load(own | keyed, 'model = "b"\n' + file).settings.model == "z"
        assert load(own, 'model = "b"\n' + file, {"model": "a"}).settings.model == "a"
        assert load(own, 'model = "b"\n' + file, {"model": "offline"}).settings.profile().offline


class TestEnvironment:
    """A model without any file."""

    def test_own(self, load):
        """Endpoint, model and key; the key is bound to the endpoint's host."""
        loaded = load(
            {
                "INKWRIGHT_ENDPOINT": "https://h.example/v1",
                "INKWRIGHT_MODEL": "m",
                "INKWRIGHT_API_KEY": "k",
                "INKWRIGHT_WIRE": "openai",
            }
        )
        profile = loaded.settings.profile()
        assert (profile.id, profile.endpoint, profile.model, profile.wire) == (
            "m",
            "https://h.example/v1",
            "m",
            "openai",
        )
        assert (profile.key.ref, profile.key.hosts) == ("env:INKWRIGHT_API_KEY", ("h.example",))
        assert loaded.problems == ()

    def test_a_known_host_has_a_current_model(self, load):
        """And its vendor's usual key."""
        profile = load(
            {"INKWRIGHT_ENDPOINT": "https://api.deepseek.com", "DEEPSEEK_API_KEY": "k"}
        ).settings.profile()
        assert (profile.model, profile.key.ref) == ("deepseek-flash", "env:DEEPSEEK_API_KEY")

    @pytest.mark.parametrize(
        "variable", ["DEEPSEEK_API_KEY", "DEEPSEEK_API_KEY_FILE", "INKWRIGHT_DEEPSEEK_API_KEY"]
    )
    def test_a_vendors_key_alone(self, load, variable):
        """Is that vendor's current model; deepseek-chat is gone."""
        profile = load({variable: "k"}).settings.profile()
        assert (profile.id, profile.endpoint, profile.model) == (
            "deepseek",
            "https://api.deepseek.com",
            "deepseek-flash",
        )

    @pytest.mark.parametrize("row", [p for p in providers() if p.model], ids=lambda p: p.id)
    def test_every_vendor(self, load, row):
        """Each usual variable, by itself, gives that vendor; its key goes to that vendor's hosts."""
        for variable in row.env:
            profile = load({variable: "k"}).settings.profile()
            assert (profile.id, profile.model, profile.provider) == (row.id, row.model, row)
            assert profile.host in profile.key.hosts == row.hosts

    def test_several_keys(self, load):
        """The catalogue's order decides the default; all can be chosen."""
        settings = load({"OPENAI_API_KEY": "k", "DEEPSEEK_API_KEY": "k"}).settings
        assert [m.id for m in settings.models] == ["deepseek", "openai", "offline"]

    def test_model_name_alone(self, load):
        """With a vendor's key it is that vendor's model; a configured name chooses it."""
        profile = load({"INKWRIGHT_MODEL": "deepseek-v4-pro", "DEEPSEEK_API_KEY": "k"}).settings.profile()
        assert (profile.id, profile.endpoint) == ("deepseek-v4-pro", "https://api.deepseek.com")
        file = '[models.a]\nendpoint = "http://127.0.0.1:1"\nmodel = "x"'
        assert load({"INKWRIGHT_MODEL": "a"}, file).settings.model == "a"
        assert load({"INKWRIGHT_MODEL": "offline", "OPENAI_API_KEY": "k"}).settings.model == "offline"

    @pytest.mark.parametrize(
        ("environ", "code"),
        [
            ({"INKWRIGHT_MODEL": "m"}, "environment_model_incomplete"),
            ({"INKWRIGHT_ENDPOINT": "http://127.0.0.1:1"}, "environment_model_incomplete"),
            (
                {"INKWRIGHT_ENDPOINT": "http://127.0.0.1:1", "INKWRIGHT_API_KEY": "k"},
                "environment_model_incomplete",
            ),
            ({"INKWRIGHT_ENDPOINT": "nonsense", "INKWRIGHT_MODEL": "m"}, "environment_endpoint_wrong"),
            ({"INKWRIGHT_ENDPOINT": "nonsense", "INKWRIGHT_MODEL": "a"}, "environment_endpoint_wrong"),
        ],
    )
    @pytest.mark.parametrize(
        "file", ["", 'model = "a"\n[models.a]\nendpoint = "http://127.0.0.1:1"\nmodel = "x"\n']
    )
    def test_incomplete(self, load, environ, code, file):
        """A model that the environment chooses and does not describe is refused: neither the file's nor the offline
        engine stands in. What the file's abilities choose, and what the editor chooses above it, holds."""
        loaded = load(environ, file)
        assert codes(loaded) == [code]
        settings = loaded.settings
        assert settings.profile() is None
        assert settings.refused == {settings.model: loaded.problems[0]}
        with pytest.raises(InkwrightError) as refusal:
            choose(settings, "", (), [])
        assert refusal.value.fault.code == code
        for locale in ("zh", "en"):
            said = render(refusal.value.fault, locale)
            assert "INKWRIGHT_" in said
            assert "{" not in said
        assert load(environ, file, {"model": "offline"}).settings.profile().offline
        assert choose(settings, "offline", (), []).offline
        if file:
            assert choose(settings, "", ("a",), []).id == "a"

    @pytest.mark.parametrize("file", ["", '[models.a]\nendpoint = "http://127.0.0.1:1"\nmodel = "x"\n'])
    def test_a_key_alone(self, load, file):
        """It names neither a model nor a place: it is named, and chooses nothing."""
        loaded = load({"INKWRIGHT_API_KEY": "k"}, file)
        assert codes(loaded) == ["environment_incomplete"]
        assert loaded.settings.profile().id == ("a" if file else "offline")

    def test_a_wire_that_does_not_exist(self, load):
        """Is named; the default is used."""
        loaded = load(
            {
                "INKWRIGHT_ENDPOINT": "http://127.0.0.1:1",
                "INKWRIGHT_MODEL": "m",
                "INKWRIGHT_WIRE": "telegraph",
            }
        )
        assert (codes(loaded), loaded.settings.profile().wire) == (["setting_not_choice"], "openai")

    def test_empty_is_unset(self, load):
        """Variables that hold nothing."""
        names = (
            "INKWRIGHT_ENDPOINT",
            "INKWRIGHT_MODEL",
            "INKWRIGHT_API_KEY",
            "INKWRIGHT_WIRE",
            "DEEPSEEK_API_KEY",
        )
        assert load(dict.fromkeys(names, " ")) == load()


class TestBadValues:
    """Each bad value is named, and costs only itself."""

    @pytest.mark.parametrize(
        ("editor", "code", "key"),
        [
            ({"locale": "fr"}, "setting_not_choice", "locale"),
            ({"window": "6000"}, "setting_not_number", "window"),
            ({"window": True}, "setting_not_number", "window"),
            ({"window": 10}, "setting_not_number", "window"),
            ({"window": 900.5}, "setting_not_number", "window"),
            ({"window": float("nan")}, "setting_not_number", "window"),
            ({"window": 10**400}, "setting_not_number", "window"),
            ({"window": float("inf")}, "setting_not_number", "window"),
            ({"hover": "yes"}, "setting_not_flag", "hover"),
            ({"hover": 1}, "setting_not_flag", "hover"),
            ({"count": []}, "setting_not_choice", "count"),
            ({"model": {}}, "setting_not_text", "model"),
            ({"model": "nobody"}, "setting_model_unknown", "model"),
            ({"clocks": {"bytes": 0}}, "setting_not_number", "clocks.bytes"),
            ({"clocks": 3}, "setting_not_table", "clocks"),
            ({"checks": {"enabled": None, "disabled": "a"}}, "setting_not_list", "checks.disabled"),
            ({"checks": {"disabled": [3]}}, "setting_not_text", "checks.disabled[0]"),
            ({"checks": {"severity": {"a": "loud"}}}, "setting_not_choice", "checks.severity.a"),
            ({"checks": {"foo": 1}}, "setting_unknown", "checks.foo"),
            ({"models": [1]}, "setting_not_table", "models"),
            ({"models": {"a": 1}}, "setting_not_table", "models.a"),
            ({"models": {"a": {"endpoint": 1, "model": "m"}}}, "setting_not_text", "models.a.endpoint"),
            ({"models": {"a": {"endpoint": "x", "model": "m"}}}, "setting_not_endpoint", "models.a.endpoint"),
            ({"models": {"a": {"endpoint": "http://h"}}}, "model_incomplete", "models.a"),
            ({"models": {"a": {"provider": "nobody"}}}, "setting_not_choice", "models.a.provider"),
            ({"models": {"a": {"provider": "kimi", "wire": "x"}}}, "setting_not_choice", "models.a.wire"),
            ({"models": {"a": {"provider": "kimi", "foo": 1}}}, "setting_unknown", "models.a.foo"),
            ({"models": {"offline": {"provider": "kimi"}}}, "model_name_taken", "models.offline"),
            ([1], "setting_not_table", "inkwright"),
            ("x", "setting_not_table", "inkwright"),
            (3, "setting_not_table", "inkwright"),
        ],
    )
    def test_named(self, load, editor, code, key):
        """By its key, and with a sentence in both languages; what is good beside it stays."""
        if isinstance(editor, dict):
            editor = {**editor, "codeLens": False}
        loaded = load(editor=editor)
        problem = next(p for p in loaded.problems if p.code == code)
        assert (problem.params["key"], problem.params["where"]) == (key, "editor")
        assert loaded.settings.code_lens is not isinstance(editor, dict)
        for locale in ("zh", "en"):
            assert key in render(problem, locale)
            assert "{" not in render(problem, locale)

    @pytest.mark.parametrize(
        "editor",
        [
            None,
            [],
            {},
            {"model": None, "models": None, "checks": None, "clocks": {"bytes": None}},
            {"model": "", "locale": ""},
        ],
    )
    def test_null_and_empty_are_not_set(self, load, editor):
        """What clients answer when nothing is set, Lua's empty tables included."""
        assert load(editor=editor) == load()

    @pytest.mark.parametrize(
        "editor",
        [{"checks": []}, {"models": []}, {"clocks": []}, {"checks": {"disabled": {}, "severity": []}}],
    )
    def test_lua_empty_tables(self, load, editor):
        """An empty list where a table is due, and the other way round."""
        assert load(editor=editor) == load()

    def test_the_lower_layer_stands(self, load):
        """A bad value does not hide a good one below it."""
        assert load(file="window = 900", editor={"window": []}).settings.window == 900

    @pytest.mark.parametrize("file", ["window =", b"\xff\xfe", "a = 1\na = 2", "[" * 5000])
    def test_no_toml(self, load, file):
        """A file that can't be read is named by its name alone; the rest works. Which model it chose nobody knows:
        a key that lies in the environment does not take its place, the editor's choice and the offline engine do."""
        loaded = load({"DEEPSEEK_API_KEY": "k"}, file, {"window": 900})
        assert (codes(loaded), loaded.settings.window) == (["settings_not_toml"], 900)
        with pytest.raises(InkwrightError) as refusal:
            choose(loaded.settings, "", (), [])
        assert refusal.value.fault.code == "setting_file_unknown"
        assert choose(loaded.settings, "deepseek", (), []).id == "deepseek"
        chosen = load({"DEEPSEEK_API_KEY": "k"}, file, {"model": "deepseek"}).settings
        assert choose(chosen, "", (), []).id == "deepseek"
        assert load(file=file).settings.profile().offline

    @pytest.mark.parametrize("where", ["file", "editor"])
    def test_the_only_models_are_incomplete(self, load, where):
        """The writer's own model is named and refused; a key in the environment does not send their text elsewhere."""
        given = {"file": '[models.mine]\nendpoint = "http://127.0.0.1:1/v1"\n'}
        if where == "editor":
            given = {"editor": {"models": {"mine": {"endpoint": "http://127.0.0.1:1/v1"}}}}
        loaded = load({"DEEPSEEK_API_KEY": "k"}, **given)
        assert codes(loaded) == ["model_incomplete", "setting_model_unknown"]
        with pytest.raises(InkwrightError) as refusal:
            choose(loaded.settings, "", (), [])
        assert refusal.value.fault.code == "setting_model_unknown"
        assert load(**given).settings.profile().offline

    def test_a_file_that_is_far_too_large(self, load):
        """It is named and not read; one of the largest size is."""
        line = 'locale = "en"\n'
        loaded = load(file=line + "#" * (1_000_001 - len(line)))
        assert loaded.settings == Settings()
        assert loaded.problems == (Fault("settings_too_large", {"name": "config.toml", "limit": 1}),)
        loaded = load(file=line + "#" * (1_000_000 - len(line)))
        assert (loaded.settings.locale, loaded.problems) == ("en", ())

    def test_a_folder_in_its_place(self, tmp_path):
        """Not readable is not missing."""
        loaded = config.load({}, tmp_path, None, providers())
        assert codes(loaded) == ["settings_unreadable"]

    def test_byte_order_mark(self, load):
        """As Windows editors write it."""
        assert load(file=b"\xef\xbb\xbfwindow = 900").settings.window == 900

    def test_unknown_keys(self, load):
        """A misspelt key is named in the file; an editor's section also holds the client's own keys."""
        assert codes(load(file="windwo = 900")) == ["setting_unknown"]
        assert codes(load(file="", editor={"trace": {"server": "off"}})) == []


class TestKeys:
    """A settings file says where a key is, never what it is, and a key stays with its host."""

    @pytest.mark.parametrize(
        "line",
        [
            'api_key = "sk-canary"',
            'apiKey = "sk-canary"',
            'key = "sk-canary"',
            'token = "sk-canary"',
            'key = "env:a b"',
        ],
    )
    def test_never_in_a_file(self, load, line):
        """Is refused, and not repeated."""
        loaded = load(file=f'[models.a]\nprovider = "kimi"\n{line}')
        assert codes(loaded) == ["setting_holds_key"]
        assert "canary" not in repr(loaded)

    def test_by_reference(self, load):
        """A variable, bound to the endpoint's host."""
        profile = load(
            file='[models.a]\nendpoint = "https://h/v1"\nmodel = "m"\nkey = "env:MY_KEY"'
        ).settings.profile()
        assert (profile.key.ref, profile.key.hosts) == ("env:MY_KEY", ("h",))

    def test_an_editor_cannot_lead_a_vendors_key_away(self, load):
        """Editor settings can come with a folder: a vendor's usual key stays with that vendor."""
        editor = {
            "models": {"a": {"endpoint": "https://evil.example", "model": "m", "key": "env:DEEPSEEK_API_KEY"}}
        }
        key = load({"DEEPSEEK_API_KEY": "k"}, editor=editor).settings.profile("a").key
        assert key.hosts == ("api.deepseek.com",)
        editor["models"]["a"]["key"] = "env:INKWRIGHT_API_KEY"
        own = {"INKWRIGHT_ENDPOINT": "https://h", "INKWRIGHT_MODEL": "m", "INKWRIGHT_API_KEY": "k"}
        assert load(own, editor=editor).settings.profile("a").key.hosts == ("h",)

    def test_a_profile_is_of_one_layer(self, load):
        """An editor that takes over a name takes the key with it."""
        file = '[models.a]\nendpoint = "https://h/v1"\nmodel = "m"\nkey = "env:MY_KEY"'
        profile = load(
            file=file, editor={"models": {"a": {"endpoint": "https://evil", "model": "m"}}}
        ).settings.profile("a")
        assert profile.key is None

    def test_a_vendors_key_is_not_taken_to_another_endpoint(self, load):
        """`provider` with an endpoint of one's own does not bring the usual key along."""
        file = '[models.a]\nprovider = "deepseek"\nendpoint = "https://other/v1"'
        assert load({"DEEPSEEK_API_KEY": "k"}, file).settings.profile("a").key is None

    def test_typed(self):
        """A model on the command line takes the key of its host, or of the variable named."""
        reader = ModelReader(
            providers(),
            {"DEEPSEEK_API_KEY": "k", "INKWRIGHT_ENDPOINT": "https://h/v1", "INKWRIGHT_API_KEY": "k"},
            {},
        )
        assert reader.typed("https://api.deepseek.com", "m", "openai").key.ref == "env:DEEPSEEK_API_KEY"
        assert reader.typed("https://h/v2", "m", "openai").key.ref == "env:INKWRIGHT_API_KEY"
        assert reader.typed("https://other", "m", "openai").key is None
        assert reader.typed("https://other", "m", "openai", "X").key.hosts == ("other",)


def test_profile_fields(load):
    """Limits, efforts and clocks of a model, its own before the vendor's and the general ones."""
    file = """
    [clocks]
    bytes = 90
    [models.a]
    provider = "deepseek"
    contextWindow = 1000
    [models.a.clocks]
    payload = 9
    [models.b]
    endpoint = "http://localhost:11434/v1"
    model = "qwen3"
    [models.c]
    provider = "openai"
    model = "gpt-4.1"
    """
    settings = load(file=file).settings
    a, b, c = (settings.profile(name) for name in "abc")
    assert (a.context_window, a.max_output, a.efforts) == (1000, 384_000, ("off", "high", "max"))
    assert a.clocks == Clocks(bytes=90, payload=9)
    assert b.clocks == Clocks(bytes=90, first_payload=1800, payload=600)
    assert (c.efforts, c.context_window) == ((), 0)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda v: (
            st.lists(v, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "model",
                        "models",
                        "a",
                        "endpoint",
                        "key",
                        "clocks",
                        "bytes",
                        "checks",
                        "disabled",
                        "severity",
                        "provider",
                        "window",
                    ]
                ),
                v,
                max_size=4,
            )
        ),
        max_leaves=12,
    )
)
def test_any_answer(editor):
    """Whatever a client answers, settings come out, with a default or with the reason why there is none."""
    settings = config.load({}, None, editor, providers()).settings
    assert (settings.profile() is None) == (settings.model in settings.refused)


def test_user_file(monkeypatch, tmp_path):
    """In the platform's folder for configuration."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert config.user_file().name == "config.toml"


class TestTrustedFolders:
    """Folders whose books may bring profiles of their own."""

    def test_each_source_and_the_last_wins(self, load, tmp_path):
        """Editor over environment over file; a source that names none leaves it to the next."""
        file, environ, editor = (tmp_path / name for name in ("file", "environ", "editor"))
        toml = f"trustedFolders = ['{file}']"
        variable = {"INKWRIGHT_TRUSTED_FOLDERS": os.pathsep.join([str(environ), "", str(file)])}
        assert load().settings.trusted_folders == ()
        assert load(file=toml).settings.trusted_folders == (file,)
        assert load(variable, toml).settings.trusted_folders == (environ, file)
        named = load(variable, toml, {"trustedFolders": [str(editor)]})
        assert named.settings.trusted_folders == (editor,)
        assert load(variable, toml, {"trustedFolders": []}).settings.trusted_folders == (environ, file)

    def test_the_home_may_be_written_short(self, load, home):
        """`~` is the home folder."""
        assert load(file="trustedFolders = ['~/books']").settings.trusted_folders == (home / "books",)

    @pytest.mark.parametrize(
        ("value", "code"),
        [
            (["books"], "setting_not_folder"),
            (["../books"], "setting_not_folder"),
            (["~nobody-of-this-name/x"], "setting_not_folder"),
            ([3], "setting_not_text"),
            ("/books", "setting_not_list"),
            ({"a": 1}, "setting_not_list"),
        ],
    )
    def test_what_is_no_folder_is_named_and_left_out(self, load, tmp_path, value, code):
        """A relative path could mean any folder at all."""
        found = load(editor={"trustedFolders": value})
        assert codes(found) == [code]
        assert found.settings.trusted_folders == ()
        both = [*value, str(tmp_path)] if isinstance(value, list) else [str(tmp_path)]
        assert load(editor={"trustedFolders": both}).settings.trusted_folders == (tmp_path,)
        assert all("{" not in render(problem, "zh") for problem in found.problems)
