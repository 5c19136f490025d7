"""Models that hear and speak by themselves, spoken to in the browser over their own protocols."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.console.conftest import serving, until
from tests.console.test_talk import TAP, Frames, entry, question, recorded, state, type_in

from antiphon.emulators.runner import emulate

__all__ = ["question"]

HEARD_MS = 30_000
# What is said takes so long that whoever cuts in does it in the middle.
LONG = 30_000
SCRIPT: dict[str, Any] = {
    "steps": [
        {"on": "text", "with": {"text": "Greet"}, "reply": [{"say": "Good day.", "ms": 400}]},
        # The question is over by then: who goes on speaking cuts in.
        {
            "on": "audio",
            "with": {"ms": 4000},
            "reply": [
                {"hear": "Who leads Harbor Light?"},
                {
                    "call": {
                        "name": "search_kg",
                        "args": {"database_id": "studio", "query": "Harbor Light"},
                    }
                },
            ],
        },
        {
            "on": "results",
            "with": {"ok": True},
            "reply": [{"say": "It is Kenji Okuhara, who also plays chess.", "ms": LONG}],
        },
        # The person is heard again while the model still speaks, so the provider breaks it off.
        {
            "on": "audio",
            "with": {"ms": 5000},
            "reply": [
                {"speech": "started"},
                "interrupted",
                {"hear": "Wait a moment."},
                {"say": "I am listening for as long as you like.", "ms": LONG},
            ],
        },
        {"on": "text", "with": {"text": "Thank"}, "reply": [{"say": "You are welcome."}]},
    ]
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with ExitStack() as stack:
        access: dict[str, str] = {}
        for vendor in ("gemini", "openai"):
            one = stack.enter_context(emulate(vendor, SCRIPT, check=False))
            at = f"ANTIPHON_PROVIDERS__{vendor.upper()}"
            access |= {f"{at}__API_KEY": str(one.key), f"{at}__BASE_URL": one.base_url}
            if one.ca_file:
                access[f"{at}__CA_FILE"] = str(one.ca_file)
        yield stack.enter_context(serving(tmp_path_factory.mktemp("live"), **access))


@pytest.mark.parametrize("vendor", ["gemini", "openai"])
def test_a_conversation_by_voice(
    opened: Callable[..., Page],
    launch: Callable[..., Browser],
    question: bytes,
    tmp_path: Path,
    vendor: str,
) -> None:
    spoken = launch(recorded(tmp_path / "question.wav", question))
    page = opened("#/vox", browser=spoken, prefs={"backend": vendor, "speakAnswers": True})
    page.add_init_script(TAP)
    page.reload()
    frames = Frames(page)
    page.get_by_role("button", name="Talk", exact=True).click()
    expect(entry(page, "user", "Who leads Harbor Light?")).to_be_visible(timeout=HEARD_MS)
    assert frames.of("setup_complete", frames.received)[0]["mode"] == vendor
    expect(page.locator(".calls")).to_contain_text(re.compile("Searched 1 database · .* results"))
    first = entry(page, "assistant", "It is Kenji Okuhara")
    expect(first).to_be_visible(timeout=HEARD_MS)
    until(page, "heard.peak > 0.05")

    # Cut in by voice: what was being said is broken off, and the next answer is heard.
    expect(entry(page, "user", "Wait a moment.")).to_be_visible(timeout=HEARD_MS)
    expect(first).to_contain_text("interrupted")
    second = entry(page, "assistant", "I am listening")
    expect(second).to_be_visible()
    now = page.evaluate("heard.now()")
    until(page, "(now) => heard.last > now", now)

    # Cut in by key: silence, and the conversation goes on.
    page.keyboard.press("Escape")
    until(page, "heard.pressed && heard.now() > heard.pressed + 0.6")
    assert page.evaluate("heard.last - heard.pressed") < 0.1
    expect(second).to_contain_text("interrupted")
    before = page.evaluate("heard.now()")
    type_in(page, "Thank you.")
    expect(entry(page, "assistant", "You are welcome.")).to_be_visible(timeout=HEARD_MS)
    until(page, "(before) => heard.last > before", before)
    expect(state(page)).to_have_text("Listening: say something", timeout=HEARD_MS)
    assert set(frames.spoken) == {640}
    page.get_by_role("button", name="Hang up").click()
    expect(state(page)).to_be_hidden()
