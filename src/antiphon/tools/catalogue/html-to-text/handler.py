"""HTML to text or Markdown, in one pass whose time grows with the length alone."""

from __future__ import annotations

import re
from typing import Any

from antiphon import ok
from antiphon.toolkit.html import HtmlTag, html_tokens

BLOCKS = {
    "p", "div", "section", "article", "header", "footer", "main", "aside", "nav", "ul", "ol",
    "table", "tr", "form", "fieldset", "blockquote", "figure", "figcaption", "dl", "dt", "dd",
    "h1", "h2", "h3", "h4", "h5", "h6", "hr", "address", "details", "summary", "body",
}  # fmt: skip
LINKS = 100
# Stands for a space of preformatted text until the other spaces are tidied up.
KEPT = "\0"


def execute(args: dict[str, Any], context: Any) -> Any:
    reader = HtmlTextReader(args["style"] == "markdown")
    reader.read(args["html"])
    text = reader.text()
    cut = text[: args["max_chars"]]
    return ok(
        {
            "title": " ".join("".join(reader.title).split()),
            "text": cut,
            "links": list(reader.links.values())[:LINKS],
            "truncated": len(cut) < len(text),
            "words": len(text.split()),
        }
    )


class HtmlTextReader:
    def __init__(self, markdown: bool) -> None:
        self.title: list[str] = []
        self.links: dict[str, dict[str, str]] = {}
        self._markdown = markdown
        self._pieces: list[str] = []
        self._in_head = False
        self._in_title = False
        self._verbatim = 0
        self._lists: list[int | None] = []
        self._anchors: list[tuple[str, int]] = []

    def read(self, text: str) -> None:
        for token in html_tokens(text):
            if isinstance(token, str):
                self._data(token)
            elif token.closing:
                self._end(token.name)
            else:
                self._start(token)

    def _start(self, token: HtmlTag) -> None:
        tag = token.name
        if tag == "title":
            self._in_title = True
        if tag == "head":
            self._in_head = True
        if self._in_head:
            return
        if tag == "br":
            self._pieces.append("\n")
        elif tag == "li":
            self._pieces.append("\n" + self._bullet())
        elif tag in ("td", "th"):
            self._pieces.append("\t")
        elif tag == "pre":
            self._verbatim += 1
            self._pieces.append("\n\n```\n" if self._markdown else "\n\n")
        elif tag in BLOCKS:
            self._open_block(tag)
        elif tag == "a":
            self._anchors.append((token.attribute("href"), len(self._pieces)))
        elif tag == "img":
            self._pieces.append(token.attribute("alt"))
        elif self._markdown and tag in ("b", "strong", "em", "i", "code"):
            self._pieces.append({"b": "**", "strong": "**", "code": "`"}.get(tag, "*"))

    def _end(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False
        if tag == "head":
            self._in_head = False
        if self._in_head:
            return
        if tag in ("ul", "ol") and self._lists:
            self._lists.pop()
        if tag == "pre" and self._verbatim:
            self._verbatim -= 1
            self._pieces.append("\n```\n\n" if self._markdown else "\n\n")
        elif tag in BLOCKS:
            self._pieces.append("\n\n" if tag != "tr" else "\n")
        elif tag == "a" and self._anchors:
            self._close_anchor()
        elif self._markdown and tag in ("b", "strong", "em", "i", "code"):
            self._pieces.append({"b": "**", "strong": "**", "code": "`"}.get(tag, "*"))

    def _data(self, data: str) -> None:
        if self._in_title:
            self.title.append(data)
        elif not self._in_head:
            kept = data.replace(" ", KEPT) if self._verbatim else re.sub(r"\s+", " ", data)
            self._pieces.append(kept)

    def text(self) -> str:
        lines = [line.strip(" ") for line in "".join(self._pieces).split("\n")]
        joined = "\n".join(re.sub(r" {2,}", " ", line).rstrip() for line in lines)
        return re.sub(r"\n{3,}", "\n\n", joined).strip().replace(KEPT, " ")

    def _open_block(self, tag: str) -> None:
        if tag in ("ul", "ol"):
            self._lists.append(0 if tag == "ol" else None)
        self._pieces.append("\n" if tag == "tr" or len(self._lists) > 1 else "\n\n")
        if self._markdown and re.fullmatch("h[1-6]", tag):
            self._pieces.append("#" * int(tag[1]) + " ")
        elif self._markdown and tag == "blockquote":
            self._pieces.append("> ")
        elif tag == "hr":
            self._pieces.append("---\n\n")

    def _bullet(self) -> str:
        if self._lists and self._lists[-1] is not None:
            self._lists[-1] += 1
            return f"{self._lists[-1]}. "
        return "- "

    def _close_anchor(self) -> None:
        url, start = self._anchors.pop()
        said = " ".join("".join(self._pieces[start:]).split())
        if url and said:
            self.links.setdefault(url, {"text": said[:200], "url": url[:2000]})
            if self._markdown:
                self._pieces[start:] = [f"[{said}]({url})"]
