"""Provider faults: errors of every vendor as one kind of fault, with what to do about it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import orjson

from antiphon.contracts.events import Fault, FaultKind
from antiphon.providers.port import ProviderFault

Vendor = Literal["gemini", "openai", "claude"]
# Whoever answers: a vendor, or the model that is built in.
Speaker = Vendor | Literal["local"]

# A name or a password before the host of an address is nobody else's business.
_SECRET_IN_URL = re.compile(r"://[^/@\s]*@")
# How OpenSSL calls a certificate that nobody vouches for; its own words follow.
_UNTRUSTED = "CERTIFICATE_VERIFY_FAILED"
_DISTRUST = re.compile(r"certificate verify failed: ([\w ,.'-]+)")
# Longer details are of no use in a log, and some services send whole pages.
MAX_DETAIL = 2_000
# What a provider says of a request that it refused is told to the person, up to here.
MAX_SAID = 300


@dataclass(frozen=True, slots=True)
class _Names:
    label: str
    variable: str
    package: str


NAMES: Mapping[Vendor, _Names] = {
    "gemini": _Names("Gemini", "GEMINI_API_KEY", "google-genai"),
    "openai": _Names("OpenAI", "OPENAI_API_KEY", "openai"),
    "claude": _Names("Claude", "ANTHROPIC_API_KEY", "anthropic"),
}
_BUILT_IN = _Names("The built-in model", "agent.backend", "antiphon")


def not_configured(vendor: Vendor) -> ProviderFault:
    names = NAMES[vendor]
    return ProviderFault(
        Fault(
            "not_configured",
            f"{names.label} has no key. Set {names.variable}, or `providers.{vendor}.api_key` in "
            "antiphon.toml.",
        )
    )


def missing_sdk(vendor: Vendor, error: ImportError) -> ProviderFault:
    names = NAMES[vendor]
    return ProviderFault(
        Fault(
            "missing_sdk",
            f"{names.label} needs the package {names.package}: pip install 'antiphon[{vendor}]'.",
            detail=_short(str(error)),
        )
    )


def fault(
    vendor: Speaker,
    kind: FaultKind,
    detail: object = "",
    *,
    fatal: bool = True,
    retry_after: float | None = None,
    code: int | None = None,
    where: str | None = None,
    said: object = "",
) -> Fault:
    """A fault of this kind in words. `where` is the address or the model that it is about, `said`
    the provider's own words on why it refused a request or ended the connection."""
    names = _BUILT_IN if vendor == "local" else NAMES[vendor]
    of = f" ({_SECRET_IN_URL.sub('://', where)})" if where else ""
    message = {
        "not_configured": f"{names.label} has no key. Set {names.variable}.",
        "missing_sdk": f"{names.label} needs the package {names.package}.",
        "auth": f"{names.label} does not accept the key{of}. Check {names.variable}, or "
        f"`providers.{vendor}.api_key` in the settings.",
        "not_found": f"{names.label} does not know this model or address{of}. Check "
        f"`providers.{vendor}` in the settings.",
        "bad_request": f"{names.label} refused the request{of}{_because(said)}",
        "rate_limited": f"{names.label} takes no more requests for now{_later(retry_after)}.",
        "overloaded": f"{names.label} is overloaded or has trouble of its own"
        f"{_later(retry_after)}.",
        "unreachable": f"{names.label} cannot be reached{of}. Check the network and "
        f"`providers.{vendor}.base_url`."
        if _UNTRUSTED not in str(detail)
        else f"{names.label} cannot be reached{of}: its certificate is not trusted"
        f"{_distrust(str(detail))}. Set `providers.{vendor}.ca_file` to a PEM file with the "
        "certificate of whoever signed it.",
        "timeout": f"{names.label} did not answer in time{of}. Please try again.",
        "closed": f"{names.label} ended the connection{of}{_because(said)}",
        "protocol": f"{names.label} sent something that makes no sense{of}.",
        "truncated": f"{names.label} stopped in the middle of a tool call; the call was not run. "
        "Ask for less at once, or raise the limit of tokens.",
        "refused": f"{names.label} declined to answer this.",
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
    """What an HTTP status, or a code of the same meaning, says."""
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
    """The seconds a provider asks us to wait, when it says so in a way that makes sense."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers[name]) * unit
        except (KeyError, ValueError):
            continue
        if 0 <= seconds < 1e9:
            return seconds
    return None


def words_in(body: bytes | None) -> str:
    """What the body of a refusal says, when it is of the usual shape."""
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
