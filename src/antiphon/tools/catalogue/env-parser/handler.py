"""Parser of .env files that points out what shells and libraries would read differently."""

from __future__ import annotations

import re
from typing import Any

from antiphon import ok

LINE = re.compile(r"\s*+(?:export\s++)?(?P<name>[^=\s#][^=]*+)=(?P<rest>.*)", re.DOTALL)
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
SECRET = re.compile(r"(?i)secret|token|passw|api_?key|private|credential|auth|_key$|_pwd$|dsn")
IN_URL = re.compile(r"(://[^:/@\s]*+:)(?:(?!://)[^@\s])++@")
MOST = 1000


def execute(args: dict[str, Any], context: Any) -> Any:
    variables: list[dict[str, Any]] = []
    problems: list[dict[str, Any]] = []
    seen: dict[str, int] = {}
    lines = args["text"].removeprefix("\ufeff").splitlines()
    index = 0
    while index < len(lines):
        number, line = index + 1, lines[index]
        index += 1
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        found = LINE.fullmatch(line)
        if not found:
            problems.append({"line": number, "message": "has no `=`; write NAME=value."})
            continue
        value, index, problem = parse_value(found["rest"], lines, index)
        name = found["name"].strip()
        if problem:
            problems.append({"line": number, "message": problem})
        if not NAME.fullmatch(name):
            message = f"`{name[:60]}` is no usable name; use letters, digits and `_`."
            problems.append({"line": number, "message": message})
        if name in seen:
            message = f"{name} is set again; the value of line {seen[name]} is lost."
            problems.append({"line": number, "message": message})
        seen[name] = number
        variables.append(describe_variable(name, value, number, args["reveal"]))
    filled = {one["name"] for one in variables if one["value"]}
    return ok(
        {
            "variables": variables[:MOST],
            "problems": problems[:MOST],
            "missing": [name for name in args["required"] if name not in filled],
            "count": len(variables),
        }
    )


def parse_value(rest: str, lines: list[str], index: int) -> tuple[str, int, str]:
    """Return the value, the index of the line after it, and what is wrong with it."""
    text = rest.strip()
    if text[:1] not in ("'", '"'):
        value = re.split(r"\s#", text, maxsplit=1)[0].strip()
        problem = "has spaces in a value without quotes." if " " in value else ""
        if rest[:1] in (" ", "\t") and value:
            problem = problem or "has a space after `=`; shells do not take that."
        return value, index, problem
    quote = text[0]
    body = text[1:]
    last = index
    while (end := find_closing_quote(body, quote)) < 0 and last < len(lines) and last - index < 200:
        body += "\n" + lines[last]
        last += 1
    if end < 0:
        return text[1:], index, f"opens with {quote} and is never closed."
    value = body[:end]
    if quote == '"':
        value = value.replace('\\"', '"').replace("\\n", "\n")
    return value, last, ""


def find_closing_quote(text: str, quote: str) -> int:
    place = -1
    while (place := text.find(quote, place + 1)) >= 0:
        if quote == "'" or text[place - 1 : place] != "\\":
            return place
    return -1


def describe_variable(name: str, value: str, line: int, reveal: bool) -> dict[str, Any]:
    secret = bool(value) and (bool(SECRET.search(name)) or bool(IN_URL.search(value)))
    if secret and not reveal:
        value = IN_URL.sub(r"\1…@", value) if IN_URL.search(value) else f"{value[:1]}…"
    return {"name": name, "value": value[:2000], "line": line, "secret": secret}
