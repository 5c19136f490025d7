"""Image prompt drafts by rules: the same description always gives the same drafts."""

from __future__ import annotations

from typing import Any

from antiphon import ErrorType, fail, ok

from .draft import make_drafts, subject_of


async def execute(args: dict[str, Any], context: Any) -> Any:
    subject = subject_of(args["description"])
    if not subject:
        return fail(
            ErrorType.VALIDATION,
            "The description has no words; say what the image should show.",
            errors=[
                {
                    "pointer": "/description",
                    "message": "has no words",
                    "expected": "what the image should show",
                }
            ],
        )
    return ok(
        {"subject": subject, "drafts": make_drafts(subject, args.get("style"), args["variants"])}
    )
