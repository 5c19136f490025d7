"""How the console feels: what its first page loads, and how evenly a long conversation scrolls.

    python bench/console.py [--quick]

Starts the server and Debian's Chromium. 5,000 entries are put into the page over a socket that the
page takes for the server's; --quick takes 1,000. Frames are those of the browser's own clock, which
makes at most 60 in a second. The machine must be quiet.
"""

from __future__ import annotations

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from common import arguments, result, table, verdict

FPS_GOAL = 57  # of 60: the clock of a browser without a screen is not exact
FIRST_LOAD_GOAL = 150 * 1024
FRAMES = 180
SPEEDS = {"reading": 60, "flinging": 400}  # pixels a frame
SOCKET = """
window.WebSocket = class {
  static OPEN = 1;
  readyState = 1;
  constructor() { window.line = this; setTimeout(() => this.onopen()); }
  send(data) {
    if (typeof data !== "string" || JSON.parse(data).type !== "start") return;
    this.say({ type: "setup_complete", sessionId: "s", session_token: "t", mode: "local",
      model: "local", voice: "built-in", conversation: "s", turn_id: 1 });
    window.ready = true;
  }
  say(message) { this.onmessage({ data: JSON.stringify(message) }); }
  close() {}
};
"""
FILL = """(pairs) => {
  for (let n = 1; n <= pairs; n++) {
    const text = `Line ${n} of a long conversation, which goes on a little longer than one needs.`;
    line.say({ type: "transcript", role: "user", final: true, text, turn_id: n });
    line.say({ type: "transcript", role: "assistant", text, turn_id: n });
  }
}"""
SCROLL = """async ([step, frames]) => {
  const box = document.querySelector(".entries");
  const gaps = [];
  let last = await new Promise(requestAnimationFrame);
  for (let n = 0; n < frames; n++) {
    box.scrollTop -= step;
    const now = await new Promise(requestAnimationFrame);
    gaps.push(now - last);
    last = now;
  }
  return gaps;
}"""


@contextmanager
def serving(data: Path) -> Iterator[str]:
    """The server as people start it; its address."""
    command = [str(Path(sys.executable).parent / "antiphon"), "serve", "--port", "0"]
    process = subprocess.Popen(
        [*command, "--data", str(data)],
        env={**os.environ, "PYTHONUNBUFFERED": "1", "ANTIPHON_SERVER__WARM_UP": "false"},
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
            raise SystemExit("The server did not start.")
    finally:
        process.terminate()
        process.wait(30)
        process.stdout.close()


def first_load(page: Page) -> int:
    """Bytes that came over the wire until the page is there."""
    sizes: list[int] = []
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    line.on("Network.loadingFinished", lambda event: sizes.append(int(event["encodedDataLength"])))
    page.goto("/")
    page.get_by_label("Message", exact=True).wait_for()
    page.wait_for_load_state("networkidle")
    return sum(sizes)


def scroll(page: Page, entries: int) -> dict[str, list[float]]:
    """Milliseconds between frames, by speed, in a conversation of so many entries."""
    page.add_init_script(SOCKET)
    page.reload()
    page.get_by_role("button", name="Talk", exact=True).click()
    while not page.evaluate("window.ready === true"):
        page.wait_for_timeout(20)
    page.evaluate(FILL, entries // 2)
    page.locator(".entry").nth(entries - 1).wait_for(state="attached")
    page.wait_for_timeout(1500)  # what is done behind the page is over
    return {name: page.evaluate(SCROLL, [step, FRAMES]) for name, step in SPEEDS.items()}


def main() -> None:
    options = arguments(__doc__ or "")
    entries = 1_000 if options.quick else 5_000
    names = ("chromium-headless-shell", "chromium", "chromium-browser")
    browser = next(filter(None, map(shutil.which, names)), None)
    if browser is None:
        raise SystemExit("Chromium is missing: scripts/ensure-chromium.sh installs it.")
    flags = ["--no-sandbox", "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"]
    with (
        tempfile.TemporaryDirectory() as data,
        serving(Path(data)) as address,
        sync_playwright() as playing,
    ):
        chrome = playing.chromium.launch(executable_path=browser, args=flags)
        context = chrome.new_context(
            viewport={"width": 1280, "height": 800},
            base_url=address,
            permissions=["microphone"],
            service_workers="block",
        )
        page = context.new_page()
        size = first_load(page)
        gaps = scroll(page, entries)
        chrome.close()
    body: dict[str, Any] = {"entries": entries, "first_load_bytes": size}
    rows = [
        ("first load", f"{size / 1024:.0f} KB", verdict(size <= FIRST_LOAD_GOAL, "<= 150 KB")),
    ]
    for name, found in gaps.items():
        fps, late = 1000 * len(found) / sum(found), sorted(found)[int(len(found) * 0.95)]
        median = statistics.median(found)
        body |= {f"{name}_fps": fps, f"{name}_median_ms": median, f"{name}_p95_ms": late}
        goal = verdict(fps >= FPS_GOAL, f">= {FPS_GOAL} of 60")
        rows.append((f"frames a second, {name}", f"{fps:.1f}", goal))
        rows.append(
            ("  from frame to frame", f"{median:.1f} ms", f"95 of 100 within {late:.1f} ms")
        )
    table(f"Console, {entries:,} entries in the conversation", rows)
    result(body)


if __name__ == "__main__":
    main()
