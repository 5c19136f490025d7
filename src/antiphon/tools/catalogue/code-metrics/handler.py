"""Line metrics of source code: code, comment and blank lines."""

from __future__ import annotations

from typing import Any

from antiphon import ok

LONG = 100


def execute(args: dict[str, Any], context: Any) -> Any:
    lines = args["code"].splitlines()
    mark = args["comment"]
    comments = blank = trailing = 0
    starts: set[str] = set()
    inside = False
    for line in lines:
        text = line.strip()
        trailing += line != line.rstrip()
        if line[:1] in (" ", "\t") and text:
            indent = line[: len(line) - len(line.lstrip())]
            starts.update(indent)
        if not text:
            blank += 1
        elif inside or text.startswith(mark) or (mark == "//" and text.startswith("/*")):
            comments += 1
        if mark == "//":
            opened, closed = text.rfind("/*"), text.rfind("*/")
            inside = (opened > closed) if max(opened, closed) >= 0 else inside
    kinds = starts & {" ", "\t"}
    indentation = (
        "mixed" if len(kinds) > 1 else {" ": "spaces", "\t": "tabs"}.get("".join(kinds), "none")
    )
    solid = len(lines) - blank
    return ok(
        {
            "lines": len(lines),
            "code": solid - comments,
            "comments": comments,
            "blank": blank,
            "characters": len(args["code"]),
            "longest_line": max(map(len, lines), default=0),
            "long_lines": [n for n, line in enumerate(lines, 1) if len(line) > LONG][:50],
            "trailing_space": trailing,
            "indentation": indentation,
            "comment_ratio": round(comments / solid, 3) if solid else 0,
        }
    )
