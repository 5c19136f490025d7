"""Outbound HTTP: one client with an egress guard, retries, limits and redaction of secrets."""

from antiphon.net.client import HttpClient, HttpResponse
from antiphon.net.errors import (
    BrokenResponseError,
    CertificateError,
    HostUnreachableError,
    NetworkError,
    RequestTimeoutError,
    ResponseTooLargeError,
)
from antiphon.net.retry import RetryPolicy, parse_retry_after
from antiphon.net.tls import client_context

__all__ = [
    "BrokenResponseError",
    "CertificateError",
    "HostUnreachableError",
    "HttpClient",
    "HttpResponse",
    "NetworkError",
    "RequestTimeoutError",
    "ResponseTooLargeError",
    "RetryPolicy",
    "client_context",
    "parse_retry_after",
]
