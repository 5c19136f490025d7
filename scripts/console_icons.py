"""Icons of the installed console, drawn from its SVG by Chromium: `make console-icons`."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

PUBLIC = Path(__file__).parents[1] / "web" / "public"
# Name, size, and how much of it the drawing may fill. A system may cut a maskable icon to a
# circle, so its ground fills all of it and the drawing only the middle; iOS cuts corners itself.
ICONS = (
    ("icon-192.png", 192, None),
    ("icon-512.png", 512, None),
    ("icon-maskable-512.png", 512, 0.72),
    ("icon-apple-180.png", 180, 0.86),
)


def drawing(svg: str, size: int, share: float | None) -> str:
    """The SVG as an element of that size; with `share`, smaller on a ground without corners."""
    sized = svg.replace("<svg ", f'<svg width="{size}" height="{size}" ', 1)
    if share is None:
        return sized
    ground = re.search(r'<rect [^>]*fill="(#\w+)"[^>]*/>', svg)
    if ground is None:
        raise SystemExit("icon.svg has no ground: a <rect> with a fill")
    inner = sized.replace(ground[0], "")
    return (
        f'<div style="background:{ground[1]};width:{size}px;height:{size}px">'
        f'<div style="transform:scale({share})">{inner}</div></div>'
    )


def main() -> None:
    svg = (PUBLIC / "icon.svg").read_text("utf-8")
    names = ("chromium-headless-shell", "chromium", "chromium-browser")
    chromium = next(filter(None, map(shutil.which, names)), None)
    if chromium is None:
        raise SystemExit("Chromium is missing: scripts/ensure-chromium.sh installs it")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, size, share in ICONS:
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(f'<body style="margin:0">{drawing(svg, size, share)}')
            page.screenshot(path=PUBLIC / name, omit_background=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
