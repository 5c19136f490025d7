"""Text replacement by plain text or regular expression, within a bound of time."""

from __future__ import annotations

import inspect
import json
import subprocess
from typing import Any

from antiphon import ok
from antiphon.toolkit import invalid
from antiphon.toolkit.child_program import run_program

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
        done = run_program(inspect.getsource(search), task, SECONDS)
    except subprocess.TimeoutExpired:
        raise invalid(
            "/find",
            f"the search took longer than {SECONDS} seconds on this text; avoid repetitions "
            "inside repetitions such as (a+)+.",
        ) from None
    if done.returncode:
        raise invalid("/find", "the search broke off on this text; use a simpler expression.")
    answer = json.loads(done.stdout)
    if "problem" in answer:
        raise invalid(answer["pointer"], answer["problem"])
    return ok(answer)
