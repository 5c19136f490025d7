"""The frame around every page: it loads, it is found by keyboard, nothing in it is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from tests.console.conftest import DESKTOP, PATIENCE_MS, PHONE, Watch

from antiphon.workspace.pages import PAGES

IDS = [page.id for page in PAGES]
MENU = {
    "Conversation": ["vox"],
    "Knowledge": ["kg-studio"],
    "Tools": ["tools"],
    "Automations": ["macros", "workflows", "agents", "experts", "playbooks"],
    "Projects": ["projects"],
    "Calendar": ["calendar"],
    "Activity": ["sessions", "inbox", "audit", "metrics", "traces"],
    "Settings": ["settings"],
}
TITLES = {page.id: page.title for page in PAGES}
THEMES = ("light", "dark", "high-contrast")
COLOURS = ["color-contrast", "link-in-text-block"]


def findings(page: Page, rules: list[str] | None = None) -> list[str]:
    """What axe finds on the page as it is, by these rules or by all."""
    script = "0" if page.evaluate("'axe' in window") else AXE_SCRIPT
    options = {"resultTypes": ["violations"], **({"runOnly": rules} if rules else {})}
    found = Axe(script).run(page, options=options)
    return [
        f"{rule['id']}: {node['html'][:200]} {node.get('failureSummary', '')[:300]}"
        for rule in found.response["violations"]
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]


def visit(page: Page, name: str) -> None:
    """Goes to a page and waits until it shows what it has to show."""
    page.goto(f"/#/{name}")
    page.locator(f"main .page-{name if name in IDS else 'nowhere'}").wait_for()
    expect(page.locator("main .loading")).to_have_count(0, timeout=PATIENCE_MS)


@pytest.mark.parametrize("width", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_no_page_has_serious_findings(opened: Callable[..., Page], width: dict[str, int]) -> None:
    page = opened(width=width)
    found: dict[str, list[str]] = {}
    for name in (*IDS, "lost"):
        visit(page, name)
        # What is where is the same in all themes, and their colours are the same at every width.
        for theme in THEMES if width == DESKTOP else THEMES[:1]:
            page.evaluate("theme => (document.documentElement.dataset.theme = theme)", theme)
            rules = None if theme == THEMES[0] else COLOURS
            found[f"{name} in {theme}"] = findings(page, rules)
    assert {place: those for place, those in found.items() if those} == {}


# As wide as the window, as it is on a phone, and at 200 % and 400 % of 1280 by 1024 pixels.
WIDTHS = [DESKTOP, PHONE, {"width": 640, "height": 512}, {"width": 320, "height": 256}]


def test_no_page_scrolls_sideways_and_each_has_room_at_every_zoom(
    opened: Callable[..., Page],
) -> None:
    page = opened()
    wrong: dict[str, object] = {}
    for name in IDS:
        visit(page, name)
        for width in WIDTHS:
            page.set_viewport_size(width)
            over, share = page.evaluate(
                """() => {
                    const main = document.querySelector("main");
                    const wide = [document.documentElement, main, ...document.querySelectorAll(
                        ".nav, .top, .page-tabs")].map((each) => each.scrollWidth);
                    const flows = getComputedStyle(main).overflowY === "visible";
                    const seen = flows ? main.parentElement : main;
                    return [Math.max(...wide) - innerWidth, seen.clientHeight / innerHeight];
                }"""
            )
            if over > 0 or share < 0.4:
                wrong[f"{name} at {width['width']}"] = (over, share)
    assert wrong == {}


def test_the_menu_leads_to_every_page(page: Page) -> None:
    for entry, pages in MENU.items():
        page.get_by_role("navigation", name="Pages").get_by_role(
            "link", name=entry, exact=True
        ).click()
        here = page.get_by_role("navigation", name="Pages").locator("[aria-current]")
        expect(here).to_have_text(entry)
        tabs = page.get_by_role("navigation", name=entry, exact=True)
        for at, name in enumerate(pages):
            if tabs.count():
                tabs.get_by_role("link").nth(at).click()
                expect(tabs.locator("[aria-current]")).to_have_count(1)
            expect(page).to_have_url(re.compile(rf"#/{name}\b"))
            expect(page.get_by_role("heading", level=1)).to_have_text(TITLES[name])
            expect(page).to_have_title(f"{TITLES[name]} · Antiphon")
    # The entry leads back to the tab that was open last.
    page.get_by_role("link", name="Automations", exact=True).click()
    expect(page).to_have_url(re.compile(r"#/playbooks$"))
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Settings")


def test_a_phone_has_four_tabs_and_more(opened: Callable[..., Page]) -> None:
    page = opened("#/sessions", width=PHONE)
    menu = page.get_by_role("navigation", name="Pages")
    expect(menu.get_by_role("link")).to_have_text(
        ["Conversation", "Knowledge", "Automations", "Activity"]
    )
    menu.get_by_role("button", name="More").click()
    more = page.get_by_role("dialog", name="More")
    expect(more.get_by_role("link", name="Tools")).to_be_visible()
    assert findings(page) == []
    more.get_by_role("button", name="Dark theme").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    more.get_by_role("link", name="Calendar").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Calendar")
    expect(more).to_have_count(0)


def test_the_keyboard_reaches_the_page_and_every_entry_of_the_menu(
    opened: Callable[..., Page],
) -> None:
    page = opened("#/audit")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.get_by_role("link", name="Skip to content").focus()
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_text("Antiphon")
    reached = []
    for _ in MENU:
        page.keyboard.press("Tab")
        reached.append(page.locator(":focus").inner_text())
    assert reached == list(MENU)
    page.keyboard.press("Enter")
    # Whoever came by keyboard goes on at the page, not in the menu.
    expect(page.get_by_role("heading", level=1)).to_have_text("Settings")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Audit")


@pytest.mark.parametrize("place", ["", "#", "#/", "#//"])
def test_an_address_without_a_page_is_the_first_one(
    opened: Callable[..., Page], place: str
) -> None:
    expect(opened(place).get_by_role("heading", level=1)).to_have_text("Conversation")


@pytest.mark.parametrize("place", ["#/setings", "#/Settings/keys?y=z"])
def test_a_page_that_does_not_exist_is_said_and_the_nearest_are_offered(
    opened: Callable[..., Page], place: str
) -> None:
    page = opened(place)
    expect(page.get_by_role("heading", level=1)).to_have_text("No such page")
    expect(page).to_have_title("No such page · Antiphon")
    pages = page.get_by_role("navigation", name="Pages")
    expect(pages.locator("[aria-current]")).to_have_count(0)
    expect(page.get_by_role("button", name="Tour of this page", exact=True)).to_have_count(0)
    near = page.get_by_role("list", name="Pages with a similar name").get_by_role("link")
    expect(near).to_have_count(1)
    near.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Settings")
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("No such page")
    page.get_by_role("button", name="Find a page, tool or action").click()
    page.keyboard.type("audit")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Audit")


@pytest.mark.parametrize("place", ["#/qqqq", "#/%E0%A4%A"])
def test_where_no_page_is_near_all_are_offered(opened: Callable[..., Page], place: str) -> None:
    page = opened(place)
    all_pages = page.get_by_role("list", name="All pages").get_by_role("link")
    # Two ids are one page, and two more pages are known to the console alone.
    expect(all_pages).to_have_count(len(PAGES) + 1)


def test_a_server_that_is_gone_is_said_and_what_comes_back_is_shown(
    opened: Callable[..., Page], watch: Watch
) -> None:
    watch.expected += ["ERR_INTERNET_DISCONNECTED", "Failed to fetch dynamically imported module"]
    page = opened("#/audit")
    visit(page, "audit")
    page.context.set_offline(True)
    # A page whose code is not here yet, and one that only has no answers any more.
    page.goto("/#/metrics")
    problem = page.locator("main").get_by_role("alert")
    expect(problem).to_contain_text("Is the server still running?")
    page.goto("/#/audit?decision=refuse")
    expect(problem.first).to_contain_text("cannot be reached")
    banner = page.get_by_role("complementary", name="Server unavailable")
    expect(banner).to_be_visible()
    page.context.set_offline(False)
    expect(banner).to_have_count(0)
    expect(page.get_by_text("No line matches these filters")).to_be_visible()
    visit(page, "metrics")
    expect(page.get_by_text("First sound, p95")).to_be_visible()


@pytest.mark.parametrize("name", ["sessions", "audit", "metrics"])
def test_a_tour_has_something_to_point_at_where_nothing_has_happened(
    opened: Callable[..., Page], server: str, name: str
) -> None:
    page = opened(f"#/{name}")
    tour = page.request.get(f"{server}/api/vox/tours/{name}").json()
    for step in tour["steps"]:
        expect(page.locator(step["target"]).first).to_be_visible()


def test_who_wants_no_motion_gets_none(opened: Callable[..., Page]) -> None:
    page = opened(reduced_motion="reduce")
    for name in ("vox", "tools", "metrics"):
        visit(page, name)
        moving = page.evaluate(
            """() => [...document.querySelectorAll("*")].filter((element) => {
                const { animationDuration, transitionDuration } = getComputedStyle(element);
                const seconds = `${animationDuration},${transitionDuration}`.split(",");
                return seconds.some((each) => parseFloat(each) > 0.001);
            }).map((element) => element.outerHTML.slice(0, 100))"""
        )
        assert moving == [], name


def test_a_slow_machine_is_enough(opened: Callable[..., Page]) -> None:
    page = opened("#/sessions")
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.reload()
    for name in ("vox", "tools", "kg-studio", "audit", "metrics"):
        visit(page, name)
    visit(page, "audit")
    page.get_by_role("button", name="Refusals").click()
    expect(page.get_by_text("No line matches these filters")).to_be_visible()
    page.keyboard.press("Control+k")
    page.keyboard.type("settings")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Settings")
