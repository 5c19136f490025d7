"""Tours that speak where the browser has no voice of its own: the server says each step."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Request, expect
from tests.console.conftest import serving, until
from tests.console.test_overlays import steps_of, tour_button
from tests.console.test_talk import TAP

PATH = "/api/vox/speech"
ASKS_BUILT_IN = True
# In the time of the sound itself, which may stand still by then: nothing is heard from shortly
# after this moment on.
QUIET = """async () => {
  const from = heard.now() + 0.15;
  for (let n = 0; n < 100 && heard.now() < from + 0.4; n++) {
    await new Promise((wake) => setTimeout(wake, 20));
  }
  return heard.last < from;
}"""


def asked_to_say(page: Page) -> list[str]:
    """What the server is asked to say from now on."""
    texts: list[str] = []

    def note(request: Request) -> None:
        if request.url.endswith(PATH):
            texts.append(json.loads(request.post_data or "")["text"])

    page.on("request", note)
    return texts


def test_each_step_is_said_until_the_next_one_or_the_end(opened: Callable[..., Page]) -> None:
    page = opened("#/settings")
    page.add_init_script(TAP)
    page.reload()
    said = asked_to_say(page)
    first, second, *_, last = [step["speech"] for step in steps_of("settings")]
    tour_button(page).click()
    card = page.get_by_role("dialog", name="Settings Tour")
    until(page, "heard.peak > 0.05")
    assert said == [first]

    page.keyboard.press("ArrowRight")
    expect(card).to_contain_text(second)
    now = page.evaluate("heard.now()")
    until(page, "(now) => heard.last > now + 0.3", now)
    assert said == [first, second]

    # Who wants no voice gets silence, now and with the steps that follow.
    card.get_by_role("button", name="Do not read aloud").click()
    assert page.evaluate(QUIET)
    page.keyboard.press("ArrowRight")
    expect(card).to_contain_text("3 of")
    page.keyboard.press("ArrowLeft")
    expect(card).to_contain_text("2 of")
    assert said == [first, second]

    card.get_by_role("button", name="Read aloud", exact=True).click()
    now = page.evaluate("heard.now()")
    until(page, "(now) => heard.last > now + 0.3", now)
    assert said == [first, second, second]
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    assert page.evaluate(QUIET)
    assert last not in said


def test_a_step_is_heard_to_its_end_and_the_device_is_let_go_of(
    opened: Callable[..., Page],
) -> None:
    page = opened("#/settings")
    page.add_init_script(TAP)
    page.reload()
    with page.expect_response(f"**{PATH}") as answered:
        tour_button(page).click()
    # What the page has read as it came the browser does not keep; it is made again to be measured.
    again = page.request.post(PATH, data=answered.value.request.post_data_json)
    assert again.ok, again.text()
    seconds = len(again.body()[44:]) / 2 / 24_000
    # The clock of the sound stands still when the device is let go of.
    until(page, "(long) => heard.last > long * 0.8", seconds)
    until(
        page,
        """async () => {
          const then = heard.now();
          await new Promise((wake) => setTimeout(wake, 200));
          return heard.now() === then;
        }""",
    )
    expect(page.locator(".tour-card")).not_to_contain_text("cannot be read aloud")


def test_without_a_voice_anywhere_the_tour_says_so_and_goes_on(
    browser: Browser, tmp_path: Path
) -> None:
    voiceless: dict[str, Any] = {"ANTIPHON_SPEECH__SYNTHESIZER": "kokoro"}
    with serving(tmp_path, **voiceless) as address:
        context = browser.new_context(base_url=address)
        context.set_default_timeout(15_000)
        page = context.new_page()
        page.goto("/#/settings")
        tour_button(page).click()
        card = page.locator(".tour-card")
        expect(card).to_contain_text("This cannot be read aloud.")
        expect(card).to_contain_text("kokoro")
        card.get_by_role("button", name="Next").click()
        expect(card).to_contain_text("2 of")
        card.get_by_role("button", name="Do not read aloud").click()
        expect(card).not_to_contain_text("This cannot be read aloud.")
        context.close()
