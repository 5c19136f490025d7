"""The scaffold of a new tool directory that builds as it stands: contract, guide, handler."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from antiphon.registry.findings import plain
from antiphon.registry.lint_fields import CATEGORIES, TOOL_ID
from antiphon.registry.sources import GUIDE, HANDLER, SCHEMA


class ScaffoldError(ValueError):
    """The tool cannot be made; the text says why and what to do. `usage`: what was asked for is
    no name or no category, whatever the folder holds."""

    def __init__(self, message: str, *, usage: bool = False) -> None:
        super().__init__(message)
        self.usage = usage


def new_tool(name: str, folder: Path, *, category: str = "utility") -> Path:
    """Write a tool called `name` (`kb-search` or `kb_search`) into `folder`; returns its directory.

    All files or none appear. Raises ScaffoldError for bad or taken names and unwritable folders.
    """
    tool_id = name.replace("-", "_")
    if not TOOL_ID.fullmatch(tool_id):
        raise ScaffoldError(
            f"`{plain(name[:80])}` is no name for a tool. "
            "Start with a lower-case letter, then use at most 63 of a-z, 0-9, `-` and `_`.",
            usage=True,
        )
    if category not in CATEGORIES:
        raise ScaffoldError(
            f"`{plain(category[:80])}` is no category. Use one of {', '.join(CATEGORIES)}.",
            usage=True,
        )
    directory = folder / tool_id.replace("_", "-")
    if os.path.lexists(folder / tool_id):
        raise _taken(folder / tool_id)
    texts = _files(tool_id, category)
    write_directory(directory, {name: text.encode() for name, text in texts.items()})
    return directory


def write_directory(directory: Path, files: Mapping[str, bytes]) -> None:
    """Write a directory with these files, all or none. Raises ScaffoldError, also when it is there
    already."""
    if os.path.lexists(directory):
        raise _taken(directory)
    folder = directory.parent
    temporary = folder / f".{directory.name}.{secrets.token_hex(6)}.tmp"
    try:
        temporary.mkdir(parents=True)
        try:
            for file, data in files.items():
                (temporary / file).write_bytes(data)
            os.rename(temporary, directory)
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            raise
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ScaffoldError(
            f"{directory} cannot be made: {reason}. Choose a folder that may be written to."
        ) from error


def _taken(place: Path) -> ScaffoldError:
    return ScaffoldError(f"{place} is already there. Choose another name, or remove it.")


def _files(tool_id: str, category: str) -> dict[str, str]:
    texts = _TEXTS[category]
    schema = _schema(tool_id, category, texts)
    handler = re.sub(r"TOOL_ID", tool_id, texts["handler"])
    return {
        SCHEMA: json.dumps(schema, indent=2) + "\n",
        GUIDE: _guide(tool_id, texts),
        HANDLER: handler,
    }


def _schema(tool_id: str, category: str, texts: dict[str, str]) -> dict[str, Any]:
    writes = category == "action"
    return {
        "toolId": tool_id,
        "version": "0.1.0",
        "description": texts["description"],
        "category": category,
        "sideEffects": {"retrieval": "read_only", "action": "writes", "utility": "none"}[category],
        "origin": "trusted",
        "sensitivity": "public" if category == "utility" else "private",
        "outside": False,
        "idempotent": not writes,
        "requiresConfirmation": writes,
        "allowedModes": ["text", "voice"],
        "latencyBudgetMs": 800,
        "parameters": {
            "type": "object",
            "properties": {
                "text": {
                    "type": "string",
                    "description": texts["parameter"],
                    "minLength": 1,
                    "maxLength": 2000,
                },
                "limit": {
                    "type": "integer",
                    "description": "How many words to return at most.",
                    "minimum": 1,
                    "maximum": 50,
                    "default": 10,
                },
            },
            "required": ["text"],
            "additionalProperties": False,
        },
        "output": {
            "type": "object",
            "properties": {
                "words": {"type": "array", "items": {"type": "string"}},
                "total": {"type": "integer"},
            },
            "required": ["words", "total"],
        },
    }


def _guide(tool_id: str, texts: dict[str, str]) -> str:
    return f"""# {tool_id}

{texts["description"]}

## Parameters
- `text` (required): {texts["parameter"][0].lower() + texts["parameter"][1:]}
- `limit` (1 to 50, default 10): how many words to return at most.

## Examples
`{{"text": "call and response", "limit": 2}}` returns
`{{"words": ["and", "call"], "total": 3}}`.

## Phrases
- "{texts["phrase"]}: {{{{text}}}}"

## Watch Out
- `total` counts every word that was found, also those beyond `limit`.
- {texts["watch_out"]}
"""


_HANDLER = '''"""TOOL_ID: {purpose}"""

from __future__ import annotations

import re
from typing import Any

from antiphon import Context, ErrorType, ToolError, ok

# Letters in any script, with apostrophes and hyphens inside.
WORD = re.compile(r"[^\\W\\d_]+(?:['-][^\\W\\d_]+)*")


async def execute(args: dict[str, Any], context: Context) -> Any:
    """`args` has passed the schema, with the defaults filled in."""
    words = sorted({{word.lower() for word in WORD.findall(args["text"])}})
    if not words:
        raise ToolError(ErrorType.PERMANENT, "The text holds no words.")
{effect}    return ok({{"words": words[: args["limit"]], "total": len(words)}})
'''

_TEXTS = {
    "utility": {
        "description": "List the different words of a text in alphabetical order.",
        "parameter": "The text to take the words from.",
        "phrase": "List the words of this text",
        "watch_out": "Numbers are no words.",
        "handler": _HANDLER.format(purpose="the different words of a text.", effect=""),
    },
    "retrieval": {
        "description": "Look up which different words a text holds.",
        "parameter": "The text to look through.",
        "phrase": "Look up the words of this text",
        "watch_out": "The result is evidence: quote it, do not guess beyond it.",
        "handler": _HANDLER.format(purpose="looks up the words of a text.", effect=""),
    },
    "action": {
        "description": "Record the different words of a text in the audit log.",
        "parameter": "The text whose words to record.",
        "phrase": "Record the words of this text",
        "watch_out": "A person approves each call before it runs.",
        "handler": _HANDLER.format(
            purpose="records the words of a text.",
            effect='    context.audit.log("words_recorded", {"total": len(words)})\n',
        ),
    },
}
