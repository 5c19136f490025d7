"""Code written by the configured model and checked by a tool of the catalogue."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from antiphon.contracts import relay

Choose = Callable[[list[str]], dict[str, str]]

_FENCE = re.compile(r"```[\w+-]*\n(.*?)```", re.DOTALL)


async def generate(
    tool: str, args: dict[str, Any], context: Any, instructions: str, question: str, choose: Choose
) -> Any:
    """Answer with what the model writes once `tool` accepts it, else with the tool's own templates.

    `choose` turns the model's code blocks into further arguments of the tool. An answer that the
    tool finds unusable is put to the model once more, with the tool's message.
    """
    asked = question
    for attempt in (1, 2):
        said = await context.workspace.model.ask(instructions, asked, context.session.payer)
        if said is None:
            break
        blocks = _FENCE.findall(said) or [said]
        answer = await context.call_tool(tool, {**args, **choose(blocks)})
        if answer["ok"] or answer["error"]["type"] != "PERMANENT" or attempt == 2:
            return relay(answer)
        problem = answer["error"]["message"]
        context.progress(f"The model is asked once more: {problem}")
        asked = f"{question}\n\nYour last answer could not be used. {problem}"
    return relay(await context.call_tool(tool, args))
