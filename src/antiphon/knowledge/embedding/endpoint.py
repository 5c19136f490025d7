"""HTTP endpoint of an embedding service: JSON requests with retries, and errors in words.

Redirects are not followed, so the key goes nowhere but to the address that was configured.
"""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

import orjson

from antiphon.contracts import ErrorType
from antiphon.knowledge.embedding.port import EmbeddingError
from antiphon.net import (
    BrokenResponseError,
    CertificateError,
    HttpClient,
    HttpResponse,
    NetworkError,
    RequestTimeoutError,
    ResponseTooLargeError,
    RetryPolicy,
    client_context,
    parse_retry_after,
)
from antiphon.net.blocking import BlockingHttpClient
from antiphon.net.retry import is_transient

# An answer of 2048 vectors of 3072 numbers, written out in full, is about this long.
MOST_BYTES = 160 * 1024 * 1024


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
        url = _parsed(base_url)
        self.where = f"{url.scheme}://{url.netloc}"
        self._base_url = base_url.rstrip("/")
        sent = {"content-type": "application/json", "accept": "application/json"}
        for name, value in headers.items():
            if not value.isascii() or not value.isprintable():
                raise EmbeddingError(
                    f"The key in {key_name} has characters that no key has (perhaps a line break "
                    "or a quotation mark was copied along); correct it.",
                    ErrorType.AUTH,
                )
            sent[name] = value
        self._secret = secret
        self._key_name = key_name
        self._timeout = timeout
        self._longest_wait = longest_wait
        self._client = HttpClient(
            timeout=timeout,
            max_bytes=MOST_BYTES,
            headers=sent,
            tls=_context(ca_file) if url.scheme == "https" and ca_file else None,
            proxies="https",  # of plain HTTP a proxy could read the key
            retry=RetryPolicy(retries, backoff, longest_wait, _may_pass),
            secrets=[secret],
        )
        self._requests = BlockingHttpClient(self._client)

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Send a JSON body and return the response, parsed as JSON. Raises EmbeddingError."""
        try:
            response = self._requests.request(
                "POST", f"{self._base_url}{path}", content=orjson.dumps(body)
            )
        except NetworkError as error:
            raise self._failed(error) from error
        if response.status == 200:
            return self._read(response.body)
        failure = self._refused(response.status, response.body)
        wait = parse_retry_after(response.headers.get("retry-after"))
        if wait is not None and wait > self._longest_wait and _may_pass(response):
            raise EmbeddingError(
                f"{failure} It asks to wait {wait:.0f} seconds, which is more than the "
                f"{self._longest_wait:.0f} allowed here.",
                failure.type,
            ) from failure
        raise failure

    def close(self) -> None:
        """Close the kept connections, and end the thread that serves them."""
        self._requests.close()

    def _failed(self, error: NetworkError) -> EmbeddingError:
        if isinstance(error, CertificateError):
            return EmbeddingError(
                f"The certificate of {self.where} is not trusted ({error}); "
                "name the authority that signed it in ca_file."
            )
        if isinstance(error, ResponseTooLargeError):
            return EmbeddingError(
                f"The answer of {self.where} is longer than {MOST_BYTES // 2**20} MiB; "
                "embed fewer texts at a time."
            )
        if isinstance(error, RequestTimeoutError):
            words = f"did not answer within {self._timeout:g} seconds"
        elif isinstance(error, BrokenResponseError):
            words = f"broke off its answer ({error})"
        else:
            words = f"cannot be reached ({error})"
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
        """The error message in a response body, on one line and without the key."""
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
        return self._client.redact(f"{said}{reasons}")

    def _read(self, answer: bytes) -> Any:
        try:
            return orjson.loads(answer)
        except orjson.JSONDecodeError as error:
            raise EmbeddingError(
                f"The embedding service {self.where} did not answer in JSON ({error}); check "
                "the base URL."
            ) from error


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


def _context(ca_file: Path) -> ssl.SSLContext:
    try:
        return client_context(ca_file)
    except OSError as error:  # ssl.SSLError is one
        raise EmbeddingError(
            f"The certificates in {ca_file} cannot be used ({error}); name a PEM file.",
            ErrorType.VALIDATION,
        ) from error


def _may_pass(response: HttpResponse) -> bool:
    """Whether a retry may help. An account without money does not come back."""
    return is_transient(response) and not (
        response.status == 429 and b"insufficient_quota" in response.body
    )
