"""Conversation export: a conversation as a file, in Markdown or JSON."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from urllib.parse import quote

import orjson
from starlette.responses import Response

from antiphon.server.conversation_entries import CallEntry, ImageEntry, MessageEntry
from antiphon.server.schemas.conversations import ConversationDocument

_WHO = {"user": "You", "assistant": "Antiphon"}


def exported(found: ConversationDocument, form: str) -> Response:
    """Return the file of a conversation: `md` to read, `json` with everything, feedback too."""
    name = re.sub(r"[^\w-]+", "-", found.title, flags=re.ASCII).strip("-")[:60] or "conversation"
    whole = quote(f"{' '.join(found.title.split())[:80]}.{form}", safe="")
    headers = {
        "content-disposition": f"attachment; filename=\"{name}.{form}\"; filename*=UTF-8''{whole}",
        "cache-control": "no-store",
    }
    if form == "json":
        body = orjson.dumps(
            found.model_dump(exclude={"next", "active"}), option=orjson.OPT_INDENT_2
        )
        return Response(body, headers=headers, media_type="application/json")
    return Response(_markdown(found), headers=headers, media_type="text/markdown; charset=utf-8")


def _markdown(found: ConversationDocument) -> str:
    parts = [f"# {found.title}", f"{_time(found.created_at)} to {_time(found.updated_at)}"]
    parts += [text for entry in found.entries if (text := _entry(entry))]
    return "\n\n".join(parts) + "\n"


def _entry(entry: MessageEntry | CallEntry | ImageEntry) -> str:
    match entry:
        case MessageEntry():
            return _message(entry)
        case CallEntry():
            failed = "no answer was kept" if entry.ok is None else f"failed ({entry.error_type})"
            return f"*{entry.tool}: {'done' if entry.ok else failed}*"
        case ImageEntry():
            return f"![{entry.alt or entry.caption}]({entry.url})"


def _message(entry: MessageEntry) -> str:
    spoken = ", by voice" if entry.channel == "voice" else ""
    lines = [f"**{_WHO[entry.role]}**{spoken} ({_time(entry.at)})", entry.text]
    if entry.interrupted:
        lines.append("*(interrupted)*")
    if entry.feedback is not None:
        said = f": {entry.feedback.comment}" if entry.feedback.comment else ""
        lines.append(f"*(feedback: {entry.feedback.value}{said})*")
    if entry.sources:
        lines.append(_numbered([f"{each.title} (`{each.id}`)" for each in entry.sources]))
    return "\n\n".join(lines)


def _numbered(lines: Sequence[str]) -> str:
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))


def _time(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M UTC")
