"""HTML into plain text: what a reader would see, one paragraph per block.

Tags are found by one pass over the text. The parser of the standard library starts over at each
`<` of a broken page, which takes hours for a page of a few megabytes.
"""

from __future__ import annotations

import re
from html import unescape

from antiphon.text.words import word_set

_HIDDEN = word_set("script style noscript template svg math iframe object")
_BLOCKS = word_set(
    "address article aside blockquote body br caption dd div dl dt fieldset figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol option p pre section table td th tr ul"
)
# An attribute is bounded, so that a quotation mark without an end costs little.
_TAG = re.compile(
    r"<(?P<end>/?)(?P<name>[a-zA-Z][a-zA-Z0-9:-]{0,60}+)"
    r"(?P<rest>(?:[^<>\"']|\"[^\"]{0,8000}\"|'[^']{0,8000}')*+)>"
)
_END_OF = {
    name: re.compile(rf"</{name}[^<>]{{0,200}}>", re.IGNORECASE) for name in (*_HIDDEN, "title")
}
_ADDRESS = re.compile(
    r"(?:^|\s)href\s{0,9}=\s{0,9}(?:\"([^\"]{1,4000})\"|'([^']{1,4000})'|([^\s\"'>]{1,4000}))",
    re.IGNORECASE,
)
_SHOWN_ADDRESS = re.compile(r"(?:https?://|mailto:)\S+", re.IGNORECASE)


def html_text(markup: str) -> tuple[str, str]:
    """Title and text."""
    page = _Page()
    at = 0
    while (start := markup.find("<", at)) >= 0:
        page.text(markup[at:start])
        at = page.markup(markup, start)
    page.text(markup[at:])
    text = re.sub(r"\n{2,}", "\n\n", re.sub(r"(?<! ) *+\n *+", "\n", "".join(page.parts)))
    return " ".join(unescape(page.title).split()), re.sub(r" {2,}", " ", text).strip()


class _Page:
    def __init__(self) -> None:
        self.title = ""
        self.parts: list[str] = []
        self._address = ""

    def text(self, raw: str) -> None:
        if raw:
            self.parts.append(re.sub(r"\s+", " ", unescape(raw)))

    def markup(self, markup: str, start: int) -> int:
        """Takes what begins with `<`; where to go on."""
        if markup.startswith("<!--", start):
            end = markup.find("-->", start + 4)
            return len(markup) if end < 0 else end + 3
        if markup.startswith(("<!", "<?"), start):
            end = markup.find(">", start)
            return len(markup) if end < 0 else end + 1
        tag = _TAG.match(markup, start)
        if tag is None:  # a sign for "less than", or a tag that never ends
            self.parts.append("<")
            return start + 1
        name = tag["name"].lower()
        if name in _BLOCKS:
            self.parts.append("\n\n")
        if tag["end"]:
            if name == "a":
                self._show_address()
        elif name == "a":
            self._address = _address(tag["rest"])
        elif name in _END_OF and not tag["rest"].endswith("/"):
            close = _END_OF[name].search(markup, tag.end())
            end = close.start() if close else len(markup)
            if name == "title" and not self.title:
                self.title = markup[tag.end() : min(end, tag.end() + 2_000)]
            return close.end() if close else end
        return tag.end()

    def _show_address(self) -> None:
        """Puts the address of a link behind its words, unless it is what they say."""
        if self._address and self._address not in "".join(self.parts[-3:]):
            self.parts.append(f" ({self._address})")
        self._address = ""


def _address(attributes: str) -> str:
    found = _ADDRESS.search(attributes)
    if found is None:
        return ""
    address = unescape(found[1] or found[2] or found[3]).strip()
    if not _SHOWN_ADDRESS.fullmatch(address):
        return ""
    if address.lower().startswith("mailto:"):
        return address[len("mailto:") :].partition("?")[0]
    return address
