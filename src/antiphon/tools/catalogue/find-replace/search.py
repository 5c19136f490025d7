"""Regular expression search in a child process, the only place where a match can be stopped."""

from __future__ import annotations

import json
import re
import sys
from bisect import bisect_right
from typing import Any

LONGEST = 2_000_000
SAMPLES = 20


def main() -> None:
    task = json.loads(sys.stdin.buffer.read())
    sys.stdout.buffer.write(json.dumps(run_task(task)).encode())


def run_task(task: dict[str, Any]) -> dict[str, Any]:
    source = task["find"] if task["regex"] else re.escape(task["find"])
    if task["whole_word"]:
        source = rf"(?<!\w)(?:{source})(?!\w)"
    flags = re.MULTILINE | (re.NOFLAG if task["case_sensitive"] else re.IGNORECASE)
    try:
        pattern = re.compile(source, flags)
    except (re.error, RecursionError, OverflowError) as error:
        return {"pointer": "/find", "problem": f"this is no regular expression: {error}."}
    try:
        return replace_matches(pattern, task)
    except (re.error, IndexError) as error:
        return {"pointer": "/replace", "problem": f"the replacement cannot be used: {error}."}


def replace_matches(pattern: re.Pattern[str], task: dict[str, Any]) -> dict[str, Any]:
    text, most = task["text"], task["most"]
    grouped = task["regex"] and "\\" in task["replace"]
    starts = [0, *(at + 1 for at, char in enumerate(text) if char == "\n")]
    pieces, samples = [], []
    end = count = size = 0
    for found in pattern.finditer(text):
        new = found.expand(task["replace"]) if grouped else task["replace"]
        size += found.start() - end + len(new)
        if size > LONGEST:
            problem = f"the result would be longer than {LONGEST} characters."
            return {"pointer": "/replace", "problem": problem}
        pieces += [text[end : found.start()], new]
        end = found.end()
        if count < SAMPLES:
            line = bisect_right(starts, found.start())
            samples.append({"line": line, "found": found[0][:200], "replaced": new[:200]})
        count += 1
        if count == most:
            break
    return {"text": "".join(pieces) + text[end:], "count": count, "matches": samples}


if __name__ == "__main__":
    main()
