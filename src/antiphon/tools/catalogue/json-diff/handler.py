"""JSON diff: the differences of two documents, each with its pointer."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from antiphon import ok
from antiphon.toolkit import invalid

MOST = 500
DEEPEST = 200
Change = dict[str, Any]


def execute(args: dict[str, Any], context: Any) -> Any:
    left, right = parse_json(args["left"], "/left"), parse_json(args["right"], "/right")
    counts: Counter[str] = Counter()
    changes: list[Change] = []
    for change in diff_values(left, right, "", args["ignore_order"]):
        counts[change["change"]] += 1
        if len(changes) < MOST:
            changes.append(change)
    total = sum(counts.values())
    return ok(
        {
            "equal": total == 0,
            "changes": changes,
            "added": counts["added"],
            "removed": counts["removed"],
            "changed": counts["changed"],
            "truncated": total > MOST,
        }
    )


def parse_json(text: str, pointer: str) -> Any:
    try:
        value = json.loads(text.removeprefix("\ufeff"), parse_constant=refuse)
        check_depth(value, DEEPEST)
    except json.JSONDecodeError as error:
        raise invalid(
            pointer, f"no JSON at line {error.lineno}, column {error.colno}: {error.msg}."
        ) from None
    except ValueError:
        raise invalid(pointer, "a number in it has too many digits.") from None
    except RecursionError:
        raise invalid(pointer, f"it is nested more than {DEEPEST} levels deep.") from None
    return value


def refuse(word: str) -> Any:
    raise json.JSONDecodeError(f"JSON has no {word}", word, 0)


def check_depth(value: Any, left: int) -> None:
    if not isinstance(value, (dict, list)):
        return
    if not left:
        raise RecursionError
    for one in value.values() if isinstance(value, dict) else value:
        check_depth(one, left - 1)


def diff_values(left: Any, right: Any, pointer: str, unordered: bool) -> Iterator[Change]:
    if isinstance(left, dict) and isinstance(right, dict):
        yield from diff_objects(left, right, pointer, unordered)
    elif isinstance(left, list) and isinstance(right, list):
        if unordered:
            yield from diff_bags(left, right, pointer)
        else:
            yield from diff_lists(left, right, pointer)
    elif not equal_scalars(left, right):
        yield {
            "pointer": pointer,
            "change": "changed",
            "from": to_preview(left),
            "to": to_preview(right),
        }


def diff_objects(
    left: dict[str, Any], right: dict[str, Any], pointer: str, unordered: bool
) -> Iterator[Change]:
    for key, value in left.items():
        at = f"{pointer}/{escape_key(key)}"
        if key in right:
            yield from diff_values(value, right[key], at, unordered)
        else:
            yield {"pointer": at, "change": "removed", "from": to_preview(value)}
    for key, value in right.items():
        if key not in left:
            at = f"{pointer}/{escape_key(key)}"
            yield {"pointer": at, "change": "added", "to": to_preview(value)}


def escape_key(key: str) -> str:
    # A very long key would be written again for everything below it.
    return key[:200].encode("utf-8", "replace").decode().replace("~", "~0").replace("/", "~1")


def diff_lists(left: list[Any], right: list[Any], pointer: str) -> Iterator[Change]:
    for index, (one, two) in enumerate(zip(left, right, strict=False)):
        yield from diff_values(one, two, f"{pointer}/{index}", False)
    for index in range(len(right), len(left)):
        yield {
            "pointer": f"{pointer}/{index}",
            "change": "removed",
            "from": to_preview(left[index]),
        }
    for index in range(len(left), len(right)):
        yield {"pointer": f"{pointer}/{index}", "change": "added", "to": to_preview(right[index])}


def diff_bags(left: list[Any], right: list[Any], pointer: str) -> Iterator[Change]:
    """Compare lists as bags: items that only one side has, whatever their order."""
    spare = Counter(canonical(one) for one in right)
    for index, one in enumerate(left):
        key = canonical(one)
        if spare[key]:
            spare[key] -= 1
        else:
            yield {"pointer": f"{pointer}/{index}", "change": "removed", "from": to_preview(one)}
    # Equal items are the same: the last ones are called the new ones.
    new = []
    for index in range(len(right) - 1, -1, -1):
        key = canonical(right[index])
        if spare[key]:
            spare[key] -= 1
            new.append(index)
    for index in reversed(new):
        yield {"pointer": f"{pointer}/{index}", "change": "added", "to": to_preview(right[index])}


def canonical(value: Any) -> str:
    """Return one text for equal values, whatever the order of their lists."""
    if isinstance(value, dict):
        inner = (f"{json.dumps(key)}:{canonical(value[key])}" for key in sorted(value))
        return "{" + ",".join(inner) + "}"
    if isinstance(value, list):
        return "[" + ",".join(sorted(canonical(one) for one in value)) + "]"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value)


def equal_scalars(left: Any, right: Any) -> bool:
    """Return whether two scalars are equal: 1 and 1.0 are, true is no number."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    numbers = isinstance(left, (int, float)) and isinstance(right, (int, float))
    return (numbers or type(left) is type(right)) and bool(left == right)


def to_preview(value: Any) -> str:
    text = json.dumps(value)
    if text.isascii() and "\\u" in text and "\\ud" not in text.lower():
        text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else text[:199] + "\u2026"
