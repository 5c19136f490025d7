"""Inline Markdown: emphasis, code, links, images and escapes."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from html import escape

TOKEN = re.compile(r"\\[!-/:-@\[-`{-~]|`+|\*+|_+|~~|!?\[|\]|<[^\s<>]{3,500}>|(?<! ) {2,}\n|\\\n|\n")
TARGET = re.compile(r"\(\s{0,9}<?([^\s()<>]{0,2000})>?(?:\s{1,9}\"([^\"]{0,500})\")?\s{0,9}\)")
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
SAFE = ("http:", "https:", "mailto:")
MAIL = re.compile(r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")
TAGS = {"*": "em", "**": "strong", "_": "em", "__": "strong", "~~": "del"}


@dataclass
class InlineRenderer:
    text: str
    links: list[str]
    refused: list[str]
    out: list[str] = field(default_factory=list)
    open: list[tuple[str, int]] = field(default_factory=list)
    waiting: dict[str, int] = field(default_factory=dict)
    linked: int = 0  # brackets opened before this piece hold a link and can be none

    def close(self, mark: str) -> int | None:
        """Where the nearest opening `mark` stands; what was opened after it stays text."""
        if not self.waiting.get(mark):
            return None
        while True:
            kind, at = self.open.pop()
            self.waiting[kind] -= 1
            if kind == mark:
                return at

    def begin(self, mark: str) -> None:
        self.open.append((mark, len(self.out)))
        self.waiting[mark] = self.waiting.get(mark, 0) + 1


def render_inline(text: str, links: list[str], refused: list[str]) -> str:
    writer = InlineRenderer(text, links, refused)
    ticks = runs_of_ticks(text)
    at = 0
    while found := TOKEN.search(text, at):
        writer.out.append(escape(text[at : found.start()]))
        at = step(writer, found, ticks)
    writer.out.append(escape(text[at:]))
    return "".join(writer.out)


def runs_of_ticks(text: str) -> dict[int, list[int]]:
    """Where runs of backticks start, by their length: a span ends at the next of its own."""
    runs: dict[int, list[int]] = {}
    for found in re.finditer("`+", text):
        runs.setdefault(len(found[0]), []).append(found.start())
    return runs


def step(writer: InlineRenderer, found: re.Match[str], ticks: dict[int, list[int]]) -> int:
    mark_up, end = found[0], found.end()
    if mark_up.endswith("\n"):
        writer.out.append("\n" if mark_up == "\n" else "<br>\n")
    elif mark_up[0] == "\\":
        writer.out.append(escape(mark_up[1]))
    elif mark_up[0] == "`":
        return code_span(writer, mark_up, found.start(), ticks)
    elif mark_up in ("[", "!["):
        writer.begin(mark_up)
        writer.out.append(mark_up)
    elif mark_up == "]":
        return bracket(writer, end)
    elif mark_up[0] == "<":
        automatic(writer, mark_up)
    else:
        emphasis(writer, mark_up, found)
    return end


def code_span(writer: InlineRenderer, mark_up: str, start: int, ticks: dict[int, list[int]]) -> int:
    places = ticks.get(len(mark_up), [])
    index = bisect_right(places, start)
    if index == len(places):
        writer.out.append(mark_up)
        return start + len(mark_up)
    inside = writer.text[start + len(mark_up) : places[index]].replace("\n", " ")
    if inside.strip() and inside.startswith(" ") and inside.endswith(" "):
        inside = inside[1:-1]
    writer.out.append(f"<code>{escape(inside)}</code>")
    return places[index] + len(mark_up)


def bracket(writer: InlineRenderer, end: int) -> int:
    # The nearest opening bracket is the one that ends here, image or link.
    kinds = [kind for kind in ("[", "![") if writer.waiting.get(kind)]
    target = TARGET.match(writer.text, end)
    if not kinds:
        writer.out.append("]")
        return end
    while True:
        kind, at = writer.open.pop()
        writer.waiting[kind] -= 1
        if kind in ("[", "!["):
            break
    if not target or (kind == "[" and at < writer.linked):
        writer.out.append("]")
        return end
    inside = "".join(writer.out[at + 1 :])
    del writer.out[at:]
    writer.out.append(link(writer, kind, inside, target[1], target[2]))
    if kind == "[":
        writer.linked = len(writer.out)
    return target.end()


def link(writer: InlineRenderer, kind: str, inside: str, url: str, title: str | None) -> str:
    if not is_safe(url):
        writer.refused.append(url[:200])
        return inside
    note = f' title="{escape(title)}"' if title else ""
    if kind == "![":
        said = re.sub(r"<[^<>]*>", "", inside)
        return f'<img src="{escape(url)}" alt="{said}"{note}>'
    writer.links.append(url)
    return f'<a href="{escape(url)}"{note} rel="noopener noreferrer">{inside}</a>'


def is_safe(url: str) -> bool:
    plain = "".join(char for char in url if char.isprintable())
    return not SCHEME.match(plain) or plain.lower().startswith(SAFE)


def automatic(writer: InlineRenderer, mark_up: str) -> None:
    url = mark_up[1:-1]
    if url.lower().startswith(("http://", "https://")):
        writer.out.append(link(writer, "[", escape(url), url, None))
    elif MAIL.fullmatch(url):
        writer.out.append(link(writer, "[", escape(url), f"mailto:{url}", None))
    else:
        writer.out.append(escape(mark_up))


def emphasis(writer: InlineRenderer, mark_up: str, found: re.Match[str]) -> None:
    text = writer.text
    before = text[found.start() - 1] if found.start() else " "
    after = text[found.end()] if found.end() < len(text) else " "
    opens, closes = not after.isspace(), not before.isspace()
    if mark_up[0] == "_":  # snake_case is no emphasis
        opens = opens and not before.isalnum()
        closes = closes and not after.isalnum()
    parts = marks(mark_up)
    if closes and writer.open and writer.open[-1][0] == parts[-1]:
        parts.reverse()  # what was opened last is closed first
    for mark in parts:
        if mark not in TAGS:
            writer.out.append(escape(mark))
            continue
        at = writer.close(mark) if closes else None
        if at is not None:
            writer.out[at] = f"<{TAGS[mark]}>"
            writer.out.append(f"</{TAGS[mark]}>")
        else:
            if opens:
                writer.begin(mark)
            writer.out.append(mark)


def marks(mark_up: str) -> list[str]:
    """Three stars are two and one; more than three are only stars."""
    if mark_up == "~~" or len(mark_up) <= 2:
        return [mark_up]
    if len(mark_up) == 3:
        return [mark_up[:2], mark_up[:1]]
    return [mark_up]
