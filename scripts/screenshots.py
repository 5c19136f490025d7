"""Pictures of the console for the documents: the real server, a real browser, light and dark.

.venv/bin/python scripts/screenshots.py            # writes docs/images/*.webp
.venv/bin/python scripts/screenshots.py --out DIR
"""

# ruff: noqa: T201 - it says what it wrote
from __future__ import annotations

import argparse
import base64
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).parents[1]
SIZE = {"width": 1180, "height": 800}
PATIENCE_MS = 60_000
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
# A picture in the browser's own WebP encoder, so that no library of images is needed.
TO_WEBP = """async (png) => {
  const image = await createImageBitmap(await (await fetch("data:image/png;base64," + png)).blob());
  const canvas = new OffscreenCanvas(image.width, image.height);
  canvas.getContext("2d").drawImage(image, 0, 0);
  const blob = await canvas.convertToBlob({type: "image/webp", quality: 0.82});
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}"""


@contextmanager
def serving(data: Path) -> Iterator[str]:
    """`antiphon serve` on a free port, with an empty data folder; its address."""
    command = [str(Path(sys.executable).parent / "antiphon"), "serve", "--port", "0"]
    kept = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    process = subprocess.Popen(
        [*command, "--data", str(data)],
        env={**kept, "PYTHONUNBUFFERED": "1"},
        cwd=data,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if found := re.search(r"http://127\.0\.0\.1:\d+", line):
                yield found[0]
                break
        else:
            sys.exit("The server did not start.")
    finally:
        process.terminate()
        process.wait(30)
        process.stdout.close()


def save(page: Page, blank: Page, out: Path, name: str) -> None:
    for theme in THEMES:
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        png = base64.b64encode(page.screenshot(animations="disabled", caret="hide")).decode()
        file = out / f"{name}-{theme}.webp"
        file.write_bytes(base64.b64decode(blank.evaluate(TO_WEBP, png)))
        print(f"{file.name}: {file.stat().st_size // 1024} KB")


def ask(page: Page, text: str) -> None:
    page.get_by_label("Your message").fill(text)
    page.keyboard.press("Enter")


def show(page: Page, at: str) -> None:
    page.goto(f"/#/{at}")
    expect(page.locator("main .spinner, main [aria-busy=true]")).to_have_count(0)


def photograph(browser: Browser, address: str, out: Path) -> None:
    context = browser.new_context(viewport=SIZE, base_url=address)
    context.set_default_timeout(PATIENCE_MS)
    page, blank = context.new_page(), context.new_page()
    page.bring_to_front()
    show(page, "chat")
    ask(page, "Who leads Harbor Light?")
    expect(page.locator(".entry.assistant").filter(has_text="Kenji")).to_be_visible()
    expect(page.get_by_text("Answering…")).to_have_count(0)
    ask(page, "Book a meeting called Review tomorrow from 10 to 11 with ada@example.com")
    dialog = page.get_by_role("alertdialog")
    expect(dialog).to_contain_text("calendar_create_event")
    save(page, blank, out, "confirmation")
    dialog.get_by_role("button", name=re.compile("^Approve")).click()
    expect(page.locator(".entry.note ~ .entry.assistant").last).to_contain_text("Done")
    expect(page.get_by_text("Answering…")).to_have_count(0)
    notices = page.get_by_role("region", name="Notices")
    notices.get_by_role("button").last.click()
    expect(notices.get_by_role("button")).to_have_count(0)
    session = page.url.rpartition("/")[2]
    show(page, f"sessions/{session}")
    call = page.locator("main").get_by_text("calendar_create_event").first
    expect(call).to_be_visible()
    save(page, blank, out, "session")
    show(page, "tools/kb_search")
    expect(page.get_by_role("heading", name="kb_search").first).to_be_visible()
    save(page, blank, out, "tool")
    context.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "images")
    out: Path = parser.parse_args().out
    names = ("chromium-headless-shell", "chromium", "chromium-browser")
    chromium = next(filter(None, map(shutil.which, names)), None)
    if chromium is None:
        sys.exit("Chromium is missing: scripts/ensure-chromium.sh installs it.")
    out.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=PATIENCE_MS)
    with (
        tempfile.TemporaryDirectory() as data,
        serving(Path(data)) as address,
        sync_playwright() as playwright,
    ):
        flags = ["--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=chromium, args=flags)
        photograph(browser, address, out)
        browser.close()


if __name__ == "__main__":
    main()
