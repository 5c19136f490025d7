"""The console's languages: chosen by the browser, and switched in Settings."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect


def test_the_language_is_switched_in_settings(opened: Callable[..., Page]) -> None:
    page = opened("#/settings/theme", locale="de-DE")
    page.get_by_role("combobox", name="Sprache", exact=True).select_option(label="English")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    language = page.get_by_role("combobox", name="Language", exact=True)
    expect(language).to_have_value("en")
    language.select_option(label="Browser default")
    expect(page.get_by_role("combobox", name="Sprache", exact=True)).to_have_value("")
