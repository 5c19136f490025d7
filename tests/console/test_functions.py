"""The functions that an agent calls in the person's browser, and what the person sees of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, Response, expect
from tests.console.agent import PREFS, Conversation, answers, asked, emulated
from tests.console.conftest import PATIENCE_MS, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    data = tmp_path_factory.mktemp("functions")
    with emulated() as environment, serving(data, built_in=True, **environment) as address:
        answers(address)
        yield address


def test_an_agent_finds_its_way_around_the_console(
    opened: Callable[..., Page], server: str
) -> None:
    page = opened("#/vox", prefs=PREFS)
    talk = Conversation(page)

    assert talk.call("navigate_page", {"path": "knowledge graphs"}) == {
        "success": True,
        "navigated_to": "kg-studio",
        "title": "Knowledge",
    }
    expect(page).to_have_url(re.compile("#/kg-studio"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Knowledge")

    assert talk.call("navigate_page", {"path": "tools/kb_search"})["navigated_to"] == (
        "tools/kb_search"
    )
    expect(page).to_have_url(f"{server}/#/tools/kb_search")

    # A page that is not there is refused by the server; the person stays where they are.
    assert "There is no page" in talk.call("navigate_page", {"path": "the moon"})["error"]
    expect(page).to_have_url(f"{server}/#/tools/kb_search")

    assert talk.call("get_current_page") == {
        "success": True,
        "page": "tools",
        "title": "Tools",
        "path": "/tools/kb_search",
    }

    # Both names of the conversation lead to it.
    for name in ("chat", "vox"):
        assert talk.call("navigate_page", {"path": name})["navigated_to"] == name
        read = talk.call("read_page_content")
        assert (read["page"], read["title"]) == (name, "Conversation")
        assert "You said: " in read["content"]


def test_an_agent_knows_the_state_of_the_workspace_and_changes_it(
    opened: Callable[..., Page], server: str
) -> None:
    asked(
        server, "/api/vox/function/create_project", {"args": {"name": "Loom", "description": "x"}}
    )
    page = opened("#/vox", prefs={**PREFS, "theme": "light"})
    talk = Conversation(page)

    state = talk.call("get_workspace_state")
    assert state.pop("session") in {s["id"] for s in asked(server, "/api/sessions")["sessions"]}
    assert state == {
        "success": True,
        "provider": "claude",
        "model": "claude-sonnet-4-6",
        "page": "vox",
        "theme": "light",
        "project_count": 1,
    }

    assert talk.call("switch_theme", {"theme_id": "dark"}) == {"success": True, "theme_id": "dark"}
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert talk.call("get_workspace_state")["theme"] == "dark"

    # Nothing changes when it cannot be.
    assert (
        "OpenAI has no key"
        in talk.call("switch_model", {"provider": "openai", "model": "gpt-4.1"})["error"]
    )
    assert (
        "no model"
        in talk.call("switch_model", {"provider": "claude", "model": "claude-9"})["error"]
    )
    assert talk.call("get_workspace_state")["model"] == "claude-sonnet-4-6"

    switched = talk.call("switch_model", {"provider": "claude", "model": "claude-haiku-4-5"})
    assert switched == {"success": True, "provider": "claude", "model": "claude-haiku-4-5"}
    # The same conversation goes on with it.
    state = talk.call("get_workspace_state")
    assert (state["model"], state["project_count"]) == ("claude-haiku-4-5", 1)
    talk.answered("You said: ")


def test_the_built_in_model_does_it_when_it_is_asked_in_words(
    opened: Callable[..., Page], server: str
) -> None:
    page = opened("#/vox", prefs={"backend": "local", "theme": "light"})
    box = page.get_by_role("textbox", name="Message", exact=True)
    box.fill("Switch to dark mode")
    box.press("Enter")
    # What it hears and speaks with is still being loaded when it is asked so early.
    expect(page.locator("html")).to_have_attribute("data-theme", "dark", timeout=2 * PATIENCE_MS)
    box.fill("Open the audit log page")
    box.press("Enter")
    expect(page).to_have_url(f"{server}/#/audit")


def test_what_the_person_does_is_known_to_agents(
    opened: Callable[..., Page], server: str, watch: Any
) -> None:
    def telling(word: str) -> Callable[[Response], bool]:
        return lambda r: r.url.endswith("/awareness") and word in (r.request.post_data or "")

    page = opened()
    pages = page.get_by_role("navigation", name="Pages")
    for title, name in (("Projects", "projects"), ("Calendar", "calendar")):
        with page.expect_response(telling(f'page_visit","page":"{name}')) as told:
            pages.get_by_role("link", name=title, exact=True).click()
        assert told.value.ok

    # Something breaks on the way: the server that we ask says so.
    watch.expected.append("500")
    page.route(
        "**/api/audit/verify",
        lambda route: route.fulfill(status=500, json={"detail": "The disk is full of leaves."}),
    )
    page.keyboard.press("Control+k")
    page.keyboard.type("verify the audit")
    with page.expect_response(telling("leaves")) as told:
        page.keyboard.press("Enter")
    assert told.value.ok
    expect(page.get_by_role("alert")).to_contain_text("The disk is full of leaves.")

    report = asked(server, "/api/vox/awareness")
    assert [visit["page"] for visit in report["recent_pages"][:2]] == ["calendar", "projects"]
    assert report["unresolved_errors"][0]["message"] == "The disk is full of leaves."
    assert "calendar" in report["prompt"].lower()


def test_a_picture_is_shown_in_the_conversation_and_after_a_reload(
    opened: Callable[..., Page], server: str
) -> None:
    made = asked(server, "/api/tools/image_generate/call", {"args": {"prompt": "A lighthouse"}})
    url = made["data"]["url"]
    page = opened("#/vox", prefs=PREFS)
    talk = Conversation(page)
    sent = {"image_url": url, "caption": "At dawn"}
    assert talk.call("send_image", sent)["success"] is True
    figure = page.get_by_role("figure")
    for _ in range(2):
        expect(figure).to_have_count(1)
        expect(figure).to_contain_text("At dawn")
        picture = figure.get_by_role("img", name=re.compile("lighthouse", re.I))
        expect(picture).to_have_attribute("src", url)
        assert picture.evaluate("(image) => image.decode().then(() => image.naturalWidth > 0)")
        page.reload()
    # So is one that a call has made.
    talk.ask("image_generate", {"prompt": "A harbour"})
    expect(page.get_by_role("figure").get_by_role("img")).to_have_count(2)
    page.reload()
    expect(page.get_by_role("figure").get_by_role("img")).to_have_count(2)
