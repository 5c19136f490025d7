"""HTML tokens: the tags and texts of a page, in one pass whose time grows with its length alone.

The parser of the standard library starts over at each `<` of a broken page, which takes hours for a
page of a few megabytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape

from antiphon.text.words import word_set

# Elements that no reader sees, and whose content is no markup of the page.
_HIDDEN = word_set("script style noscript template svg math iframe object")
# An attribute is bounded, so that a quotation mark without an end costs little.
_TAG = re.compile(
    r"<(?P<end>/?)(?P<name>[a-zA-Z][a-zA-Z0-9:-]{0,60}+)"
    r"(?P<rest>(?:[^<>\"']|\"[^\"]{0,8000}\"|'[^']{0,8000}')*+)>"
)
_END_OF = {name: re.compile(rf"</{name}[^<>]{{0,200}}>", re.IGNORECASE) for name in _HIDDEN}
_ATTRIBUTE = re.compile(
    r"(?:^|\s)(?P<name>[a-zA-Z][\w:-]{0,60})\s{0,9}=\s{0,9}"
    r"(?:\"([^\"]{1,4000})\"|'([^']{1,4000})'|([^\s\"'>]{1,4000}))"
)


@dataclass(frozen=True, slots=True)
class HtmlTag:
    """A tag. `name` is in lower case, `attributes` as they are written."""

    name: str
    attributes: str
    closing: bool

    def attribute(self, name: str) -> str:
        """Return the value of an attribute; empty where there is none."""
        for found in _ATTRIBUTE.finditer(self.attributes[:8000]):
            if found["name"].lower() == name:
                return unescape(found[2] or found[3] or found[4])
        return ""


def html_tokens(markup: str) -> Iterator[HtmlTag | str]:
    """Yield the tags of a page and the texts between them, with their entities resolved. Comments,
    declarations and elements that no reader sees are left out; one without an end runs to the end
    of the page."""
    at = 0
    while (start := markup.find("<", at)) >= 0:
        if start > at:
            yield unescape(markup[at:start])
        if markup.startswith("<!--", start):
            at = _after(markup, "-->", start + 4)
        elif markup.startswith(("<!", "<?"), start):
            at = _after(markup, ">", start)
        elif (tag := _TAG.match(markup, start)) is None:  # "less than", or a tag that never ends
            yield "<"
            at = start + 1
        else:
            name, closing, at = tag["name"].lower(), bool(tag["end"]), tag.end()
            if name not in _HIDDEN:
                yield HtmlTag(name, tag["rest"], closing)
            elif not closing and not tag["rest"].endswith("/"):
                end = _END_OF[name].search(markup, at)
                at = end.end() if end else len(markup)
    if at < len(markup):
        yield unescape(markup[at:])


def _after(markup: str, mark: str, start: int) -> int:
    end = markup.find(mark, start)
    return len(markup) if end < 0 else end + len(mark)
