"""HTML documents as plain text: what a reader would see, one paragraph per block."""

from __future__ import annotations

import re

from antiphon.text.html import HtmlTag, html_tokens
from antiphon.text.words import word_set

_BLOCKS = word_set(
    "address article aside blockquote body br caption dd div dl dt fieldset figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol option p pre section table td th tr ul"
)
_SHOWN_ADDRESS = re.compile(r"(?:https?://|mailto:)\S+", re.IGNORECASE)
MAX_TITLE = 2_000


def html_text(markup: str) -> tuple[str, str]:
    """Title and visible text of an HTML page."""
    page = _PageText()
    for token in html_tokens(markup):
        if isinstance(token, str):
            page.add_text(token)
        else:
            page.add_tag(token)
    text = re.sub(r"\n{2,}", "\n\n", re.sub(r"(?<! ) *+\n *+", "\n", "".join(page.parts)))
    title = "".join(page.title)[:MAX_TITLE]
    return " ".join(title.split()), re.sub(r" {2,}", " ", text).strip()


class _PageText:
    def __init__(self) -> None:
        self.title: list[str] = []
        self.parts: list[str] = []
        self._in_title = self._titled = False
        self._address = ""

    def add_text(self, text: str) -> None:
        if self._in_title:
            if not self._titled:  # only the first one names the page
                self.title.append(text)
        else:
            self.parts.append(re.sub(r"\s+", " ", text))

    def add_tag(self, tag: HtmlTag) -> None:
        if tag.name == "title":
            self._in_title = not tag.closing
            self._titled = self._titled or tag.closing
        elif self._in_title:
            return
        if tag.name in _BLOCKS:
            self.parts.append("\n\n")
        if tag.name == "a":
            if tag.closing:
                self._show_address()
            else:
                self._address = _address(tag)

    def _show_address(self) -> None:
        """Put the address of a link behind its words, unless it is what they say."""
        if self._address and self._address not in "".join(self.parts[-3:]):
            self.parts.append(f" ({self._address})")
        self._address = ""


def _address(tag: HtmlTag) -> str:
    address = tag.attribute("href").strip()
    if not _SHOWN_ADDRESS.fullmatch(address):
        return ""
    if address.lower().startswith("mailto:"):
        return address[len("mailto:") :].partition("?")[0]
    return address
