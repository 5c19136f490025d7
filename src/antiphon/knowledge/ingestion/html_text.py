"""HTML into plain text: what a reader would see, one paragraph per block."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from antiphon.knowledge.ingestion.lexicon import word_set

_HIDDEN = frozenset({"script", "style", "noscript", "template", "svg", "math", "iframe", "object"})
_BLOCKS = word_set(
    "address article aside blockquote body br caption dd div dl dt fieldset figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol option p pre section table td th tr "
    "ul"
)
_LINK = re.compile(r"https?://\S+|mailto:\S+", re.IGNORECASE)


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title: list[str] = []
        self.parts: list[str] = []
        self._hidden: str | None = None
        self._depth = 0
        self._in_title = False
        self._link = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._hidden is not None:
            self._depth += tag == self._hidden
            return
        if tag in _HIDDEN:
            self._hidden, self._depth = tag, 1
        elif tag == "title" and not self.title:
            self._in_title = True
        elif tag in _BLOCKS:
            self.parts.append("\n\n")
        elif tag == "a":
            link = dict(attrs).get("href") or ""
            self._link = link if _LINK.fullmatch(link) else ""

    def handle_endtag(self, tag: str) -> None:
        if self._hidden is not None:
            self._depth -= tag == self._hidden
            if self._depth == 0:
                self._hidden = None
        elif tag == "title":
            self._in_title = False
        elif tag in _BLOCKS:
            self.parts.append("\n\n")
        elif tag == "a" and self._link:
            link = self._link
            if link.lower().startswith("mailto:"):
                link = link[len("mailto:") :].partition("?")[0]
            if link not in "".join(self.parts[-3:]):
                self.parts.append(f" ({link})")
            self._link = ""

    def handle_data(self, data: str) -> None:
        if self._hidden is not None:
            return
        if self._in_title:
            self.title.append(data)
        else:
            self.parts.append(re.sub(r"\s+", " ", data))


def html_text(markup: str) -> tuple[str, str]:
    """Title and text."""
    parser = _Text()
    parser.feed(markup)
    parser.close()
    text = re.sub(r"[ \t]*\n[ \t\n]*", "\n\n", "".join(parser.parts)).strip()
    return " ".join("".join(parser.title).split()), re.sub(r" {2,}", " ", text)
