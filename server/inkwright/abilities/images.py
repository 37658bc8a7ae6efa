"""A picture of a chapter, given to a model that sees because the writer asked for it: what comes is a proposal."""

from __future__ import annotations

import asyncio
import json
import time
import tomllib
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from inkwright.abilities.asks import Ask
from inkwright.config import Settings
from inkwright.domain.conversation import Finished, Locale, ModelEvent, ModelRequest, Text
from inkwright.domain.errors import Fault, InkwrightError
from inkwright.domain.model import ModelProfile
from inkwright.domain.ports import ChatModel
from inkwright.domain.profile import EffectiveProfile
from inkwright.domain.proposal import Finding, Hunk, Proposal
from inkwright.domain.run import Part, RunEnded, RunRequest
from inkwright.domain.text import EOL, Snapshot, Span, TextEdit, apply
from inkwright.domain.tokens import estimate
from inkwright.i18n import tr
from inkwright.manuscript import pictures
from inkwright.manuscript.pictures import Photo, Picture
from inkwright.proposals.insertion import insertion
from inkwright.workspace import OpenBook

ABILITY = "image"
SECONDS = 300

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "alt": {"type": "string", "minLength": 1, "maxLength": 400},
        "description": {"type": "string", "minLength": 1, "maxLength": 4000},
        "uncertain": {"type": "array", "items": {"type": "string"}, "maxItems": 20},
    },
    "required": ["alt", "description", "uncertain"],
    "additionalProperties": False,
}


def chosen(settings: Settings, asked: str) -> ModelProfile:
    """A model that sees: the one asked for, the one set for this, the default, else one that is there for it.

    Raises `InkwrightError`: model_unknown, model_no_vision, setting_model_unknown, setting_model_not_text.
    """
    seeing = [model for model in settings.models if sees(model)]
    known = ", ".join(model.id for model in seeing) or "-"
    if asked and settings.profile(asked) is None:
        every = ", ".join(model.id for model in settings.models)
        raise InkwrightError("model_unknown", name=asked, known=every)
    for name in filter(None, (asked, settings.abilities.get(ABILITY, ""))):
        profile = settings.profile(name)
        if profile is not None and sees(profile):
            return profile
        if not asked and (fault := settings.refused.get(name)):
            raise InkwrightError(fault)
        if asked:
            raise InkwrightError("model_no_vision", name=asked, known=known)
    if fault := settings.refused.get(settings.model):
        raise InkwrightError(fault)
    usual = settings.profile()
    if usual is not None and sees(usual):
        return usual
    for model in seeing:
        if model.kind == "vision":
            return model
    raise InkwrightError("model_no_vision", name=settings.model, known=known)


def sees(model: ModelProfile) -> bool:
    return not model.offline and (model.vision or model.kind == "vision")


def effective(domain: str, locale: Locale) -> EffectiveProfile:
    """One turn without tools; it is no profile of the library, so that nothing can set it off by itself."""
    said = _texts()[locale]
    return EffectiveProfile(
        ability=ABILITY,
        domain=domain,
        locale=locale,
        label=said["label"],
        domain_prompt="",
        ability_prompt=said["prompt"],
        hints=(),
        tools=(),
        rounds=1,
        seconds=SECONDS,
        calls=0,
        parallel=False,
        mode="single",
        output="report",
        scope="selection",
        origins={"ability_prompt": "inkwright"},
    )


@dataclass(frozen=True, slots=True)
class Given:
    """A picture and its file, None for the place where the snapshot has none of that path."""

    photo: Photo
    picture: Picture


async def given(ask: Ask, book: OpenBook) -> Given:
    """The picture that is asked about. Raises `InkwrightError`: book_needs_folder, no_picture,
    readonly_document, lone_cr, and what reading it does."""
    root, snapshot = book.files.root, ask.snapshot
    if snapshot.readonly:
        code = "lone_cr" if snapshot.readonly == "lone_cr" else "readonly_document"
        raise InkwrightError(code, path=snapshot.path or snapshot.uri)
    if ask.image:
        photo = await asyncio.to_thread(pictures.read, root, snapshot.path, ask.image)
        for one in pictures.pictures(snapshot.text):
            if one.target == ask.image or await _same(book, snapshot, one, photo):
                return Given(photo, one)
        raise InkwrightError("no_picture", path=snapshot.path or snapshot.uri)
    span = ask.span or (None if ask.cursor is None else Span(ask.cursor, ask.cursor))
    picture = None if span is None else pictures.at(snapshot.text, span)
    if picture is None:
        raise InkwrightError("no_picture", path=snapshot.path or snapshot.uri)
    return Given(await asyncio.to_thread(pictures.read, root, snapshot.path, picture.target), picture)


async def _same(book: OpenBook, snapshot: Snapshot, one: Picture, photo: Photo) -> bool:
    try:
        found = await asyncio.to_thread(pictures.read, book.files.root, snapshot.path, one.target)
    except InkwrightError:
        return False
    return found.path == photo.path


def with_picture(request: RunRequest, shown: Given) -> RunRequest:
    """The request with the picture, which the context page lists like everything else."""
    photo = shown.photo
    kind = photo.image.mime.removeprefix("image/").upper()
    pixels = "×".join(map(str, photo.size)) if photo.size else "?"
    line = f"{photo.path} ({kind}, {pixels}, {_kilobytes(photo)} KB)"
    params: dict[str, str | int] = {
        "path": photo.path,
        "kind": kind,
        "pixels": pixels,
        "size": _kilobytes(photo),
    }
    part = Part("image", line, "image_given", params, estimate(line), source=photo.path)
    return replace(request, images=(photo.image,), context=tuple((part, *parts) for parts in request.context))


def _kilobytes(photo: Photo) -> int:
    return max(1, round(len(photo.image.data) / 1000))


class Describing:
    """A model that is asked for an answer in shape and gives it as text for people. For one run."""

    def __init__(self, model: ChatModel, shown: Given, locale: Locale) -> None:
        self._model = model
        self._shown = shown
        self._locale = locale
        self._answer: Mapping[str, Any] | None = None

    @property
    def name(self) -> str:
        return self._model.name

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        pieces: list[str] = []
        stream = self._model.stream(replace(request, schema=SCHEMA))
        assert isinstance(stream, AsyncGenerator)
        async with aclosing(stream) as events:
            async for event in events:
                if isinstance(event, Text):
                    pieces.append(event.text)
                elif isinstance(event, Finished):
                    for said in self._ended(event, "".join(pieces)):
                        yield said
                else:
                    yield event

    def _ended(self, end: Finished, text: str) -> Sequence[ModelEvent]:
        if end.finish != "stop":
            return (end,)
        try:
            answer = json.loads(text)
            self._answer = {
                "alt": _line(str(answer["alt"])),
                "description": str(answer["description"]).strip(),
                "uncertain": [_line(str(one)) for one in answer["uncertain"] if str(one).strip()],
            }
        except (ValueError, TypeError, KeyError):
            fault = Fault("model_answer_unfit", {"model": self.name}, kind="malformed")
            return (replace(end, finish="error", fault=fault),)
        return (Text(self._for_people(self._answer)), end)

    def _for_people(self, answer: Mapping[str, Any]) -> str:
        lines = [answer["alt"], "", answer["description"]]
        if answer["uncertain"]:
            lines += [
                "",
                tr("image_uncertain_head", self._locale),
                *(f"- {one}" for one in answer["uncertain"]),
            ]
        return "\n".join(lines)

    def settle(self, request: RunRequest, ended: RunEnded) -> tuple[RunEnded, Proposal | None]:
        """The alternative text as one hunk, the description below the picture as another. What is uncertain
        stands on both: they are not taken by "accept all"."""
        answer = self._answer
        if answer is None or ended.status != "completed":
            return ended, None
        snapshot, picture = request.snapshot, self._shown.picture
        findings = tuple(Finding("image_uncertain", {"what": one}) for one in answer["uncertain"])
        hunks: list[Hunk] = []
        before, after = picture.alt.of(snapshot.text), _escaped(answer["alt"])
        if before != after:
            hunks.append(Hunk(0, picture.alt, before, after, findings))
        rest = EOL.search(snapshot.text, picture.span.end)
        end = rest.start() if rest is not None else len(snapshot.text)
        below = insertion(request.id, snapshot, end, answer["description"])
        if isinstance(below, Proposal):
            hunks.append(replace(below.hunks[0], index=len(hunks), findings=findings))
        span = Span(picture.span.start, end)
        edits = [TextEdit(_within(hunk.span, span), hunk.after) for hunk in hunks]
        return ended, Proposal(
            id=request.id,
            run_id=request.id,
            uri=snapshot.uri,
            path=snapshot.path,
            version=snapshot.version,
            base=snapshot.text,
            span=span,
            text=apply(span.of(snapshot.text), edits),
            hunks=tuple(hunks),
            created_at=time.time(),
        )


def _within(span: Span, outer: Span) -> Span:
    return Span(span.start - outer.start, span.end - outer.start)


def _line(text: str) -> str:
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def _escaped(alt: str) -> str:
    """A text that ends no brackets."""
    return "".join(f"\\{char}" if char in "\\[]" else char for char in alt)


@cache
def _texts() -> dict[Locale, dict[str, str]]:
    found = tomllib.loads((files("inkwright.abilities") / "images.toml").read_text("utf-8"))
    return {"zh": found["zh"], "en": found["en"]}
