"""Descriptions in source code: one line of printable text."""

from __future__ import annotations


def one_line(text: str) -> str:
    """Return the text on one line, without characters that would end a comment or a line."""
    plain = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(plain.split())
