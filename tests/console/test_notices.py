"""Notices: they move nothing, wait for whoever is at them, and go by the keyboard."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.console.agent import asked
from tests.console.conftest import DESKTOP, PHONE
from tests.console.test_overlays import notices, options, waiting_event
from tests.console.test_shell import findings, visit

# What a notice must not lie over: the box that one types into, the talk button, the menu.
COVERED = """() => [...document.querySelectorAll(".composer *, .vox-talk, .nav a")]
.filter((one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  return document.elementFromPoint(left + width / 2, top + height / 2)?.closest(".toasts");
}).map((one) => one.outerHTML.slice(0, 100))"""
PLACE = "JSON.stringify(document.querySelector('main').getBoundingClientRect())"


@pytest.mark.parametrize("width", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_notices_lie_over_a_corner_and_move_nothing(
    opened: Callable[..., Page], server: str, width: dict[str, int]
) -> None:
    names = ("vox", "chat", "audit")
    quiet = opened("#/vox", width=width)
    before = {}
    for name in names:
        visit(quiet, name)
        before[name] = quiet.evaluate(PLACE)
    waiting = [waiting_event(server, f"Moves nothing {number}") for number in range(3)]
    page = opened("#/vox", width=width)
    for name in names:
        visit(page, name)
        # One notice for all of them.
        expect(notices(page)).to_contain_text("3 calls are waiting for your approval.")
        assert page.evaluate(PLACE) == before[name], name
        assert page.evaluate(COVERED) == [], name
        inside = page.evaluate(
            """() => { const { top, bottom } = document.querySelector(".toasts")
              .getBoundingClientRect(); return top >= 0 && bottom <= innerHeight; }"""
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
    page = opened("#/tools", clock=True)
    expect(page.locator("main")).to_contain_text("kb_search")  # all of the page is there

    def note() -> Locator:
        page.keyboard.press("Control+k")
        page.keyboard.type("copy link")
        expect(options(page, selected=True)).to_contain_text("Copy link to this page")
        page.keyboard.press("Enter")
        copied = notices(page).locator(".toast", has_text="Link copied.")
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
    tool = page.get_by_role("searchbox", name="Search tools")
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
