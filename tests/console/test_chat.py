"""The conversation in writing: answers and what they rest on, past ones, approvals, drafts."""

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
    expect(page.get_by_role("button", name="Stop", exact=True)).to_have_count(0)
    page.get_by_label("Message", exact=True).fill(text)
    page.keyboard.press("Enter")


def entry(page: Page, kind: str, text: str) -> Any:
    return page.locator(f".entry.{kind}").filter(has_text=text)


def test_a_question_is_answered_with_its_calls_and_what_it_rests_on(
    opened: Callable[..., Page],
) -> None:
    page = opened("#/chat")
    steps = page.get_by_role("list", name="First steps")
    expect(steps.get_by_role("listitem")).to_have_count(3)
    page.get_by_role("button", name="Who leads Harbor Light? Looks").click()
    answer = entry(page, "assistant", "Kenji Okuhara")
    expect(answer).to_be_visible()
    expect(page).to_have_url(re.compile(r"#/chat/[0-9a-f]{32}$"))
    # Answer first, then what it rests on, then what was done for it in one line.
    line = page.locator(".calls").first
    expect(line).to_contain_text(re.compile(r"Searched \d databases? · \d+ results? · .*s"))
    line.locator("summary").press("Enter")
    card = page.locator(".tool-card").filter(has_text="Harbor Light").first
    card.locator("summary").press("Enter")
    expect(card).to_contain_text("allowed to run")
    line.locator("summary").first.press("Enter")

    # A source opens beside the conversation.
    answer.get_by_role("link", name="Source 1: Harbor Light").click()
    drawer = page.get_by_role("complementary", name="Harbor Light")
    expect(drawer).to_contain_text("Telephone assistant for Nordlys Ferries")
    expect(drawer.get_by_role("link", name="Open in Knowledge")).to_have_attribute(
        "href", re.compile(r"#/kg-studio/studio/record/project(:|%3A)harbor_light")
    )
    assert findings(page) == []
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)

    # The address leads back to it, and it goes on there.
    page.reload()
    expect(entry(page, "user", "Who leads Harbor Light?")).to_be_visible()
    expect(answer.get_by_role("link", name="Source 1: Harbor Light")).to_be_visible()
    write(page, "And where does he work?")
    expect(page.locator(".calls")).to_have_count(2)
    past = page.get_by_role("navigation", name="Conversations")
    expect(past.locator("[aria-current=page]")).to_contain_text("Who leads Harbor Light?")
    # Who was elsewhere comes back to it, and to what they were typing.
    page.get_by_label("Message", exact=True).fill("And what")
    menu = page.get_by_role("navigation", name="Pages")
    menu.get_by_role("link", name="Tools", exact=True).click()
    menu.get_by_role("link", name="Conversation", exact=True).click()
    expect(page.locator(".calls")).to_have_count(2)
    page.reload()
    expect(page.get_by_label("Message", exact=True)).to_have_value("And what")
    page.get_by_role("button", name="New conversation").click()
    expect(steps.locator(".done").first).to_contain_text("Ask a question")
    for width in (DESKTOP, PHONE):
        page.set_viewport_size(width)
        page.go_back()
        expect(entry(page, "user", "Who leads Harbor Light?")).to_be_visible()
        assert findings(page) == []
        page.go_forward()
        expect(steps).to_be_visible()
        assert findings(page) == []


def test_conversations_are_found_named_filed_judged_branched_and_deleted(
    opened: Callable[..., Page],
) -> None:
    page = opened("#/chat")
    write(page, "What does idempotent mean?")
    answer = entry(page, "assistant", "the same effect")
    expect(answer).to_be_visible()
    expect(page.get_by_role("button", name="Stop", exact=True)).to_have_count(0)
    address = page.url

    answer.hover()
    with page.expect_response(lambda kept: kept.url.endswith("/feedback")):
        answer.get_by_role("button", name="Good answer").click()
    page.reload()
    expect(answer.get_by_role("button", name="Good answer")).to_have_attribute(
        "aria-pressed", "true"
    )

    past = page.get_by_role("navigation", name="Conversations")

    def choose(what: str) -> None:
        past.locator(".here").get_by_role("button", name=re.compile("^Actions for")).click()
        past.get_by_role("button", name=what).click()

    choose("Rename")
    page.get_by_label("Title").fill("Idempotence")
    page.keyboard.press("Enter")
    expect(past.locator("[aria-current=page]")).to_contain_text("Idempotence")
    choose("Move to folder")
    page.get_by_role("textbox", name="Folder").fill("Words")
    page.keyboard.press("Enter")
    expect(past.get_by_role("combobox", name="Folder")).to_contain_text("Words (1)")
    past.get_by_label("Search conversations").fill("idempotence the same effect")
    expect(past.get_by_role("listitem")).to_have_count(1)
    past.get_by_label("Search conversations").fill("")

    # Asked again in other words: a branch, and the first one stays as it is.
    question = entry(page, "user", "What does idempotent mean?")
    question.hover()
    question.get_by_role("button", name="Edit and ask again").click()
    page.get_by_label("Edited message").fill("Who leads Harbor Light?")
    page.keyboard.press("Enter")
    expect(entry(page, "assistant", "Kenji Okuhara")).to_be_visible()
    expect(question).to_have_count(0)
    assert page.url != address
    page.go_back()
    expect(answer).to_be_visible()

    choose("Share")
    page.get_by_role("button", name="Copy link").click()
    shared = page.get_by_label("Link").input_value()
    reader = opened(shared[shared.index("#") :])
    expect(reader.locator(".entry.assistant")).to_contain_text("the same effect")
    expect(reader.get_by_role("textbox")).to_have_count(0)
    page.get_by_role("button", name="Stop sharing").click()

    choose("Delete")
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(past.get_by_text("Idempotence")).to_have_count(0)
    expect(page.get_by_role("list", name="First steps")).to_be_visible()


def test_what_is_approved_is_done_and_told(opened: Callable[..., Page]) -> None:
    page = opened("#/chat")
    write(page, "Book a meeting called Review tomorrow from 10 to 11 with ada@example.com")
    dialog = page.get_by_role("alertdialog")
    expect(dialog).to_contain_text("calendar_create_event")
    dialog.get_by_role("button", name=re.compile("^Approve")).click()
    told = page.locator(".entry.assistant").last
    expect(told).to_contain_text(re.compile("Done.*Review"))

    write(page, "Book a meeting called Retro tomorrow from 2 to 3 pm with ada@example.com")
    dialog.get_by_role("button", name=re.compile("^Deny")).click()
    # It is told once.
    expect(page.locator(".calls").last).to_contain_text("denied")
    expect(page.locator(".entry.note, .tool-card.failed")).to_have_count(0)


def test_a_conversation_goes_over_to_voice_and_back(opened: Callable[..., Page]) -> None:
    page = opened("#/chat")
    write(page, "Who leads Harbor Light?")
    expect(entry(page, "assistant", "Kenji Okuhara")).to_be_visible()
    address = page.url
    write(page, "Let's talk instead")
    expect(page.locator(".vox-talk")).to_have_class(re.compile("hearing"))
    expect(entry(page, "user", "Who leads Harbor Light?")).to_be_visible()
    page.get_by_label("Message", exact=True).fill("What is the budget of Atlas?")
    page.keyboard.press("Enter")
    spoken = page.locator(".entry.user:has-text('Atlas') ~ .entry.assistant")
    expect(spoken.first).to_contain_text("45,000")
    page.get_by_role("button", name="Hang up").click()
    write(page, "What does idempotent mean?")
    expect(entry(page, "assistant", "the same effect")).to_be_visible()
    assert page.url == address
    page.reload()
    expect(page.locator(".entry.user")).to_have_count(4)


def test_a_message_that_is_too_long_stays_where_it_is(opened: Callable[..., Page]) -> None:
    page = opened("#/chat")
    box = page.get_by_label("Message", exact=True)
    box.evaluate("(box) => box.setRangeText('x'.repeat(2 ** 20))")
    box.press("End")
    box.press("y")
    expect(page.get_by_role("alert")).to_contain_text("1,048,577 characters; the limit is 32,000")
    box.press("Enter")
    expect(page.get_by_role("button", name="Send")).to_be_disabled()
    expect(page.locator(".entry")).to_have_count(0)
    assert box.evaluate("(box) => box.value.length") == 2**20 + 1


def test_one_that_does_not_exist_says_so(opened: Callable[..., Page], watch: Any) -> None:
    watch.expected.append("404")
    page = opened("#/chat/0123456789abcdef0123456789abcdef")
    expect(page.get_by_role("alert")).to_contain_text("There is no conversation")
