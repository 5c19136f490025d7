"""Links and images of Markdown and HTML in a text that comes in pieces, taken out unless allowed.

An address that is not allowed stays readable and cannot be opened: `https[:]//a.example`. A link
becomes its text with the address behind it, an image its description; a tag that would load
something is shown as it is written. Nothing depends on what counts as code: who renders it may see
that differently.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

MAX_HELD = 2000  # characters that are held back for a link to end
MAX_AHEAD = 200  # of a longer word that are held back still: an address may begin in them

_SCHEME = r"(?:[a-z][a-z0-9+.-]{1,20})"
# What a reader would make a link of by itself.
_BARE = re.compile(rf"(?<![a-z0-9]){_SCHEME}:[/\\]{{2}}[^\s<>\"'`\])}}]*|www\.[^\s<>]*", re.I)
_LINK = re.compile(
    r"(?P<image>!?)\[(?P<words>(?:[^\[\]\\]|\\.|\[[^\[\]]*\])*+)\]"
    r"(?:\(\s*+(?P<to><[^<>\n]*>|(?:[^\s()\\]|\\.|\([^\s()]*\))*+)(?P<title>(?:\s[^)]*)?)\)"
    r"|:[ \t>]*+(?:\r?\n[ \t>]*+)?+(?P<defined>[^\s>]\S*))",
    re.S,
)
# What a link ends with, whatever its text was: brackets in brackets, code, quoted lines.
_TARGET = re.compile(
    r"\](?:\(\s*(?P<to><[^<>\n]*>|[^\s<]\S*)|:(?:\s|>)*(?P<defined>[^\s>]\S*))", re.S
)
_TARGET_BEGINS = re.compile(r"\](?:\(\s*(?:<[^<>\n]*|\S*)|:(?:\s|>)*\S*)?", re.S)
_TAG = re.compile(r"""<(?=[a-zA-Z/!?])(?:=\s*"[^"<]*"|=\s*'[^'<]*'|=(?!\s*["'])|[^<>=])*>""", re.S)
_ADDRESS = re.compile(r"<(?P<to>[^\s<>]+)>")
# Tags and attributes that load or open something.
_LOADS = re.compile(
    r"<\s*(?:a|img|image|iframe|frame|object|embed|link|meta|base|script|style|form|svg|video|audio"
    r"|source|track|picture|input|button|area|use|math|body|table|td)\b|\b(?:href|src|srcset|style"
    r"|action|formaction|data|poster|background|ping|cite|on\w+)\s*=",
    re.I,
)
_RELATIVE = re.compile(r"(?:[/?#](?![/\\])|[\w%-]+(?:[/?#.]|$))[^:\\]*")


class LinkFilter:
    """A filter for one text. `allows` says of an address whether it may be opened."""

    def __init__(self, allows: Callable[[str], bool]) -> None:
        self._allows = allows
        self._held = ""
        self.removed = 0  # links, images and addresses

    def feed(self, text: str) -> str:
        """Take a piece of the text; return as much as can be told by now."""
        self._held += text
        return self._take(ended=False)

    def finish(self) -> str:
        """Return the rest: the text is over."""
        return self._take(ended=True)

    def _take(self, *, ended: bool) -> str:
        done: list[str] = []
        text, at = self._held, 0
        while (start := self._next(text, at)) >= 0:
            done.append(self._plain(text[at:start]))
            end, shown = self._construct(text, start, ended=ended)
            if end < 0:
                self._held = text[start:]
                return "".join(done)
            done.append(shown)
            at = end
        rest = text[at:]
        # The last word may go on, and become an address.
        word = "" if not rest or rest[-1].isspace() else rest.rsplit(None, 1)[-1]
        cut = len(rest) if ended else len(rest) - len(word)
        if len(rest) - cut > MAX_HELD:
            rest = unescape(rest)
            cut = len(rest) - MAX_AHEAD
            for bare in _BARE.finditer(rest):
                if bare.start() < cut < bare.end():
                    cut = bare.end()
        self._held = rest[cut:]
        done.append(self._plain(rest[:cut]))
        return "".join(done)

    @staticmethod
    def _next(text: str, at: int) -> int:
        found = re.compile(r"!?\[|\](?=[(:]|$)|<(?=[a-zA-Z/!?&]|$)|!$").search(text, at)
        return found.start() if found else -1

    def _construct(self, text: str, start: int, *, ended: bool) -> tuple[int, str]:
        """Where the link, image or tag that begins here ends, and how it is shown; -1 while that
        cannot be told."""
        if text[start] == "<":
            return self._tag(text, start, ended=ended)
        if text[start] == "]":
            return self._target(text, start, ended=ended)
        match = _LINK.match(text, start)
        if match is not None:
            if match["to"] is None and match.end() == len(text) and not ended:
                return -1, ""  # the address of a definition goes on
            return match.end(), self._link(match)
        is_open = self._is_open(text, start)
        if is_open and not ended and len(text) - start <= MAX_HELD:
            return -1, ""
        opening = "![" if text.startswith("![", start) else text[start]
        if is_open and not ended:
            self.removed += 1
            return start + len(opening), "\\" + "\\".join(opening)  # it never ends
        return start + len(opening), opening

    def _target(self, text: str, start: int, *, ended: bool) -> tuple[int, str]:
        """The address behind a bracket that no simple link ends with. What it belongs to is
        already shown, so it is taken from there."""
        begun = _TARGET_BEGINS.match(text, start)
        assert begun is not None
        if begun.end() == len(text) and not ended and len(text) - start <= MAX_HELD:
            return -1, ""
        match = _TARGET.match(text, start)
        if match is None:
            return start + 1, "]"
        group = "to" if match["to"] else "defined"
        to = match[group] if match[group][0] == "<" else re.split(r"[()\\]", match[group])[0]
        end = match.start(group) + len(to)
        # A bracket or an escape in an address may be a part of it, or its end.
        if text[end : end + 1] not in ("(", "\\") and self._may_open(_resolved(to)):
            return end, text[start:end]
        to, mark, rest = match[group].rpartition(")") if group == "to" else (match[group], "", "")
        to, rest = (to, rest) if mark else (match[group], "")
        self.removed += 1
        shown = closed(_resolved(to))
        return match.end() - len(rest), f"] ({shown}{mark}" if group == "to" else f"]\\: {shown}"

    @staticmethod
    def _is_open(text: str, start: int) -> bool:
        """Whether what follows may yet make a link of it."""
        rest = text[start:]
        if "\n\n" in rest:
            return False
        closed = re.match(r"!?(?:\[(?:[^\[\]\\]|\\.|\[[^\[\]]*\])*\])?", rest, re.S)
        assert closed is not None
        if not closed[0] or closed[0] == "!":
            return "]" not in rest or rest.count("[") > rest.count("]") or rest == "!"
        behind = rest[closed.end() :]
        return (
            behind == ""
            or behind[0] == "("
            or (behind[0] == ":" and not behind[1:].strip(" \t\r\n>"))
        )

    def _link(self, match: re.Match[str]) -> str:
        to = match["to"] if match["to"] is not None else match["defined"]
        address = _resolved(to)
        words = self._nested(match["words"])
        if self._may_open(address):
            return match[0].replace(match["words"], words, 1) if words else match[0]
        self.removed += 1
        if match["to"] is None:
            return f"\\[{words}]: {closed(address)}"
        if match["image"]:
            return f"{words} (image not shown: {closed(address)})".lstrip()
        return f"{words} ({closed(address)})".lstrip()

    def _nested(self, words: str) -> str:
        """The text of a link, which may have an image in it."""
        inner = LinkFilter(self._allows)
        shown = inner.feed(words) + inner.finish()
        self.removed += inner.removed
        return shown

    def _tag(self, text: str, start: int, *, ended: bool) -> tuple[int, str]:
        if (auto := _ADDRESS.match(text, start)) and re.match(
            rf"{_SCHEME}:", _resolved(auto["to"]), re.I
        ):
            address = _resolved(auto["to"])
            if self._allows(address):
                return auto.end(), auto[0]
            self.removed += 1
            return auto.end(), closed(address)
        tag = _TAG.match(text, start)
        if tag is None:
            if not ended and "<" not in text[start + 1 :] and len(text) - start <= MAX_HELD:
                return -1, ""
            return start + 1, "\\<"
        if not _LOADS.search(unescape(tag[0])):
            return tag.end(), self._plain(tag[0])
        self.removed += 1
        return tag.end(), "\\" + self._plain(tag[0])

    def _may_open(self, address: str) -> bool:
        """Whether an address is of this place, or allowed."""
        if _RELATIVE.fullmatch(address) and "www." not in address.casefold():
            return True
        return not address or self._allows(address)

    def _plain(self, text: str) -> str:
        """A text without links, with the addresses in it closed."""
        if "&" in text and _BARE.findall(plain := unescape(text)) != _BARE.findall(text):
            text = plain
        return _BARE.sub(self._bare, text)

    def _bare(self, match: re.Match[str]) -> str:
        address = match[0].rstrip(".,;:!?)")
        if self._allows(address):
            return match[0]
        self.removed += 1
        return closed(match[0])


def _resolved(destination: str) -> str:
    """An address as a browser would take it: without escapes, entities, blanks and brackets."""
    plain = destination.removeprefix("<").removesuffix(">")
    plain = unescape(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", plain))
    return re.sub(r"[\x00-\x20\x7f-\x9f\u200b-\u200f\u2028-\u202e\ufeff]", "", plain)


def closed(address: str) -> str:
    """An address that nobody can open by a click."""
    plain = re.sub(r"[\[\]()<>`]", "", address)
    plain = re.sub(r"(www)\.", r"\1[.]", plain, flags=re.I)
    if re.match(rf"{_SCHEME}:", plain, re.I):
        plain = plain.replace(":", "[:]", 1)
    plain = re.sub(r"(?<!\[):(?=[/\\]{2})", "[:]", plain)  # one may stand in another
    return "[" + plain[:1] + "]" + plain[1:] if plain.startswith(("/", "\\")) else plain
