"""Provider faults: errors of every vendor as one kind of fault, with what to do about it."""

from __future__ import annotations

import re
from collections.abc import Mapping

import orjson

from antiphon.contracts.events import Fault, FaultKind
from antiphon.contracts.metering import SpendingRefused
from antiphon.providers.port import ProviderFault
from antiphon.providers.vendors import CLAUDE, GEMINI, OPENAI, ProviderSpec

Vendor = str  # the name of a provider other than the built-in model

# A name or a password before the host of an address is nobody else's business.
_SECRET_IN_URL = re.compile(r"://[^/@\s]*@")
# How OpenSSL calls a certificate that nobody vouches for; its own words follow.
_UNTRUSTED = "CERTIFICATE_VERIFY_FAILED"
_DISTRUST = re.compile(r"certificate verify failed: ([\w ,.'-]+)")
# Longer details are of no use in a log, and some services send whole pages.
MAX_DETAIL = 2_000
# What a provider says of a request that it refused is told to the person, up to here.
MAX_SAID = 300


_BUILT_IN = {spec.name: spec for spec in (GEMINI, OPENAI, CLAUDE)}


def _names(vendor: str, spec: ProviderSpec | None = None) -> tuple[str, str]:
    """The label of whoever answers, and where its key is set."""
    if vendor == "local":
        return "The built-in model", "agent.backend"
    spec = spec or _BUILT_IN.get(vendor)
    if spec is None:
        return vendor, f"`providers.{vendor}.api_key`"
    return spec.label, spec.key_variable or f"`providers.{vendor}.api_key`"


def not_configured(vendor: Vendor, spec: ProviderSpec | None = None) -> ProviderFault:
    """The fault of a provider without its key, in words that say where to set it."""
    label, variable = _names(vendor, spec)
    return ProviderFault(
        Fault(
            "not_configured",
            f"{label} has no key. Set {variable}, or `providers.{vendor}.api_key` in "
            "antiphon.toml.",
        )
    )


def not_paid_for(refused: SpendingRefused) -> ProviderFault:
    """The fault of a request that was not sent, as it would have cost too much."""
    return ProviderFault(
        Fault(
            "spending_cap",
            refused.message,
            detail=refused.code,
            fatal=False,
            retry_after=refused.retry_after,
        )
    )


def missing_sdk(vendor: Vendor, error: ImportError) -> ProviderFault:
    """The fault of a provider whose SDK is not installed, with the pip line that installs it."""
    spec = _BUILT_IN[vendor]
    return ProviderFault(
        Fault(
            "missing_sdk",
            f"{spec.label} needs the package {spec.package}: pip install 'antiphon[{vendor}]'.",
            detail=_short(str(error)),
        )
    )


def fault(
    vendor: str,
    kind: FaultKind,
    detail: object = "",
    *,
    fatal: bool = True,
    retry_after: float | None = None,
    code: int | None = None,
    where: str | None = None,
    said: object = "",
) -> Fault:
    """Return a fault of this kind in words. `where` is the address or the model that it is about,
    `said` the provider's own words on why it refused a request or ended the connection."""
    label, variable = _names(vendor)
    of = f" ({_SECRET_IN_URL.sub('://', where)})" if where else ""
    message = {
        "not_configured": f"{label} has no key. Set {variable}.",
        "missing_sdk": f"{label} needs a package that is not installed.",
        "auth": f"{label} does not accept the key{of}. Check {variable}, or "
        f"`providers.{vendor}.api_key` in the settings.",
        "not_found": f"{label} does not know this model or address{of}. Check "
        f"`providers.{vendor}` in the settings.",
        "bad_request": f"{label} refused the request{of}{_because(said)}",
        "rate_limited": f"{label} takes no more requests for now{_later(retry_after)}.",
        "overloaded": f"{label} is overloaded or has trouble of its own{_later(retry_after)}.",
        "unreachable": f"{label} cannot be reached{of}. Check the network and "
        f"`providers.{vendor}.base_url`."
        if _UNTRUSTED not in str(detail)
        else f"{label} cannot be reached{of}: its certificate is not trusted"
        f"{_distrust(str(detail))}. Set `providers.{vendor}.ca_file` to a PEM file with the "
        "certificate of whoever signed it.",
        "timeout": f"{label} did not answer in time{of}. Please try again.",
        "closed": f"{label} ended the connection{of}{_because(said)}",
        "protocol": f"{label} sent something that makes no sense{of}.",
        "truncated": f"{label} stopped in the middle of a tool call; the call was not run. "
        "Ask for less at once, or raise the limit of tokens.",
        "refused": f"{label} declined to answer this.",
    }[kind]
    return Fault(
        kind,
        message,
        detail=_short(str(detail)),
        fatal=fatal,
        retryable=kind in ("rate_limited", "overloaded", "unreachable", "timeout", "closed"),
        retry_after=retry_after,
        code=code,
    )


def kind_of_status(status: int) -> FaultKind:
    """Return the kind of fault of an HTTP status, or of a code with the same meaning."""
    if status in (401, 403):
        return "auth"
    if status == 404:
        return "not_found"
    if status == 408:
        return "timeout"
    if status == 429:
        return "rate_limited"
    if status >= 500:
        return "overloaded"
    return "bad_request" if status >= 400 else "protocol"


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a provider asks us to wait; None if it does not say so in a way that
    makes sense."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers[name]) * unit
        except (KeyError, ValueError):
            continue
        if 0 <= seconds < 1e9:
            return seconds
    return None


def words_in(body: bytes | None) -> str:
    """Return the error message in the body of a refusal, if it is of the usual shape."""
    try:
        return str(orjson.loads(body or b"")["error"]["message"])
    except (orjson.JSONDecodeError, LookupError, TypeError):
        return ""


def _because(said: object) -> str:
    words = " ".join(_SECRET_IN_URL.sub("://", str(said or "")).split())
    if not words:
        return "."
    if len(words) > MAX_SAID:
        words = f"{words[:MAX_SAID]} …"
    return f": {words}" if words.endswith((".", "!", "?", "…")) else f": {words}."


def _distrust(detail: str) -> str:
    found = _DISTRUST.search(detail)
    return f" ({found[1].strip()})" if found else ""


def _later(seconds: float | None) -> str:
    if seconds is None:
        return ". Please try again in a moment"
    if seconds < 90:
        return f". Try again in {max(1, round(seconds))} seconds"
    return f". Try again in {round(seconds / 60)} minutes"


def _short(text: str) -> str:
    return text if len(text) <= MAX_DETAIL else f"{text[:MAX_DETAIL]} … ({len(text)} characters)"
