"""Network errors: the ways in which an HTTP exchange fails without a usable response."""

from __future__ import annotations

import os
import ssl
from collections.abc import Iterator


class NetworkError(Exception):
    """An exchange that gave no usable response. The message is short, and free of secrets."""


class RequestTimeoutError(NetworkError):
    """The deadline of one try passed before the last byte of the response."""


class HostUnreachableError(NetworkError):
    """No connection could be opened."""


class BrokenResponseError(NetworkError):
    """The response broke off, is no HTTP, or cannot be decoded."""


class CertificateError(NetworkError):
    """The certificate of the server does not verify; nothing was sent."""


class ResponseTooLargeError(NetworkError):
    """The response is longer than `max_bytes` of the client."""


def causes(error: BaseException) -> Iterator[BaseException]:
    """An error and everything that it was raised from, members of exception groups included."""
    waiting: list[BaseException | None] = [error]
    seen: set[int] = set()
    while waiting:
        found = waiting.pop(0)
        if found is None or id(found) in seen:
            continue
        seen.add(id(found))
        yield found
        waiting += [found.__cause__, found.__context__]
        if isinstance(found, BaseExceptionGroup):
            waiting += found.exceptions


def translate(error: Exception, clean: str) -> NetworkError:
    """The NetworkError for an error of httpx2 or of a socket; `clean` is its redacted text."""
    import httpx2

    chain = list(causes(error))
    for cause in chain:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return CertificateError(cause.verify_message or "it cannot be verified")
    if isinstance(error, httpx2.TimeoutException | TimeoutError):
        return RequestTimeoutError(clean)
    broken = httpx2.DecodingError | httpx2.ProtocolError | httpx2.ReadError | httpx2.WriteError
    if isinstance(error, broken):
        return BrokenResponseError(clean)
    # The message of a failed connection names no cause; the operating system's does.
    said = next((_system_words(c) for c in chain if isinstance(c, OSError) and c.errno), clean)
    return HostUnreachableError(said or type(error).__name__)


def _system_words(error: OSError) -> str:
    # asyncio writes addresses into it; numbers below zero are those of name resolution.
    assert error.errno is not None
    return os.strerror(error.errno) if error.errno > 0 else str(error.strerror)
