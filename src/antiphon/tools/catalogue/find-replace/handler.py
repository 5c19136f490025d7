"""Text replacement by plain text or regular expression, within a bound of time."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from typing import Any

from antiphon import ErrorType, fail, ok

from . import search

SECONDS = 3


def execute(args: dict[str, Any], context: Any) -> Any:
    task = {
        "text": args["text"],
        "find": args["find"],
        "replace": args["replace"],
        "regex": args["syntax"] == "regex",
        "case_sensitive": args["case_sensitive"],
        "whole_word": args["whole_word"],
        "most": args.get("max_replacements", 0),
    }
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", inspect.getsource(search)],
            input=json.dumps(task).encode(),
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return fail(
            ErrorType.VALIDATION,
            f"/find: the search took longer than {SECONDS} seconds on this text; avoid repetitions "
            "inside repetitions such as (a+)+.",
            pointer="/find",
        )
    if done.returncode:
        return fail(
            ErrorType.VALIDATION,
            "/find: the search broke off on this text; use a simpler expression.",
            pointer="/find",
        )
    answer = json.loads(done.stdout)
    if "problem" in answer:
        pointer = answer["pointer"]
        return fail(ErrorType.VALIDATION, f"{pointer}: {answer['problem']}", pointer=pointer)
    return ok(answer)
