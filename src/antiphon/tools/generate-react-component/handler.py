"""React component written by the configured model, or by a template that covers it all."""

from __future__ import annotations

from typing import Any

from antiphon.toolkit.model_code import generate

TOOL = "react_component_generator"
INSTRUCTIONS = """You write one React component in TypeScript. Answer with one code block that holds
the whole .tsx file and nothing else. The component is a named export under exactly the name that is
given, in PascalCase. Its props have an exported interface. It does everything that the description
says, is accessible (labels, roles, keyboard), keeps its state with hooks, imports nothing but the
framework unless the description names a package, and has no placeholder and no TODO."""


async def execute(args: dict[str, Any], context: Any) -> Any:
    return await generate(TOOL, args, context, INSTRUCTIONS, question_of(args), fitting)


def question_of(args: dict[str, Any]) -> str:
    """Return the question to the model: the arguments, one on a line."""
    lines = [f"Name: {args['name']}", f"Framework: {args.get('framework', 'react')}"]
    if args.get("features"):
        lines.append(f"Features: {', '.join(args['features'])}")
    return "\n".join([*lines, f"Description: {args['description']}"])


def fitting(blocks: list[str]) -> dict[str, str]:
    """Return the blocks as arguments of the tool: the longest block is the component."""
    return {"code": max(blocks, key=len)}
