"""The console's languages: chosen by the browser, switched in Settings, and whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect
from tests.console.conftest import go

GERMAN = Path(__file__).parents[2] / "web" / "src" / "i18n" / "de.json"
PAGES = (
    *("chat", "kg-studio", "tools", "tools/kb_search", "macros", "workflows", "agents", "experts"),
    *("playbooks", "projects", "calendar", "sessions", "inbox", "audit", "metrics", "traces"),
    *("settings", "nothing-of-that-name"),
)
# What a person reads or is read to: texts, and attributes that are said or shown.
READ = """() => {
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: around, textContent: text } = walker.currentNode;
    if (!around.closest("script, style, code, pre, .markdown, [lang]:not(html)")) found.add(text);
  }
  for (const name of ["aria-label", "title", "placeholder", "alt"]) {
    const those = document.body.querySelectorAll(`[${name}]`);
    for (const each of those) found.add(each.getAttribute(name));
  }
  return [...found].map((text) => text.trim()).filter(Boolean);
}"""


def test_a_german_browser_gets_the_whole_console_in_german(opened: Callable[..., Page]) -> None:
    catalogue = json.loads(GERMAN.read_text("utf-8"))
    # A key that is a phrase or a title; single small words may be data.
    english = {
        key for key, said in catalogue.items() if said != key and (" " in key or key[0].isupper())
    }
    page = opened("#/settings", locale="de-AT")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    left = {}
    for place in PAGES:
        go(page, place)
        page.wait_for_load_state("networkidle")
        left[place] = sorted(english.intersection(page.evaluate(READ)))
    assert {place: texts for place, texts in left.items() if texts} == {}


def test_the_language_is_switched_in_settings(opened: Callable[..., Page]) -> None:
    page = opened("#/settings/theme", locale="de-DE")
    page.get_by_role("combobox", name="Sprache", exact=True).select_option(label="English")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    language = page.get_by_role("combobox", name="Language", exact=True)
    expect(language).to_have_value("en")
    language.select_option(label="Browser default")
    expect(page.get_by_role("combobox", name="Sprache", exact=True)).to_have_value("")
