"""Redaction: text for logs, errors and crash output without the secrets that the process knows."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterable
from urllib.parse import quote

MASK = "********"
# Shorter ones would mask ordinary words.
_SHORTEST = 8
# Of keys that are replaced again and again the oldest are forgotten.
_MOST = 500
# What looks like a secret wherever it stands: credentials of headers and sockets, keys as vendors
# write them, service tokens, cookies, and passwords in addresses.
_LOOKS_SECRET = re.compile(
    r"(\b(?:Bearer|Basic) +)[A-Za-z0-9._~+/=-]{8,2000}"
    r"|(\bticket\.)[A-Za-z0-9_-]{16,200}"
    r"|(\b(?:__Host-)?antiphon=)[^\s;,\"'\\]{8,500}"
    r"|(\banti_)[A-Za-z0-9_-]{8,200}"
    r"|(\bsk-)[A-Za-z0-9_-]{16,300}"
    r"|(\bAIza)[0-9A-Za-z_-]{30,60}"
    r"|(://[^/@:\s\"']{0,200}:)[^/\s\"'@]{1,500}(?=@)"
)
# A password, or a user name that stands alone and so is a token; secrets in the query.
_SECRET_IN_ADDRESS = re.compile(
    r"(://[^/@:\s]*:)[^/\s]*(?=@)|(://)[^/@\s]+(?=@)"
    r"|([?&][^=&?]{0,80}(?:password|secret|token|key)[^=&?]{0,80}=)[^&]*",
    re.IGNORECASE,
)


class Redactor:
    """The secrets that one process knows, and the text without them. Safe to use from any
    thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[str, frozenset[str]] = {}
        self._words: tuple[str, ...] = ()
        self._changed = False

    def hide(self, *secrets: str | None) -> None:
        """Mask these texts from now on, also as they are written in JSON, in an address and by
        Python."""
        with self._lock:
            for secret in secrets:
                text = (secret or "").strip()
                if len(text) >= _SHORTEST and text not in self._known:
                    self._known[text] = _spellings(text)
                    self._changed = True
            while len(self._known) > _MOST:
                del self._known[next(iter(self._known))]

    def clean(self, text: str) -> str:
        """The text with every secret masked."""
        # Looked for one by one: a pattern of all of them takes long to compile, with each new
        # secret anew, and longer to search with.
        for word in self._ordered() if self._changed else self._words:
            if word in text:
                text = text.replace(word, MASK)
        return _LOOKS_SECRET.sub(_but_for_its_name, text)

    def _ordered(self) -> tuple[str, ...]:
        with self._lock:
            words = {each for spellings in self._known.values() for each in spellings}
            # The longest first: one secret may begin with another.
            self._words = ordered = tuple(sorted(words, key=len, reverse=True))
            self._changed = False
        return ordered


def _spellings(text: str) -> frozenset[str]:
    quoted = (json.dumps(text, ensure_ascii=each)[1:-1] for each in (True, False))
    safe = text.encode("utf-8", "replace")
    return frozenset((text, repr(text)[1:-1], quote(safe, safe=""), *quoted))


def _but_for_its_name(found: re.Match[str]) -> str:
    return f"{found[found.lastindex or 0]}{MASK}"


# The one of this process: logging and the hooks for crashes are the process's own, too.
REDACTOR = Redactor()
# Arguments that a contract redacts, of calls whose failure a log may quote. They are apart, as
# callers choose them: they must neither mask what others are answered nor push the keys above out.
LOGGED_ARGUMENTS = Redactor()


def clean_log(text: str) -> str:
    """Text for a log, a span or crash output: without secrets, and without redacted arguments."""
    return LOGGED_ARGUMENTS.clean(REDACTOR.clean(text))


def without(text: str, secrets: Iterable[str]) -> str:
    """The text without these secrets, however short, and without those that the process knows."""
    for secret in secrets:
        if secret:
            text = text.replace(secret, MASK)
    return REDACTOR.clean(text)


def redact(text: str, secrets: Iterable[str], limit: int = 300) -> str:
    """Text of a service or an error on one line, `without` secrets and cut to `limit`
    characters."""
    text = without(text, secrets)
    shown = "".join(c for c in " ".join(text.split()) if c.isprintable())
    return shown if len(shown) <= limit else f"{shown[:limit]}…"


def redact_address(address: str) -> str:
    """An address without the password, the token in place of a user, and secrets in the query."""
    return _SECRET_IN_ADDRESS.sub(_but_for_its_name, address)
