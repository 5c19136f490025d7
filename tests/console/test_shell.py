"""The frame around every page: it loads, it is found by keyboard, nothing in it is wrong."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from tests.console.conftest import DESKTOP, PHONE

from antiphon.workspace.pages import PAGES

IDS = [page.id for page in PAGES]
THEMES = ("light", "dark", "high-contrast")


def findings(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [
        f"{rule['id']}: {node['html'][:200]} {node.get('failureSummary', '')[:300]}"
        for rule in found
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize("theme", THEMES)
def test_no_page_has_serious_findings(opened: Callable[..., Page], theme: str) -> None:
    page = opened(prefs={"theme": theme})
    for width in (DESKTOP, PHONE):
        page.set_viewport_size(width)
        for name in IDS:
            page.goto(f"/#/{name}")
            page.locator(f"main .page-{name}").wait_for()
            page.wait_for_load_state("networkidle")
            assert findings(page) == [], f"{name} in {theme}"


@pytest.mark.parametrize("width", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_no_page_scrolls_sideways(opened: Callable[..., Page], width: dict[str, int]) -> None:
    page = opened(width=width)
    for name in IDS:
        page.goto(f"/#/{name}")
        page.locator(f"main .page-{name}").wait_for()
        page.wait_for_load_state("networkidle")
        wide = page.evaluate("document.querySelector('main').scrollWidth - innerWidth")
        assert wide <= 0, name


def test_the_menu_leads_to_every_page(page: Page) -> None:
    for each in PAGES:
        page.get_by_role("navigation", name="Pages").get_by_role(
            "link", name=each.title, exact=True
        ).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(each.title)
        expect(page).to_have_title(f"{each.title} · Antiphon")
