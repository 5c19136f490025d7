"""Image generation by the configured provider; without one, a simple drawing."""

from __future__ import annotations

from typing import Any

from antiphon import ErrorType, fail, ok


async def execute(args: dict[str, Any], context: Any) -> Any:
    prompt = args["prompt"].strip()
    if not prompt:
        return fail(
            ErrorType.VALIDATION,
            "The prompt is blank; say what the image shows.",
            errors=[
                {"pointer": "/prompt", "message": "is blank", "expected": "what the image shows"}
            ],
        )
    context.progress("The image is being made.", 0.1)
    image = await context.workspace.images.generate(
        prompt,
        shape=args["shape"],
        key=context.idempotency_key,
        user=context.session.user,
        session=context.session.id,
        now=context.now(),
    )
    image.pop("alt")
    return ok(image)
