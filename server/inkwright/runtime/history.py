"""What of the past goes along: earlier turns of a conversation, and earlier tool turns of this run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from inkwright.domain.conversation import Locale, Message
from inkwright.domain.tokens import estimate
from inkwright.runtime.cuts import cut
from inkwright.runtime.texts import line

MESSAGES = 10
MESSAGE_CHARS = 2000


def earlier(history: Sequence[tuple[str, str]], locale: Locale) -> list[Message]:
    """The last whole turns, ten messages at most, 2,000 characters each."""
    out: list[Message] = []
    for user, assistant in history[-(MESSAGES // 2) :]:
        out.append(Message("user", cut(user, MESSAGE_CHARS, locale)))
        out.append(Message("assistant", cut(assistant, MESSAGE_CHARS, locale)))
    return [message for message in out if message.content]


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
