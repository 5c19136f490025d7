"""The looks of the console: the gallery as it was approved, and the pictures of the documentation.

`make console-pictures` writes both anew; look at them before they are committed.
"""

from __future__ import annotations

import base64
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.console.agent import asked
from tests.console.conftest import DESKTOP, PHONE, go, serving, until
from tests.console.test_shell import COLOURS, THEMES, findings

APPROVED = Path(__file__).parent / "pictures"
SHOWN = Path(__file__).parents[2] / "docs" / "images" / "console"
WRITING = os.environ.get("CONSOLE_PICTURES") == "write"
# Of the small squares that both pictures are divided into, so many may look different.
TOLERATED = 0.004
TALL = {"width": 1280, "height": 3600}
WIDTHS = {"wide": DESKTOP, "phone": PHONE}
MOST_BYTES = 3 * 1024 * 1024
PLACES = {
    "start": "chat",
    "conversation": "",
    "knowledge": "kg-studio/studio?q=Who+leads+Harbor+Light",
    "knowledge-graph": "kg-studio/studio?tab=graph",
    "knowledge-add": "kg-studio/personal?tab=ingest",
    "tools": "tools",
    "tool": "tools/kb_search",
    "macros": "macros",
    "workflows": "workflows",
    "agents": "agents",
    "experts": "experts",
    "playbooks": "playbooks",
    "projects": "projects",
    "calendar": "calendar?view=month",
    "sessions": "sessions",
    "approvals": "inbox",
    "audit": "audit",
    "metrics": "metrics?minutes=5",
    "traces": "traces",
    "settings": "settings",
    "settings-appearance": "settings/theme",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where pictures are taken, the data lies at a place that anybody might have."""
    data = Path(tempfile.gettempdir()) / "antiphon" if WRITING else tmp_path_factory.mktemp("looks")
    with serving(data, built_in=WRITING) as address:
        yield address
    if WRITING:
        shutil.rmtree(data)


@pytest.fixture(scope="module")
def blank(browser: Browser) -> Iterator[Page]:
    """A page of nobody, to work with pictures on."""
    page = browser.new_page()
    yield page
    page.close()


def webp(blank: Page, png: bytes, quality: float) -> bytes:
    packed: str = blank.evaluate(
        """async ([png, quality]) => {
            const image = new Image();
            image.src = `data:image/png;base64,${png}`;
            await image.decode();
            const canvas = document.createElement('canvas');
            [canvas.width, canvas.height] = [image.width, image.height];
            canvas.getContext('2d').drawImage(image, 0, 0);
            return canvas.toDataURL('image/webp', quality).split(',')[1];
        }""",
        [base64.b64encode(png).decode(), quality],
    )
    return base64.b64decode(packed)


def different(blank: Page, approved: bytes, png: bytes) -> float:
    """The share of squares of 4 by 4 pixels that look different; 1: another size."""
    share: float = blank.evaluate(
        """async (pictures) => {
            const read = async (address) => {
                const image = new Image();
                image.src = address;
                await image.decode();
                return image;
            };
            const [one, two] = await Promise.all(pictures.map(read));
            if (one.width !== two.width || Math.abs(one.height - two.height) > 8) return 1;
            const [width, height] = [one.width >> 2, Math.min(one.height, two.height) >> 2];
            const pixels = (image) => {
                const canvas = document.createElement('canvas');
                [canvas.width, canvas.height] = [width, height];
                const context = canvas.getContext('2d', {willReadFrequently: true});
                context.imageSmoothingQuality = 'high';
                context.drawImage(image, 0, 0, width * 4, height * 4, 0, 0, width, height);
                return context.getImageData(0, 0, width, height).data;
            };
            const [a, b] = [pixels(one), pixels(two)];
            let count = 0;
            for (let at = 0; at < a.length; at += 4) {
                const far = Math.max(...[0, 1, 2].map((of) => Math.abs(a[at + of] - b[at + of])));
                if (far > 40) count++;
            }
            return count / (a.length / 4);
        }""",
        [
            f"data:image/webp;base64,{base64.b64encode(approved).decode()}",
            f"data:image/png;base64,{base64.b64encode(png).decode()}",
        ],
    )
    return share


def taken(page: Page) -> bytes:
    return page.locator(".gallery").screenshot(animations="disabled")


@pytest.mark.parametrize("theme", THEMES)
def test_the_gallery_looks_as_it_was_approved_and_is_for_everybody(
    opened: Callable[..., Page], blank: Page, tmp_path: Path, theme: str
) -> None:
    prefs = {"theme": theme}
    page = opened("#/gallery", width=TALL, prefs=prefs, timezone_id="UTC", locale="en-US")
    expect(page.locator(".gallery canvas")).to_have_count(2)
    expect(page.locator(".gallery .markdown li")).to_have_count(2)
    page.evaluate("document.fonts.ready.then(() => new Promise(requestAnimationFrame))")
    assert page.evaluate("document.fonts.check('14px Geist')")
    picture = taken(page)
    (tmp_path / "now.png").write_bytes(picture)
    approved = APPROVED / f"gallery-{theme}.webp"
    if WRITING:
        approved.write_bytes(webp(blank, picture, 0.45))
    share = different(blank, approved.read_bytes(), picture)
    assert share <= TOLERATED, (
        f"{share:.2%} of the gallery looks different in {theme}: compare {approved} with "
        f"{tmp_path / 'now.png'}. If it is meant, `make console-pictures` approves it."
    )
    assert findings(page, None if theme == THEMES[0] else COLOURS) == []
    if theme == THEMES[0]:  # a change that one would see is noticed
        page.evaluate("document.documentElement.style.setProperty('--accent', '#0a7d4f')")
        assert different(blank, approved.read_bytes(), taken(page)) > TOLERATED


# -- the pictures of the documentation -------------------------------------------------------------


def lived_in(server: str) -> None:
    """A desk with something on it."""
    for name in ("Harbor Light", "Second Wind"):
        asked(server, "/api/projects", {"name": name, "description": f"Work on {name}"})
    today = datetime.now(UTC).date()
    for days, hour, title in ((1, 9, "Stand-up"), (1, 14, "Design review"), (3, 11, "Lunch")):
        at = f"{today + timedelta(days)}T{hour:02}"
        times = {"start_time": f"{at}:00:00", "end_time": f"{at}:45:00", "time_zone": "UTC"}
        asked(server, "/api/calendar/events", {"title": title, **times})
    for number in range(12):
        call = {"args": {"expression": f"{number} * 17"}}
        asked(server, "/api/tools/calculator/call", call)
        asked(server, "/api/tools/kb_search/call", {"args": {"query": "Who leads Harbor Light?"}})


def test_every_page_is_pictured_in_both_widths_and_in_light_and_dark(
    opened: Callable[..., Page], server: str, blank: Page
) -> None:
    names = (*PLACES, "session", "question")
    wanted = {f"{n}-{w}-{t}.webp" for n in names for w in WIDTHS for t in ("light", "dark")}
    if WRITING:
        lived_in(server)
        conversation = talked(opened("#/chat"))
        SHOWN.mkdir(parents=True, exist_ok=True)
        for old in SHOWN.glob("*.webp"):
            old.unlink()
        for theme in ("light", "dark"):
            for width, size in WIDTHS.items():
                page = opened(width=size, prefs={"theme": theme}, timezone_id="UTC", locale="en-US")
                session = f"sessions/{conversation.rpartition('/')[2]}"
                for name, at in {**PLACES, "session": session}.items():
                    go(page, at or conversation)
                    pictured(page, blank, f"{name}-{width}-{theme}")
                asked_first(page)
                pictured(page, blank, f"question-{width}-{theme}")
                page.get_by_role("button", name=re.compile("^Deny")).click()
                expect(page.get_by_role("alertdialog")).to_have_count(0)
    assert {path.name for path in SHOWN.iterdir()} == wanted
    assert sum(path.stat().st_size for path in SHOWN.iterdir()) <= MOST_BYTES


def pictured(page: Page, blank: Page, name: str) -> None:
    until(page, "!document.querySelector('canvas[data-moving=true]')")
    page.evaluate("document.fonts.ready.then(() => new Promise(requestIdleCallback))")
    packed = webp(blank, page.screenshot(animations="disabled"), 0.6)
    (SHOWN / f"{name}.webp").write_bytes(packed)


def asked_first(page: Page) -> None:
    """An event that waits for an answer."""
    go(page, "chat")
    box = page.locator(".composer textarea")
    box.fill("Book a meeting called Review tomorrow from 10 to 11 with ada@example.com")
    box.press("Enter")
    expect(page.get_by_role("alertdialog")).to_contain_text("Review")


def talked(page: Page) -> str:
    """Where a conversation is that the pictures show."""
    for words, answer in (("Who leads Harbor Light?", "Kenji"), ("What is 17% of 2400?", "408")):
        box = page.locator(".composer textarea")
        box.fill(words)
        box.press("Enter")
        expect(page.get_by_role("main")).to_contain_text(answer)
    return page.url.partition("#/")[2]
