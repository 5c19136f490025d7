"""Semantic version comparison, also against ranges in npm's notation."""

from __future__ import annotations

from typing import Any

from antiphon import ErrorType, fail, ok

from .versions import Version, in_range, parse_version


def execute(args: dict[str, Any], context: Any) -> Any:
    if "other" not in args and "range" not in args:
        return fail(ErrorType.VALIDATION, "/: give `other` or `range`; both may be given.")
    version = parse_version(args["version"], "/version")
    data: dict[str, Any] = {"version": str(version)}
    said = []
    if "other" in args:
        other = parse_version(args["other"], "/other")
        data |= {"order": order(version, other), "change": change(version, other)}
        link = "the same as" if data["order"] == "same" else f"{data['order']} than"
        note = "" if data["change"] == "none" else f" ({data['change']})"
        said.append(f"{version} is {link} {other}{note}.")
    if "range" in args:
        data["satisfies"] = in_range(version, args["range"])
        verb = "is" if data["satisfies"] else "is not"
        said.append(f"{version} {verb} in the range {args['range'].strip()}.")
    return ok(data | {"summary": " ".join(said)})


def order(version: Version, other: Version) -> str:
    if version.key == other.key:
        return "same"
    return "newer" if version.key > other.key else "older"


def change(version: Version, other: Version) -> str:
    for part in ("major", "minor", "patch", "prerelease", "build"):
        if getattr(version, part) != getattr(other, part):
            return part
    return "none"
