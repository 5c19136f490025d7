"""HTTP endpoint written by the configured model, or by a template that covers it all."""

from __future__ import annotations

import re
from typing import Any

from antiphon import ErrorType, fail, ok

TOOL = "fastapi_endpoint_generator"
INSTRUCTIONS = """You write one HTTP endpoint in Python. Answer with two code blocks and nothing
else: first the whole module main.py, then test_main.py for pytest, which imports from main. The
module makes `app`, has typed pydantic models, the right status codes and errors, does everything
that the description says and really computes what it asks for. It runs as it stands, imports
nothing but the standard library, the framework and pydantic unless the description names a
package, and has no placeholder and no TODO."""
OWN = ("type", "message", "retryable", "partialSideEffects", "retryAfter")
FENCE = re.compile(r"```[\w+-]*\n(.*?)```", re.DOTALL)


async def execute(args: dict[str, Any], context: Any) -> Any:
    answer = await by_model(args, context) or await context.call_tool(TOOL, args)
    if answer["ok"]:
        return ok(answer["data"])
    error = answer["error"]
    return fail(
        ErrorType(error["type"]),
        error["message"],
        retryable=error["retryable"],
        partial_side_effects=error["partialSideEffects"],
        retry_after=error.get("retryAfter"),
        **{name: value for name, value in error.items() if name not in OWN},
    )


async def by_model(args: dict[str, Any], context: Any) -> Any:
    """What the configured model writes, checked by the catalogue's tool; None without a model."""
    question = asked(args)
    for attempt in (1, 2):
        said = await context.workspace.model.ask(INSTRUCTIONS, question)
        if said is None:
            return None
        blocks = FENCE.findall(said) or [said]
        answer = await context.call_tool(TOOL, {**args, **fitting(blocks)})
        if answer["ok"] or answer["error"]["type"] != "PERMANENT" or attempt == 2:
            return answer
        problem = answer["error"]["message"]
        context.progress(f"The model is asked once more: {problem}")
        question = f"{asked(args)}\n\nYour last answer could not be used. {problem}"
    return None


def asked(args: dict[str, Any]) -> str:
    names = {"framework": "Framework", "method": "Method", "path": "Path"}
    lines = [f"{label}: {args[name]}" for name, label in names.items() if args.get(name)]
    return "\n".join([*lines, f"Description: {args['description']}"])


def fitting(blocks: list[str]) -> dict[str, str]:
    return {"code": blocks[0], **({"test": blocks[1]} if len(blocks) > 1 else {})}
