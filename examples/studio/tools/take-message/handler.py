"""take_message: one more line in `messages.jsonl`, in the folder in which the server runs."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from antiphon import ok

MESSAGES = Path("messages.jsonl")


async def execute(args: dict[str, Any], context: Any) -> Any:
    taken_at = context.now().isoformat()
    line = json.dumps({"at": taken_at, "key": context.idempotency_key, **args}, ensure_ascii=False)
    await asyncio.to_thread(_append, line)
    return ok({"taken_at": taken_at})


def _append(line: str) -> None:
    with MESSAGES.open("a", encoding="utf-8") as file:
        file.write(line + "\n")
