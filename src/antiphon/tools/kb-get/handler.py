"""Knowledge records by id, from a namespace of the knowledge base or from every database."""

from __future__ import annotations

from typing import Any

from antiphon import ErrorType, fail, ok

MARKS = ("origin", "sensitivity", "marked")
NAMESPACES = ("studio", "personal", "public")
# What can be read aloud without losing the listener; text mode gets as much as a prompt can bear.
LONGEST = {"voice": 400, "text": 20_000}


async def execute(args: dict[str, Any], context: Any) -> Any:
    if ("id" in args) == ("ids" in args):
        given = "both were given" if "id" in args else "none was given"
        return fail(
            ErrorType.VALIDATION,
            f"Give either id or ids; {given}.",
            errors=[{"pointer": "/id", "message": given, "expected": "either id or ids"}],
        )
    ids = args.get("ids") or [args["id"]]
    if "namespace" in args:
        namespaces = [args["namespace"]]
    else:
        known = [database["id"] for database in await context.knowledge.databases()]
        namespaces = sorted(known, key=rank)
    found = await context.knowledge.get(ids, namespaces)
    there = {record["id"] for record in found}
    longest = LONGEST[context.mode]
    return ok(
        {
            "records": [describe_record(record, longest) for record in found],
            "not_found": [name for name in ids if name not in there],
        }
    )


def rank(database: str) -> int:
    """Sort key of a source: the namespaces in their order, then databases that people made."""
    return NAMESPACES.index(database) if database in NAMESPACES else len(NAMESPACES)


def describe_record(record: dict[str, Any], longest: int) -> dict[str, Any]:
    text, is_whole = truncate(record["text"], longest)
    body = {
        "id": record["id"],
        "namespace": record["database_id"],
        "type": record["type"],
        "title": record["title"] or record["id"],
        "text": text,
        "tags": record["tags"],
        "source_type": record["source_type"] or None,
        "last_updated": record["last_updated"] or None,
        "url": record["url"] or None,
        "metadata": record["metadata"],
    }
    body |= {name: record[name] for name in MARKS if name in record}
    return body if is_whole else {**body, "text_shortened": True}


def truncate(text: str, longest: int) -> tuple[str, bool]:
    """Truncate a text after a sentence, or at least after a word."""
    if len(text) <= longest:
        return text, True
    cut = text[:longest]
    sentence = max(cut.rfind(mark) for mark in (". ", "! ", "? ", "\n"))
    if sentence >= longest // 2:
        return cut[: sentence + 1].rstrip(), False
    word = cut.rfind(" ")
    return f"{cut[:word] if word > 0 else cut}…", False
