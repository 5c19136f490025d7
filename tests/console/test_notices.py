"""Notices: they lie over nothing, wait for whoever is at them, and go by the keyboard."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.console.agent import asked
from tests.console.conftest import DESKTOP, PHONE
from tests.console.test_overlays import notices, options, waiting_event
from tests.console.test_shell import findings, visit

# Controls that somebody could not press, because a notice lies over the middle of them.
COVERED = """() => {
  const within = (box, x, y) => x > box.left && x < box.right && y > box.top && y < box.bottom;
  return [...document.querySelectorAll("main, .nav")].flatMap((part) =>
    [...part.querySelectorAll("a, button, input, select, textarea, summary")].filter((control) => {
      const { left, top, width, height } = control.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      if (!within(part.getBoundingClientRect(), x, y)) return false;
      return document.elementFromPoint(x, y)?.closest(".toasts");
    }).map((control) => control.outerHTML.slice(0, 100)));
}"""


@pytest.mark.parametrize("width", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_notices_lie_over_nothing(
    opened: Callable[..., Page], server: str, width: dict[str, int]
) -> None:
    waiting = [waiting_event(server, f"Covers nothing {number}") for number in range(3)]
    page = opened("#/vox", width=width)
    for name in ("vox", "chat", "experts", "calendar", "macros", "audit"):
        visit(page, name)
        expect(notices(page).get_by_role("button", name="Answer").nth(2)).to_be_visible()
        assert page.evaluate(COVERED) == [], name
        inside = page.evaluate(
            "document.querySelector('.toasts').getBoundingClientRect().bottom <= innerHeight"
        )
        assert inside, name
    assert findings(page) == []
    for asking in waiting:
        token = asked(server, f"/api/confirmations/{asking}?session_id=rest-text")["token"]
        answer = {"token": token, "approve": False}
        assert asked(server, f"/api/confirmations/{asking}", answer)["outcome"] == "denied"


def test_notices_wait_for_whoever_is_at_them_and_go_by_the_keyboard(
    opened: Callable[..., Page],
) -> None:
    page = opened("#/audit", clock=True)

    def note() -> Locator:
        page.keyboard.press("Control+k")
        page.keyboard.type("copy the link")
        expect(options(page, selected=True)).to_contain_text("Copy the link")
        page.keyboard.press("Enter")
        copied = notices(page).locator(".toast", has_text="The link is copied.")
        expect(copied).to_have_count(1)
        return copied

    # Pointed at it stays, and afterwards it goes.
    copied = note()
    copied.hover()
    page.clock.fast_forward(60_000)
    expect(copied).to_have_count(1)
    page.mouse.move(5, 5)
    page.clock.fast_forward(6_100)
    expect(copied).to_have_count(0)

    # By keyboard: there and back, from whatever is being typed.
    tool = page.get_by_label("Tool", exact=True)
    copied = note()
    tool.focus()
    page.keyboard.press("F8")
    expect(copied.get_by_role("button", name="Dismiss")).to_be_focused()
    page.clock.fast_forward(60_000)
    expect(copied).to_have_count(1)
    page.keyboard.press("Escape")
    expect(copied).to_have_count(0)
    expect(tool).to_be_focused()

    # Nobody is at them any more: the next one goes by itself again.
    copied = note()
    page.clock.fast_forward(6_100)
    expect(copied).to_have_count(0)
