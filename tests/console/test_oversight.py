"""Sessions, Audit and Metrics: what happened, why, and how fast, as people look at it."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Page, Route, expect
from tests.console import looks
from tests.console.conftest import DESKTOP, PHONE, Watch, go, serving

from antiphon.policy.rules import RULES
from antiphon.storage import Store

OLD_LINES = 2300
POLL_MS = 5_000  # the pages ask again after so long


def ask(address: str, path: str, body: Any = None, **headers: str) -> Any:
    """JSON over HTTP; the answer, whatever its status."""
    data = None if body is None else json.dumps(body).encode()
    sent = {"content-type": "application/json", "accept": "application/json", **headers}
    try:
        with urlopen(Request(address + path, data, sent), timeout=90) as answer:
            return json.load(answer)
    except HTTPError as refused:
        return json.loads(refused.read())


@dataclass
class Past:
    """What has happened on the server before anybody looks."""

    address: str
    data: Path
    written: str  # a conversation in writing
    answer: str  # what was said in it
    spoken: str  # calls of a session of voice; the third search was refused

    def call(self, tool: str, args: dict[str, Any], **more: Any) -> Any:
        key = {"idempotency-key": more.pop("key")} if "key" in more else {}
        return ask(self.address, f"/api/tools/{tool}/call", {"args": args, **more}, **key)


async def _old_lines(url: str) -> None:
    async with Store.open(url) as store:
        for number in range(OLD_LINES):
            store.append_audit(
                {
                    "event": "tool_execution",
                    "at": 1_700_000_000.0 + number,
                    "sessionId": f"old-{number // 100}",
                    "user": "grace",
                    "mode": "text",
                    "turnId": 1,
                    "toolId": "format_datetime",
                    "toolVersion": "1.0.0",
                    "idempotencyKey": f"provider:old-call-{number}",
                    "callId": f"old-call-{number}",
                    "args": {"value": f"2023-11-14T00:{number % 60:02}:00Z"},
                    "decision": "run",
                    "rule": "run",
                    "ok": True,
                    "duration": 1.5,
                    "errorType": None,
                    "source": "agent",
                }
            )
        await store.flush()


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Past]:
    data = tmp_path_factory.mktemp("oversight")
    with ThreadPoolExecutor(1) as apart:  # the browser's driver has a loop in this thread
        apart.submit(asyncio.run, _old_lines(f"sqlite:///{data / 'antiphon.db'}")).result()
    with serving(data, built_in=True) as address:
        written = ask(address, "/api/chat", {"message": "What time is it in Tokyo?"})
        spoken = ask(address, "/api/sessions", {"mode": "voice", "user": "ada"})["id"]
        found = Past(address, data, written["session_id"], written["message"], spoken)
        for query in ("payroll", "studio", "design"):
            found.call("kb_search", {"query": query}, session_id=spoken)
        found.call("end_voice_session", {})
        for _ in range(2):
            found.call("format_datetime", {"value": "now"}, key="twice")
        yield found


@pytest.fixture(scope="module")
def server(past: Past) -> str:
    return past.address


def rows(page: Page) -> Any:
    return page.locator(".audit-table tbody tr")


# -- sessions ----------------------------------------------------------------------------------


def filter_by(page: Page, name: str, value: str) -> None:
    """Adds a filter by keyboard: a value that is offered, or one that is typed."""
    page.get_by_role("button", name="Filter", exact=True).click()
    page.get_by_role("menuitem", name=name, exact=True).press("Enter")
    offered = page.get_by_role("menuitemradio", name=value, exact=True)
    typed = page.locator(".popover:popover-open input")
    expect(offered.or_(typed)).to_be_visible()
    if typed.count():
        typed.fill(value)
        typed.press("Enter")
    else:
        offered.press("Enter")


def chip(page: Page, name: str) -> Any:
    return page.get_by_role("button", name=f"Change filter {name}")


def test_sessions_are_found_by_filters_that_stand_in_the_address(
    opened: Callable[..., Page], past: Past
) -> None:
    page = opened("#/sessions")
    listed = page.get_by_role("region", name="Sessions").get_by_role("listitem").get_by_role("link")
    expect(listed.filter(has_text="What time is it in Tokyo?")).to_be_visible()
    filter_by(page, "User", "ada")
    filter_by(page, "Mode", "Voice")
    expect(listed).to_have_count(1)
    expect(page).to_have_url(re.compile(r"#/sessions\?mode=voice&user=ada$"))
    listed.first.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"#/sessions/{past.spoken}\\?mode=voice&user=ada$"))
    expect(page.get_by_role("region", name="Timeline")).to_contain_text("budget.retrieval")
    chip(page, "User").click()
    page.get_by_label("User", exact=True).fill("nobody")
    page.keyboard.press("Enter")
    expect(listed).to_have_count(0)
    page.reload()
    expect(chip(page, "User")).to_have_text("User nobody")
    page.get_by_role("button", name="Remove filter User").click()
    expect(page).to_have_url(re.compile(r"#/sessions[^?]*\?mode=voice$"))
    expect(listed.first).to_be_visible()
    expect(listed.filter(has_text="What time is it in Tokyo?")).to_have_count(0)


def test_the_drawer_steps_through_the_list_and_gives_the_focus_back(
    opened: Callable[..., Page], past: Past
) -> None:
    page = opened("#/sessions")
    listed = page.get_by_role("region", name="Sessions").get_by_role("listitem").get_by_role("link")
    second = listed.nth(1)
    second.focus()
    page.keyboard.press("Enter")
    expect(second).to_have_attribute("aria-current", "true")
    page.keyboard.press("ArrowUp")
    expect(listed.first).to_have_attribute("aria-current", "true")
    expect(page.get_by_role("button", name="Previous")).to_be_disabled()
    page.keyboard.press("ArrowDown")
    expect(second).to_have_attribute("aria-current", "true")
    page.keyboard.press("Escape")
    expect(page.locator(".drawer")).to_have_count(0)
    expect(page).to_have_url(re.compile("#/sessions$"))
    expect(second).to_be_focused()


def test_each_call_shows_its_gates_and_the_one_that_stopped_it(
    opened: Callable[..., Page], past: Past
) -> None:
    page = opened(f"#/sessions/{past.spoken}")
    refused = page.locator(".sessions-call", has_text="refused")
    expect(refused).to_contain_text("Stopped at “Budget” (budget.retrieval)")
    refused.locator("summary").focus()
    page.keyboard.press("Enter")
    gates = refused.get_by_role("list", name="Gates in order").get_by_role("listitem")
    expect(gates).to_have_count(len(RULES))
    outcomes = [text.split("\n")[1] for text in gates.all_inner_texts()]
    stop = outcomes.index("stopped here")
    assert set(outcomes[:stop]) == {"passed", "not applicable"}
    assert set(outcomes[stop + 1 :]) == {"not reached"}
    expect(page.locator("[data-tour=sessions-gates]")).to_contain_text("1 refused")
    refused.get_by_role("link", name=re.compile("Audit line")).click()
    drawer = page.locator(".drawer")
    expect(drawer).to_contain_text("was refused by the rule budget.retrieval")
    drawer.get_by_role("link", name=past.spoken[:12]).click()
    expect(refused).to_have_attribute("open", "")


def test_a_conversation_is_told_turn_by_turn_and_taken_up_again(
    opened: Callable[..., Page], past: Past
) -> None:
    page = opened(f"#/sessions/{past.written}")
    turn = page.get_by_role("region", name="Turn 1")
    expect(turn.locator(".by-user")).to_contain_text("What time is it in Tokyo?")
    expect(turn.locator(".by-assistant")).to_contain_text(past.answer)
    expect(turn.locator("[data-mark=time_to_first_text]")).to_contain_text("first words")
    call = turn.locator(".sessions-call").first
    call.locator("summary").click()
    expect(call.get_by_label("Result")).to_contain_text('"ok": true')
    page.get_by_role("link", name="Open conversation").click()
    expect(page).to_have_url(re.compile(f"#/chat/{past.written}$"))
    expect(page.locator("main")).to_contain_text("What time is it in Tokyo?")


def test_what_happens_now_appears_by_itself(opened: Callable[..., Page], past: Past) -> None:
    session = ask(past.address, "/api/sessions", {"mode": "text", "user": "lovelace"})["id"]
    page = opened(f"#/sessions/{session}?user=lovelace", clock=True)
    listed = page.get_by_role("region", name="Sessions").get_by_role("listitem").get_by_role("link")
    expect(page.get_by_text("Session started.")).to_be_visible()
    expect(listed).to_have_count(1)
    past.call("format_datetime", {"value": "now"}, session_id=session)
    ask(past.address, "/api/sessions", {"mode": "voice", "user": "lovelace"})
    page.clock.fast_forward(POLL_MS)
    expect(page.locator(".sessions-call")).to_have_count(1)
    expect(listed).to_have_count(2)


def test_a_session_that_is_not_there_is_said(opened: Callable[..., Page], watch: Watch) -> None:
    watch.expected.append("404")
    page = opened("#/sessions/nobody")
    expect(page.get_by_role("alert")).to_contain_text("There is no session `nobody`")
    page.get_by_role("link", name="Show the sessions of this server").click()
    expect(page.get_by_role("region", name="Timeline")).to_be_visible()


# -- audit -------------------------------------------------------------------------------------


def test_lines_are_filtered_and_the_address_says_how(opened: Callable[..., Page]) -> None:
    page = opened("#/audit", timezone_id="UTC")
    expect(rows(page).first).to_be_visible()
    page.get_by_role("button", name="Refusals").click()
    expect(page).to_have_url(re.compile(r"#/audit\?decision=refuse$"))
    expect(rows(page)).to_have_count(2)
    filter_by(page, "Rule", "mode")
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("end_voice_session")
    page.reload()
    expect(rows(page)).to_have_count(1)
    expect(chip(page, "Rule")).to_have_text("Rule mode")
    filter_by(page, "Tool", "nothing_like_it")
    expect(page.get_by_text("No line matches these filters")).to_be_visible()
    page.get_by_role("button", name="Clear filters").click()
    expect(rows(page)).to_have_count(100)
    filter_by(page, "From", "2024-01-01T00:00")
    expect(page.get_by_text("no older lines")).to_be_visible()
    expect(page).to_have_url(re.compile(r"#/audit\?since=2024-01-01T00%3A00%3A00Z$"))
    page.reload()
    chip(page, "From").click()
    expect(page.get_by_label("From", exact=True)).to_have_value("2024-01-01T00:00")


def test_what_is_typed_stays_when_something_is_loaded_meanwhile(
    opened: Callable[..., Page],
) -> None:
    page = opened("#/audit")
    held: list[Route] = []
    page.route("**/api/tools", lambda route: held.append(route))
    page.get_by_role("button", name="Filter", exact=True).click()
    with page.expect_request("**/api/tools"):
        page.get_by_role("menuitem", name="Tool", exact=True).click()
    page.keyboard.type("kb_sea")
    held[0].continue_()
    expect(page.locator("datalist option[value=kb_search]")).to_be_attached()
    expect(page.get_by_label("Tool", exact=True)).to_have_value("kb_sea")
    page.keyboard.type("rch")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"#/audit\?tool=kb_search$"))


def test_thousands_of_lines_are_paged_both_ways(opened: Callable[..., Page]) -> None:
    page = opened("#/audit?session=old-3")
    expect(rows(page)).to_have_count(100)
    expect(page.get_by_role("button", name="Older")).to_be_disabled()
    page.goto("/#/audit?tool=format_datetime&event=tool_execution&until=2024-01-01T00:00:00Z")
    first = rows(page).first.get_by_role("link").first
    expect(first).to_have_text(str(OLD_LINES))
    for number in range(1, 4):
        page.get_by_role("button", name="Older").click()
        expect(first).to_have_text(str(OLD_LINES - 100 * number))
    page.get_by_role("button", name="Newer").click()
    expect(first).to_have_text(str(OLD_LINES - 200))
    expect(rows(page)).to_have_count(100)
    page.go_back()
    expect(first).to_have_text(str(OLD_LINES - 300))
    page.goto(page.url.replace(f"before={OLD_LINES - 299}", "before=101"))
    expect(first).to_have_text("100")
    expect(page.get_by_role("button", name="Older")).to_be_disabled()
    page.get_by_role("button", name="Newest").click()
    expect(first).to_have_text(str(OLD_LINES))


def test_new_lines_are_followed(opened: Callable[..., Page], past: Past) -> None:
    page = opened("#/audit?tool=extract_contacts", clock=True)
    expect(page.get_by_text("No line matches these filters")).to_be_visible()
    page.get_by_role("switch", name="Follow").check()
    past.call("extract_contacts", {"text": "Write to ada@example.org."})
    page.clock.fast_forward(POLL_MS)
    expect(rows(page)).to_have_count(1)


def test_a_line_is_opened_by_keyboard_and_shows_everything(
    opened: Callable[..., Page], past: Past
) -> None:
    page = opened("#/audit?rule=mode")
    link = rows(page).first.get_by_role("link").first
    number = link.inner_text()
    link.focus()
    page.keyboard.press("Enter")
    drawer = page.get_by_role("complementary", name=f"Line {number}")
    expect(drawer).to_contain_text("end_voice_session was refused by the rule mode")
    drawer.get_by_text("Stored line").click()
    line = json.loads(drawer.get_by_label(f"Line {number} as JSON").inner_text())
    assert line == ask(past.address, f"/api/audit/{number}")["line"]
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(link).to_be_focused()
    expect(page).to_have_url(re.compile(r"#/audit\?rule=mode$"))


def test_a_link_to_a_line_shows_it_among_its_neighbours_and_steps_over_pages(
    opened: Callable[..., Page],
) -> None:
    page = opened("#/audit?line=65")
    drawer = page.get_by_role("complementary", name="Line 65")
    expect(drawer).to_contain_text("format_datetime ran")
    expect(rows(page).and_(page.locator("[aria-current]"))).to_contain_text("65")
    page.goto("/#/audit?session=old-3&before=302&line=301")
    first = page.get_by_role("complementary", name="Line 301")
    expect(first).to_be_visible()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("complementary", name="Line 302")).to_be_visible()
    expect(rows(page).and_(page.locator("[aria-current]"))).to_contain_text("302")
    page.keyboard.press("ArrowDown")
    expect(first).to_be_visible()


def test_the_chain_is_checked_and_a_change_is_found(
    opened: Callable[..., Page], past: Past
) -> None:
    page = opened("#/audit")
    page.get_by_role("button", name="Verify").click()
    expect(page.get_by_role("dialog", name="The chain is intact")).to_contain_text("are intact")
    page.keyboard.press("Escape")
    with sqlite3.connect(past.data / "antiphon.db", timeout=10) as database:
        [kept] = database.execute("SELECT line FROM audit WHERE seq = 12").fetchone()
        changed = kept.replace("grace", "frank")
        database.execute("UPDATE audit SET line = ? WHERE seq = 12", (changed,))
    try:
        page.get_by_role("button", name="Verify").click()
        broken = page.get_by_role("dialog", name="The chain is broken")
        expect(broken).to_contain_text("line 12 was changed")
        expect(broken).to_contain_text("11 lines before it are intact")
    finally:
        with sqlite3.connect(past.data / "antiphon.db", timeout=10) as database:
            database.execute("UPDATE audit SET line = ? WHERE seq = 12", (kept,))
        database.close()


def test_what_is_filtered_is_exported(opened: Callable[..., Page], past: Past) -> None:
    page = opened("#/audit?decision=refuse")
    with page.expect_download() as download:
        page.get_by_role("link", name="Export filtered").click()
    lines = [json.loads(line) for line in download.value.path().read_text().splitlines()]
    assert lines == ask(past.address, "/api/audit?decision=refuse")["lines"]
    assert download.value.suggested_filename == "audit.jsonl"


def test_recorded_calls_are_decided_anew(opened: Callable[..., Page], past: Past) -> None:
    page = opened(f"#/audit?session={past.spoken}")
    page.get_by_role("button", name="Replay").click()
    dialog = page.get_by_role("dialog", name="Replay")
    dialog.get_by_role("button", name="Re-evaluate").click()
    expect(dialog.get_by_text("None of 3 decisions would change.")).to_be_visible()
    dialog.get_by_text("Override limits").click()
    number = dialog.get_by_label("voice.retrieval_calls")
    number.fill("many")
    expect(dialog.get_by_text("Enter a number from 0, or none.")).to_be_visible()
    expect(dialog.get_by_role("button", name="Re-evaluate")).to_be_disabled()
    number.fill("none")
    dialog.get_by_role("button", name="Re-evaluate").click()
    expect(dialog.get_by_text("1 of 3 decisions would change.")).to_be_visible()
    expect(dialog.get_by_role("row", name=re.compile("kb_search"))).to_contain_text(
        "Refuse budget.retrieval"
    )


def test_a_call_is_copied_saved_and_run_again(opened: Callable[..., Page], past: Past) -> None:
    page = opened("#/audit?tool=kb_search")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=past.address)
    rows(page).first.get_by_role("link").first.click()
    drawer = page.locator(".drawer")
    drawer.get_by_role("button", name="Copy as").click()
    page.get_by_role("menuitem", name="MCP").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    copied = json.loads(page.evaluate("navigator.clipboard.readText()"))
    assert (copied["method"], copied["params"]["name"]) == ("tools/call", "kb_search")
    drawer.get_by_role("button", name="Save request").click()
    page.get_by_label("Name", exact=True).fill("Look it up")
    page.keyboard.press("Enter")
    page.reload()
    page.get_by_role("button", name="Saved requests (1)").click()
    page.get_by_role("button", name="Run again").click()
    expect(page).to_have_url(re.compile("#/tools/kb_search"))
    expect(page.get_by_role("region", name="Result", exact=True)).to_contain_text("audit line")
    page.get_by_role("button", name="Saved requests (1)").click()
    page.get_by_role("button", name="Delete Look it up").click()
    expect(page.get_by_role("button", name="Run again")).to_have_count(0)


# -- traces ------------------------------------------------------------------------------------


def test_a_turn_is_a_waterfall_and_is_compared_with_another(
    opened: Callable[..., Page], past: Past
) -> None:
    again = ask(past.address, "/api/chat", {"message": "Who leads Harbor Light?"})["session_id"]
    page = opened("#/traces")
    turns = page.get_by_role("region", name="Traces").get_by_role("listitem").get_by_role("link")
    turns.filter(has_text="What time is it in Tokyo?").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"#/traces/{past.written}/1$"))
    fall = page.get_by_role("region", name="Waterfall")
    expect(fall).to_contain_text("First token")
    assert fall.locator(".is-model").count() >= 2, "it is asked anew with the tool's result"
    call = fall.get_by_role("button", name="format_datetime")
    call.click()
    expect(fall.get_by_label("Arguments")).to_contain_text("Tokyo")
    expect(fall).to_contain_text("gates and ran")
    page.get_by_label("Compare with").select_option(f"{again}/1")
    expect(page).to_have_url(re.compile(f"with={again}%2F1$"))
    table = page.get_by_role("table", name="Comparison")
    expect(table.get_by_role("row", name="First words")).to_be_visible()
    expect(page.get_by_role("region", name="B")).to_contain_text("Who leads Harbor Light?")
    looks.check(page, "two traces")
    page.set_viewport_size(DESKTOP)
    page.keyboard.press("Escape")
    filter_by(page, "Session ID", "nobody")
    expect(page.get_by_text("No turn matches these filters")).to_be_visible()


# -- metrics -----------------------------------------------------------------------------------


def test_charts_have_their_numbers_in_words_and_follow_what_happens(
    opened: Callable[..., Page], past: Past
) -> None:
    page = opened("#/metrics?minutes=60", clock=True)
    calls = page.locator("[data-tour=metrics-calls]")
    expect(calls.locator("canvas")).to_be_visible()
    expect(calls.get_by_role("img")).to_have_attribute(
        "aria-label", re.compile(r"Calls: succeeded \d+, refused \d+, failed \d+")
    )
    calls.get_by_text("as a table").click()
    numbers = calls.get_by_role("region").get_by_role("row")
    expect(numbers.nth(1)).to_be_visible()
    refused = page.get_by_role("row", name=re.compile("budget.retrieval"))
    expect(refused).to_contain_text("1")
    tile = page.locator(".figures-tiles > div").first.locator("b")
    before = int(tile.inner_text())
    past.call("format_datetime", {"value": "now"})
    page.clock.fast_forward(POLL_MS)
    expect(tile).to_have_text(str(before + 1))
    refused.get_by_role("link").click()
    expect(page).to_have_url(re.compile(r"#/audit\?rule=budget.retrieval$"))


def test_tools_are_sorted_and_searched_and_the_address_says_how(
    opened: Callable[..., Page],
) -> None:
    page = opened("#/metrics")
    table = page.get_by_role("region", name="Tools", exact=True)
    head = table.get_by_role("columnheader", name="Tool")
    head.get_by_role("button").focus()
    page.keyboard.press("Enter")
    expect(head).to_have_attribute("aria-sort", "ascending")
    expect(table.locator("tbody a").first).to_be_visible()
    names = table.locator("tbody a").all_inner_texts()
    assert names == sorted(names)
    page.get_by_label("Filter by name").fill("kb_")
    expect(table.locator("tbody tr")).to_have_count(1)
    page.reload()
    expect(table.locator("tbody tr")).to_have_count(1)
    expect(page).to_have_url(re.compile("sort=id"))
    expect(page).to_have_url(re.compile("tool=kb_"))


# -- all three ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["sessions", "audit", "metrics"])
def test_every_step_of_a_tour_has_something_to_point_at(
    opened: Callable[..., Page], past: Past, name: str
) -> None:
    page = opened(f"#/{name}")
    for step in ask(past.address, f"/api/vox/tours/{name}")["steps"]:
        expect(page.locator(step["target"]).first).to_be_visible()


def test_what_is_opened_is_for_everybody(opened: Callable[..., Page], past: Past) -> None:
    page = opened(f"#/sessions/{past.spoken}")
    page.locator(".sessions-call summary").last.click()
    looks.check(page, "a session")
    page.set_viewport_size(DESKTOP)
    go(page, "audit?rule=mode")
    rows(page).first.get_by_role("link").first.click()
    drawer = page.locator(".drawer")
    expect(drawer.get_by_text("Gates", exact=True)).to_be_visible()
    looks.check(page, "a line")
    page.set_viewport_size(DESKTOP)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Replay").click()
    page.get_by_role("button", name="Re-evaluate").click()
    expect(page.get_by_text("would change.")).to_be_visible()
    looks.check(page, "a replay")
    page.set_viewport_size(DESKTOP)
    go(page, "metrics")
    expect(page.locator("canvas").first).to_be_visible()
    page.get_by_text("as a table").first.click()
    looks.check(page, "the numbers")


def test_nothing_scrolls_sideways_on_a_phone(opened: Callable[..., Page], past: Past) -> None:
    page = opened(f"#/sessions/{past.spoken}", width=PHONE)
    page.locator(".sessions-call summary").last.click()
    assert looks.too_wide(page) <= 0
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    # A long title is cut off with dots, on every screen: the list itself never scrolls sideways.
    page.locator(".sessions-about").first.evaluate(
        "(one) => { one.textContent += ' title'.repeat(40) }"
    )
    for width in (390, 720, 1024, 1440, 1920):
        page.set_viewport_size({"width": width, "height": 844})
        sizes = page.locator(".sessions-list, .sessions-about").evaluate_all(
            "all => all.map((one) => [one.className, one.scrollWidth - one.clientWidth])"
        )
        assert dict(reversed(sizes))["rows sessions-list"] == 0, width
        assert sizes[1][1] > 0, "its end is not shown"
    page.set_viewport_size(PHONE)
    go(page, "audit")
    expect(rows(page)).to_have_count(100)
    filter_by(page, "From", "2020-01-01T00:00")
    expect(chip(page, "From")).to_be_visible()
    assert looks.too_wide(page) <= 0
    go(page, "metrics")
    expect(page.locator("canvas").first).to_be_visible()
    assert looks.too_wide(page) <= 0
