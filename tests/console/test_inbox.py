"""Approvals of all sessions in one place: found, changed, answered and denied."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect
from tests.console.agent import asked
from tests.console.conftest import PHONE, Watch
from tests.console.test_shell import findings


def waiting_event(address: str, title: str) -> str:
    """A question that an event is to be made; its id."""
    when = {"start_time": "2031-03-03T09:00:00Z", "end_time": "2031-03-03T09:30:00Z"}
    args = {"title": title, **when, "attendees": []}
    envelope = asked(address, "/api/tools/calendar_create_event/call", {"args": args})
    found: str = envelope["error"]["confirmation_request"]["id"]
    return found


def dialog(page: Page) -> Locator:
    return page.get_by_role("alertdialog")


def row(page: Page, title: str) -> Locator:
    return page.locator(".inbox-rows li").filter(has_text=title)


def test_a_value_is_changed_before_the_yes_and_what_is_wrong_is_told_at_its_field(
    opened: Callable[..., Page], server: str, watch: Watch
) -> None:
    watch.expected.append("422 (Unprocessable Entity)")
    asking = waiting_event(server, "Sprint review")
    page = opened("#/inbox")
    menu = page.get_by_role("navigation", name="Pages")
    expect(menu.get_by_role("link", name="Activity")).to_contain_text("1 open approval")
    row(page, "Sprint review").get_by_role("link").click()
    drawer = page.locator(".drawer")
    expect(drawer).to_contain_text("Add “Sprint review”, Mon 3 Mar 09:00–09:30 UTC?")
    expect(drawer).not_to_contain_text("Location")  # nobody has set it
    drawer.get_by_role("button", name="Review…").click()
    dialog(page).get_by_role("button", name="Change values").click()
    title = dialog(page).get_by_role("textbox", name="title")
    title.fill("")
    dialog(page).get_by_role("button", name="Approve with changes").click()
    expect(title).to_have_attribute("aria-invalid", "true")
    expect(dialog(page)).to_contain_text("Invalid parameters: /title")
    assert findings(page) == []
    title.fill("Review of the sprint")
    dialog(page).get_by_role("button", name="Approve with changes").click()
    expect(dialog(page)).to_have_count(0)
    expect(drawer).to_contain_text("You approved it.")
    expect(drawer.locator("del")).to_have_text("Sprint review")
    assert asked(server, f"/api/confirmations/{asking}")["status"] == "approved"
    drawer.get_by_role("link", name=re.compile("^Line")).click()
    expect(page.locator(".drawer")).to_contain_text("Review of the sprint")


def test_many_are_denied_at_once_and_filters_stay_in_the_address(
    opened: Callable[..., Page], server: str
) -> None:
    ids = [waiting_event(server, f"Denied {number}") for number in range(3)]
    page = opened("#/inbox?status=pending")
    row(page, "Denied 0").get_by_role("checkbox").check()
    row(page, "Denied 2").get_by_role("checkbox").check()
    page.get_by_role("button", name="Deny 2").click()
    expect(row(page, "Denied 0")).to_have_count(0)
    expect(row(page, "Denied 1")).to_have_count(1)
    states = [asked(server, f"/api/confirmations/{each}")["status"] for each in ids]
    assert states == ["denied", "pending", "denied"]
    page.get_by_role("button", name="Remove filter Status").click()
    expect(page).to_have_url(re.compile(r"#/inbox$"))
    expect(row(page, "Denied 0")).to_contain_text("Denied")
    assert findings(page) == []
    page.set_viewport_size(PHONE)
    row(page, "Denied 1").get_by_role("link").click()
    page.get_by_role("dialog").get_by_role("button", name="Review…").click()
    dialog(page).get_by_role("button", name="Deny").click()
    expect(row(page, "Denied 1")).to_contain_text("Denied")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_question_that_is_answered_in_one_tab_closes_in_the_other(
    opened: Callable[..., Page], server: str
) -> None:
    asking = waiting_event(server, "In two tabs")
    first = opened(f"#/inbox/{asking}")
    second = first.context.new_page()
    second.goto(f"{server}/#/inbox/{asking}")
    for page in (first, second):
        page.locator(".drawer").get_by_role("button", name="Review…").click()
        expect(dialog(page)).to_be_visible()
    dialog(first).get_by_role("button", name="Deny").click()
    expect(dialog(second)).to_have_count(0)
    notices = second.get_by_role("region", name=re.compile("Notices|Notifications"))
    expect(notices).to_contain_text("Denied in another window")
    second.close()
