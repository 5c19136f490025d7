"""A model that only reads and writes: the browser listens and speaks for it, or the server does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.console.conftest import Watch, serving, until
from tests.console.test_talk import Frames, soon

from antiphon.emulators.runner import emulate

RULES: dict[str, Any] = {
    "rules": [
        {
            "on": "text",
            "with": {"text": "story"},
            "reply": [{"text": "Once upon a time. And then "}, "silent"],
        },
        {"on": "text", "reply": [{"text": "Good day. You said {text}."}, "complete"]},
    ]
}
CHOSEN = {"backend": "claude"}

# Ears and a voice that the test can see through. A browser without a window has none that work.
SPEECH = """
window.spoken = [];
window.SpeechRecognition = class {
  start() { window.ears = this; }
  abort() { this.onend?.(); }
  hear(text, isFinal) {
    const result = Object.assign([{ transcript: text }], { isFinal });
    this.onresult({ resultIndex: 0, results: [result] });
  }
};
speechSynthesis.speak = (utterance) => {
  spoken.push(utterance.text);
  if (!window.slow) setTimeout(() => utterance.onend());
};
speechSynthesis.cancel = () => { spoken.push("(silence)"); };
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with emulate("anthropic", RULES, check=False) as claude:
        access = {
            "ANTIPHON_PROVIDERS__CLAUDE__API_KEY": claude.key,
            "ANTIPHON_PROVIDERS__CLAUDE__BASE_URL": claude.base_url,
        }
        with serving(tmp_path_factory.mktemp("claude"), **access) as address:
            yield address


def test_the_browser_listens_and_speaks(opened: Callable[..., Page]) -> None:
    page = opened("#/vox", prefs=CHOSEN)
    page.add_init_script(SPEECH)
    page.reload()
    frames = Frames(page)
    page.get_by_role("button", name="Talk", exact=True).click()
    expect(page.locator(".entry.assistant.done")).to_contain_text("Good day.")
    expect(page.locator(".standing")).to_have_text("Listening: say something")
    page.evaluate("window.slow = true; ears.hear('Hello the', false)")
    expect(page.locator(".entry.user.open")).to_contain_text("Hello the")
    page.evaluate("ears.hear('Hello there', true)")
    expect(page.locator(".entry.user:not(.open)")).to_contain_text("Hello there")
    expect(page.locator(".entry.assistant").last).to_contain_text("You said Hello there.")
    until(page, "spoken.includes('Good day.') && spoken.includes('You said Hello there.')")
    assert frames.of("setup_complete", frames.received)[0]["voice"] == "browser"
    # Speaking, until the browser says that it is done; who cuts in is not talked over.
    expect(page.locator(".standing")).to_have_text("Speaking")
    page.evaluate("ears.hear('But', false)")
    expect(page.locator(".standing")).not_to_have_text("Speaking")
    until(page, "spoken.includes('(silence)')")


def test_where_the_browser_cannot_the_server_does(opened: Callable[..., Page]) -> None:
    page = opened("#/vox", prefs={**CHOSEN, "speakAnswers": True})
    page.add_init_script(
        "delete window.SpeechRecognition; window.webkitSpeechRecognition = undefined;"
    )
    page.reload()
    frames = Frames(page)
    page.get_by_role("button", name="Talk", exact=True).click()
    soon(page, lambda: frames.of("setup_complete", frames.received))
    page.get_by_label("Message", exact=True).fill("Hello")
    page.keyboard.press("Enter")
    expect(page.locator(".entry.assistant").last).to_contain_text("You said Hello.")
    assert frames.of("setup_complete", frames.received)[0]["voice"] == "built-in"
    expect(page.locator(".standing")).to_have_text("Speaking")
    page.get_by_role("button", name="Voice settings").click()
    expect(page.get_by_label("Voice", exact=True)).to_contain_text("Built-in voice")


def test_an_answer_in_writing_can_be_stopped(opened: Callable[..., Page], watch: Watch) -> None:
    watch.expected.append("409")  # the next message may be too early, and is sent again
    page = opened("#/chat", prefs=CHOSEN)
    page.get_by_label("Message", exact=True).fill("Tell me a story")
    page.keyboard.press("Enter")
    answer = page.locator(".entry.assistant")
    expect(answer).to_contain_text("Once upon a time.")
    page.get_by_role("button", name="Stop").click()
    expect(answer).to_contain_text("interrupted")
    # What is typed meanwhile stays where it is.
    page.get_by_label("Message", exact=True).fill("Thanks")
    page.keyboard.press("Enter")
    expect(answer.last).to_contain_text("You said Thanks.")
