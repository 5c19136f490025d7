"""Chat: questions in writing, what was called for them, approvals, and over to voice and back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.console.conftest import DESKTOP, PATIENCE_MS, PHONE
from tests.console.test_shell import findings

# The built-in model reads all its tools before its first answer.
ANSWERS_MS = 60_000
ASKS_BUILT_IN = True


@pytest.fixture(autouse=True)
def _patience() -> Iterator[None]:
    expect.set_options(timeout=ANSWERS_MS)
    yield
    expect.set_options(timeout=PATIENCE_MS)


def write(page: Page, text: str) -> None:
    expect(page.get_by_text("Answering…")).to_have_count(0)
    page.get_by_label("Your message").fill(text)
    page.keyboard.press("Enter")


def entry(page: Page, kind: str, text: str) -> Any:
    return page.locator(f".entry.{kind}").filter(has_text=text)


def test_a_question_is_answered_with_its_calls_and_what_it_rests_on(
    opened: Callable[..., Page],
) -> None:
    page = opened("#/chat")
    page.get_by_role("button", name="Who leads Harbor Light?").click()
    answer = entry(page, "assistant", "Kenji Okuhara")
    expect(answer).to_be_visible()
    cited = answer.get_by_role("link", name="Harbor Light")
    expect(cited).to_have_attribute(
        "href", re.compile(r"#/kg-studio/studio/record/project(:|%3A)harbor_light")
    )
    card = page.locator(".tool-card").first
    expect(card).to_contain_text(re.compile(r"kb_search.*Who leads Harbor Light.*results.* m?s"))
    card.locator("summary").press("Enter")
    expect(card).to_contain_text("allowed to run")
    expect(card.get_by_label("Result of kb_search")).to_contain_text("project:harbor_light")
    expect(page).to_have_url(re.compile(r"#/chat/[0-9a-f]{32}$"))

    # The address leads back to it, and it goes on there.
    page.reload()
    expect(entry(page, "user", "Who leads Harbor Light?")).to_be_visible()
    expect(entry(page, "assistant", "Kenji Okuhara")).to_be_visible()
    expect(page.locator(".tool-card").first).to_contain_text("kb_search")
    write(page, "And where does he work?")
    looked_up = page.locator(".tool-card").filter(has_text="where does Kenji Okuhara work?")
    expect(looked_up.first).to_be_visible()
    past = page.get_by_role("navigation", name="Conversations")
    expect(past.locator("[aria-current=page]")).to_contain_text("Who leads Harbor Light?")
    # Who was elsewhere comes back to it.
    menu = page.get_by_role("navigation", name="Pages")
    menu.get_by_role("link", name="Tools", exact=True).click()
    menu.get_by_role("link", name="Conversation", exact=True).click()
    expect(looked_up.first).to_be_visible()
    page.get_by_role("button", name="New").click()
    expect(page.get_by_role("heading", name="Ask in writing")).to_be_visible()
    for width in (DESKTOP, PHONE):
        page.set_viewport_size(width)
        page.go_back()
        expect(entry(page, "user", "Who leads Harbor Light?")).to_be_visible()
        assert findings(page) == []
        page.go_forward()
        expect(page.get_by_role("heading", name="Ask in writing")).to_be_visible()


def test_what_is_approved_is_done_and_told(opened: Callable[..., Page]) -> None:
    page = opened("#/chat")
    write(page, "Book a meeting called Review tomorrow from 10 to 11 with ada@example.com")
    dialog = page.get_by_role("alertdialog")
    expect(dialog).to_contain_text("calendar_create_event")
    dialog.get_by_role("button", name=re.compile("^Approve")).click()
    expect(entry(page, "note", "You approved calendar_create_event.")).to_be_visible()
    # The question itself may come in words behind a quick answer.
    told = page.locator(".entry.note ~ .entry.assistant").last
    expect(told).to_contain_text(re.compile("Done.*Review"))

    write(page, "Book a meeting called Retro tomorrow from 2 to 3 pm with ada@example.com")
    dialog.get_by_role("button", name=re.compile("^Deny")).click()
    expect(entry(page, "note", "You denied calendar_create_event.")).to_be_visible()
    card = page.locator(".tool-card").filter(has_text="asked you").last
    expect(card).to_contain_text("did not approve")


def test_a_conversation_goes_over_to_voice_and_back(opened: Callable[..., Page]) -> None:
    page = opened("#/chat")
    write(page, "Who leads Harbor Light?")
    expect(entry(page, "assistant", "Kenji Okuhara")).to_be_visible()
    written = page.url.rsplit("/", 1)[1]
    write(page, "Let's talk instead")
    expect(page).to_have_url(re.compile("#/vox$"))
    expect(entry(page, "user", "Who leads Harbor Light?")).to_be_visible()
    expect(page.locator(".vox-talk")).to_have_class(re.compile("hearing"))
    page.get_by_label("Write instead of speaking").fill("What is the budget of Atlas?")
    page.keyboard.press("Enter")
    spoken = page.locator(".entry.user:has-text('Atlas') ~ .entry.assistant")
    expect(spoken.first).to_contain_text("45,000")

    page.get_by_role("button", name="Go on in writing").click()
    expect(page).to_have_url(re.compile(f"#/chat/{written}$"))
    expect(entry(page, "user", "What is the budget of Atlas?")).to_be_visible()
    write(page, "What does idempotent mean?")
    expect(entry(page, "assistant", "the same effect")).to_be_visible()


def test_one_that_does_not_exist_says_so(opened: Callable[..., Page], watch: Any) -> None:
    watch.expected.append("404")
    page = opened("#/chat/0123456789abcdef0123456789abcdef")
    expect(page.get_by_role("alert")).to_contain_text("There is no session")
