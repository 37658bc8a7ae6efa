"""From the sources of settings to one `Settings`, with what was wrong in them."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from inkwright.config.fields import currency_code
from inkwright.config.models import ENDPOINT, MODEL, ModelReader, clocks
from inkwright.config.reading import Layer, Read, choice, flag, number, text, whole
from inkwright.config.settings import Checks, Settings
from inkwright.config.userfile import UserFile
from inkwright.domain.conversation import Locale
from inkwright.domain.diagnostic import Severity
from inkwright.domain.errors import Fault
from inkwright.domain.keys import is_key, names_key
from inkwright.domain.manuscript import CountRule
from inkwright.domain.model import OFFLINE, ModelProfile, Provider

PLAIN: dict[str, tuple[str, Read]] = {
    "locale": ("locale", choice(*get_args(Locale))),
    "window": ("window", whole(500, 100_000)),
    "maxTokens": ("max_tokens", whole(0, 1_000_000_000)),
    "maxCostPerRun": ("max_cost_per_run", number(0, 1_000_000)),
    "maxCostPerDay": ("max_cost_per_day", number(0, 1_000_000)),
    "currency": ("currency", currency_code),
    "count": ("count", choice(*get_args(CountRule))),
    "hover": ("hover", flag),
    "completion": ("completion", flag),
    "codeLens": ("code_lens", flag),
    "chapterLens": ("chapter_lens", flag),
    "threadLens": ("thread_lens", flag),
    "semanticTokens": ("semantic_tokens", flag),
    "inlayHints": ("inlay_hints", flag),
    "links": ("links", flag),
    "highlights": ("highlights", flag),
    "folding": ("folding", flag),
    "memory": ("memory", flag),
}
KNOWN = {*PLAIN, "model", "models", "abilities", "clocks", "checks", "trustedFolders"}
OF_WORKSPACE = {"model", "models", "abilities"}
"""What a folder's own settings may say of models, where the folder is trusted."""
TRUSTED = "INKWRIGHT_TRUSTED_FOLDERS"
CHECK_KEYS = {"enabled", "unopened", "disabled", "severity", "harper"}


@dataclass(frozen=True, slots=True)
class Loaded:
    """Settings that can be used as they are, and each value that could not be, named."""

    settings: Settings
    problems: tuple[Fault, ...] = ()


def user_file() -> Path:
    """`config.toml` in the platform's folder for configuration."""
    import platformdirs

    return platformdirs.user_config_path("inkwright", appauthor=False) / "config.toml"


def load(
    environ: Mapping[str, str],
    user_file: Path | UserFile | None,
    editor: Any,
    providers: Sequence[Provider],
    stored: Mapping[str, str] | None = None,
    trusted: bool | None = None,
) -> Loaded:
    """Settings from a TOML file (None: no file; a `UserFile` where it is read again), the environment and the editor's section `inkwright`.

    `editor` is whatever the client answered, null and nonsense included; what it has under `workspace`
    came with a folder, and its models count only if the client says that its folders are `trusted`.
    `providers` are the vendors whose usual variables and hosts are known (`providers.catalog.providers()`),
    `stored` the names of keys outside the environment, each with its reference.
    """
    problems: list[Fault] = []
    source = user_file if isinstance(user_file, UserFile) else UserFile(user_file)
    tree = source.read()
    if source.problem is not None:
        problems.append(source.problem)
    file = Layer("config.toml", tree, problems)
    desk = Layer("editor", editor, problems)
    folder = Layer("workspace", desk.tree.get("workspace"), problems)
    env = Layer("environment", {}, problems)
    for layer in (file, desk, folder):
        _refuse_keys(layer)
    for key in file.tree:
        if key not in KNOWN and not names_key(key):
            file.complain(key, "setting_unknown")
    if trusted is not True and (named := sorted(OF_WORKSPACE & {*folder.tree})):
        folder.complain(", ".join(named), "workspace_untrusted")
        folder = Layer("workspace", {}, problems)

    values: dict[str, Any] = {}
    general: dict[str, float] = {}
    for layer in (file, desk):
        for key, (name, read) in PLAIN.items():
            if (value := layer.value(key, read)) is not None:
                values[name] = value
        general |= clocks(layer, layer.table("clocks"), "clocks.")

    reader = ModelReader(providers, environ, general, stored)
    own = reader.from_tables(file, "file") | reader.from_tables(desk, "editor")
    # A folder may add a model, never take the name of one of the writer's own.
    configured = reader.from_tables(folder, "workspace") | own
    refused: dict[str, Fault] = {}
    models, model = _models(configured, (file, desk, folder), env, environ, reader, refused)
    if not model:
        model = next(one.id for one in models if one.kind != "embedding" and one.origin != "workspace")
        if source.unknown and model != OFFLINE.id:
            # Which one the file chose nobody knows.
            model = file.where
            refused[model] = Fault("setting_file_unknown", {"name": file.where})
        elif model != OFFLINE.id and not own and (wanted := _first_named((file, desk))):
            # A key that lies there is no choice where the writer made one.
            layer, model = wanted
            refused[model] = _unusable(layer, f"models.{model}", model, ())
    return Loaded(
        Settings(
            **values,
            model=model,
            models=models,
            abilities=_abilities((file, desk, folder), models, refused),
            refused=refused,
            checks=_checks((file, desk)),
            trusted_folders=_trusted(file, environ.get(TRUSTED, ""), env, desk),
        ),
        tuple(problems),
    )


def _models(
    configured: dict[str, ModelProfile],
    layers: tuple[Layer, Layer, Layer],
    env: Layer,
    environ: Mapping[str, str],
    reader: ModelReader,
    refused: dict[str, Fault],
) -> tuple[tuple[ModelProfile, ...], str]:
    """All models and the name of the one that was chosen, by a folder, the editor, the environment or the file; ''
    where nobody chose. What was chosen stays chosen: one that cannot be used goes into `refused`, and no other model
    stands in for it. What the environment leaves incomplete is there by the name of its variable."""
    file, desk, folder = layers
    found = dict(configured)
    preferred = ""
    refused_here: Fault | None = None
    own = reader.from_environment(env)
    if isinstance(own, Fault):
        preferred = str(own.params["key"])
        refused_here = own
    elif own is not None:
        found[own.id] = own
        preferred = own.id
    elif (wanted := environ.get(MODEL, "").strip()) and not environ.get(ENDPOINT, "").strip():
        if wanted in found or wanted == OFFLINE.id:
            preferred = wanted
        elif usual := reader.usual(wanted):
            found[wanted] = usual[0]
            preferred = wanted
        else:
            preferred = MODEL
            refused_here = env.complain(MODEL, "environment_model_incomplete", needs=ENDPOINT)
    for profile in reader.usual():
        found.setdefault(profile.id, profile)
    found[OFFLINE.id] = OFFLINE

    writing = [profile.id for profile in found.values() if profile.kind != "embedding"]
    names = [
        (folder, folder.value("model", text)),
        (desk, desk.value("model", text)),
        (env, preferred),
        (file, file.value("model", text)),
    ]
    for layer, name in names:
        if name:
            if layer is env and refused_here is not None:
                refused[name] = refused_here
            elif name not in writing:
                refused[name] = _unusable(layer, "model", name, found)
            return tuple(found.values()), name
    return tuple(found.values()), ""


def _first_named(layers: Sequence[Layer]) -> tuple[Layer, str] | None:
    """The first model that the writer's own settings have a table for, whatever is in it."""
    for layer in layers:
        models = layer.tree.get("models")
        for name in models if isinstance(models, Mapping) else ():
            if name != OFFLINE.id:
                return layer, str(name)
    return None


def _unusable(layer: Layer, key: str, name: str, found: Collection[str]) -> Fault:
    """Complains of a chosen model that writes nothing or is not there."""
    code = "setting_model_not_text" if name in found else "setting_model_unknown"
    return layer.complain(key, code, name=name)


def _abilities(
    layers: Sequence[Layer], models: Sequence[ModelProfile], refused: dict[str, Fault]
) -> dict[str, str]:
    """The model of each ability that has one of its own; one that cannot be used goes into `refused`, too."""
    writing = {profile.id for profile in models if profile.kind != "embedding"}
    found = {profile.id for profile in models}
    out: dict[str, str] = {}
    for layer in layers:
        table = layer.table("abilities")
        for ability in table:
            name = layer.value(ability, text, table, "abilities.")
            if not name:
                continue
            out[ability] = name
            if name not in writing:
                fault = _unusable(layer, f"abilities.{ability}", name, found)
                refused.setdefault(name, fault)
    return out


def _refuse_keys(layer: Layer) -> None:
    """A key at the top of a source is named, and not read."""
    for key, value in layer.tree.items():
        if isinstance(value, str) and (is_key(key, value) or names_key(key)):
            layer.complain(key, "setting_holds_key")


def _trusted(file: Layer, variable: str, env: Layer, desk: Layer) -> tuple[Path, ...]:
    """Folders from the last source that names some. One that is not absolute is named and left out."""
    named: tuple[tuple[Layer, str, tuple[str, ...] | None], ...] = (
        (desk, "trustedFolders", desk.words("trustedFolders", desk.tree, "")),
        (env, TRUSTED, tuple(filter(None, map(str.strip, variable.split(os.pathsep))))),
        (file, "trustedFolders", file.words("trustedFolders", file.tree, "")),
    )
    for layer, key, words in named:
        if words:
            out: list[Path] = []
            for word in words:
                folder = _folder(word)
                if folder is None:
                    layer.complain(key, "setting_not_folder", value=word)
                else:
                    out.append(folder)
            return tuple(out)
    return ()


def _folder(word: str) -> Path | None:
    """An absolute folder; `~` is the home."""
    try:
        folder = Path(word).expanduser()
    except RuntimeError:  # no such user
        return None
    return folder if folder.is_absolute() else None


def _checks(layers: Sequence[Layer]) -> Checks:
    enabled = unopened = True
    harper = False
    disabled: tuple[str, ...] = ()
    severity: dict[str, Any] = {}
    for layer in layers:
        table = layer.table("checks")
        for key in table:
            if key not in CHECK_KEYS:
                layer.complain(f"checks.{key}", "setting_unknown")
        value = layer.value("enabled", flag, table, "checks.")
        enabled = enabled if value is None else value
        value = layer.value("unopened", flag, table, "checks.")
        unopened = unopened if value is None else value
        value = layer.value("harper", flag, table, "checks.")
        harper = harper if value is None else value
        words = layer.words("disabled", table, "checks.")
        disabled = disabled if words is None else words
        rules = layer.table("severity", table, "checks.")
        for rule in rules:
            read = choice(*get_args(Severity), "off")
            if ranked := layer.value(rule, read, rules, "checks.severity."):
                severity[rule] = ranked
    return Checks(enabled, disabled, severity, unopened, harper)
