"""What lies over every page: questions, notices, the palette, shortcuts, tours, and the pause."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect
from tests.console.agent import (
    PREFS,
    Conversation,
    answers,
    asked,
    emulated,
    write_endless,
    write_letter,
)
from tests.console.conftest import PHONE, Watch, serving, until
from tests.console.test_shell import THEMES, findings

from antiphon.registry.sources import CATALOGUE_TOOLS, SHIPPED_TOOLS
from antiphon.workspace.pages import PAGES
from antiphon.workspace.tours import Tours


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    data = tmp_path_factory.mktemp("overlays")
    write_endless(data / "tools" / "count-sheep")
    write_letter(data / "tools" / "read-letter")
    folders = f"{SHIPPED_TOOLS},{CATALOGUE_TOOLS},{data / 'tools'}"
    with (
        emulated() as environment,
        serving(data / "data", ANTIPHON_TOOLS__FOLDERS=folders, **environment) as address,
    ):
        answers(address)
        yield address


def macro(address: str, phrase: str) -> str:
    body = {"name": phrase, "trigger_phrase": phrase, "steps": [{"function": "list_kgs"}]}
    made: str = asked(address, "/api/vox/macros", body)["macro"]["id"]
    return made


def macros(address: str) -> set[str]:
    return {each["id"] for each in asked(address, "/api/vox/macros")["macros"]}


def waiting_event(address: str, title: str, **more: Any) -> str:
    """A call of high risk over HTTP, which waits for a person; its id."""
    when = {"start_time": "2031-03-03T09:00:00Z", "end_time": "2031-03-03T09:30:00Z"}
    args = {"title": title, **when, "attendees": ["ada@example.org"], **more}
    envelope = asked(address, "/api/tools/calendar_create_event/call", {"args": args})
    asking: str = envelope["error"]["confirmation_request"]["id"]
    return asking


def dialog(page: Page) -> Locator:
    return page.get_by_role("alertdialog")


def options(page: Page, **named: Any) -> Locator:
    return page.get_by_role("listbox", name="Results").get_by_role("option", **named)


def tour_button(page: Page) -> Locator:
    return page.get_by_role("button", name="Tour of this page", exact=True)


def lit(page: Page, selector: str) -> None:
    """The light is on what the selector finds, as far as that fits into the window."""
    until(
        page,
        """selector => {
          const light = document.querySelector(".tour-light")?.getBoundingClientRect();
          const target = document.querySelector(selector)?.getBoundingClientRect();
          if (!light || !target) return false;
          const near = (a, b) => Math.abs(a - b) <= 9;
          return near(light.left, target.left) && near(light.right, target.right)
            && near(light.top, Math.max(target.top, 0))
            && near(light.bottom, Math.min(target.bottom, innerHeight));
        }""",
        selector,
    )


def steps_of(page: str) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = Tours().get(page)[1]["steps"]
    return steps


def notices(page: Page) -> Locator:
    return page.get_by_role("region", name="Notifications")


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.textContent.trim()"))


# -- questions ---------------------------------------------------------------------------------


def test_the_person_denies_and_approves_what_the_agent_wants_to_do(
    opened: Callable[..., Page], server: str
) -> None:
    it = macro(server, "deny or approve")
    page = opened("#/vox", prefs=PREFS)
    talk = Conversation(page)

    talk.ask("delete_macro", {"macro_id": it})
    expect(dialog(page)).to_contain_text("delete_macro")
    expect(dialog(page)).to_contain_text(it)
    expect(dialog(page).get_by_role("heading")).to_have_text(f"Delete the macro {it}?")
    expect(dialog(page).get_by_role("timer")).to_have_text(re.compile(r"4:\d\d"))
    # Nobody listens: the conversation is held in writing.
    expect(dialog(page)).not_to_contain_text("say yes or no")
    assert focused(page).startswith("Deny")
    page.keyboard.press("Escape")
    expect(dialog(page)).to_have_count(0)
    # The conversation says so; a notice would only say it again.
    expect(page.locator(".calls").last).to_contain_text("denied")
    assert it in macros(server)

    talk.ask("delete_macro", {"macro_id": it})
    dialog(page).get_by_role("button", name="Approve").click()
    expect(page.locator(".calls").last).not_to_contain_text("waiting for your approval")
    assert it not in macros(server)


def test_what_a_letter_ordered_is_asked_about_with_the_letter(
    opened: Callable[..., Page], server: str
) -> None:
    page = opened("#/vox", prefs=PREFS)
    talk = Conversation(page)
    talk.call("read_letter")
    # Written with escapes in the message, so that the letter alone has these words.
    body = {"name": "Grüße an alle", "trigger_phrase": "Grüße", "steps": [{"function": "list_kgs"}]}
    talk.ask("create_macro", body)
    expect(dialog(page)).to_contain_text("not all values are your own")
    expect(dialog(page).locator(".confirm-read strong")).to_contain_text("read_letter")
    marked = dialog(page).locator(".confirm-origin.untrusted")
    expect(marked.first).to_contain_text("written by others")
    # No standing approval would lift it.
    expect(dialog(page).get_by_text("Approval applies")).to_have_count(0)
    dialog(page).get_by_role("button", name="Deny").click()
    expect(dialog(page)).to_have_count(0)
    names = [each["name"] for each in asked(server, "/api/vox/macros")["macros"]]
    assert "Grüße an alle" not in names
    conversation = page.evaluate("JSON.parse(sessionStorage['antiphon.conversation']).conversation")
    page.goto(f"{server}/#/sessions/{conversation}")
    call = page.locator("details.sessions-call", has_text="create_macro")
    call.locator("summary").first.click()
    told = call.locator(".sessions-origins li.untrusted").first
    expect(told).to_contain_text("/name text of others")
    expect(call).to_contain_text("Decided after reading the result of read_letter")


def test_a_yes_is_remembered_for_as_long_as_the_person_says(
    opened: Callable[..., Page], server: str
) -> None:
    first, second, third = (macro(server, f"remember {n}") for n in ("one", "two", "three"))
    page = opened("#/vox", prefs=PREFS)
    talk = Conversation(page)
    talk.ask("delete_macro", {"macro_id": first})
    dialog(page).get_by_label("For the rest of this session").check()
    dialog(page).get_by_role("button", name="Approve").click()
    notice = page.get_by_role("link", name="You will not be asked again")
    expect(notice).to_be_visible()
    notice.click()
    expect(page).to_have_url(f"{server}/#/settings/approvals")
    take_back = page.get_by_role("button", name="Revoke delete_macro")
    expect(take_back).to_be_visible()
    # Nobody is asked any more.
    assert talk.call("delete_macro", {"macro_id": second})["success"] is True

    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Settings").click()
    page.get_by_role("link", name="Standing approvals").click()
    take_back.click()
    expect(page.get_by_text("You are asked every time")).to_be_visible()
    assert asked(server, "/api/approvals")["approvals"] == []
    talk.ask("delete_macro", {"macro_id": third})
    dialog(page).get_by_role("button", name="Deny").click()


def test_no_answer_in_time_is_a_no(opened: Callable[..., Page], server: str) -> None:
    asking = waiting_event(server, "Nobody answers")
    page = opened("#/audit")
    page.clock.install()
    notices(page).get_by_role("button", name="Review").last.click()
    expect(dialog(page)).to_be_visible()
    page.clock.fast_forward(305_000)
    expect(dialog(page)).to_have_count(0)
    page.clock.fast_forward(3_000)
    expect(notices(page)).to_contain_text("Denied")
    assert asked(server, f"/api/confirmations/{asking}")["status"] == "denied"


def test_what_waits_from_before_is_answered_and_high_risks_are_never_approved_for_good(
    opened: Callable[..., Page], server: str
) -> None:
    guests = [f"guest{number}@example.org" for number in range(25)]
    asking = waiting_event(server, "Planning", attendees=guests, description="Bring tea. " * 60)
    page = opened("#/tools")
    notices(page).get_by_role("button", name="Review").last.click()
    expect(dialog(page)).to_contain_text("Planning")
    title = dialog(page).get_by_role("heading")
    expect(title).to_have_text(
        re.compile(r"^Add “Planning”, Mon 3 Mar 09:00–09:30 UTC, and invite .*\?$")
    )
    expect(dialog(page)).not_to_have_class(re.compile("is-final"))  # it can be taken back
    # Nothing of it is left out: every guest, and the whole text, in boxes that scroll.
    for guest in guests:
        expect(dialog(page)).to_contain_text(guest)
    long = dialog(page).get_by_role("group", name="Description, in full")
    expect(long).to_contain_text(("Bring tea. " * 60).strip())
    assert long.evaluate("(box) => box.scrollHeight > box.clientHeight")
    expect(dialog(page)).to_contain_text("Monday, March 3, 2031 at 9:00 AM UTC")
    expect(dialog(page).get_by_role("radio")).to_have_count(0)  # each time anew
    expect(dialog(page)).not_to_contain_text("say yes")
    assert findings(page) == []
    # By keyboard alone: from Deny on to Approve.
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(notices(page)).to_contain_text("Approved and done")
    assert asked(server, f"/api/confirmations/{asking}")["status"] == "approved"


# -- notices of work in the background -----------------------------------------------------------


def test_work_in_the_background_is_told_from_its_start_to_its_end(
    opened: Callable[..., Page], server: str
) -> None:
    page = opened("#/vox", prefs=PREFS)
    talk = Conversation(page)
    text = "Ada Byron leads the Loom project. The Loom project belongs to the studio."
    started = talk.call("ingest_to_kg", {"database_id": "studio", "text": text})
    done = notices(page).get_by_role("link", name="Ingest to knowledge finished")
    expect(done).to_have_attribute("href", f"#/kg-studio?task={started['task_id']}")


def test_work_that_was_started_elsewhere_is_seen_and_stopped(
    opened: Callable[..., Page], server: str
) -> None:
    started = asked(server, "/api/tools/count_sheep/call", {"args": {}})
    page = opened("#/audit")
    notice = notices(page).locator(".toast", has_text="Count sheep: Counting sheep")
    expect(notice.get_by_role("progressbar")).to_have_attribute("value", "0.25")
    page.reload()
    notice.get_by_role("button", name="Stop").click()
    expect(notices(page)).to_contain_text("Count sheep was stopped")
    task = asked(server, f"/api/tasks/{started['data']['task_id']}")
    assert task["status"] == "cancelled"


# -- the palette and the shortcuts -----------------------------------------------------------------


def test_the_palette_leads_everywhere_by_keyboard(opened: Callable[..., Page], server: str) -> None:
    macro(server, "palette run")
    page = opened("#/audit", prefs=PREFS)
    page.keyboard.press("Control+k")
    box = page.get_by_role("combobox", name="Search or ask")
    expect(box).to_be_focused()
    assert findings(page) == []
    page.keyboard.type("kbse")
    chosen = options(page, selected=True)
    expect(chosen).to_contain_text("kb_search")
    expect(box).to_have_attribute("aria-activedescendant", chosen.get_attribute("id") or "")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{server}/#/tools/kb_search")

    for typed, expected in (("sessions", "sessions"), ("studio", "kg-studio")):
        page.keyboard.press("Control+k")
        page.keyboard.type(typed)
        expect(options(page, selected=True)).to_be_visible()
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(rf"#/{expected}"))

    page.keyboard.press("Control+k")
    page.keyboard.type("theme high")
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("data-theme", "high-contrast")

    page.keyboard.press("Control+k")
    page.keyboard.type("palette run")
    expect(
        page.get_by_role("group", name="Run a macro").locator("[aria-selected=true]")
    ).to_have_text(re.compile("palette run"))
    page.keyboard.press("Enter")
    expect(notices(page)).to_contain_text("palette run")

    page.keyboard.press("Control+k")
    # Records come from the server, below what is known here; what was chosen before comes first.
    page.keyboard.type("Kenji Okuhara")
    records = page.get_by_role("group", name="Records").get_by_role("option")
    expect(records.first).to_contain_text("Kenji Okuhara")
    assert findings(page) == []
    records.first.click()
    expect(page).to_have_url(re.compile(r"#/kg-studio/studio/record/person"))
    page.keyboard.press("Control+k")
    recent = page.get_by_role("group", name="Recent").get_by_role("option")
    expect(recent.first).to_contain_text("Kenji Okuhara")
    expect(recent.nth(1)).to_contain_text("palette run")

    # What is found nowhere can still be asked.
    page.keyboard.type("qqqq")
    expect(options(page)).to_have_text(["Ask: qqqq"])
    page.keyboard.press("Enter")
    expect(box).to_have_count(0)
    expect(page.locator(".entry.user").last).to_contain_text("qqqq")
    expect(page.locator(".entry.assistant").last).to_contain_text("You said: qqqq")


def test_an_answer_that_comes_late_is_dropped_and_a_failure_is_told(
    opened: Callable[..., Page], watch: Watch
) -> None:
    watch.expected.append("503")
    page = opened("#/audit")
    late: list[Route] = []

    def search(route: Route) -> None:
        if route.request.url.endswith("q=ha"):
            late.append(route)
        elif route.request.url.endswith("q=harbor"):
            route.continue_()
        else:
            route.fulfill(status=503, json={"detail": "The store is away."})

    page.route("**/api/search?*", search)
    # What went wrong in a page is told to the agents of its person, who has other tests as well.
    page.route("**/api/vox/awareness", lambda route: route.fulfill(json={"success": True}))
    page.keyboard.press("Control+k")
    with page.expect_request("**/api/search?q=ha"):
        page.keyboard.type("ha")
    page.keyboard.type("rbor")
    records = page.get_by_role("group", name="Records")
    expect(records).to_contain_text("Harbor Light")
    for each in late:
        found = {"kind": "record", "items": [{"id": "x", "title": "Too late", "address": "#/vox"}]}
        each.fulfill(json={"groups": [found], "problems": []})
    page.keyboard.type("s")
    expect(page.get_by_role("alert")).to_contain_text("The store is away.")
    expect(page.get_by_text("Too late")).to_have_count(0)


def test_every_shortcut_is_listed(opened: Callable[..., Page]) -> None:
    page = opened("#/vox")
    page.get_by_role("textbox", name="Message", exact=True).focus()
    page.keyboard.press("Control+/")
    shown = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(shown).to_contain_text("Go to a page or action")
    expect(shown).to_contain_text("Hold to talk")
    assert findings(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("textbox", name="Message", exact=True)).to_be_focused()


# -- tours -----------------------------------------------------------------------------------------


def test_a_tour_from_end_to_end_by_keyboard(opened: Callable[..., Page]) -> None:
    page = opened("#/settings", reduced_motion="reduce")
    steps = steps_of("settings")
    start = tour_button(page)
    start.focus()
    page.keyboard.press("Enter")
    card = page.get_by_role("dialog", name="Settings Tour")
    for number, step in enumerate(steps, 1):
        expect(card).to_contain_text(f"{number} of {len(steps)}")
        expect(card).to_contain_text(step["speech"])
        lit(page, step["target"])
        if number == 2:
            assert findings(page) == []
        expect(card.get_by_role("button", name=re.compile("Next|Done"))).to_be_focused()
        page.keyboard.press("ArrowRight")
    expect(card).to_have_count(0)
    expect(start).to_be_focused()


def test_the_agent_gives_a_tour_and_the_person_leaves_it(
    opened: Callable[..., Page], server: str
) -> None:
    page = opened("#/vox", prefs=PREFS, width=PHONE)
    talk = Conversation(page)
    assert talk.call("start_guided_tour", {"page": "settings"})["success"] is True
    expect(page).to_have_url(f"{server}/#/settings")
    card = page.get_by_role("dialog", name="Settings Tour")
    expect(card).to_contain_text("1 of 5")
    for _ in range(2):
        card.get_by_role("button", name="Next").click()
    card.get_by_role("button", name="Back").click()
    expect(card).to_contain_text("2 of 5")
    box = card.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE["width"]
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)


def test_every_step_of_every_tour_has_something_to_show(opened: Callable[..., Page]) -> None:
    page = opened(reduced_motion="reduce", prefs={"tourSpeech": False})
    missing = []
    for each in PAGES:
        page.goto(f"/#/{each.id}")
        page.locator(f"main .page-{each.id}").wait_for()
        tour_button(page).click()
        card = page.locator(".tour-card")
        for number, step in enumerate(steps_of(each.id), 1):
            expect(card).to_contain_text(f"{number} of")
            page.locator(".tour-light, .tour-card .hint:text('not on the page')").wait_for()
            if page.locator(".tour-light").count() == 0:
                missing.append(f"{each.id}: {step['target']}")
            page.keyboard.press("ArrowRight")
        expect(card).to_have_count(0)
    assert missing == []


# -- kept out for a while --------------------------------------------------------------------------


def test_a_blocked_person_sees_how_long_and_talks_again_afterwards(
    browser: Browser, tmp_path: Path
) -> None:
    with serving(tmp_path) as address:
        args = {"duration_seconds": 30, "farewell_message": "Let us talk later."}
        assert asked(address, "/api/tools/ignore_user/call", {"args": args})["ok"] is True
        context = browser.new_context(base_url=address)
        context.set_default_timeout(15_000)
        page = context.new_page()
        page.clock.install()
        page.goto("/#/vox")
        box = page.get_by_role("textbox", name="Message", exact=True)
        box.fill("Hello?")
        box.press("Enter")
        banner = page.get_by_role("complementary", name="Paused")
        expect(banner.get_by_role("timer")).to_have_text(re.compile(r"0:[0-3]\d"))
        expect(banner).to_contain_text("paused")
        assert findings(page) == []
        box.fill("Hello again?")
        expect(page.get_by_role("button", name="Send")).to_be_disabled()
        page.clock.fast_forward(31_000)
        expect(banner).to_have_count(0)
        expect(page.get_by_role("button", name="Send")).to_be_enabled()
        context.close()


@pytest.mark.parametrize("theme", THEMES)
def test_nothing_over_the_pages_has_serious_findings(
    opened: Callable[..., Page], server: str, theme: str
) -> None:
    waiting_event(server, f"Seen in {theme}")
    page = opened("#/settings", prefs={"theme": theme}, width=PHONE)
    page.keyboard.press("Control+k")
    page.keyboard.type("s")
    expect(options(page).first).to_be_visible()
    assert findings(page) == []
    page.keyboard.press("Escape")
    notices(page).get_by_role("button", name="Review").last.click()
    expect(dialog(page)).to_be_visible()
    assert findings(page) == []
    wide = page.evaluate("document.querySelector('.confirm').getBoundingClientRect().right")
    assert wide <= PHONE["width"]
    dialog(page).get_by_role("button", name="Deny").click()
    tour_button(page).click()
    page.locator(".tour-light").wait_for()
    assert findings(page) == []
