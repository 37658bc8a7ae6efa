"""What of the past goes along: earlier turns of a conversation, and earlier tool turns of this run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from inkwright.domain.conversation import Locale, Message
from inkwright.domain.run import Part
from inkwright.domain.tokens import estimate
from inkwright.runtime import caps
from inkwright.runtime.cuts import cut, missing
from inkwright.runtime.fence import fence, key
from inkwright.runtime.texts import line

MESSAGES = 10
MESSAGE_CHARS = 2000
TURNS = MESSAGES // 2
"""A turn is a message and its answer: they go along together or not at all."""
_ASKED_CHARS = 120
_ANSWERED_CHARS = 200
_SENTENCE = re.compile(r"[。！？!?…](?:[”’」』\"')）]*)|\.(?=\s)")


def earlier(history: Sequence[tuple[str, str]], locale: Locale, turns: int = TURNS) -> list[Message]:
    """The last whole turns, ten messages at most, 2,000 characters each."""
    out: list[Message] = []
    for user, assistant in _last(history, turns):
        out.append(Message("user", cut(user, MESSAGE_CHARS, locale)))
        out.append(Message("assistant", cut(assistant, MESSAGE_CHARS, locale)))
    return [message for message in out if message.content]


def parts(
    history: Sequence[tuple[str, str]], locale: Locale, seed: str, turns: int = TURNS
) -> tuple[Part | None, Part | None]:
    """What is said of the turns before the last `turns`, by rule, and the last ones themselves.

    Of each older turn the message and the beginning of the answer, the newest turns first until the
    share is full. `seed` makes the fence's key.
    """
    last = _last(history, turns)
    text = "\n\n".join(message.content for message in earlier(history, locale, turns))
    left_out = sum(missing(words, MESSAGE_CHARS, locale) for turn in last for words in turn)
    recent = (
        Part("history", text, "history", {"turns": len(last)}, estimate(text), left_out) if text else None
    )
    return _conversation(history[: len(history) - len(last)], locale, seed), recent


def _conversation(older: Sequence[tuple[str, str]], locale: Locale, seed: str) -> Part | None:
    if not older:
        return None
    entries: list[str] = []
    kept = 0
    made = ""
    for user, assistant in reversed(older):
        asked, answered = _gist(user, _ASKED_CHARS), _gist(assistant, _ANSWERED_CHARS)
        entry = line("conversation_turn", locale, asked=asked, answered=answered)
        text = "\n".join([entry, *entries])
        tried = f"{line('conversation', locale)}\n{fence(key(seed, (text,)), 'conversation', text)}"
        if estimate(tried) > caps.CONVERSATION_TOKENS:
            break
        made = tried
        entries.insert(0, entry)
        kept += len(asked) + len(answered)
    whole = sum(len(user) + len(assistant) for user, assistant in older)
    params = {"turns": len(older), "listed": len(entries)}
    return Part("conversation", made, "conversation", params, estimate(made), max(0, whole - kept))


def _last(history: Sequence[tuple[str, str]], turns: int) -> Sequence[tuple[str, str]]:
    return history[max(0, len(history) - turns) :]


def _gist(text: str, limit: int) -> str:
    """The beginning of a text on one line: whole sentences if one ends within the limit."""
    flat = " ".join(text[: 4 * limit].split())
    if len(flat) <= limit and len(text) <= 4 * limit:
        return flat
    ends = [found.end() for found in _SENTENCE.finditer(flat[:limit])]
    return flat[: ends[-1]].rstrip() if ends else flat[: limit - 1].rstrip() + "…"


def shrink(messages: Sequence[Message], limit: int, locale: Locale) -> list[Message]:
    """The messages with the oldest tool results emptied until an estimate of them fits `limit` tokens.

    A call always keeps its result message, and the newest turn of tools stays whole.
    """
    out = list(messages)
    size = sum(estimate(message.content) for message in out)
    newest = max((i for i, m in enumerate(out) if m.role == "assistant" and m.tool_calls), default=0)
    omitted = line("omitted", locale)
    for index, message in enumerate(out[:newest]):
        if size <= limit:
            break
        if message.role == "tool" and len(message.content) > len(omitted):
            size -= estimate(message.content) - estimate(omitted)
            out[index] = replace(message, content=omitted)
    return out
