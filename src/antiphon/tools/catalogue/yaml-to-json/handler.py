"""YAML to JSON conversion, and back."""

from __future__ import annotations

import json
from typing import Any

from antiphon import ErrorType, ToolError, ok
from antiphon.toolkit import invalid

from .json_values import to_json

LONGEST = 2_000_000


def execute(args: dict[str, Any], context: Any) -> Any:
    if args["to"] == "yaml":
        value = read_json(args["text"])
        text = write_yaml(value, args["indent"] or 2)
        count = 1
    else:
        from .loader import load

        documents = [to_json(one) for one in load(args["text"])]
        count = len(documents)
        value = documents[0] if count == 1 else documents
        text = json.dumps(value, ensure_ascii=False, indent=args["indent"] or None)
    if len(text) > LONGEST:
        raise invalid("/text", f"the result would be longer than {LONGEST} characters.")
    return ok({"text": text, "format": args["to"], "documents": count})


def read_json(text: str) -> Any:
    try:
        value = json.loads(text.removeprefix("\ufeff"), parse_constant=no_number)
    except json.JSONDecodeError as error:
        raise invalid(
            "/text",
            f"no JSON at line {error.lineno}, column {error.colno}: {error.msg}.",
            line=error.lineno,
        ) from None
    except (RecursionError, ValueError):
        raise invalid("/text", "it is nested too deeply or has too long a number.") from None
    return to_json(value)


def no_number(word: str) -> Any:
    raise ToolError(ErrorType.VALIDATION, f"/text: JSON has no {word}.", pointer="/text")


def write_yaml(value: Any, indent: int) -> str:
    import yaml

    text: str = yaml.safe_dump(value, sort_keys=False, allow_unicode=True, indent=indent, width=100)
    return text.removesuffix("...\n")
