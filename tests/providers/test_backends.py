"""Backends: which are there, which answer, and keys that change while people talk."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from antiphon.config import Settings
from antiphon.contracts.events import Fault, Prompt, Text, TurnEnded
from antiphon.emulators.base import Emulator
from antiphon.emulators.runner import make
from antiphon.providers import (
    Backends,
    Capabilities,
    Connection,
    Deadlines,
    Provider,
    ProviderFault,
    Setup,
)

pytestmark = pytest.mark.real_time

EMULATORS = {"gemini": "gemini", "openai": "openai", "claude": "anthropic"}
VARIABLES = {
    "gemini": "GEMINI_API_KEY",
    "openai": "OPENAI_API_KEY",
    "claude": "ANTHROPIC_API_KEY",
}
every_vendor = pytest.mark.parametrize("vendor", list(EMULATORS))

PATIENCE = 60  # seconds, for what does answer; an SDK may have to be imported first
OLD = "sk-old-key-0123456789"
NEW = "sk-new-key-9876543210"
ECHO = {"rules": [{"on": "text", "reply": [{"text": "you said {text}"}]}]}


def settings(**providers: dict[str, Any]) -> Any:
    return Settings.model_validate({"providers": providers}).providers


def towards(vendor: str, emulator: Emulator, key: str | None = OLD, **more: Any) -> Any:
    section = {"api_key": key, "base_url": emulator.base_url, "ca_file": emulator.ca_file, **more}
    return settings(**{vendor: section})


def setup(model: str = "any-model") -> Setup:
    return Setup(
        model, retries=0, output="text", deadlines=Deadlines(connect=5, answer=5, gap=5, request=5)
    )


@asynccontextmanager
async def emulated(
    api: str, script: Any = None, *, check: bool = True, **options: Any
) -> AsyncIterator[Any]:
    """Run `main` with an emulator, which is gone with the last of its lines when this returns."""
    async with make(api, script, **options) as emulator:
        yield emulator
    if check:
        emulator.check()


class Talk:
    """A conversation: what is asked, and what the model writes back until its turn is over."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._events = connection.events()

    @classmethod
    async def begin(cls, provider: Provider, model: str = "any-model") -> Talk:
        return cls(await provider.connect(setup(model)))

    async def ask(self, text: str) -> str:
        said = []
        await self._connection.send(Prompt(text))
        while not isinstance(event := await anext(self._events), TurnEnded):
            if isinstance(event, Fault):
                raise ProviderFault(event)
            if isinstance(event, Text):
                said.append(event.text)
        return "".join(said)

    async def end(self) -> None:
        await self._connection.close()
        await self._events.aclose()  # type: ignore[attr-defined]

    async def __aenter__(self) -> Talk:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.end()


@asynccontextmanager
async def silent_server() -> AsyncIterator[str]:
    """Takes connections and never says a word."""

    async def hold(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(hold, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        await server.wait_closed()


def closed_address() -> str:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return f"http://127.0.0.1:{listener.getsockname()[1]}"


# -- what is configured ------------------------------------------------------------------------


def test_a_key_makes_a_backend_configured_and_nothing_else_does() -> None:
    backends = Backends(
        settings(gemini={"api_key": "k"}, claude={"base_url": "http://127.0.0.1:9"})
    )
    assert backends.configured("gemini")
    assert not backends.configured("openai")
    assert not backends.configured("claude")
    assert not backends.configured("local")


@pytest.mark.parametrize(
    ("url", "configured"),
    [
        ("http://127.0.0.1:11434/v1", True),
        ("https://models.example.org/v1", True),
        ("https://api.openai.com/v1", False),
    ],
)
def test_a_server_of_ones_own_needs_no_key(url: str, configured: bool) -> None:
    assert Backends(settings(openai={"base_url": url})).configured("openai") is configured


@pytest.mark.parametrize(
    ("which", "variable"),
    [
        ("gemini", "GEMINI_API_KEY"),
        ("gemini-live", "GEMINI_API_KEY"),
        ("openai-chat", "OPENAI_API_KEY"),
        ("openai-realtime", "OPENAI_API_KEY"),
        ("claude", "ANTHROPIC_API_KEY"),
        (("openai", "voice"), "OPENAI_API_KEY"),
        (("claude", "voice"), "ANTHROPIC_API_KEY"),
    ],
)
def test_without_a_key_the_message_names_the_variable_to_set(which: Any, variable: str) -> None:
    with pytest.raises(ProviderFault, match=rf"Set {variable}, or `providers\.") as raised:
        Backends(settings()).provider(which)
    assert raised.value.fault.kind == "not_configured"


@pytest.mark.parametrize(
    ("which", "api"),
    [
        (("gemini", "text"), "gemini"),
        (("gemini", "voice"), "gemini-live"),
        (("openai", "text"), "openai-chat"),
        (("openai", "voice"), "openai-realtime"),
        (("claude", "text"), "claude"),
        (("claude", "voice"), "claude"),
        ("gemini-live", "gemini-live"),
    ],
)
async def test_a_backend_and_a_mode_lead_to_an_api_and_its_provider_is_kept(
    which: Any, api: str
) -> None:
    keys = {vendor: {"api_key": "k"} for vendor in EMULATORS}

    async with Backends(settings(**keys)) as backends:
        provider = backends.provider(which)
        assert provider.api == api
        assert backends.provider(which) is provider
        assert isinstance(provider.capabilities("any"), Capabilities)


def test_the_models_are_those_of_the_settings() -> None:
    backends = Backends(settings(openai={"model": "llama3.2"}))
    assert backends.model("openai", "text") == "llama3.2"
    assert backends.model("openai", "voice") == "gpt-realtime"
    assert backends.model("claude", "voice") is None


class BuiltIn(Provider):
    api = "local"

    def capabilities(self, model: str) -> Capabilities:
        return Capabilities(audio=True)

    async def connect(self, setup: Setup) -> Connection:
        raise NotImplementedError

    async def probe(self, seconds: float) -> None:
        return


async def test_the_built_in_model_is_there_when_somebody_brings_it() -> None:
    with pytest.raises(ProviderFault, match="no built-in model here"):
        Backends(settings()).provider("local")

    async with Backends(settings(), local=BuiltIn) as backends:
        assert backends.provider(("local", "voice")).capabilities("local").audio
        local = (await backends.status())[0]
        assert (local["name"], local["configured"], local["reachable"]) == ("local", True, True)
        assert not backends.completes("local")

    async with Backends(settings(), local=BuiltIn, local_file="own.gguf") as backends:
        local = (await backends.status())[0]
        assert (local["model"], local["voice_model"]) == ("own.gguf", "own.gguf")
        assert [model["id"] for model in local["models"]] == ["own.gguf"]
        assert backends.completes("local")


# -- is it reachable ---------------------------------------------------------------------------


@pytest.mark.real_time
@every_vendor
async def test_with_the_right_key_it_is_reachable(vendor: Any) -> None:
    async with emulated(EMULATORS[vendor], key=OLD) as emulator:
        async with Backends(towards(vendor, emulator)) as backends:
            before = {b["name"]: b for b in await backends.status()}
            assert before[vendor]["reachable"] is None
            assert await backends.probe(vendor, PATIENCE) is None
            after = {b["name"]: b for b in await backends.status()}
            assert (after[vendor]["reachable"], after[vendor]["why"]) == (True, None)
            others = [b for name, b in after.items() if name != vendor]
            assert all(not b["configured"] and b["reachable"] is False for b in others)


@pytest.mark.real_time
@every_vendor
async def test_a_wrong_key_is_said_with_the_variable_that_holds_it(vendor: Any) -> None:
    async with emulated(EMULATORS[vendor], ECHO, key=NEW, check=False) as emulator:
        async with Backends(towards(vendor, emulator)) as backends:
            trouble = await backends.probe(vendor, PATIENCE)
            assert trouble is not None
            assert trouble.kind == "auth"
            assert f"Check {VARIABLES[vendor]}" in trouble.message
            assert OLD not in trouble.message + trouble.detail
            found = {b["name"]: b for b in await backends.status()}[vendor]
            assert (found["configured"], found["reachable"]) == (True, False)
            assert found["why"] == trouble.message
            with pytest.raises(ProviderFault) as raised:
                async with await Talk.begin(backends.provider((vendor, "text"))) as line:
                    await line.ask("hello")
            assert raised.value.fault.kind == "auth"
            assert VARIABLES[vendor] in raised.value.fault.message
            assert OLD not in raised.value.fault.message + raised.value.fault.detail


@every_vendor
async def test_an_address_where_nobody_listens_is_said_with_the_setting(vendor: Any) -> None:
    section = {"api_key": OLD, "base_url": closed_address()}
    async with Backends(settings(**{vendor: section})) as backends:
        trouble = await backends.probe(vendor, PATIENCE)
        assert trouble is not None
        assert trouble.kind == "unreachable"
        assert f"`providers.{vendor}.base_url`" in trouble.message


@every_vendor
async def test_a_password_in_an_address_is_not_repeated(vendor: Any) -> None:
    url = closed_address().replace("://", "://ada:hunter2@")
    async with Backends(settings(**{vendor: {"api_key": OLD, "base_url": url}})) as backends:
        trouble = await backends.probe(vendor, PATIENCE)
        assert trouble is not None
        assert "hunter2" not in trouble.message


@every_vendor
async def test_a_provider_that_says_nothing_is_given_up_after_the_seconds_allowed(
    vendor: Any,
) -> None:
    async with silent_server() as url:
        section = {"api_key": OLD, "base_url": url}
        async with Backends(settings(**{vendor: section})) as backends:
            trouble = await backends.probe(vendor, 0.3)
            assert trouble is not None
            assert trouble.kind in ("timeout", "unreachable")
            [known] = [one for one in await backends.status() if one["name"] == vendor]
            assert known["reachable"] is False
            assert known["why"]


@pytest.mark.real_time
@every_vendor
async def test_a_certificate_of_ones_own_is_trusted_with_ca_file_and_only_then(vendor: Any) -> None:
    async with emulated(EMULATORS[vendor], key=OLD, tls=True) as emulator:
        assert emulator.base_url.startswith("https://")
        async with Backends(towards(vendor, emulator)) as backends:
            assert await backends.probe(vendor, PATIENCE) is None
        async with Backends(towards(vendor, emulator, ca_file=None)) as backends:
            trouble = await backends.probe(vendor, PATIENCE)
            assert trouble is not None
            assert trouble.kind == "unreachable"
            assert "certificate is not trusted" in trouble.message
            assert f"providers.{vendor}.ca_file" in trouble.message
            async with asyncio.timeout(60):
                for mode in ("text", "voice"):
                    if (vendor, mode) == ("claude", "voice"):
                        continue
                    said = await _first_fault(backends.provider((vendor, mode)))
                    assert "certificate is not trusted" in said


async def _first_fault(provider: Any) -> str:
    try:
        async with await provider.connect(Setup("some-model", retries=0)) as connection:
            await connection.send(Prompt("Hello"))
            async with aclosing(connection.events()) as events:
                async for event in events:
                    if isinstance(event, Fault):
                        return str(event.message)
    except ProviderFault as failed:
        return str(failed.fault.message)
    raise AssertionError("nothing was wrong")


@pytest.mark.real_time
async def test_a_server_of_ones_own_without_a_key_is_asked_and_used() -> None:
    async with emulated("openai", ECHO, key=None) as emulator:
        async with Backends(towards("openai", emulator, None)) as backends:
            assert await backends.probe("openai", PATIENCE) is None
            provider = backends.provider(("openai", "text"))
            async with await Talk.begin(provider, "llama3.2") as line:
                assert await line.ask("hello") == "you said hello"


@pytest.mark.real_time
@every_vendor
async def test_asked_in_the_background_a_status_never_waits(vendor: Any) -> None:
    async with emulated(EMULATORS[vendor], key=OLD) as emulator:
        async with Backends(towards(vendor, emulator)) as backends:
            backends.refresh()
            before = {b["name"]: b for b in await backends.status()}[vendor]
            assert before["reachable"] is None
            assert await backends.probe(vendor, PATIENCE) is None  # the one that is under way
            after = {b["name"]: b for b in await backends.status()}[vendor]
            assert after["reachable"] is True
            backends.refresh()  # known for a minute
            assert {b["name"]: b for b in await backends.status()}[vendor] == after


async def test_closing_ends_a_question_that_is_under_way() -> None:
    async with silent_server() as url:
        backends = Backends(settings(claude={"api_key": OLD, "base_url": url}))
        backends.refresh()
        waiting = asyncio.create_task(backends.probe("claude", 20))
        await asyncio.sleep(0)
        await backends.close()
        trouble = await waiting
        assert trouble is not None
        assert trouble.kind == "timeout"
        with pytest.raises(RuntimeError, match="closed"):
            backends.provider("claude")


@pytest.mark.real_time
async def test_all_configured_backends_are_asked_at_once() -> None:
    async with emulated("anthropic", key=OLD) as emulator:
        both = settings(
            claude={"api_key": OLD, "base_url": emulator.base_url},
            openai={"api_key": OLD, "base_url": closed_address()},
        )
        async with Backends(both) as backends:
            found = {b["name"]: b["reachable"] for b in await backends.status(probe=True)}
            assert found == {"local": False, "gemini": False, "openai": False, "claude": True}


# -- keys that change --------------------------------------------------------------------------


@pytest.mark.real_time
@every_vendor
async def test_a_conversation_keeps_the_old_key_and_the_next_one_has_the_new(vendor: Any) -> None:
    async with emulated(EMULATORS[vendor], ECHO, key=OLD) as emulator:
        async with Backends(towards(vendor, emulator)) as backends:
            old = backends.provider((vendor, "text"))
            line = await Talk.begin(old)
            assert await line.ask("one") == "you said one"
            await backends.set_key(vendor, NEW)
            new = backends.provider((vendor, "text"))
            assert new is not old
            assert (old.access.api_key, new.access.api_key) == (OLD, NEW)
            assert await line.ask("two") == "you said two"
            emulator.key = NEW
            async with await Talk.begin(new) as other:
                assert await other.ask("three") == "you said three"
            assert backends.retired == 1
            await line.end()
            assert backends.retired == 0
            assert await backends.probe(vendor, PATIENCE) is None


@pytest.mark.real_time
@pytest.mark.parametrize(
    ("vendor", "api"), [("gemini", "gemini-live"), ("openai", "openai-realtime")]
)
async def test_a_live_line_goes_on_after_its_key_was_changed(vendor: Any, api: Any) -> None:
    async with emulated(EMULATORS[vendor], ECHO, key=OLD) as emulator:
        async with Backends(towards(vendor, emulator)) as backends:
            async with await Talk.begin(backends.provider(api)) as line:
                assert await line.ask("one") == "you said one"
                emulator.key = NEW
                await backends.set_key(vendor, NEW)
                async with await Talk.begin(backends.provider(api)) as other:
                    assert await other.ask("two") == "you said two"
                assert await line.ask("three") == "you said three"
                assert backends.retired == 1
            assert backends.retired == 0


@pytest.mark.real_time
async def test_who_still_holds_the_old_provider_connects_with_the_new_key() -> None:
    async with emulated("anthropic", ECHO, key=NEW) as emulator:
        async with Backends(towards("claude", emulator)) as backends:
            held = backends.provider("claude")
            await backends.set_key("claude", NEW)
            async with await Talk.begin(held) as line:
                assert await line.ask("hello") == "you said hello"


@pytest.mark.real_time
async def test_what_was_found_out_with_the_old_key_is_forgotten() -> None:
    async with emulated("anthropic", key=NEW) as emulator:
        async with Backends(towards("claude", emulator)) as backends:
            asking = asyncio.create_task(backends.probe("claude", PATIENCE))
            for _ in range(3):  # it is on its way, with the old key
                await asyncio.sleep(0)
            await backends.set_key("claude", NEW)
            assert backends.retired == 1
            refused = await asking
            assert refused is not None
            assert refused.kind == "auth"
            assert backends.retired == 0
            assert (await backends.status())[3]["reachable"] is None
            assert await backends.probe("claude", PATIENCE) is None
            assert (await backends.status())[3]["reachable"] is True
            await backends.set_key("claude", None)
            assert not backends.configured("claude")
            with pytest.raises(ProviderFault, match="ANTHROPIC_API_KEY"):
                backends.provider("claude")


async def test_whoever_keeps_keys_is_told_of_every_change() -> None:
    kept: list[tuple[str, str | None]] = []

    async def keep(vendor: str, key: str | None) -> None:
        kept.append((vendor, key))

    async with Backends(settings()) as backends:
        backends.on_change = keep
        await backends.set_key("openai", f"  {NEW}\n")
        await backends.set_key("openai", None)
    assert kept == [("openai", NEW), ("openai", None)]


@pytest.mark.parametrize("key", ["", "   ", "two words", "Schlüssel", "a\nb", "a\x00b"])
async def test_what_cannot_be_a_key_is_refused_and_not_repeated(key: str) -> None:
    async with Backends(settings(gemini={"api_key": OLD})) as backends:
        with pytest.raises(ValueError, match="cannot be a key of Gemini") as raised:
            await backends.set_key("gemini", key)
        if key.strip():
            assert key not in str(raised.value)
        assert backends.provider("gemini").access.api_key == OLD


def test_a_key_of_the_settings_that_cannot_be_sent_is_an_auth_fault() -> None:
    backends = Backends(settings(claude={"api_key": "sk-\x07-bell"}))
    with pytest.raises(ProviderFault, match="Check ANTHROPIC_API_KEY") as raised:
        backends.provider("claude")
    assert raised.value.fault.kind == "auth"
    assert "bell" not in raised.value.fault.message + raised.value.fault.detail


def test_a_line_break_after_a_key_of_the_settings_does_no_harm() -> None:
    backends = Backends(settings(claude={"api_key": f"{OLD}\n"}))
    assert backends.provider("claude").access.api_key == OLD


@pytest.mark.real_time
@every_vendor
async def test_no_key_is_shown_or_logged(vendor: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    async with emulated(EMULATORS[vendor], ECHO, key=OLD) as emulator:
        async with Backends(towards(vendor, emulator)) as backends:
            provider = backends.provider((vendor, "text"))
            async with await Talk.begin(provider) as line:
                await line.ask("hello")
                await backends.probe(vendor, PATIENCE)
                await backends.set_key(vendor, NEW)
                await backends.probe(vendor, PATIENCE)  # refused
                shown = [backends, provider, provider.access, line, await backends.status()]
                for thing in shown:
                    assert OLD not in repr(thing)
                    assert NEW not in repr(thing)
    assert OLD not in caplog.text
    assert NEW not in caplog.text


# -- models of one's own -----------------------------------------------------------------------


def test_a_file_of_models_in_the_data_folder_counts(tmp_path: Path) -> None:
    (tmp_path / "models.toml").write_text(
        '[claude]\nmodels = [{ id = "claude-mine", modes = ["text"] }]\n'
    )
    backends = Backends(settings(), tmp_path)
    assert backends.problem is None
    claude = asyncio.run(backends.status())[3]
    assert claude["models"][-1] == {"id": "claude-mine", "label": "claude-mine", "modes": ["text"]}


def test_a_broken_file_of_models_is_a_problem_and_no_end(tmp_path: Path) -> None:
    (tmp_path / "models.toml").write_text("[claude]\nmodels = 1\n")
    backends = Backends(settings(), tmp_path)
    assert backends.problem is not None
    assert "models.toml:2: `claude.models` must be a list of tables" in backends.problem
    assert asyncio.run(backends.status())[3]["models"]
