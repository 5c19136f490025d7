"""Python source parsing, with the line of whatever is no Python."""

from __future__ import annotations

import ast
import warnings

from .errors import invalid


def source_text(code: str) -> str:
    """Return the code with plain line ends; raise the error of `/code` if it is binary or empty."""
    odd = next((i for i, c in enumerate(code) if c < " " and c not in "\t\n\r\f\v"), None)
    if odd is not None:
        line = code.count("\n", 0, odd) + 1
        raise invalid("/code", f"holds binary data (line {line}); give source text.", line=line)
    if not code.strip():
        raise invalid("/code", "is empty; give source code.")
    return code.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def parse_python(code: str) -> ast.Module:
    """Parse the code; raise the error of `/code` with line and column if it is no Python."""
    try:
        with warnings.catch_warnings():
            # What the code would warn of when compiled is its author's business.
            warnings.simplefilter("ignore")
            return ast.parse(source_text(code))
    except SyntaxError as error:
        line, column = error.lineno or 1, error.offset or 1
        message = f"is no valid Python: {error.msg} (line {line}, column {column})."
        raise invalid("/code", message, line=line, column=column) from None
    except (ValueError, RecursionError, MemoryError):
        raise invalid("/code", "is nested too deeply to be parsed.") from None
