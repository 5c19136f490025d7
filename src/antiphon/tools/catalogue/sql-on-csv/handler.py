"""SQL over CSV text, read-only and within bounds of time, memory and rows."""

from __future__ import annotations

import inspect
import json
import subprocess
from typing import Any

from antiphon import ok
from antiphon.toolkit import invalid
from antiphon.toolkit.child_program import run_program

from . import query

SECONDS = 5


def execute(args: dict[str, Any], context: Any) -> Any:
    task = {
        "tables": {"data": args["csv"]} | ({"other": args["other"]} if "other" in args else {}),
        "query": args["query"],
        "rows": args["max_rows"],
    }
    try:
        done = run_program(inspect.getsource(query), task, SECONDS)
    except subprocess.TimeoutExpired:
        message = f"it took longer than {SECONDS} seconds; ask for less at once."
        raise invalid("/query", message) from None
    if done.returncode:
        raise invalid("/query", "it needed more memory than it may have; ask for less at once.")
    answer = json.loads(done.stdout)
    if "problem" in answer:
        raise invalid(answer["pointer"], answer["problem"])
    return ok(answer)
