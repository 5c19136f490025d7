"""Markdown document: markdown-it's tokens with ids, safe links and task boxes, and its HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
SAFE = ("http:", "https:", "mailto:")
TASK = re.compile(r"\[([ xX])\][ \t]+")
LANGUAGE = re.compile(r"[^A-Za-z0-9+#_-]")


class MarkdownDocument:
    """One document as HTML, with its headings and links gathered on the way.

    Links and images whose address is not safe lose it, and are listed in `refused`.
    """

    def __init__(self, text: str, *, heading_ids: bool) -> None:
        self.headings: list[dict[str, Any]] = []
        self.links: list[str] = []
        self.refused: list[str] = []
        self._heading_ids = heading_ids
        self._ids: dict[str, int] = {}
        parser = MarkdownIt("commonmark", {"html": False, "xhtmlOut": False, "maxNesting": 26})
        parser.enable(["table", "strikethrough"])
        # Every address becomes a link here, so that an unsafe one can be taken out and listed.
        parser.validateLink = lambda _: True  # type: ignore[method-assign]
        parser.normalizeLink = str  # type: ignore[method-assign]
        tokens = parser.parse(text)
        for before, token, after in zip([None, *tokens], tokens, [*tokens[1:], None], strict=False):
            self._refine(before, token, after)
        self.html: str = parser.renderer.render(tokens, parser.options, {}).rstrip("\n")

    def _refine(self, before: Token | None, token: Token, after: Token | None) -> None:
        if token.type == "heading_open" and after is not None:
            self._name(token, after)
        elif token.type == "inline":
            token.children = list(self._safe(token.children or []))
            if before is not None and before.type == "paragraph_open" and before.level:
                _add_task_box(token)
        elif token.type in ("th_open", "td_open"):
            style = token.attrs.pop("style", None)
            if style:
                token.attrSet("align", str(style).removeprefix("text-align:"))
        elif token.type == "fence":
            words = token.info.split(maxsplit=1)
            token.info = LANGUAGE.sub("", words[0])[:40] if words else ""

    def _name(self, opening: Token, inline: Token) -> None:
        """Give a heading an id that no other has, and add it to the outline."""
        said = "".join(
            child.content
            for child in inline.children or []
            if child.type in ("text", "code_inline")
        )
        name = "-".join(re.findall(r"[^\W_]+", said.lower()))[:80]
        count = self._ids.get(name, 0)
        self._ids[name] = count + 1
        name = (f"{name}-{count}" if count else name) or f"section-{len(self.headings) + 1}"
        level = int(opening.tag[1:])
        self.headings.append({"level": level, "text": inline.content[:500], "id": name})
        if self._heading_ids:
            opening.attrSet("id", name)

    def _safe(self, children: list[Token]) -> Iterator[Token]:
        """Yield the tokens of a line without links and images that could run something."""
        kept: list[bool] = []
        for token in children:
            if token.type == "link_open":
                url = str(token.attrGet("href") or "")
                kept.append(self._judge(url))
                if kept[-1]:
                    self.links.append(url)
                    token.attrSet("rel", "noopener noreferrer")
            if token.type in ("link_open", "link_close"):
                fine = kept[-1] if token.type == "link_open" else kept.pop()
                if fine:
                    yield token
            elif token.type == "image" and not self._judge(str(token.attrGet("src") or "")):
                yield from token.children or []
            else:
                if token.type in ("s_open", "s_close"):
                    token.tag = "del"
                yield token

    def _judge(self, url: str) -> bool:
        # Browsers pass over blanks before an address, and over line breaks within it.
        plain = "".join(char for char in url if char.isprintable() and not char.isspace())
        if not SCHEME.match(plain) or plain.lower().startswith(SAFE):
            return True
        self.refused.append(url[:200])
        return False


def _add_task_box(inline: Token) -> None:
    """Turn `[x]` at the start of a list item's text into a box that cannot be changed."""
    first = inline.children[0] if inline.children else None
    found = TASK.match(first.content) if first is not None and first.type == "text" else None
    if first is None or found is None:
        return
    first.content = first.content[found.end() :]
    checked = " checked" if found[1] in "xX" else ""
    box = Token("html_inline", "", 0, content=f'<input type="checkbox" disabled{checked}> ')
    inline.children = [box, *(inline.children or [])]
