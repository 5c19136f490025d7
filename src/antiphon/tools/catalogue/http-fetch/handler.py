"""HTTP fetch of one public address through the guarded client, shown as text."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from antiphon import ok

LARGEST_HTML = 1_000_000
CHARSET = re.compile(r"charset=[\"']?([\w.:-]+)", re.IGNORECASE)
TEXTUAL = re.compile(
    r"(?:text/|application/(?:[\w.+-]*(?:json|xml|javascript|yaml|x-ndjson)))", re.I
)


async def execute(args: dict[str, Any], context: Any) -> Any:
    answer = await context.workspace.egress.fetch(args["url"], method=args["method"])
    context.note_source(f"a web page at {urlsplit(answer.url).hostname}")
    kind = answer.headers.get("content-type", "")
    body: dict[str, Any] = {
        "url": answer.url,
        "status": answer.status,
        "content_type": kind,
        "headers": {name: value[:1000] for name, value in list(answer.headers.items())[:60]},
        "text": "",
        "truncated": answer.truncated,
        "redirects": list(answer.redirects),
        "bytes": len(answer.body),
    }
    if not answer.body or (kind and not TEXTUAL.match(kind.strip())):
        return ok(body)
    text = decode_body(answer.body, kind)
    if "html" in kind.lower() and args["view"] != "raw":
        page = await context.call_tool(
            "html_to_text",
            {
                "html": text[:LARGEST_HTML] or " ",
                "style": args["view"],
                "max_chars": args["max_chars"],
            },
        )
        if page["ok"]:
            body |= {"title": page["data"]["title"], "text": page["data"]["text"]}
            body["truncated"] = answer.truncated or page["data"]["truncated"]
            return ok(body)
    body["text"] = text[: args["max_chars"]]
    body["truncated"] = answer.truncated or len(text) > args["max_chars"]
    return ok(body)


def decode_body(data: bytes, kind: str) -> str:
    named = CHARSET.search(kind) or CHARSET.search(data[:2000].decode("latin-1"))
    try:
        return data.decode(named[1] if named else "utf-8", "replace")
    except LookupError:
        return data.decode("utf-8", "replace")
