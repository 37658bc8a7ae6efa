"""An answer is of the text that was asked about, whatever is typed behind the question."""

from __future__ import annotations

import inspect
from typing import Any

from inkwright.lsp.session import Session


async def _no_studio(**_: Any) -> Any:
    raise AssertionError("nothing is built here")


async def test_what_asks_about_a_document_sees_it_when_the_question_comes() -> None:
    """No handler of a document is a coroutine: that would look at the text after the edits of the same breath."""
    session = Session(_no_studio)
    late = [
        name
        for name, handler in session.protocol.fm.features.items()
        if name.startswith("textDocument/") and inspect.iscoroutinefunction(inspect.unwrap(handler))
    ]
    assert len(session.protocol.fm.features) > 20
    assert late == []
