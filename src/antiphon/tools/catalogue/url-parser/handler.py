"""URL parsing and building; nothing is fetched."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode, urljoin, urlsplit, urlunsplit

from antiphon import ok
from antiphon.toolkit import invalid

PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21, "ssh": 22, "postgresql": 5432}


def execute(args: dict[str, Any], context: Any) -> Any:
    text = args["url"].strip()
    try:
        if "base" in args:
            text = urljoin(args["base"].strip(), text)
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise invalid("/url", f"is no usable URL: {error}.") from None
    if not parts.scheme or not (parts.netloc or parts.path):
        raise invalid("/url", "is not absolute; start with https:// or give a `base`.")
    query = parse_qsl(parts.query, keep_blank_values=True)
    for name, value in args.get("set_query", {}).items():
        query = [pair for pair in query if pair[0] != name]
        if value is not None:
            query.append((name, to_text(value)))
    if "set_query" in args:
        parts = parts._replace(query=urlencode(query))
    values: dict[str, list[str]] = {}
    for name, value in query:
        values.setdefault(name, []).append(value)
    host = parts.hostname or ""
    ascii_host, readable = host_forms(host)
    body = {
        "url": urlunsplit(parts),
        "scheme": parts.scheme.lower(),
        "host": readable,
        "ascii_host": ascii_host,
        "port": port if port is not None else PORTS.get(parts.scheme.lower()),
        "path": unquote(parts.path),
        "segments": [unquote(part) for part in parts.path.split("/") if part],
        "query": values,
        "fragment": unquote(parts.fragment),
        "has_password": parts.password is not None,
        "warnings": warnings(parts, host, readable),
    }
    if parts.username is not None:
        body["username"] = unquote(parts.username)
    return ok(body)


def to_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def host_forms(host: str) -> tuple[str, str]:
    """Return the host as DNS has it and as people read it."""
    try:
        ascii_host = host.encode("idna").decode("ascii")
        return ascii_host, ascii_host.encode("ascii").decode("idna")
    except UnicodeError:
        return host, host


def warnings(parts: Any, host: str, readable: str) -> list[str]:
    found = []
    if parts.password is not None:
        found.append("The URL holds a password; whoever sees the URL has it.")
    if parts.scheme == "http" and host not in ("localhost", "127.0.0.1", "::1"):
        found.append("http is not encrypted.")
    letters = {"latin" if c.isascii() else "other" for c in readable if c.isalpha()}
    if len(letters) > 1:
        found.append("The host mixes alphabets; it may imitate another name.")
    if parts.username is not None and "." in parts.username:
        found.append("What stands before @ looks like a host, but the host comes after it.")
    return found
