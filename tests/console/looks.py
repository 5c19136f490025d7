"""Whether what is shown is for everybody: in every theme, and on a phone."""

from __future__ import annotations

from playwright.sync_api import Page
from tests.console.conftest import PHONE
from tests.console.test_shell import COLOURS, THEMES, findings


def check(page: Page, what: str) -> None:
    """No serious findings on the page as it is, in no theme; nothing wider than a phone."""
    assert findings(page) == [], what
    shown = page.evaluate("document.documentElement.dataset.theme")
    # What is where is the same in all themes: the others differ in nothing but their colours.
    for theme in THEMES:
        if theme == shown:
            continue
        page.evaluate("theme => (document.documentElement.dataset.theme = theme)", theme)
        assert findings(page, COLOURS) == [], f"{what} in {theme}"
    page.evaluate("theme => (document.documentElement.dataset.theme = theme)", shown)
    page.set_viewport_size(PHONE)
    assert too_wide(page) <= 0, what


def too_wide(page: Page) -> int:
    """By how many pixels the page is wider than its window."""
    wide: int = page.evaluate("document.querySelector('main').scrollWidth - innerWidth")
    return wide
