"""Which of the configured models a run talks to."""

from __future__ import annotations

from collections.abc import Sequence

from inkwright.config import Settings
from inkwright.domain.errors import Fault, InkwrightError
from inkwright.domain.model import ModelProfile


def of_name(settings: Settings, name: str) -> ModelProfile:
    """The model of a name, whatever it is for; '' is the default. Raises `InkwrightError`: model_unknown, or why what
    the settings chose is refused."""
    if (profile := settings.profile(name)) is not None:
        return profile
    if fault := settings.refused.get(name or settings.model):
        raise InkwrightError(fault)
    raise InkwrightError("model_unknown", name=name, known=", ".join(one.id for one in settings.models))


def choose(settings: Settings, asked: str, named: Sequence[str], notices: list[Fault]) -> ModelProfile:
    """The model that was asked for; else the first that a file names and this machine has; else the default.

    A profile or a book may come from somewhere else: what it names in vain is said in `notices`, and
    the next one is taken. A model that makes embeddings writes nothing. What the writer's own settings
    name in vain is refused: the text goes nowhere that they did not choose. Raises `InkwrightError`:
    model_unknown, model_not_for_text, setting_model_unknown, setting_model_not_text.
    """
    if asked:
        if (profile := settings.profile(asked)) is not None:
            if profile.kind == "embedding":
                raise InkwrightError("model_not_for_text", name=asked)
            return profile
        known = ", ".join(m.id for m in settings.models)
        raise InkwrightError("model_unknown", name=asked, known=known)
    missed: list[str] = []
    for name in (*filter(None, named), ""):
        if fault := settings.refused.get(name or settings.model):
            raise InkwrightError(fault)
        if (profile := settings.profile(name)) is not None and profile.kind != "embedding":
            notices += [Fault("model_not_here", {"name": n, "used": profile.id}) for n in missed]
            return profile
        missed.append(name)
    raise LookupError("the settings have no default model")
