"""The calendar in a browser: events made, seen, changed and deleted, free time, and files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.console import looks
from tests.console.conftest import PHONE, Watch, go

from antiphon.workspace.tours import Tours

# Chromium writes a line for every answer that is no success; refusals are provoked here.
REFUSED = "the server responded with a status of 4"
ZONE = "Europe/Berlin"
DAY = "2031-03-12"  # a Wednesday


@pytest.fixture
def calendar(opened: Callable[..., Page]) -> Iterator[Callable[..., Page]]:
    """Opens the calendar for somebody in Berlin; nothing is left in it."""
    pages: list[Page] = []

    def there(at: str, **options: Any) -> Page:
        page = opened(f"#/calendar/{at}", timezone_id=ZONE, locale="en-GB", **options)
        pages.append(page)
        return page

    yield there
    ask = "/api/calendar/events?start=2031-02-01&end=2031-04-30"
    for event in pages[0].request.get(ask).json()["events"]:
        pages[0].request.delete(f"/api/calendar/events/{quote(event['id'], safe='')}")


def make(page: Page, title: str, start: str, end: str, **more: Any) -> None:
    body = {"title": title, "start_time": start, "end_time": end, "time_zone": ZONE, **more}
    reply = page.request.post("/api/calendar/events", data=body)
    assert reply.ok, reply.text()
    # What is made behind the page's back is seen when one comes back to it.
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def events(page: Page) -> list[tuple[str, str]]:
    ask = f"/api/calendar/events?start=2031-02-01&end=2031-04-30&time_zone={ZONE}"
    found = page.request.get(ask).json()["events"]
    return [(event["title"], event["start"]) for event in found]


def cell(page: Page, day: str) -> Locator:
    return page.locator(f"[data-cell='{day}']")


def chip(page: Page, title: str) -> Locator:
    return page.locator(".cal-chip").filter(has_text=title)


# -- by keyboard -----------------------------------------------------------------------------------


def test_a_month_is_walked_and_an_event_made_with_the_keyboard_alone(
    calendar: Callable[..., Page],
) -> None:
    page = calendar(f"month/{DAY}")
    cell(page, DAY).focus()
    for key, day in (
        ("ArrowRight", "2031-03-13"),
        ("ArrowDown", "2031-03-20"),
        ("Home", "2031-03-17"),
        ("End", "2031-03-23"),
        ("PageDown", "2031-04-23"),
        ("Shift+PageUp", "2030-04-23"),
        ("Shift+PageDown", "2031-04-23"),
        ("PageUp", "2031-03-23"),
        ("ArrowUp", "2031-03-16"),
        ("ArrowLeft", "2031-03-15"),
    ):
        page.keyboard.press(key)
        expect(cell(page, day)).to_be_focused()
        expect(page).to_have_url(re.compile(f"#/calendar/month/{day}$"))
    expect(page.locator("[role=gridcell][tabindex='0']")).to_have_count(1)

    page.keyboard.press("Enter")
    expect(page.get_by_label("Title")).to_be_focused()
    expect(page.get_by_label("Starts", exact=True)).to_have_value("2031-03-15")
    page.keyboard.type("Picnic")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(chip(page, "Picnic")).to_be_visible()
    assert events(page) == [("Picnic", "2031-03-15T09:00:00+01:00")]

    # Into the cell, out of it again, and to the event.
    cell(page, "2031-03-15").focus()
    page.keyboard.press("Enter")
    expect(chip(page, "Picnic")).to_be_focused()
    page.keyboard.press("Escape")
    expect(cell(page, "2031-03-15")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Picnic")
    expect(dialog).to_contain_text("09:00")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_a_week_is_walked_by_hours(calendar: Callable[..., Page]) -> None:
    page = calendar(f"week/{DAY}")
    make(page, "Tea", f"{DAY}T10:30", f"{DAY}T11:30")
    expect(chip(page, "Tea")).to_be_visible()
    cell(page, f"{DAY} 9").focus()
    page.keyboard.press("ArrowDown")
    expect(cell(page, f"{DAY} 10")).to_be_focused()
    page.keyboard.press("Enter")
    expect(chip(page, "Tea")).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Start time")).to_have_value("10:00")
    page.keyboard.press("Escape")
    cell(page, "2031-03-13 10").focus()
    page.keyboard.press("Home")
    expect(cell(page, "2031-03-13 -1")).to_be_focused()
    page.keyboard.press("PageDown")
    expect(cell(page, "2031-03-20 -1")).to_be_focused()
    # Somebody quick is ahead of the page.
    for key in ("PageDown", "ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_label("Starts", exact=True)).to_have_value("2031-03-28")
    expect(page.get_by_label("Start time")).to_have_value("00:00")


# -- changing --------------------------------------------------------------------------------------


def test_what_is_in_the_way_is_shown_and_may_be_overlapped(
    calendar: Callable[..., Page], watch: Watch
) -> None:
    watch.expected.append(REFUSED)
    page = calendar(f"week/{DAY}?new={DAY}T10:30")
    make(page, "Tea", f"{DAY}T10:00", f"{DAY}T11:00")
    form = page.get_by_role("dialog", name="New event")
    form.get_by_label("Title").fill("Coffee")
    form.get_by_role("button", name="Create event").click()
    expect(form.get_by_role("alert")).to_contain_text("That time is taken")
    expect(form.get_by_role("alert")).to_contain_text("Tea, Wed")
    form.get_by_role("button", name="Save anyway").click()
    expect(chip(page, "Coffee")).to_have_attribute("aria-label", re.compile("Overlaps with Tea"))

    # Times that cannot be are refused where they stand, in words.
    chip(page, "Coffee").click()
    page.get_by_role("button", name="Edit", exact=True).click()
    form = page.get_by_role("dialog", name="Edit event")
    form.get_by_label("End time").fill("09:00")
    form.get_by_role("button", name="Save").click()
    expect(form).to_contain_text("The event ends before it starts")
    form.get_by_label("Starts", exact=True).fill("2031-03-30")
    form.get_by_label("Start time").fill("02:30")
    form.get_by_role("button", name="Save").click()
    expect(form).to_contain_text("does not exist in Europe/Berlin: the clocks go forward over it")
    form.get_by_label("Start time").fill("12:30")
    form.get_by_label("Time zone").fill("Europe/Atlantis")
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_label("Time zone")).to_have_attribute("aria-invalid", "true")
    form.get_by_label("Time zone").fill("America/New_York")
    form.get_by_role("button", name="Save").click()
    expect(form).to_have_count(0)
    assert ("Coffee", "2031-03-30T18:30:00+02:00") in events(page)


def test_a_series_is_changed_at_one_time_and_as_a_whole(calendar: Callable[..., Page]) -> None:
    page = calendar(f"month/{DAY}?new={DAY}T09:00")
    form = page.get_by_role("dialog", name="New event")
    form.get_by_label("Title").fill("Rehearsal")
    form.get_by_label("Repeats").select_option(label="Every week on Wednesday")
    form.get_by_label("Until").select_option("count")
    form.get_by_label("Number of times").fill("3")
    form.get_by_role("button", name="Create event").click()
    expect(chip(page, "Rehearsal")).to_have_count(3)

    chip(page, "Rehearsal").nth(1).click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Every week on Wednesday, 3 times")
    dialog.get_by_role("button", name="Edit occurrence").click()
    page.get_by_label("Start time").fill("15:00")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert [start[5:16] for _, start in events(page)] == [
        *("03-12T09:00", "03-19T15:00", "03-26T09:00"),
    ]
    chip(page, "Rehearsal").nth(2).click()
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("button", name="Cancel")).to_be_focused()
    page.get_by_role("button", name="Delete occurrence").click()
    expect(chip(page, "Rehearsal")).to_have_count(2)

    chip(page, "Rehearsal").nth(0).click()
    page.get_by_role("button", name="Edit series").click()
    page.get_by_label("Title").fill("Choir")
    page.get_by_label("Start time").fill("08:00")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("follow the series again")).to_be_visible()
    expect(chip(page, "Choir")).to_have_count(3)
    chip(page, "Choir").nth(0).click()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete series").click()
    expect(chip(page, "Choir")).to_have_count(0)
    assert events(page) == []


def test_whole_days_are_days_wherever_one_is(calendar: Callable[..., Page]) -> None:
    page = calendar(f"month/{DAY}?new={DAY}")
    form = page.get_by_role("dialog")
    form.get_by_label("Title").fill("Fair")
    form.get_by_label("All day").check()
    expect(form.get_by_label("Show as")).to_have_value("free")
    form.get_by_label("Last day").fill("2031-03-14")
    form.get_by_role("button", name="Create event").click()
    for day in ("2031-03-12", "2031-03-13", "2031-03-14"):
        expect(cell(page, day).locator(".cal-chip")).to_have_count(1)
    assert events(page) == [("Fair", "2031-03-12")]


# -- finding time, and files -----------------------------------------------------------------------


def test_free_time_is_found_and_taken(calendar: Callable[..., Page]) -> None:
    page = calendar(f"agenda/{DAY}")
    make(page, "Tea", f"{DAY}T10:00", f"{DAY}T16:00")
    finder = page.locator("[data-tour=calendar-availability]")
    finder.get_by_label("From", exact=True).fill(DAY)
    finder.get_by_label("To", exact=True).fill(DAY)
    finder.get_by_label("Duration").select_option("60")
    finder.get_by_role("button", name="Find times").click()
    slots = finder.locator(".cal-slot-button")
    expect(slots).to_have_count(2)
    expect(slots.nth(1)).to_contain_text("16:00 – 17:00")
    slots.nth(1).click()
    expect(page.get_by_label("Start time")).to_have_value("16:00")
    page.get_by_label("Title").fill("Walk")
    page.get_by_role("button", name="Create event").click()
    expect(page.get_by_role("button", name=re.compile("Walk"))).to_be_visible()


def test_a_file_is_brought_in_and_taken_out(
    calendar: Callable[..., Page], watch: Watch, tmp_path: Path
) -> None:
    watch.expected.append(REFUSED)
    page = calendar(f"agenda/{DAY}")
    good = "BEGIN:VEVENT\r\nUID:g\r\nSUMMARY:Good one\r\nDTSTART:20310312T100000Z\r\nEND:VEVENT\r\n"
    bad = good.replace("UID:g", "UID:b").replace("Good one", "Bad one")
    bad = bad.replace("END:VEVENT", "RRULE:FREQ=NEVER\r\nEND:VEVENT")
    file = tmp_path / "both.ics"
    file.write_bytes(f"BEGIN:VCALENDAR\r\n{good}{bad}END:VCALENDAR\r\n".encode())
    page.get_by_role("button", name="Import and export").click()
    dialog = page.get_by_role("dialog", name="Calendar files")
    dialog.get_by_label("Import a file").set_input_files(file)
    dialog.get_by_role("button", name="Import into primary").click()
    expect(dialog.get_by_role("table")).to_contain_text("Bad one")
    expect(dialog.get_by_role("table")).to_contain_text("NEVER")
    expect(dialog.get_by_role("cell", name="7", exact=True)).to_be_visible()
    dialog.get_by_role("button", name="Import the valid ones").click()
    expect(dialog.get_by_role("status")).to_contain_text("1 added")
    with page.expect_download() as download:
        dialog.get_by_role("link", name="Export primary").click()
    assert download.value.suggested_filename == "primary.ics"
    written = Path(str(download.value.path())).read_text()
    assert "SUMMARY:Good one" in written
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name=re.compile("Good one"))).to_be_visible()


# -- everywhere ------------------------------------------------------------------------------------


def test_a_phone_begins_with_the_agenda_and_shows_the_day_below_the_month(
    calendar: Callable[..., Page],
) -> None:
    page = calendar("", width=PHONE)
    expect(page.get_by_role("tab", name="Agenda")).to_have_attribute("aria-selected", "true")
    make(page, "Tea", f"{DAY}T10:00", f"{DAY}T11:00")
    page.goto(f"/#/calendar/month/{DAY}")
    below = page.get_by_role("region", name=re.compile("12 March 2031"))
    below.get_by_role("button", name=re.compile("Tea")).click()
    expect(page.get_by_role("dialog", name="Tea")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("tab", name="Week").click()
    expect(page.get_by_role("columnheader")).to_have_count(4)


def test_a_link_leads_to_an_event(calendar: Callable[..., Page], watch: Watch) -> None:
    watch.expected.append(REFUSED)
    page = calendar(f"month/{DAY}")
    make(page, "Tea", f"{DAY}T10:00", f"{DAY}T11:00", description="With *cake*.")
    chip(page, "Tea").click()
    expect(page.get_by_role("dialog").locator("em")).to_have_text("cake")
    expect(page).to_have_url(re.compile("event="))
    link = page.url
    go(page, "vox")
    page.goto(link)
    expect(page.get_by_role("dialog", name="Tea")).to_be_visible()
    page.goto("/#/calendar/month?event=primary:none")
    expect(page.get_by_role("dialog")).to_contain_text("There is no such event")


def test_the_tour_finds_what_it_points_at(calendar: Callable[..., Page]) -> None:
    page = calendar("")
    for step in Tours().get("calendar")[1]["steps"]:
        expect(page.locator(step["target"]), step["target"]).to_be_visible()


def test_full_views_are_for_everybody(calendar: Callable[..., Page]) -> None:
    page = calendar(f"month/{DAY}", width=PHONE)
    make(page, "Tea", f"{DAY}T10:00", f"{DAY}T11:00", calendar="team")
    make(page, "Cake", f"{DAY}T10:30", f"{DAY}T10:45", status="tentative", allow_overlap=True)
    days = {"all_day": True, "status": "free", "calendar": "personal"}
    make(page, "Fair", DAY, "2031-03-14", **days)
    for view in ("month", "week", "agenda"):
        go(page, f"calendar/{view}/{DAY}")
        expect(page.get_by_role("button", name=re.compile("Fair")).first).to_be_visible()
        looks.check(page, view)
    go(page, f"calendar/week/{DAY}?new={DAY}T10:00")
    expect(page.get_by_role("dialog")).to_be_visible()
    looks.check(page, "the form")
