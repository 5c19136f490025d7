"""HTTP client of embedding services: kept connections, deadlines, retries and rate limits.

Redirects are not followed, so the key goes nowhere but to the address that was configured.
"""

from __future__ import annotations

import email.utils
import http.client
import io
import ipaddress
import random
import ssl
import threading
import time
import urllib.request
from base64 import b64encode
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from socket import socket
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

import orjson

from antiphon.contracts import ErrorType
from antiphon.knowledge.embedding.port import EmbeddingError

# An answer of 2048 vectors of 3072 numbers, written out in full, is about this long.
MOST_BYTES = 160 * 1024 * 1024
# Connections that wait for the next request; more callers at once open more, and close them.
IDLE = 8
_SHOWN = 300


class Endpoint:
    """Sends requests to one service. Safe to use from several threads."""

    def __init__(
        self,
        base_url: str,
        *,
        headers: Mapping[str, str],
        secret: str,
        key_name: str,
        timeout: float,
        retries: int,
        backoff: float,
        longest_wait: float,
        ca_file: Path | None,
    ) -> None:
        """`timeout` is for one try from its start to its last byte; `secret` is never shown.

        After a failure that may pass it waits `backoff` seconds, twice as long each time, or as
        long as the service asks for; when that is more than `longest_wait`, it gives up.
        Raises EmbeddingError when something is unusable.
        """
        self._url = _parsed(base_url)
        self.where = f"{self._url.scheme}://{self._url.netloc}"
        self._headers = {"Content-Type": "application/json", "Accept": "application/json"}
        for name, value in headers.items():
            if not value.isascii() or not value.isprintable():
                raise EmbeddingError(
                    f"The key in {key_name} has characters that no key has (perhaps a line break "
                    "or a quotation mark was copied along); correct it.",
                    ErrorType.AUTH,
                )
            self._headers[name] = value
        self._secret = secret
        self._key_name = key_name
        self._timeout = timeout
        self._retries = retries
        self._backoff = backoff
        self._longest_wait = longest_wait
        self._context = _context(ca_file) if self._url.scheme == "https" else None
        self._idle: list[http.client.HTTPConnection] = []
        self._guard = threading.Lock()
        self._closed = False

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """The answer, read as JSON. Raises EmbeddingError."""
        content = orjson.dumps(body)
        tries = 0
        while True:
            wait: float | None = None
            try:
                status, headers, answer = self._once(path, content)
            except ssl.SSLCertVerificationError as error:
                raise EmbeddingError(
                    f"The certificate of {self.where} is not trusted ({error.verify_message}); "
                    "name the authority that signed it in ca_file."
                ) from error
            except (OSError, http.client.HTTPException) as error:
                failure = self._unreachable(error)
            else:
                if status == 200:
                    return self._read(answer)
                failure = self._refused(status, answer)
                if not _passes(failure, answer):
                    raise failure
                wait = _retry_after(headers.get("Retry-After"))
            if tries >= self._retries:
                raise failure
            if wait is None:
                # Callers that failed together must not come back together.
                spread = random.uniform(0.5, 1.0)  # noqa: S311
                wait = min(self._backoff * 2**tries * spread, self._longest_wait)
            elif wait > self._longest_wait:
                raise EmbeddingError(
                    f"{failure} It asks to wait {wait:.0f} seconds, which is more than the "
                    f"{self._longest_wait:.0f} allowed here.",
                    failure.type,
                ) from failure
            tries += 1
            time.sleep(wait)

    def close(self) -> None:
        with self._guard:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    # -- one request

    def _once(self, path: str, content: bytes) -> tuple[int, http.client.HTTPMessage, bytes]:
        deadline = time.monotonic() + self._timeout
        with self._guard:
            kept = self._idle.pop() if self._idle else None
        if kept is not None:
            try:
                return self._exchange(kept, path, content, deadline)
            except (ConnectionError, http.client.BadStatusLine):
                # The service may have closed it while it waited, which is no failure.
                pass
        return self._exchange(self._connection(), path, content, deadline)

    def _exchange(
        self,
        connection: http.client.HTTPConnection,
        path: str,
        content: bytes,
        deadline: float,
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        keep = False
        try:
            connection.timeout = _left(deadline)
            if connection.sock is not None:
                connection.sock.settimeout(_left(deadline))
            connection.response_class = partial(_response, deadline)  # type: ignore[assignment]
            connection.request("POST", self._url.path + path, content, self._headers)
            response = connection.getresponse()
            answer = response.read(MOST_BYTES + 1)
            if len(answer) > MOST_BYTES:
                raise EmbeddingError(
                    f"The answer of {self.where} is longer than {MOST_BYTES // 2**20} MiB; "
                    "embed fewer texts at a time."
                )
            if response.length:  # left unsaid by `read` when it is given a limit
                raise http.client.IncompleteRead(answer, response.length)
            keep = not response.will_close
            return response.status, response.headers, answer
        finally:
            with self._guard:
                keep = keep and not self._closed and len(self._idle) < IDLE
                if keep:
                    self._idle.append(connection)
            if not keep:
                connection.close()

    def _connection(self) -> http.client.HTTPConnection:
        host = self._url.hostname or ""
        proxy = self._proxy(host)
        target = (proxy.hostname or "", proxy.port or 8080) if proxy else (host, self._url.port)
        if self._context is None:
            return http.client.HTTPConnection(*target)
        connection = http.client.HTTPSConnection(*target, context=self._context)
        if proxy:
            headers = {}
            if proxy.username:
                user = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
                headers["Proxy-Authorization"] = f"Basic {b64encode(user.encode()).decode()}"
            connection.set_tunnel(host, self._url.port or 443, headers)
        return connection

    def _proxy(self, host: str) -> SplitResult | None:
        """The proxy that the environment names. Only for https, which it cannot read."""
        if self._context is None or _is_loopback(host) or urllib.request.proxy_bypass(host):
            return None
        named = urllib.request.getproxies().get("https")
        if not named:
            return None
        return urlsplit(named if "://" in named else f"http://{named}")

    # -- what went wrong

    def _unreachable(self, error: Exception) -> EmbeddingError:
        if isinstance(error, TimeoutError):
            words = f"did not answer within {self._timeout:g} seconds"
        elif isinstance(error, http.client.HTTPException):
            words = f"broke off its answer ({type(error).__name__})"
        else:
            words = f"cannot be reached ({getattr(error, 'strerror', None) or error})"
        return EmbeddingError(
            f"The embedding service {self.where} {words}; check its address and the network.",
            ErrorType.TRANSIENT,
        )

    def _refused(self, status: int, answer: bytes) -> EmbeddingError:
        said = self._message(answer)
        if status in (401, 403) or (status == 400 and "API_KEY_INVALID" in said):
            state = "refused the key" if self._secret else "wants a key, and none is set"
            return EmbeddingError(
                f"The embedding service {self.where} {state} ({said or status}); "
                f"check {self._key_name}.",
                ErrorType.AUTH,
            )
        if status == 429:
            return EmbeddingError(
                f"The embedding service {self.where} takes no more requests for now "
                f"({said or status}).",
                ErrorType.RATE_LIMIT,
            )
        if status == 408 or status >= 500:
            return EmbeddingError(
                f"The embedding service {self.where} is in trouble ({status}{': ' * bool(said)}"
                f"{said}).",
                ErrorType.TRANSIENT,
            )
        hint = "check the model and the base URL"
        if 300 <= status < 400:
            hint = "it answers from another address; set the base URL to that"
        return EmbeddingError(
            f"The embedding service {self.where} refused the request "
            f"({status}{': ' * bool(said)}{said}); {hint}."
        )

    def _message(self, answer: bytes) -> str:
        """What the service said, short, in one line and without the key."""
        try:
            said = orjson.loads(answer)
        except orjson.JSONDecodeError:
            return ""
        if isinstance(said, list) and said:
            said = said[0]
        if isinstance(said, dict):
            said = said.get("error", said.get("detail", said.get("message", "")))
        reasons = ""
        if isinstance(said, dict):
            details = said.get("details")
            if isinstance(details, list):
                found = [d["reason"] for d in details if isinstance(d, dict) and "reason" in d]
                reasons = "".join(f" [{reason}]" for reason in found)
            said = said.get("message", "")
        if not isinstance(said, str):
            return ""
        words = " ".join(f"{said}{reasons}".split())
        if self._secret:
            words = words.replace(self._secret, "********")
        shown = "".join(c for c in words if c.isprintable())
        return shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "…"

    def _read(self, answer: bytes) -> Any:
        try:
            return orjson.loads(answer)
        except orjson.JSONDecodeError as error:
            raise EmbeddingError(
                f"The embedding service {self.where} did not answer in JSON ({error}); check "
                "the base URL."
            ) from error


class _TimedSocket:
    """A socket for http.client to read from, whose every read ends by the same deadline."""

    def __init__(self, wrapped: socket, deadline: float) -> None:
        self._wrapped = wrapped
        self._deadline = deadline

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(_TimedReader(self._wrapped, self._deadline))


class _TimedReader(io.RawIOBase):
    def __init__(self, wrapped: socket, deadline: float) -> None:
        super().__init__()
        self._socket = wrapped
        self._deadline = deadline
        self._file = wrapped.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._socket.settimeout(_left(self._deadline))
        return self._file.readinto(buffer)

    def close(self) -> None:
        self._file.close()
        super().close()


def _response(deadline: float, sock: socket, **options: Any) -> http.client.HTTPResponse:
    return http.client.HTTPResponse(_TimedSocket(sock, deadline), **options)  # type: ignore[arg-type]


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _parsed(base_url: str) -> SplitResult:
    try:
        url = urlsplit(base_url.rstrip("/"))
        usable = url.scheme in ("http", "https") and url.hostname and url.port != 0
        usable = usable and not url.query and not url.fragment and "@" not in url.netloc
        usable = usable and base_url.isascii() and base_url.isprintable() and " " not in base_url
    except ValueError:
        usable = False
    if not usable:
        raise EmbeddingError(
            "The base URL of the embedding service must look like https://host/v1, without a "
            "user name, a question mark or a fragment.",
            ErrorType.VALIDATION,
        )
    return url


def _context(ca_file: Path | None) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=ca_file)
    except OSError as error:  # ssl.SSLError is one
        raise EmbeddingError(
            f"The certificates in {ca_file} cannot be used ({error}); name a PEM file.",
            ErrorType.VALIDATION,
        ) from error


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _passes(failure: EmbeddingError, answer: bytes) -> bool:
    """Whether it may work when tried again. An account without money does not come back."""
    if failure.type is ErrorType.RATE_LIMIT:
        return b"insufficient_quota" not in answer
    return failure.type is ErrorType.TRANSIENT


def _retry_after(value: str | None) -> float | None:
    """Seconds, from a number or from a date. None when there is neither."""
    if not value:
        return None
    value = value.strip()
    if value.isascii() and value.replace(".", "", 1).isdigit():
        return float(value)
    try:
        moment = email.utils.parsedate_to_datetime(value)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
