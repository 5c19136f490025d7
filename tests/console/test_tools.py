"""The tools page: finding a tool, reading what it is, and trying it."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect
from tests.console import looks
from tests.console.conftest import PHONE, Watch

# Chromium writes a line for every answer that is no success; refusals are provoked here.
REFUSED = "the server responded with a status of 4"


def press_try(page: Page) -> None:
    page.get_by_role("button", name="Try it", exact=True).click()


def outcome(page: Page) -> Locator:
    return page.get_by_role("region", name="Result", exact=True)


def field(page: Page, pointer: str) -> Locator:
    """The control of an argument."""
    return page.locator(f"[data-at='{pointer}']").locator("input, select, textarea").first


def test_search_and_filters_narrow_the_list_and_are_in_the_address(page: Page) -> None:
    page.goto("/#/tools")
    listed = page.locator("[data-tour=tools-list] a")
    count = page.locator(".tools-count")
    expect(count).to_have_text(re.compile(r"^\d+ tools$"))
    everything = listed.count()
    assert everything > 100
    page.get_by_label("Search tools").fill("knowledge graph")
    expect(listed.first).to_be_visible()
    assert 0 < listed.count() < 15
    expect(page).to_have_url(re.compile(r"q=knowledge\+graph"))
    page.get_by_label("Search tools").fill("")
    page.get_by_role("group", name="Category").get_by_role("button", name="Action").click()
    page.get_by_text("More filters and sorting").click()
    page.get_by_label("Confirmation").select_option("asks")
    expect(listed.first).to_contain_text("calendar_create_event")
    expect(page).to_have_url(re.compile("category=action.*confirm=asks"))
    page.reload()
    expect(page.locator(".tools-count")).to_contain_text(f"of {everything} tools")
    expect(page.get_by_label("Confirmation")).to_have_value("asks")
    page.get_by_role("button", name="Clear").click()
    expect(listed).to_have_count(everything)
    page.get_by_label("Search tools").fill("no such thing at all")
    expect(page.get_by_text("No matching tools")).to_be_visible()


def test_a_tool_is_found_and_tried_with_the_keyboard_alone(page: Page) -> None:
    page.goto("/#/tools")
    page.get_by_label("Search tools").focus()
    page.keyboard.type("percentage")
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-tour=tools-list] a").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="percentage", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile(r"/tools/percentage\?q=percentage"))
    # From the list to the form it is five steps at most, whichever tool was chosen.
    at = "document.activeElement.closest('[data-at]')?.dataset.at"
    for _ in range(5):
        page.keyboard.press("Tab")
        if page.evaluate(at) is not None:
            break
    assert page.evaluate(at) == "/question"
    page.keyboard.type("of")
    for pointer, number in (("/a", "15"), ("/b", "20")):
        page.keyboard.press("Tab")
        assert page.evaluate(at) == pointer
        page.keyboard.type(number)
    page.keyboard.press("Enter")
    expect(outcome(page)).to_contain_text("done")
    expect(outcome(page).locator("dd").first).to_contain_text("3")


def test_what_is_wrong_is_said_at_its_field_and_a_right_call_gives_a_table(
    page: Page, watch: Watch
) -> None:
    watch.expected.append(REFUSED)
    page.goto("/#/tools/kb_search")
    press_try(page)
    query = field(page, "/query")
    expect(page.locator("[data-at='/query'] .wrong")).to_have_text("query is missing")
    expect(query).to_be_focused()
    expect(outcome(page)).to_contain_text("VALIDATION")
    expect(outcome(page)).to_contain_text("decision refuse, rule arguments")
    field(page, "/top_k").fill("many")
    expect(page.locator("[data-at='/top_k'] .wrong")).to_have_text("top_k is not a number")
    field(page, "/top_k").fill("2")
    query.fill("automation")
    expect(page.locator(".wrong")).to_have_count(0)
    press_try(page)
    expect(outcome(page).get_by_role("row")).to_have_count(3)
    expect(outcome(page)).to_contain_text("decision run, rule run")
    # The numbers of the tool are those of this call.
    expect(page.get_by_role("region", name="Recent calls")).to_contain_text("VALIDATION")
    page.get_by_role("tab", name="Envelope").click()
    expect(page.get_by_label("Envelope", exact=True)).to_contain_text('"ok": true')
    # Its line of the audit is the one that is opened.
    link = outcome(page).get_by_role("link", name=re.compile(r"audit line \d+"))
    number = link.inner_text().removeprefix("audit line ")
    link.click()
    line = page.locator(".drawer")
    expect(line.get_by_role("heading", name=f"Line {number}", exact=True)).to_be_visible()
    expect(line).to_contain_text("kb_search")


def test_the_same_key_replays_and_a_new_key_runs_again(page: Page, watch: Watch) -> None:
    watch.expected.append(REFUSED)
    page.goto('/#/tools/create_project?args={"name":"Lighthouse"}')
    expect(field(page, "/name")).to_have_value("Lighthouse")
    expect(page).not_to_have_url(re.compile("args"))
    press_try(page)
    expect(outcome(page)).to_contain_text("done")
    page.get_by_text("Calls in this visit (1)").click()
    page.get_by_role("button", name="Replay").click()
    expect(outcome(page)).to_contain_text("nothing ran again")
    expect(outcome(page)).to_contain_text("decision replay, rule duplicate")
    page.get_by_role("button", name="Run again").last.click()
    expect(page.get_by_text("Calls in this visit (3)")).to_be_visible()
    # It did: there is a project of that name by now.
    expect(outcome(page)).to_contain_text("CONFLICT")


def test_a_person_approves_or_denies_what_a_tool_asks_for(page: Page, watch: Watch) -> None:
    watch.expected.append(REFUSED)
    page.goto("/#/tools/calendar_create_event")
    field(page, "/title").fill("Review")
    field(page, "/start_time").fill("2031-03-04T10:00:00Z")
    field(page, "/end_time").fill("2031-03-04T11:00:00Z")
    page.get_by_role("button", name="Add to attendees").click()
    field(page, "/attendees/0").fill("ada@example.org")
    for answer, word in (("Deny", "denied"), ("Approve", "done")):
        press_try(page)
        dialog = page.get_by_role("alertdialog")
        expect(dialog).to_contain_text("Review")
        expect(outcome(page)).to_contain_text("waiting for you")
        dialog.get_by_role("button", name=answer).click()
        expect(outcome(page).locator(".badge").first).to_have_text(word)
    expect(outcome(page)).to_contain_text("ada@example.org")


def test_a_mode_that_is_not_allowed_is_refused(page: Page, watch: Watch) -> None:
    watch.expected.append(REFUSED)
    tools = page.request.get("/api/tools").json()["tools"]
    name = next(tool["toolId"] for tool in tools if tool["allowedModes"] == ["text"])
    page.goto(f"/#/tools/{name}")
    page.get_by_label("voice (refused)").check()
    press_try(page)
    expect(outcome(page)).to_contain_text("MODE_RESTRICTED")
    expect(outcome(page)).to_contain_text("rule mode: the tool may not be used in this mode")


def test_pictures_background_work_and_functions_of_the_browser(page: Page, watch: Watch) -> None:
    watch.expected.append(REFUSED)
    page.goto("/#/tools/qr_code")
    field(page, "/text").fill("https://example.org")
    press_try(page)
    picture = outcome(page).get_by_role("img", name="svg")
    expect(picture).to_have_attribute("src", re.compile("^blob:"))
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    page.goto("/#/tools/ingest_to_kg")
    field(page, "/database_id").fill("studio")
    field(page, "/text").fill("Ada Lovelace leads the project Lighthouse.")
    press_try(page)
    expect(outcome(page)).to_contain_text("In the background: succeeded")
    page.goto("/#/tools/switch_theme")
    field(page, "/theme_id").select_option("dark")
    press_try(page)
    expect(outcome(page)).to_contain_text("runs in the browser, and none is connected")
    page.get_by_role("button", name="Run in this browser").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(outcome(page)).to_contain_text("passed no gates")


def test_a_tool_shows_its_guide_contract_schemas_and_losses(page: Page) -> None:
    page.goto("/#/tools/svg_chart?form=geminiNative")
    expect(page.get_by_role("tab", name="Gemini (")).to_have_attribute("aria-selected", "true")
    expect(page.locator(".tools-losses")).to_contain_text(
        "That other members are refused at series[]: not in the native form."
    )
    page.get_by_role("tab", name="Gemini (").press("ArrowRight")
    expect(page).to_have_url(re.compile("form=geminiJson"))
    expect(page.get_by_text("Nothing is lost in this form.")).to_be_visible()
    expect(
        page.locator("[data-tour=tools-guide]").get_by_role("heading", level=2)
    ).not_to_have_count(0)
    contract = page.get_by_role("table").filter(has_text="When interrupted")
    expect(contract.get_by_role("row", name="Digest")).to_contain_text(re.compile("[0-9a-f]{64}"))
    # What is made with the form can be handed on.
    page.get_by_role("group", name="Examples from the guide").get_by_role("button").first.click()
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    page.goto(copied)
    expect(field(page, "/kind")).not_to_have_value("")


def test_a_tool_that_does_not_exist_leads_to_the_nearest(page: Page, watch: Watch) -> None:
    watch.expected.append(REFUSED)
    page.goto("/#/tools/kb_serch")
    page.get_by_role("link", name="kb_search").last.click()
    expect(page.get_by_role("heading", name="kb_search")).to_be_visible()


def test_a_tool_s_page_is_for_everybody(opened: Callable[..., Page]) -> None:
    page = opened("#/tools/kb_search", width=PHONE)
    field(page, "/query").fill("automation")
    page.get_by_role("button", name="Add: filters").click()
    page.get_by_role("button", name="Add: tags").click()
    field(page, "/filters/tags/0").fill("active")
    press_try(page)
    expect(outcome(page)).to_contain_text("decision")
    looks.check(page, "a tool")
