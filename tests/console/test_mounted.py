"""The console of a server that is mounted under a prefix of another application."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from fastapi import FastAPI
from playwright.sync_api import Page, expect
from tests.console.conftest import until
from tests.server.ws.phone import RULES, in_thread
from tests.shipped import shipped_registry

from antiphon.config import Settings
from antiphon.emulators.runner import emulate
from antiphon.server import create_app


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with emulate("gemini", RULES, check=False) as gemini:
        access = {"api_key": gemini.key, "base_url": gemini.base_url, "ca_file": gemini.ca_file}
        data = tmp_path_factory.mktemp("mounted")
        settings = Settings(data=data, providers={"gemini": access})
        voice = create_app(shipped_registry(), settings)
        voice.services.warm_after = float("inf")
        host = FastAPI(lifespan=lambda _: voice.running())
        host.mount("/agents/voice", voice)
        with in_thread(host) as client:
            yield f"http://127.0.0.1:{client.port}"


def test_the_console_works_below_a_prefix(opened: Callable[..., Page]) -> None:
    page = opened("agents/voice/#/tools", prefs={"backend": "gemini"})
    expect(page.locator("main")).to_contain_text("format_datetime")
    page.goto("/agents/voice/#/vox")
    with page.expect_websocket() as opening:
        page.get_by_label("Write instead of speaking").fill("Hello")
        page.keyboard.press("Enter")
    assert opening.value.url.endswith("/agents/voice/ws/vox")
    expect(page.locator(".entry.assistant").last).to_contain_text("You said Hello.")
    until(page, "performance.getEntriesByType('resource').length > 10")
    loaded = page.evaluate("performance.getEntriesByType('resource').map(each => each.name)")
    assert [each for each in loaded if not re.match(r"http://[^/]+/agents/voice/", each)] == []
