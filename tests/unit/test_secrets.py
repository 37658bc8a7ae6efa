"""Keys are found, and shown nowhere."""

from __future__ import annotations

import base64
import copy
import json
import logging
import pickle
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.errors import Fault
from inkwright.secrets import RedactingFilter, Secret, Secrets, guard, redact

KEY = "canary+/0123456789=="


def test_a_secret_hides_itself():
    """In every way that things are turned into text."""
    secret = Secret(KEY)
    assert {repr(secret), str(secret), f"{secret}", f"{secret:>3}", "%s" % secret} == {"***"}  # noqa: UP031
    assert "canary" not in repr({"a": [secret]})
    with pytest.raises(TypeError):
        pickle.dumps(secret)
    with pytest.raises(TypeError):
        copy.copy(secret)
    with pytest.raises(TypeError):
        json.dumps(secret)
    assert secret.reveal() == KEY
    assert secret == Secret(KEY)
    assert secret != KEY


class TestLookUp:
    """A variable, else the file that its companion names."""

    def test_variable(self):
        """White space around it is not part of it."""
        assert Secrets({"K": f" {KEY}\n"}).resolve("env:K") == Secret(KEY)

    def test_file(self, tmp_path):
        """As systemd and Docker hand keys over."""
        path = tmp_path / "key"
        path.write_text(f"\ufeff{KEY}\n", "utf-8")
        assert Secrets({"K_FILE": str(path)}).resolve("env:K") == Secret(KEY)
        assert Secrets({"K": "other", "K_FILE": str(path)}).resolve("env:K") == Secret("other")

    @pytest.mark.parametrize(
        ("environ", "code"),
        [
            ({}, "key_missing"),
            ({"K": "  "}, "key_missing"),
            ({"K_FILE": "/nowhere/at/all"}, "key_file_unreadable"),
            ({"K_FILE": "\0"}, "key_file_unreadable"),
            ({"K_FILE": "~nobody-here/x"}, "key_file_unreadable"),
            ({"K": "two words"}, "key_malformed"),
            ({"K": "a\nb"}, "key_malformed"),
            ({"K": "a\x7f"}, "key_malformed"),
            ({"K": "密钥"}, "key_malformed"),
        ],
    )
    def test_unusable(self, environ, code):
        """A fault that names the variable and not its value."""
        fault = Secrets(environ).resolve("env:K")
        assert isinstance(fault, Fault)
        assert (fault.code, fault.kind) == (code, "auth")

    @pytest.mark.parametrize("content", [b"", b"\xff\xfe", b" \n"])
    def test_unusable_files(self, tmp_path, content):
        """Empty, not text, a folder."""
        path = tmp_path / "key"
        path.write_bytes(content)
        assert isinstance(Secrets({"K_FILE": str(path)}).resolve("env:K"), Fault)
        assert isinstance(Secrets({"K_FILE": str(tmp_path)}).resolve("env:K"), Fault)

    def test_configured(self):
        """Known without reading the value."""
        secrets = Secrets({"A": "x", "B_FILE": "/nowhere", "C": ""})
        assert [secrets.configured(f"env:{n}") for n in "ABCD"] == [True, True, False, False]


class TestRedact:
    """What was handed out, and what looks like a key."""

    def test_known_in_every_form(self):
        """As it is, in a URL, in base64."""
        secrets = Secrets({"K": KEY})
        secrets.resolve("env:K")
        encoded = base64.b64encode(KEY.encode()).decode()
        for form in (KEY, quote(KEY, safe=""), encoded):
            assert secrets.redact(f"a {form} b").replace("=", "") == "a *** b"

    @pytest.mark.parametrize(
        "text",
        [
            "Authorization: Bearer canary-abcdefgh",
            "key sk-canary-0123456789",
            "AIzacanarycanarycanarycanarycanarycan",
            '{"api_key": "canary0123456"}',
            "x-api-key: canary0123456",
            "https://h/v1?access_token=canary0123456&x=1",
            "http://user:canary@host/v1",
        ],
    )
    def test_patterns(self, text):
        """Unknown keys in the forms that vendors use."""
        assert "canary" not in redact(text)

    @pytest.mark.parametrize(
        "text",
        [
            "林黛玉抛父进京都",
            "the skeleton key: a novel",
            "password",
            "http://host:8080/v1",
            "sk-",
            "12:30:45",
            "Bearer of news",
        ],
    )
    def test_prose_stays(self, text):
        """Ordinary text is left alone."""
        assert redact(text) == text

    @given(
        st.text("ab-=+/ 字", min_size=4, max_size=12).map(str.strip).filter(lambda v: len(v) >= 4),
        st.text(max_size=20),
        st.text(max_size=20),
    )
    def test_nothing_known_survives(self, value, before, after):
        """Any value in any surroundings."""
        assert value not in redact(before + value + after, [value]).replace("***", "\0")


def test_logging(caplog):
    """Messages, arguments and tracebacks leave redacted."""
    secrets = Secrets({"K": KEY})
    secrets.resolve("env:K")
    records: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            records.append(self.format(record))

    handler = Keep()
    handler.addFilter(RedactingFilter(secrets))
    logger = logging.getLogger("inkwright.test.secrets")
    logger.addHandler(handler)
    try:
        raise ValueError(KEY)
    except ValueError:
        logger.exception("with %s", KEY, stack_info=True)
    logger.error("%d of them", KEY)
    logger.removeHandler(handler)
    assert "canary" not in "".join(records)
    assert "ValueError: ***" in records[0]


@pytest.fixture
def kept():
    """A logger whose lines are kept, formatted as the language server formats them."""
    from inkwright.lsp.logs import _Formatter

    lines: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(self.format(record))

    handler = Keep()
    handler.setFormatter(_Formatter("%(message)s"))
    logger = logging.getLogger("inkwright.test.guard")
    logger.addHandler(handler)
    yield logger, handler, lines
    logger.removeHandler(handler)


def test_settings_that_are_read_again_leave_one_filter_that_knows_every_key(kept):
    """A hundred readings, one filter; a key that the first or the last handed out is taken back by it."""
    logger, handler, lines = kept
    first = guard(logger, {"OLD": "old-key-canary"})
    for _ in range(100):
        last = guard(logger, {"NEW": "new-key-canary"})
    assert len(handler.filters) == 1
    last.resolve("env:NEW")
    first.resolve("env:OLD")
    logger.error("old-key-canary new-key-canary")
    assert lines == ["*** ***"]


def test_redaction_does_not_undo_what_a_handler_leaves_out(kept):
    """The language server's log shows where an exception came from: neither its text nor a path."""
    logger, _, lines = kept
    guard(logger, {})
    try:
        raise ValueError("林夏到的时候，船已经走了。")
    except ValueError:
        logger.exception("broken")
    assert "林夏" not in lines[0]
    assert "Traceback" not in lines[0]
    assert "/" not in lines[0].replace("unknown place", "")
