"""Markdown blocks: headings, paragraphs, lists, quotes, code, tables and rules."""

from __future__ import annotations

import re
from html import escape
from typing import Any

from .inline import render_inline

DEEPEST = 12
MOST_FILLED = 100_000  # cells of a table up to which short rows are filled up
HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]++(.*))?$")
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*([^`\s]*)(?:\s[^`]*)?$")
RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*+){3,}+|(?:-[ \t]*+){3,}+|(?:_[ \t]*+){3,}+)$")
ITEM = re.compile(r"( {0,3})([-*+]|[0-9]{1,9}[.)])([ \t]++|$)(.*)$")
QUOTE = re.compile(r" {0,3}> ?(.*)")
TASK = re.compile(r"\[([ xX])\][ \t]+(.*)$", re.DOTALL)
DASHES = re.compile(r":?-+:?")


class MarkdownPage:
    """One document; gathers its headings and links on the way."""

    def __init__(self, *, heading_ids: bool) -> None:
        self.heading_ids = heading_ids
        self.headings: list[dict[str, Any]] = []
        self.links: list[str] = []
        self.refused: list[str] = []
        self._ids: dict[str, int] = {}

    def render(self, text: str) -> str:
        lines = text.replace("\x00", "\ufffd").expandtabs(4).splitlines()
        return "\n".join(self.blocks(lines, 0))

    def inline(self, text: str) -> str:
        return render_inline(text, self.links, self.refused)

    def blocks(self, lines: list[str], depth: int) -> list[str]:
        out: list[str] = []
        at = 0
        while at < len(lines):
            line = lines[at]
            if not line.strip():
                at += 1
            elif fence := FENCE.match(line):
                at = self.fenced(lines, at, fence, out)
            elif heading := HEADING.match(line):
                out.append(self.heading(len(heading[1]), heading[2] or ""))
                at += 1
            elif RULE.match(line):
                out.append("<hr>")
                at += 1
            elif line.startswith("    "):
                at = indented(lines, at, out)
            elif depth < DEEPEST and QUOTE.match(line):
                at = self.quote(lines, at, depth, out)
            elif depth < DEEPEST and ITEM.match(line):
                at = self.list_(lines, at, depth, out)
            elif is_table(lines, at):
                at = self.table(lines, at, out)
            else:
                at = self.paragraph(lines, at, depth, out)
        return out

    def heading(self, level: int, text: str) -> str:
        text = re.sub(r"(?:^|[ \t])#+$", "", text.strip()).strip()
        inner = self.inline(text)
        said = re.sub(r"<[^<>]*>", "", inner)
        name = "-".join(re.findall(r"[^\W_]+", re.sub(r"&[#a-z0-9]+;", " ", said.lower())))[:80]
        count = self._ids.get(name, 0)
        self._ids[name] = count + 1
        name = (f"{name}-{count}" if count else name) or f"section-{len(self.headings) + 1}"
        self.headings.append({"level": level, "text": text[:500], "id": name})
        mark = f' id="{escape(name)}"' if self.heading_ids else ""
        return f"<h{level}{mark}>{inner}</h{level}>"

    def fenced(self, lines: list[str], at: int, fence: re.Match[str], out: list[str]) -> int:
        mark = fence[1]
        closing = re.compile(rf" {{0,3}}{re.escape(mark[0])}{{{len(mark)},}}[ \t]*$")
        end = at + 1
        while end < len(lines) and not closing.match(lines[end]):
            end += 1
        out.append(code("\n".join(lines[at + 1 : end]), fence[2]))
        return end + 1

    def quote(self, lines: list[str], at: int, depth: int, out: list[str]) -> int:
        inside = []
        while at < len(lines):
            if found := QUOTE.match(lines[at]):
                inside.append(found[1])
            elif lines[at].strip() and inside[-1].strip() and not starts_block(lines[at]):
                inside.append(lines[at])  # a lazy line goes on with the paragraph
            else:
                break
            at += 1
        out.append("\n".join(["<blockquote>", *self.blocks(inside, depth + 1), "</blockquote>"]))
        return at

    def list_(self, lines: list[str], at: int, depth: int, out: list[str]) -> int:
        first = ITEM.match(lines[at])
        assert first
        kind = first[2][-1]
        items: list[list[str]] = []
        loose = blank = False
        indent = 0
        while at < len(lines):
            line = lines[at]
            found = ITEM.match(line)
            if not line.strip():
                blank = True
                items[-1].append("")
            elif items and line[:indent].isspace() and len(line) > indent:
                loose = loose or blank
                blank = False
                items[-1].append(line[indent:])
            elif found and found[2][-1] == kind and not RULE.match(line):
                loose = loose or blank
                blank = False
                gap = len(found[3])
                indent = len(found[1]) + len(found[2]) + (gap if 1 <= gap <= 4 else 1)
                items.append([line[indent:] if found[4] else ""])
            elif blank or starts_block(line):
                break
            else:
                items[-1].append(line)
            at += 1
        tag = "ul" if kind in "-*+" else "ol"
        number = int(first[2][:-1]) if tag == "ol" else 1
        opening = f'<ol start="{number}">' if number != 1 else f"<{tag}>"
        out.append(
            "\n".join([opening, *(self.item(one, loose, depth) for one in items), f"</{tag}>"])
        )
        return at

    def item(self, lines: list[str], loose: bool, depth: int) -> str:
        box = ""
        if found := TASK.match(lines[0]):
            box = f'<input type="checkbox" disabled{" checked" if found[1] in "xX" else ""}> '
            lines = [found[2], *lines[1:]]
        parts = self.blocks(lines, depth + 1)
        if parts and not loose and parts[0].startswith("<p>"):
            parts[0] = parts[0][3:-4]
        return "<li>" + box + "\n".join(parts) + "</li>"

    def paragraph(self, lines: list[str], at: int, depth: int, out: list[str]) -> int:
        end = at + 1
        while end < len(lines) and lines[end].strip():
            under = lines[end].strip()
            if set(under) in ({"="}, {"-"}) and not lines[end].startswith("    "):
                level = 1 if under[0] == "=" else 2
                out.append(self.heading(level, " ".join(lines[at:end])))
                return end + 1
            if starts_block(lines[end]) and depth < DEEPEST:
                break
            end += 1
        text = "\n".join(line.lstrip() for line in lines[at:end])
        out.append(f"<p>{self.inline(text.rstrip())}</p>")
        return end

    def table(self, lines: list[str], at: int, out: list[str]) -> int:
        head = cells(lines[at])
        sides = [side(one) for one in cells(lines[at + 1])]
        rows = [self.row(head, "th", sides)]
        at += 2
        while at < len(lines) and "|" in lines[at] and lines[at].strip():
            row = cells(lines[at])[: len(head)]
            if len(rows) * len(head) < MOST_FILLED:
                row += [""] * (len(head) - len(row))
            rows.append(self.row(row, "td", sides))
            at += 1
        body = ["<tbody>", *rows[1:], "</tbody>"] if rows[1:] else []
        out.append("\n".join(["<table>", "<thead>", rows[0], "</thead>", *body, "</table>"]))
        return at

    def row(self, row: list[str], tag: str, sides: list[str]) -> str:
        parts = [
            f"<{tag}{mark}>{self.inline(one)}</{tag}>"
            for one, mark in zip(row, sides, strict=False)
        ]
        return "<tr>" + "".join(parts) + "</tr>"


def starts_block(line: str) -> bool:
    item = ITEM.match(line)
    # Only a list that starts at 1 interrupts a paragraph: "in\n1986. What" is none.
    listed = bool(item and item[4] and (item[2] in "-*+" or item[2][:-1] == "1"))
    return bool(
        listed or HEADING.match(line) or FENCE.match(line) or RULE.match(line) or QUOTE.match(line)
    )


def indented(lines: list[str], at: int, out: list[str]) -> int:
    end = at
    while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
        end += 1
    text = "\n".join(line[4:] for line in lines[at:end])
    out.append(code(text.rstrip("\n"), ""))
    return end


def code(text: str, language: str) -> str:
    name = re.sub(r"[^A-Za-z0-9+#_-]", "", language)[:40]
    mark = f' class="language-{name}"' if name else ""
    return f"<pre><code{mark}>{escape(text)}\n</code></pre>" if text else "<pre><code></code></pre>"


def is_table(lines: list[str], at: int) -> bool:
    if "|" not in lines[at] or at + 1 >= len(lines) or "-" not in lines[at + 1]:
        return False
    under = cells(lines[at + 1])
    return len(under) == len(cells(lines[at])) and all(DASHES.fullmatch(one) for one in under)


def cells(line: str) -> list[str]:
    text = line.strip()
    text = text[1:] if text.startswith("|") else text
    text = text[:-1] if text.endswith("|") and not text.endswith("\\|") else text
    return [one.strip().replace("\\|", "|") for one in re.split(r"(?<!\\)\|", text)]


def side(dashes: str) -> str:
    left, right = dashes.startswith(":"), dashes.endswith(":")
    name = "center" if left and right else "right" if right else "left" if left else ""
    return f' align="{name}"' if name else ""
