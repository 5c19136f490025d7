"""Redaction: no secret in log records, tracebacks, spans and the last words of a process."""

from __future__ import annotations

import io
import json
import logging
import subprocess
import sys
from types import SimpleNamespace
from typing import Any, cast
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from antiphon import ErrorType, Orchestrator, Registry, ToolError, tool
from antiphon.app.hidden_settings import hide_secrets
from antiphon.config import Settings
from antiphon.contracts import ToolCall
from antiphon.orchestrator import Session
from antiphon.orchestrator.tracing import Tracing
from antiphon.secrecy.crash_output import install_redaction
from antiphon.secrecy.redaction import (
    MASK,
    REDACTOR,
    Redactor,
    clean_log,
    redact,
    redact_address,
)

SECRET = 'canary "quoted" \\ and long'


@pytest.fixture(scope="module", autouse=True)
def _hidden() -> None:
    install_redaction()
    REDACTOR.hide(SECRET)


@given(st.text(alphabet='abc"\\\n\u00e9\u4e2d/%', min_size=8, max_size=20).map(str.strip))
def test_a_known_secret_is_masked_however_it_is_written(secret: str) -> None:
    redactor = Redactor()
    redactor.hide(secret)
    written = (secret, json.dumps(secret)[1:-1], repr(secret)[1:-1], quote(secret, safe=""))
    for text in written if len(secret) >= 8 else ():
        assert redactor.clean(f"it was {text}.") == f"it was {MASK}."


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Authorization: Bearer abcdef123456", f"Authorization: Bearer {MASK}"),
        ('{"a":"Bearer abcdef123456","b":1}', f'{{"a":"Bearer {MASK}","b":1}}'),
        ("token anti_0123456789abcdef is old", f"token anti_{MASK} is old"),
        ("cookie: a=b; __Host-antiphon=0123456789", f"cookie: a=b; __Host-antiphon={MASK}"),
        ("ticket.0123456789abcdef01234567", f"ticket.{MASK}"),
        ("sk-proj-0123456789abcdef0 refused", f"sk-{MASK} refused"),
        ("key AIza0123456789012345678901234567890123", f"key AIza{MASK}"),
        ("postgresql://me:pass@host/db", f"postgresql://me:{MASK}@host/db"),
        ("The bearer of this letter", "The bearer of this letter"),
        ("https://example.org/a:b@c", "https://example.org/a:b@c"),
    ],
)
def test_what_looks_like_a_secret_is_masked_where_nobody_knows_it(text: str, clean: str) -> None:
    assert Redactor().clean(text) == clean


def test_an_address_and_a_line_of_a_service_are_cleaned() -> None:
    assert redact_address("https://tok@h/p?x=1&api_key=abc") == (
        f"https://{MASK}@h/p?x=1&api_key={MASK}"
    )
    assert redact(f"no\n {SECRET} k1", ["k1"]) == f"no {MASK} {MASK}"
    assert redact("a" * 400, []) == "a" * 300 + "…"


def test_short_words_are_no_secrets_and_the_oldest_are_forgotten() -> None:
    redactor = Redactor()
    redactor.hide("short", None, "")
    assert redactor.clean("a short text") == "a short text"
    for number in range(600):
        redactor.hide(f"secret-number-{number:03}")
    assert redactor.clean("secret-number-599") == MASK
    assert redactor.clean("secret-number-001") != MASK


def test_a_log_record_has_no_secret_in_message_arguments_or_traceback() -> None:
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    logger = logging.getLogger("some.library")
    logger.addHandler(handler)
    try:
        logger.error("it said %s and %r", SECRET, {"key": SECRET})
        try:
            raise ValueError(SECRET)
        except ValueError:
            logger.exception("it failed")
        logger.warning("nothing to hide, %s", 5, stack_info=True)
    finally:
        logger.removeHandler(handler)
    said = out.getvalue()
    assert "canary" not in said
    assert said.count(MASK) >= 3
    assert "ValueError" in said
    assert "nothing to hide, 5" in said


_CRASHES = """
import asyncio, faulthandler, gc, sys, threading
from antiphon.contracts import ToolCall
from antiphon.orchestrator import Session
from antiphon.orchestrator.tracing import Tracing
from antiphon.secrecy.crash_output import install_redaction
from antiphon.secrecy.redaction import REDACTOR
install_redaction()
faulthandler.enable()
secret = "canary-" + "in-the-crash"
REDACTOR.hide(secret)
class Broken:
    def __del__(self):
        raise ValueError(secret)
def fail():
    raise ValueError(secret)
thread = threading.Thread(target=fail, name="worker")
thread.start()
thread.join()
broken = Broken()
del broken
async def main():
    async def work():
        raise RuntimeError(secret)
    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    del task
    gc.collect()
    asyncio.get_running_loop().call_soon(fail)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
asyncio.run(main())
faulthandler.dump_traceback()
local = secret
raise KeyError(secret)
"""


def test_what_a_failing_process_says_has_no_secret() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _CRASHES], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert "canary-in-the-crash" not in done.stdout + done.stderr
    for part in (
        "Exception in thread worker",
        "Broken.__del__",
        "Task exception was never retrieved",
        "Exception in callback fail()",
        "thread 0x",
        f"KeyError: '{MASK}'",
    ):
        assert part in done.stderr, part


@pytest.mark.real_time
async def test_a_span_of_a_failed_call_has_no_secret() -> None:
    facts = SimpleNamespace(
        snapshot=SimpleNamespace(tools={}, version="1"),
        view=SimpleNamespace(turn=SimpleNamespace(number=1)),
        id="s",
        mode="text",
    )
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))

    async def fail() -> Any:
        raise ValueError(SECRET)

    session = cast(Session, facts)
    with pytest.raises(ValueError, match="canary"):
        await Tracing(provider).around(session, ToolCall(name="t"), "agent", fail())
    [span] = exporter.get_finished_spans()
    assert "canary" not in span.to_json()
    assert span.events[0].name == "exception"
    assert span.events[0].attributes is not None
    assert MASK in str(span.events[0].attributes["exception.stacktrace"])
    provider.shutdown()


def test_settings_that_cannot_be_used_are_told_without_their_values(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(ValueError, match="admin_token") as failed:
        Settings.model_validate({"server": {"admin_token": ["canary-of-the-settings"]}})
    assert "canary" not in str(failed.value)
    monkeypatch.setenv("SOME_TOOLS_API_KEY", "canary-of-a-tool")
    given = {"store": {"url": "postgresql://me:canary%2Fpass@h/db"}}
    hide_secrets(Settings.model_validate({**given, "calendar": {"token": "canary-token"}}))
    for secret in ("canary-of-a-tool", "canary%2Fpass", "canary/pass", "canary-token"):
        assert REDACTOR.clean(f"it was {secret}") == f"it was {MASK}"


async def test_what_callers_send_masks_nothing_for_others_and_pushes_no_key_out() -> None:
    @tool(side_effects="none", redact=["/pin"])
    def unlock(pin: str) -> None:
        """Unlock the door."""
        if pin.endswith("9"):
            raise ValueError(f"wrong: {pin}")
        raise ToolError(ErrorType.PERMANENT, f"wrong: {pin}")

    async with Orchestrator(Registry.of(unlock).lock()) as orchestrator:
        for number in range(600):
            session = orchestrator.session("text", f"user-{number}")
            call = ToolCall(
                id=f"call_{number:09}", name="unlock", args={"pin": f"ordinary-{number}"}
            )
            envelope = await session.dispatch(call)
            said = envelope["error"]["message"]
            assert f"ordinary-{number}" not in said
            assert number % 10 == 9 or said == f"wrong: {MASK}"
    assert REDACTOR.clean(f"{SECRET} and ordinary-599") == f"{MASK} and ordinary-599"
    assert clean_log("wrong: ordinary-599") == f"wrong: {MASK}"
