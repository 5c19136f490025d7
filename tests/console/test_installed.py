"""The console as an installed application: opened offline, shared to, told of updates."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect
from tests.console.conftest import Watch, until
from tests.console.test_shell import findings

READY = "navigator.serviceWorker.ready.then((each) => Boolean(each.active))"
SHARE = """([text, files]) => {
    const form = document.createElement("form");
    Object.assign(form, { method: "post", action: "share", enctype: "multipart/form-data" });
    for (const [name, value] of Object.entries(text)) {
        form.append(Object.assign(document.createElement("input"), { name, value }));
    }
    const chosen = new DataTransfer();
    files.forEach(([name, body]) => chosen.items.add(new File([body], name)));
    const input = Object.assign(document.createElement("input"), { type: "file", name: "files" });
    input.files = chosen.files;
    form.append(input);
    document.body.append(form);
    form.submit();
}"""


@pytest.fixture
def installed(opened: Callable[..., Page]) -> Page:
    """A page whose service worker has what it needs."""
    page = opened("#/tools", service_workers="allow")
    page.evaluate(READY)
    until(page, "navigator.serviceWorker.controller !== null")
    return page


def test_a_browser_may_install_it(installed: Page) -> None:
    browser = installed.context.new_cdp_session(installed)
    found = browser.send("Page.getAppManifest")
    assert found["errors"] == []
    manifest = json.loads(found["data"])
    for icon in manifest["icons"]:
        answer = installed.request.get(f"/console/{icon['src']}")
        assert answer.headers["content-type"] == icon["type"]
    assert browser.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
    assert found["url"].endswith("/console/manifest.webmanifest")


def test_it_opens_without_the_server_and_says_so(installed: Page, watch: Watch) -> None:
    watch.expected += ["ERR_INTERNET_DISCONNECTED", "ERR_FAILED"]
    kept = installed.evaluate(
        """async () => {
            const names = await caches.keys();
            const all = await Promise.all(names.map(async (name) =>
                (await (await caches.open(name)).keys())
                    .map((each) => new URL(each.url).pathname)));
            return all.flat();
        }"""
    )
    assert [each for each in kept if not re.fullmatch(r"/|/console/[\w.-]+", each)] == []
    installed.context.set_offline(True)
    installed.reload()
    expect(installed.get_by_role("heading", level=1)).to_have_text("Tools")
    away = installed.get_by_role("complementary", name="Server unavailable")
    expect(away).to_contain_text("The server cannot be reached.")
    installed.goto("/#/settings")
    expect(installed.get_by_role("heading", level=1)).to_have_text("Settings")
    installed.context.set_offline(False)
    expect(away).to_have_count(0)
    expect(installed.locator("main").get_by_role("alert")).to_have_count(0)


def test_a_text_that_is_shared_waits_in_the_message_box(installed: Page) -> None:
    shared = {"title": "Ferry times", "text": "Is this right?", "url": "https://example.com/f?a=b"}
    installed.evaluate(SHARE, [shared, []])
    expect(installed).to_have_url(re.compile(r"#/chat$"))
    box = installed.locator(".composer textarea")
    expect(box).to_have_value("Ferry times\nIs this right?\nhttps://example.com/f?a=b")


def test_files_that_are_shared_wait_where_knowledge_is_added(installed: Page) -> None:
    installed.evaluate(SHARE, [{"title": "Notes"}, [["minutes ü.md", "# Minutes"]]])
    expect(installed).to_have_url(re.compile(r"#/kg-studio/\w+\?tab=ingest$"))
    expect(installed.get_by_role("tabpanel", name="Add")).to_contain_text("minutes ü.md")


BUILD = "**/console/build.json"
LOOK = "dispatchEvent(new Event('online'))"


def test_a_server_that_is_away_is_asked_again_and_at_once_if_wanted(
    opened: Callable[..., Page], watch: Watch
) -> None:
    watch.expected.append("ERR_CONNECTION_REFUSED")
    page = opened("#/tools", clock=True)
    page.wait_for_load_state("networkidle")  # an answer that is late would say that it is back
    page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))  # it is not asked by itself
    page.route(BUILD, lambda route: route.abort("connectionrefused"))
    page.evaluate(LOOK)
    away = page.get_by_role("complementary", name="Server unavailable")
    expect(away).to_contain_text("Next attempt in")
    page.unroute(BUILD)
    away.get_by_role("button", name="Try now").click()
    expect(away).to_have_count(0)


def test_another_version_is_offered_and_what_was_typed_is_kept(
    opened: Callable[..., Page],
) -> None:
    page = opened("#/kg-studio/studio?tab=ingest")
    box = page.get_by_label("Text", exact=True)
    box.fill("Ada leads Meridian.")
    page.route(BUILD, lambda route: route.fulfill(json={"sources": "another"}))
    page.evaluate(LOOK)
    banner = page.get_by_role("complementary", name="New version")
    expect(banner).to_contain_text("A new version is available.")
    assert findings(page) == []
    with page.expect_navigation():
        banner.get_by_role("button", name="Reload").click()
    expect(box).to_have_value("Ada leads Meridian.")
    expect(page.get_by_role("button", name=re.compile("Add to"))).to_be_enabled()
