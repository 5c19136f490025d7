"""Line diff of two texts, with a bound on the work."""

from __future__ import annotations

import difflib
from typing import Any

from antiphon import ErrorType, ToolError, ok

MOST_LINES = 5_000
MOST_TEXT = 20_000


def execute(args: dict[str, Any], context: Any) -> Any:
    before, after = lines_of(args, "before"), lines_of(args, "after")
    start, end_before, end_after = trim_equal_ends(before, after)
    middle = difflib.SequenceMatcher(
        None, keys(before[start:end_before], args), keys(after[start:end_after], args)
    )
    added = removed = same = 0
    for tag, a1, a2, b1, b2 in middle.get_opcodes():
        if tag == "equal":
            same += a2 - a1
        else:
            removed += a2 - a1
            added += b2 - b1
    same += len(before) - (end_before - start)
    whole = len(before) + len(after)
    text = unified(before, after, middle, start, args["context"]) if added or removed else ""
    return ok(
        {
            "identical": args["before"] == args["after"],
            "diff": text[:MOST_TEXT],
            "added": added,
            "removed": removed,
            "similarity": round(2 * same / whole, 3) if whole else 1,
            "truncated": len(text) > MOST_TEXT,
            "summary": summary(args, added, removed),
        }
    )


def lines_of(args: dict[str, Any], name: str) -> list[str]:
    lines: list[str] = args[name].splitlines()
    if len(lines) > MOST_LINES:
        message = f"/{name}: has {len(lines)} lines; {MOST_LINES} is the limit."
        raise ToolError(ErrorType.VALIDATION, message, pointer=f"/{name}")
    return lines


def trim_equal_ends(before: list[str], after: list[str]) -> tuple[int, int, int]:
    """Return where the texts begin and stop to differ, so that equal ends need no search."""
    start = 0
    shorter = min(len(before), len(after))
    while start < shorter and before[start] == after[start]:
        start += 1
    end = 0
    while end < shorter - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return start, len(before) - end, len(after) - end


def keys(lines: list[str], args: dict[str, Any]) -> list[str]:
    return ["".join(line.split()) for line in lines] if args["ignore_whitespace"] else lines


def unified(before: list[str], after: list[str], middle: Any, start: int, context: int) -> str:
    changes = [
        (a1 + start, a2 + start, b1 + start, b2 + start)
        for tag, a1, a2, b1, b2 in middle.get_opcodes()
        if tag != "equal"
    ]
    groups: list[list[tuple[int, int, int, int]]] = []
    for change in changes:
        if groups and change[0] - groups[-1][-1][1] <= 2 * context:
            groups[-1].append(change)
        else:
            groups.append([change])
    out = ["--- before", "+++ after"]
    for group in groups:
        a1, b1 = max(0, group[0][0] - context), max(0, group[0][2] - context)
        a2 = min(len(before), group[-1][1] + context)
        b2 = min(len(after), group[-1][3] + context)
        out.append(f"@@ -{span(a1, a2)} +{span(b1, b2)} @@")
        place = a1
        for first, last, new_first, new_last in group:
            out += [f" {line}" for line in before[place:first]]
            out += [f"-{line}" for line in before[first:last]]
            out += [f"+{line}" for line in after[new_first:new_last]]
            place = last
        out += [f" {line}" for line in before[place:a2]]
    return "\n".join(out) + "\n"


def span(first: int, last: int) -> str:
    count = last - first
    return f"{first + 1 if count else first}" + ("" if count == 1 else f",{count}")


def summary(args: dict[str, Any], added: int, removed: int) -> str:
    if args["before"] == args["after"]:
        return "The texts are identical."
    if not added and not removed:
        return "The texts differ in spaces or line ends only."
    return f"{added} line{'' if added == 1 else 's'} added, {removed} removed."
