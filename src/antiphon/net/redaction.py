"""Redaction: text of services and errors on one line, bounded, and without secrets."""

from __future__ import annotations

from collections.abc import Iterable

MASK = "********"


def redact(text: str, secrets: Iterable[str], limit: int = 300) -> str:
    """`text` with every secret masked, white space collapsed and cut to `limit` characters."""
    for secret in secrets:
        if secret:
            text = text.replace(secret, MASK)
    shown = "".join(c for c in " ".join(text.split()) if c.isprintable())
    return shown if len(shown) <= limit else f"{shown[:limit]}…"
