"""The settings: what is chosen holds, keys go in and never come out, devices can be tried."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.console.agent import asked
from tests.console.conftest import serving, until

KEY = "sk-ant-of-the-test-0123456789"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("settings")


@pytest.fixture(scope="module")
def server(data: Path) -> Iterator[str]:
    # Nobody listens there: the key is never sent anywhere else.
    with serving(data, ANTHROPIC_BASE_URL="http://127.0.0.1:9") as address:
        yield address


def prefs(page: Page) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(page.evaluate("localStorage['antiphon.prefs']"))
    return kept


def test_who_answers_is_chosen_and_stays_chosen(opened: Callable[..., Page]) -> None:
    page = opened("#/settings")
    part = page.get_by_role("region", name="Models")
    expect(part.get_by_role("radio", name="Server default")).to_be_checked()
    expect(part.get_by_role("radio", name="Built in", exact=True)).to_be_visible()
    expect(part).to_contain_text("no key, no network")
    expect(part.get_by_text("No key").first).to_be_visible()
    expect(part).to_contain_text("GEMINI_API_KEY")
    part.get_by_role("radio", name="Gemini").check()
    part.get_by_label("Gemini model").fill("gemini-3.8-live")
    part.get_by_label("Gemini model").press("Enter")
    tabs = page.get_by_role("navigation", name="Settings")
    tabs.get_by_role("link", name="Voice and sound").click()
    page.get_by_label("Voice", exact=True).select_option("Kore")
    assert {k: prefs(page)[k] for k in ("backend", "model", "voice")} == {
        "backend": "gemini",
        "model": "gemini-3.8-live",
        "voice": "Kore",
    }
    page.reload()
    expect(page.get_by_label("Voice", exact=True)).to_have_value("Kore")
    tabs.get_by_role("link", name="Models").click()
    expect(part.get_by_role("radio", name="Gemini")).to_be_checked()
    # The voices of one are not those of another.
    part.get_by_role("radio", name="OpenAI").check()
    tabs.get_by_role("link", name="Voice and sound").click()
    expect(page.get_by_label("Voice", exact=True)).to_have_value("")
    expect(page.get_by_role("option", name="Marin")).to_have_count(1)


def test_an_operator_sees_who_is_blocked_and_lifts_it(
    opened: Callable[..., Page], server: str, data: Path, watch: Any
) -> None:
    watch.expected.append("401")
    args = {"duration_seconds": 3600, "farewell_message": "That is enough."}
    assert asked(server, "/api/tools/ignore_user/call", {"args": args})["ok"]
    page = opened("#/settings/blocks")
    part = page.get_by_role("region", name="Blocked users")
    expect(part.get_by_role("listitem")).to_contain_text("local")
    expect(part.get_by_role("listitem")).to_contain_text("until")
    lift = part.get_by_role("button", name="Unblock local")
    lift.click()
    expect(part).to_contain_text("Enter the admin token")
    part.get_by_label("Admin token").fill("not it")
    lift.click()
    expect(part).to_contain_text("That is not the admin token")
    part.get_by_label("Admin token").fill((data / "admin-token").read_text("utf-8").strip())
    lift.click()
    expect(part).to_contain_text("No one is blocked")
    assert asked(server, "/api/blocks")["blocks"] == []


def test_keys_go_in_and_never_come_out(opened: Callable[..., Page], data: Path, watch: Any) -> None:
    watch.expected.append("401")
    page = opened("#/settings/keys")
    part = page.get_by_role("region", name="Models", exact=True)
    save = part.get_by_role("button", name="Save keys")
    save.click()
    expect(part.get_by_role("alert")).to_contain_text("Enter a key first")
    part.get_by_label("Claude API key").fill(KEY)
    save.click()
    expect(part.get_by_text("Enter the admin token")).to_be_visible()
    expect(part.get_by_label("Admin token")).to_be_focused()
    part.get_by_label("Admin token").fill("not-the-token")
    save.click()
    expect(part.get_by_text("That is not the admin token")).to_be_visible()

    token = (data / "admin-token").read_text().strip()
    part.get_by_label("Admin token").fill(token)
    save.click()
    notices = page.get_by_role("region", name="Notifications")
    expect(notices).to_contain_text("Keys in use: Claude")
    expect(part.get_by_label("Claude API key")).to_have_value("")
    kept = (data / "keys.json").read_text()
    assert "claude" in kept
    assert KEY not in kept
    everything = page.evaluate(
        "document.documentElement.outerHTML + JSON.stringify([localStorage, sessionStorage])"
    )
    assert KEY not in everything
    assert token not in everything

    part.get_by_role("button", name="Remove Claude API key").click()
    expect(notices).to_contain_text("API key removed")
    expect(part.get_by_role("button", name="Remove Claude API key")).to_have_count(0)
    assert KEY not in (data / "keys.json").read_text()
    # Gone with the page: whoever comes back has to show it again.
    page.reload()
    expect(part.get_by_label("Admin token")).to_have_value("")


def test_microphone_and_loudspeaker_can_be_tried(opened: Callable[..., Page]) -> None:
    page = opened("#/settings/voice")
    part = page.get_by_role("region", name="Voice and sound")
    # The browser's pretended microphone beeps once a second.
    part.get_by_role("button", name="Test microphone").click()
    expect(part.get_by_text("I hear you.")).to_be_visible()
    level = part.locator("meter")
    until(page, "document.querySelector('meter').value > 0.3")
    part.get_by_role("button", name="Stop test").click()
    expect(level).to_have_count(0)
    chosen = part.get_by_label("Microphone", exact=True)
    expect(chosen.get_by_role("option")).to_have_count(3)
    chosen.select_option(index=1)
    assert prefs(page)["microphone"]
    part.get_by_role("button", name="Play test tone").click()
    expect(part.get_by_text("Two notes were played.")).to_be_visible()
    expect(part).to_contain_text("Sound is not recorded")
    part.get_by_label("Hands-free").uncheck()
    assert prefs(page)["handsFree"] is False


def test_a_microphone_that_is_kept_away_is_explained(opened: Callable[..., Page]) -> None:
    page = opened("#/settings/voice")
    page.evaluate(
        "() => { navigator.mediaDevices.getUserMedia = "
        "() => Promise.reject(new DOMException('no', 'NotAllowedError')) }"
    )
    page.get_by_role("button", name="Test microphone").click()
    expect(page.get_by_role("alert")).to_contain_text("Allow it")


def test_the_look_and_the_budgets_in_force(opened: Callable[..., Page]) -> None:
    page = opened("#/settings/approvals")
    expect(page.get_by_text("You are asked every time")).to_be_in_viewport()
    page = opened("#/settings/budgets")
    table = page.get_by_role("region", name="Budgets by agent").get_by_role("table")
    expect(table.get_by_role("row", name="Tool calls")).to_contain_text("budget.calls")
    expect(
        table.get_by_role("columnheader", name=re.compile("^(assistant|vox|workspace)"))
    ).to_have_count(3)
    cells = table.get_by_role("row", name="Lookups").get_by_role("cell")
    expect(cells).to_have_text(["2 / 5"] * 3)
    expect(page.get_by_role("heading", name="Budgets")).to_be_focused()
    expect(page.get_by_text("within 5 minutes is denied")).to_be_visible()
    page.get_by_role("navigation", name="Settings").get_by_role("link", name="Appearance").click()
    page.get_by_role("radio", name="High contrast").check()
    expect(page.locator("html")).to_have_attribute("data-theme", "high-contrast")
