"""SQL over CSV text, read-only and within bounds of time, memory and rows."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from typing import Any

from antiphon import ErrorType, fail, ok

from . import query

SECONDS = 5


def execute(args: dict[str, Any], context: Any) -> Any:
    task = {
        "tables": {"data": args["csv"]} | ({"other": args["other"]} if "other" in args else {}),
        "query": args["query"],
        "rows": args["max_rows"],
    }
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", inspect.getsource(query)],
            input=json.dumps(task).encode(),
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return bad("/query", f"it took longer than {SECONDS} seconds; ask for less at once.")
    if done.returncode:
        return bad("/query", "it needed more memory than it may have; ask for less at once.")
    answer = json.loads(done.stdout)
    if "problem" in answer:
        return bad(answer["pointer"], answer["problem"])
    return ok(answer)


def bad(pointer: str, message: str) -> Any:
    return fail(ErrorType.VALIDATION, f"{pointer}: {message}", pointer=pointer)
