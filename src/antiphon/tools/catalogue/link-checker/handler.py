"""Link check of a Markdown text against its headings, references and a list of files."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from typing import Any
from urllib.parse import unquote, urlsplit

from antiphon import ok

MOST = 200
FENCE = re.compile(r"\s{0,3}(```+|~~~+)")
INLINE = re.compile(
    r"!?\[(?P<text>[^\[\]]{0,1000})\]\((?P<target><[^<>\n]{0,2000}>|[^\s()]{0,2000})"
)
REFERENCE = re.compile(r"\[(?P<text>[^\[\]]{1,1000})\]\[(?P<name>[^\[\]]{0,200})\]")
DEFINITION = re.compile(r"\s{0,3}\[(?P<name>[^\[\]]{1,200})\]:\s{0,10}(?P<target>\S{1,2000})")
AUTOLINK = re.compile(r"<(https?://[^\s<>]{1,2000})>")
HEADING = re.compile(r"\s{0,3}#{1,6}\s++(.*)$")
ANCHOR = re.compile(r"(?:id|name)=[\"']([^\"']{1,200})[\"']")
CODE = re.compile(r"`[^`\n]*`")


def execute(args: dict[str, Any], context: Any) -> Any:
    lines = blank_code(args["markdown"].splitlines())
    anchors, named = collect_anchors(lines)
    files = {posixpath.normpath(path) for path in args["files"]} if "files" in args else None
    problems: list[dict[str, Any]] = []
    hosts: Counter[str] = Counter()
    count = 0
    for number, line in enumerate(lines, start=1):
        for text, target, problem in find_links(line, named):
            count += 1
            problem = problem or problem_of(text, target, anchors, files, hosts)
            if problem:
                problems.append({"line": number, "link": target[:300], "problem": problem})
    plural = "" if len(problems) == 1 else "s"
    return ok(
        {
            "links": count,
            "problems": problems[:MOST],
            "hosts": dict(hosts.most_common(100)),
            "summary": f"{len(problems) or 'No'} problem{plural} in {count} links.",
        }
    )


def blank_code(lines: list[str]) -> list[str]:
    """Return the lines with code blanked out, since links in it are examples."""
    found, fence = [], None
    for line in lines:
        mark = FENCE.match(line)
        if fence:
            fence = None if mark and mark[1].startswith(fence) else fence
            found.append("")
        elif mark:
            fence = mark[1]
            found.append("")
        else:
            found.append(CODE.sub("", line[:20_000]))
    return found


def collect_anchors(lines: list[str]) -> tuple[set[str], dict[str, str]]:
    anchors: Counter[str] = Counter()
    ids: set[str] = set()
    named: dict[str, str] = {}
    for line in lines:
        if heading := HEADING.match(line):
            anchors[slug(heading[1].rstrip().rstrip("#").rstrip())] += 1
        if definition := DEFINITION.match(line):
            named.setdefault(definition["name"].casefold(), definition["target"])
        ids.update(ANCHOR.findall(line))
    for name, times in anchors.items():
        ids.add(name)
        ids.update(f"{name}-{n}" for n in range(1, times))
    return ids, named


def slug(heading: str) -> str:
    plain = re.sub(r"!?\[([^\[\]]*+)\]\([^)\[]*+\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", plain.lower()).strip().replace(" ", "-")


def find_links(line: str, named: dict[str, str]) -> list[tuple[str, str, str]]:
    found = [(m["text"], m["target"].strip("<>"), "") for m in INLINE.finditer(line)]
    found += [(url, url, "") for url in AUTOLINK.findall(line)]
    for match in REFERENCE.finditer(line):
        name = (match["name"] or match["text"]).casefold()
        if name in named:
            found.append((match["text"], named[name], ""))
        else:
            found.append((match["text"], f"[{name}]", "the reference is not defined"))
    return found


def problem_of(
    text: str, target: str, anchors: set[str], files: set[str] | None, hosts: Counter[str]
) -> str:
    if not target:
        return "the link leads nowhere"
    if target.startswith("#"):
        fine = unquote(target[1:]).lower() in {a.lower() for a in anchors}
        return "" if fine else "there is no such heading"
    try:
        parts = urlsplit(target)
        host = parts.hostname
    except ValueError:
        return "the address is malformed"
    if parts.scheme in ("http", "https"):
        if not host:
            return "the address has no host"
        hosts[host] += 1
        if not text.strip():
            return "the link has no text"
        return ""
    if parts.scheme == "mailto":
        return "" if "@" in parts.path else "the mail address has no @"
    if parts.scheme:
        return "" if parts.scheme in ("tel", "ftp", "data") else f"unusual scheme {parts.scheme}"
    path = posixpath.normpath(unquote(parts.path).lstrip("/"))
    if files is not None and path not in files:
        inside = any(name.startswith(path + "/") for name in files)
        return "" if inside else "there is no such file"
    return ""
