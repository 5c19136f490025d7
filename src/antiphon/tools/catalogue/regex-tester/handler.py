"""Regular expression tester in a child process, because some matches never end."""

from __future__ import annotations

import json
import re
import subprocess
import warnings
from typing import Any

from antiphon import ErrorType, ToolError, ok
from antiphon.toolkit import invalid
from antiphon.toolkit.child_program import run_program

SECONDS = 2.0
PROGRAM = r"""
import itertools, json, re, sys
task = json.load(sys.stdin)
pattern = re.compile(task["pattern"], task["flags"])
text = task["text"]
found = list(itertools.islice(pattern.finditer(text), 10_000))
answer = {
    "count": len(found),
    "full": pattern.fullmatch(text) is not None,
    "matches": [
        [m.start(), m.end(), list(m.groups()), m.groupdict()] for m in found[:200]
    ],
}
if task["replacement"] is not None:
    answer["replaced"] = pattern.sub(task["replacement"], text)[:20_000]
json.dump(answer, sys.stdout)
"""


def execute(args: dict[str, Any], context: Any) -> Any:
    flags = re.NOFLAG
    for flag in args["flags"]:
        flags |= getattr(re, flag.upper())
    pattern = compile_pattern(args["pattern"], flags)
    replacement = args.get("replacement")
    if replacement is not None:
        check_replacement(pattern, replacement)
    text: str = args["text"]
    answer = run_pattern(args["pattern"], int(flags), text, replacement)
    matches = [
        {
            "text": text[start:end][:2000],
            "start": start,
            "end": end,
            "line": text.count("\n", 0, start) + 1,
            "groups": groups,
            "named": named,
        }
        for start, end, groups, named in answer["matches"]
    ]
    count = answer["count"]
    body: dict[str, Any] = {
        "matches": matches,
        "count": count,
        "full_match": answer["full"],
        "groups": pattern.groups,
        "summary": f"{count} match{'' if count == 1 else 'es'}." if count else "No match.",
    }
    if "replaced" in answer:
        body["replaced"] = answer["replaced"]
    return ok(body)


def compile_pattern(pattern: str, flags: re.RegexFlag) -> re.Pattern[str]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return re.compile(pattern, flags)
    except re.error as error:
        place = f" at position {error.pos}" if error.pos is not None else ""
        raise invalid("/pattern", f"is no regular expression: {error.msg}{place}.") from None
    except (RecursionError, OverflowError, MemoryError):
        raise invalid("/pattern", "is too large or nested too deeply.") from None


def check_replacement(pattern: re.Pattern[str], replacement: str) -> None:
    try:
        # The groups that it names are looked up before anything is matched.
        pattern.sub(replacement, "")
    except (re.error, IndexError) as error:
        raise invalid("/replacement", f"cannot be used: {error}.") from None


def run_pattern(pattern: str, flags: int, text: str, replacement: str | None) -> dict[str, Any]:
    task = {"pattern": pattern, "flags": flags, "text": text, "replacement": replacement}
    try:
        done = run_program(PROGRAM, task, SECONDS)
        answer: dict[str, Any] = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        message = (
            f"The expression took longer than {SECONDS:g} seconds and was stopped: it backtracks "
            "without end. Avoid nested repetition such as (a+)+."
        )
        raise ToolError(ErrorType.PERMANENT, message) from None
    except ValueError:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        reason = said[-1][:200] if said else f"status {done.returncode}"
        raise ToolError(
            ErrorType.PERMANENT, f"The expression could not be tried: {reason}."
        ) from None
    return answer
