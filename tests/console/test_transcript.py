"""Whoever reads the newest of a transcript stays there, whatever happens around it."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect
from tests.console.conftest import PHONE, until
from tests.console.test_talk import SOCKET, type_in

# Words come while captions and notices take room from the transcript and give it back.
ASKS_BUILT_IN = True
GROWS = """async () => {
  const frame = document.querySelector(".entries-frame");
  for (let n = 0; n < 60; n++) {
    const text = ` Sentence ${n} of an answer that takes a while.`;
    line.say({ type: "transcript", role: "assistant", text, turn_id: 1 });
    // After it was scrolled to, and before anybody is told so.
    await new Promise(requestAnimationFrame);
    await new Promise((wake) => setTimeout(wake));
    frame.style.maxHeight = n % 2 ? "" : "7rem";
  }
  frame.style.maxHeight = "";
  for (let n = 0; n < 5; n++) await new Promise(requestAnimationFrame);
}"""
GAP = "(box) => box.scrollHeight - box.scrollTop - box.clientHeight"


def test_less_room_is_no_wish_to_read_what_was_before(opened: Callable[..., Page]) -> None:
    page = opened("#/vox", width=PHONE)
    page.add_init_script(SOCKET)
    page.reload()
    page.get_by_role("button", name="Talk", exact=True).click()
    until(page, "window.line !== undefined")
    type_in(page, "Tell me a lot.")
    page.evaluate(GROWS)
    box = page.locator(".entries")
    newest = page.get_by_role("button", name="Newest")
    expect(newest).to_have_count(0)
    assert box.evaluate(GAP) < 60

    # Who goes back stays where they are, and comes to the end again by the button.
    box.hover()
    page.mouse.wheel(0, -400)
    expect(newest).to_be_visible()
    page.evaluate(GROWS)
    assert box.evaluate(GAP) > 60
    newest.click()
    expect(newest).to_have_count(0)
