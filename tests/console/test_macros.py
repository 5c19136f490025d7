"""The macros page: building, checking, running and keeping macros."""

from __future__ import annotations

import json
import wave
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect
from tests.console import looks
from tests.console.conftest import PHONE, Watch

from antiphon.speech.hibari import Hibari
from antiphon.speech.ports import OUTPUT_RATE

# A machine that is busy takes its time to understand.
HEARD_MS = 60_000
ASKS_BUILT_IN = True
# Chromium writes a line for every answer that is no success; refusals are provoked here.
REFUSED = "the server responded with a status of 4"


def step(page: Page, number: int) -> Locator:
    return page.locator(f"[data-step='{number}']")


def choose(page: Page, number: int, function: str) -> None:
    picker = step(page, number).get_by_role("combobox", name="Function")
    picker.fill(function)
    picker.press("Enter")
    expect(picker).to_have_value(function)


def saved(page: Page, phrase: str, *steps: Any, **more: Any) -> str:
    body = {"name": phrase.title(), "trigger_phrase": phrase, "steps": list(steps), **more}
    reply = page.request.post("/api/vox/macros", data=body)
    assert reply.ok, reply.text()
    made: str = reply.json()["macro"]["id"]
    return made


def test_a_macro_is_built_tried_saved_and_run_with_the_keyboard_alone(page: Page) -> None:
    page.goto("/#/macros")
    before = page.request.get("/api/vox/macros").json()["count"]
    page.get_by_label("Name").focus()
    page.keyboard.type("Who leads")
    page.keyboard.press("Tab")
    page.keyboard.type("Who leads what!")
    step(page, 1).get_by_role("combobox", name="Function").focus()
    page.keyboard.type("search_kg")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    step(page, 1).get_by_label("database_id", exact=True).focus()
    page.keyboard.type("studio")
    step(page, 1).get_by_label("query", exact=True).focus()
    page.keyboard.type("automation")
    page.get_by_role("button", name="Add step").focus()
    page.keyboard.press("Enter")
    expect(step(page, 2).get_by_role("combobox", name="Function")).to_be_focused()
    page.keyboard.type("query_kg")
    page.keyboard.press("Enter")
    step(page, 2).get_by_label("database_id", exact=True).focus()
    page.keyboard.type("studio")
    # What a step gives is known when it was tested, and can be chosen from.
    step(page, 1).get_by_role("button", name="Test this step").press("Enter")
    expect(step(page, 1).get_by_role("group", name="Test of step 1")).to_contain_text("Succeeded")
    step(page, 2).get_by_role("button", name="Use a value").press("Enter")
    value = step(page, 2).get_by_label("Value", exact=True)
    expect(value.locator("option[value='results/0/title']")).to_contain_text('"')
    value.select_option("results/0/title")
    step(page, 2).get_by_label("Into field").select_option("query")
    expect(step(page, 2).locator("[data-at='/query']")).to_contain_text("from step 1")
    page.get_by_role("button", name="Dry run").press("Enter")
    plan = page.locator(".macros-plan")
    expect(plan).to_contain_text("No gate would stop any of these steps.")
    expect(plan).to_contain_text("<step 1: results/0/title>")
    assert page.request.get("/api/vox/macros").json()["count"] == before
    expect(page.get_by_text("it would be refused")).to_have_count(0)
    page.get_by_role("button", name="Save and run").press("Enter")
    run = page.locator(".flow-run")
    expect(run.locator("[data-status=done]")).to_have_count(2)
    run.get_by_role("button", name="Details").first.press("Enter")
    expect(run.locator(".flow-given")).to_contain_text("Passed")
    expect(run.get_by_role("table").first).to_be_visible()
    run.get_by_text("Event log").click()
    expect(run.get_by_role("row").filter(has_text="Step 2 (query_kg) finished")).to_be_visible()
    expect(page.locator(".flow-history")).to_contain_text("Succeeded")
    # It is at an address of its own, with its steps as they are.
    expect(page.get_by_role("link", name="Who leads")).to_have_attribute("aria-current", "true")
    page.reload()
    expect(page.get_by_label("Trigger phrase")).to_have_value("who leads what")
    expect(step(page, 2)).to_contain_text("query: from step 1")


def test_every_function_is_offered_and_where_the_phrase_works_is_said(page: Page) -> None:
    page.goto("/#/macros/new")
    picker = step(page, 1).get_by_role("combobox", name="Function")
    picker.fill("extract_contacts")
    other = step(page, 1).get_by_role("option", name="extract_contacts")
    expect(other).to_contain_text("Not by voice")
    # What one types is looked for in the descriptions, too.
    picker.fill("time in a city")
    expect(step(page, 1).get_by_role("option", name="format_datetime")).to_be_enabled()
    # What the catalogue has is filled in by its own form, whatever runs it.
    picker.fill("semver_compare")
    picker.press("Enter")
    expect(picker).to_have_value("semver_compare")
    expect(step(page, 1).get_by_label("params")).to_have_count(0)
    page.get_by_label("Name").fill("Newer")
    page.get_by_label("Trigger phrase").fill("which is newer")
    step(page, 1).get_by_label("version", exact=True).fill("1.2.0")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    kept = page.request.get("/api/vox/macros").json()["macros"]
    (made,) = [each for each in kept if each["trigger_phrase"] == "which is newer"]
    (call,) = made["steps"]
    assert (call["function"], call["args"]["tool_id"]) == ("run_tool", "semver_compare")
    assert call["args"]["params"]["version"] == "1.2.0"
    page.reload()
    expect(step(page, 1)).to_contain_text("semver_compare")
    # One that was saved elsewhere says what would become of it.
    macro = saved(page, "look it up here", {"function": "extract_contacts", "args": {"text": "x"}})
    page.goto(f"/#/macros/{macro}")
    expect(page.locator(".macros-hint")).to_contain_text("extract_contacts")


def test_what_the_server_finds_wrong_is_said_at_its_step_and_field(
    page: Page, watch: Watch
) -> None:
    watch.expected.append(REFUSED)
    page.goto("/#/macros/new")
    choose(page, 1, "list_kgs")
    page.get_by_role("button", name="Add step").click()
    choose(page, 2, "search_kg")
    step(page, 2).get_by_label("query", exact=True).fill("x")
    step(page, 2).get_by_role("button", name="Use a value").click()
    step(page, 2).get_by_label("Into field").select_option("Other path…")
    step(page, 2).get_by_label("Into field").fill("colour")
    page.get_by_role("button", name="Step 1:").click()  # closed, and opened by an error
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_label("Name")).to_be_focused()
    expect(page.get_by_text("is empty").first).to_be_visible()
    page.get_by_label("Name").fill("Broken")
    page.get_by_label("Trigger phrase").fill("broken one")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(step(page, 2).locator("[data-at='/database_id'] .wrong")).to_contain_text("is missing")
    expect(step(page, 2)).to_contain_text("search_kg has no parameter 'colour'")
    expect(step(page, 1)).not_to_contain_text("problem")
    # A value that waits its turn is not missing any more.
    step(page, 2).get_by_label("Into field").select_option("Automatic")
    expect(step(page, 2).locator(".wrong")).to_have_count(0)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("link", name="Broken")).to_be_visible()
    # A phrase that another macro has is said at the phrase.
    page.goto("/#/macros/new")
    page.get_by_label("Name").fill("Other")
    page.get_by_label("Trigger phrase").fill("broken one")
    choose(page, 1, "list_kgs")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("belongs to another macro")).to_be_visible()
    page.get_by_role("button", name="Discard changes").click()


def test_a_draft_is_kept_when_one_goes_away_and_says_so(page: Page) -> None:
    macro = saved(page, "tell the time", {"function": "list_projects"})
    page.goto(f"/#/macros/{macro}")
    page.get_by_label("Name").fill("Tell me more")
    expect(page.get_by_text("Unsaved changes")).to_be_visible()
    page.get_by_role("button", name="Add step").click()
    choose(page, 2, "search_kg")
    step(page, 2).get_by_label("limit", exact=True).fill("many")
    page.get_by_role("link", name="Tools", exact=True).click()
    expect(page.get_by_label("Search tools")).to_be_visible()
    page.go_back()
    page.reload()
    expect(page.get_by_label("Name")).to_have_value("Tell me more")
    expect(page.get_by_role("link", name="Tell The Time")).to_contain_text("Unsaved")
    page.get_by_role("button", name="Step 2:").click()
    expect(step(page, 2).get_by_label("limit", exact=True)).to_have_value("many")
    # What is no value yet is not sent.
    page.get_by_role("button", name="Dry run").click()
    expect(step(page, 2)).to_contain_text("limit is not a number")
    # Steps that are moved take what belongs to them along.
    step(page, 2).get_by_role("button", name="Move step 2 up").click()
    expect(step(page, 1)).to_contain_text("search_kg")
    expect(step(page, 1).get_by_role("button", name="Move step 1 down")).to_be_focused()
    page.get_by_role("button", name="Discard changes").click()
    expect(page.get_by_label("Name")).to_have_value("Tell The Time")
    expect(page.locator("[data-step]")).to_have_count(1)


def test_somebody_quick_loses_nothing_while_a_function_is_looked_up(page: Page) -> None:
    page.goto("/#/macros/new")
    held: list[Route] = []
    page.route("**/api/tools/search_kg", lambda route: held.append(route))
    step(page, 1).get_by_role("combobox", name="Function").fill("search_kg")
    with page.expect_request("**/api/tools/search_kg"):
        page.keyboard.press("Enter")
    page.get_by_role("button", name="Add step").press("Enter")
    page.keyboard.type("list_kgs")
    page.keyboard.press("Enter")
    page.get_by_label("Name").fill("In a hurry")
    held[0].continue_()
    expect(step(page, 1).get_by_label("query", exact=True)).to_be_visible()
    expect(step(page, 1)).to_contain_text("search_kg")
    expect(step(page, 2)).to_contain_text("list_kgs")
    expect(page.get_by_label("Name")).to_have_value("In a hurry")
    page.get_by_role("button", name="Discard changes").click()


def test_a_step_that_asks_first_waits_in_the_run_until_a_person_answers(page: Page) -> None:
    event = {
        "title": "Stand-up",
        "start_time": "2031-05-06T08:00:00Z",
        "end_time": "2031-05-06T08:15:00Z",
        "attendees": ["ada@example.org"],
    }
    macro = saved(
        page,
        "plan the day",
        {"function": "list_projects"},
        {"function": "calendar_create_event", "args": event},
        {"function": "list_kgs"},
    )
    page.goto(f"/#/macros/{macro}")
    page.get_by_role("button", name="Dry run").click()
    expect(page.locator(".macros-plan")).to_contain_text("Would ask you")
    run = page.locator(".flow-run")
    states = [
        ("Deny", ["done", "waiting", "pending"], "Stopped"),
        ("Approve", ["done", "done", "done"], "Succeeded"),
    ]
    for answer, steps, ends in states:
        page.get_by_role("button", name="Run", exact=True).click()
        dialog = page.get_by_role("alertdialog")
        expect(dialog).to_contain_text("Stand-up")
        dialog.get_by_role("button", name=answer).click()
        expect(run.locator(".flow-head .badge").first).to_have_text(ends)
        for place, state in enumerate(steps):
            expect(run.locator("li[data-status]").nth(place)).to_have_attribute(
                "data-status", state
            )
    # What was approved was done once, and the steps after it as well.
    expect(run.locator("li[data-status]").nth(0)).to_contain_text("Kept from the earlier run")


def test_two_tabs_that_change_one_macro_lose_nothing(page: Page, watch: Watch) -> None:
    watch.expected.append(REFUSED)
    macro = saved(page, "for two", {"function": "list_kgs"})
    page.goto(f"/#/macros/{macro}")
    page.get_by_label("Name").fill("Mine")
    body = {"id": macro, "name": "Theirs", "trigger_phrase": "for two"}
    steps = [{"function": "list_projects"}]
    assert page.request.post("/api/vox/macros", data={**body, "steps": steps}).ok
    page.get_by_role("button", name="Save", exact=True).click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Changed meanwhile")
    dialog.get_by_role("button", name="Keep mine as a copy").click()
    expect(page.get_by_label("Name")).to_have_value("Mine copy")
    page.get_by_role("button", name="Discard changes").click()
    expect(page.get_by_role("link", name="Theirs")).to_be_visible()


def test_macros_are_copied_exported_imported_and_deleted(
    page: Page, watch: Watch, tmp_path: Path
) -> None:
    watch.expected.append(REFUSED)
    macro = saved(page, "one to keep", {"function": "list_kgs"})
    page.goto(f"/#/macros/{macro}")
    page.get_by_role("button", name="Make a copy").click()
    expect(page.get_by_label("Name")).to_have_value("One To Keep copy")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("link", name="One To Keep copy")).to_be_visible()
    page.goto(f"/#/macros/{macro}")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export", exact=True).click()
    kept = json.loads(Path(download.value.path()).read_text())
    assert kept["trigger_phrase"] == "one to keep"
    assert "id" not in kept
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_role("link", name="“one to keep”")).to_have_count(0)
    file = tmp_path / "macro.json"
    file.write_text(json.dumps(kept))
    page.get_by_role("button", name="Import").click()
    page.get_by_label("Choose a file").set_input_files(file)
    page.get_by_role("dialog").get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_label("Trigger phrase")).to_have_value("one to keep")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("link", name="“one to keep”")).to_be_visible()
    # Several at once: those that can be saved are, and the others say why not.
    page.get_by_role("button", name="Import").click()
    several = [kept, {**kept, "name": "Two", "trigger_phrase": "two to keep"}]
    page.get_by_label("or paste JSON").fill(json.dumps({"macros": several}))
    page.get_by_role("dialog").get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_role("dialog")).to_contain_text("belongs to the macro")
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="“two to keep”")).to_be_visible()
    page.goto("/#/macros/ffffffff")
    expect(page.get_by_text("There is no macro ffffffff")).to_be_visible()


def test_the_builder_is_for_everybody(opened: Callable[..., Page]) -> None:
    page = opened("#/macros/new", width=PHONE)
    page.get_by_role("button", name="Find and tell").click()
    page.get_by_role("button", name="Step 2:").click()
    page.get_by_role("button", name="Dry run").click()
    expect(page.locator(".macros-plan")).to_be_visible()
    step(page, 2).get_by_role("combobox", name="Function").fill("search")
    looks.check(page, "the builder")


@pytest.fixture(scope="module")
def phrase(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The trigger phrase after a second, and once more: the first may fall into a greeting."""
    path = tmp_path_factory.mktemp("spoken") / "phrase.wav"
    spoken = b"".join(Hibari().speak("Good morning, everybody!"))
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(OUTPUT_RATE)
        pause = bytes(2 * OUTPUT_RATE)
        file.writeframes(pause + spoken + 8 * pause + spoken + 3 * pause)
    return path


def test_a_macro_is_run_by_its_phrase_spoken_into_the_microphone(
    opened: Callable[..., Page], launch: Callable[..., Browser], phrase: Path
) -> None:
    page = opened("#/vox", browser=launch(phrase))
    search = {"function": "search_kg", "args": {"query": "Harbor Light"}, "pipe_from": 1}
    leave = {"function": "navigate_page", "args": {"path": "macros"}}
    saved(page, "good morning everybody", {"function": "list_kgs"}, search, leave)
    page.get_by_role("button", name="Talk", exact=True).click()
    # The last step is one for the browser itself: the person ends up on the page of macros.
    macro = page.get_by_role("link", name="“good morning everybody”")
    expect(macro).to_be_visible(timeout=HEARD_MS)
    page.go_back()
    transcript = page.get_by_role("region", name="Transcript")
    expect(transcript).to_contain_text("Good Morning Everybody is done")
    page.get_by_role("button", name="Hang up").click()
    lines = page.request.get("/api/audit?event=tool_execution&newest_first=true&limit=20").json()
    ran = [line["toolId"] for line in lines["lines"] if line["mode"] == "voice"]
    assert {"list_kgs", "search_kg", "navigate_page"} <= set(ran)
