"""The console of a server that is mounted under a prefix of another application."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from fastapi import FastAPI
from playwright.sync_api import Page, expect
from starlette.requests import HTTPConnection
from tests.console.conftest import Watch, until
from tests.server.ws.phone import RULES, in_thread
from tests.shipped import shipped_registry

from antiphon import Principal
from antiphon.config import Settings
from antiphon.emulators.runner import emulate
from antiphon.server import create_app

ADA = Principal("ada")
signed_in = [ADA]


def who(_: HTTPConnection) -> Principal | None:
    """The host application's answer: Ada, unless her sign-in has ended."""
    return signed_in[0] if signed_in else None


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with emulate("gemini", RULES, check=False) as gemini:
        access = {"api_key": gemini.key, "base_url": gemini.base_url, "ca_file": gemini.ca_file}
        data = tmp_path_factory.mktemp("mounted")
        settings = Settings(data=data, providers={"gemini": access})
        voice = create_app(shipped_registry(), settings, principal=who)
        voice.services.warm_after = float("inf")
        host = FastAPI(lifespan=lambda _: voice.running())
        host.mount("/agents/voice", voice)
        with in_thread(host) as client:
            yield f"http://127.0.0.1:{client.port}"


def test_who_is_signed_out_is_told_and_goes_on_after_signing_in(
    opened: Callable[..., Page], watch: Watch
) -> None:
    watch.expected += ["401", "Failed to fetch dynamically imported module"]
    page = opened("agents/voice/#/kg-studio/studio?tab=ingest")
    box = page.get_by_label("Text", exact=True)
    box.fill("Ada leads Meridian.")
    signed_in.clear()
    try:
        page.get_by_role("button", name=re.compile("Add to")).click()
        banner = page.get_by_role("complementary", name="Signed out")
        expect(banner).to_contain_text("what you typed stays here")
        expect(banner).to_contain_text("Sign in first")
        menu = page.get_by_role("navigation", name="Pages")
        menu.get_by_role("link", name="Projects").click()
        problem = page.locator("main").get_by_role("alert")
        expect(problem).to_be_visible()
    finally:
        signed_in.append(ADA)
    banner.get_by_role("button", name="Try now").click()
    expect(banner).to_have_count(0)
    # What could not be loaded is loaded now, without another click.
    expect(problem).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_have_text("Projects")


def test_the_console_works_below_a_prefix(opened: Callable[..., Page], watch: Watch) -> None:
    watch.expected.append("403")  # the numbers of all users are for the operator
    page = opened("agents/voice/#/tools", prefs={"backend": "gemini"}, service_workers="allow")
    scope = page.evaluate("navigator.serviceWorker.ready.then((each) => each.scope)")
    assert scope.endswith("/agents/voice/")
    expect(page.locator("main")).to_contain_text("format_datetime")
    page.goto("/agents/voice/#/vox")
    with page.expect_websocket() as opening:
        page.get_by_role("button", name="Talk", exact=True).click()
    assert opening.value.url.endswith("/agents/voice/ws/vox")
    expect(page.locator(".entry.assistant.done")).to_contain_text("Greet")
    page.get_by_label("Message", exact=True).fill("Hello")
    page.keyboard.press("Enter")
    expect(page.locator(".entry.assistant").last).to_contain_text("You said Hello.")
    until(page, "performance.getEntriesByType('resource').length > 10")
    loaded = page.evaluate("performance.getEntriesByType('resource').map(each => each.name)")
    assert [each for each in loaded if not re.match(r"http://[^/]+/agents/voice/", each)] == []
