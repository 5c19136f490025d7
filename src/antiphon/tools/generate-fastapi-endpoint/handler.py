"""HTTP endpoint written by the configured model, or by a template that covers it all."""

from __future__ import annotations

from typing import Any

from antiphon.toolkit.model_code import generate

TOOL = "fastapi_endpoint_generator"
INSTRUCTIONS = """You write one HTTP endpoint in Python. Answer with two code blocks and nothing
else: first the whole module main.py, then test_main.py for pytest, which imports from main. The
module makes `app`, has typed pydantic models, the right status codes and errors, does everything
that the description says and really computes what it asks for. It runs as it stands, imports
nothing but the standard library, the framework and pydantic unless the description names a
package, and has no placeholder and no TODO."""


async def execute(args: dict[str, Any], context: Any) -> Any:
    return await generate(TOOL, args, context, INSTRUCTIONS, question_of(args), fitting)


def question_of(args: dict[str, Any]) -> str:
    """Return the question to the model: the arguments, one on a line."""
    names = {"framework": "Framework", "method": "Method", "path": "Path"}
    lines = [f"{label}: {args[name]}" for name, label in names.items() if args.get(name)]
    return "\n".join([*lines, f"Description: {args['description']}"])


def fitting(blocks: list[str]) -> dict[str, str]:
    """Return the blocks as arguments of the tool: the module first, its test second."""
    return {"code": blocks[0], **({"test": blocks[1]} if len(blocks) > 1 else {})}
