"""Provider authentication: API keys, TLS trust, and redaction of keys in faults."""

from __future__ import annotations

import ssl
from urllib.parse import urlsplit

from antiphon.contracts.events import Fault, FaultKind
from antiphon.providers import faults
from antiphon.providers.faults import Vendor
from antiphon.providers.port import Access, ProviderFault
from antiphon.secrecy.redaction import without


def key_of(vendor: Vendor, access: Access) -> str:
    """Return the API key. Raises ProviderFault when there is none, or none that could be sent."""
    key = access.api_key
    if not key:
        raise faults.not_configured(vendor)
    if not (key.isascii() and key.isprintable()) or " " in key:
        what = faults.fault(vendor, "auth", "it has characters that no key has")
        raise ProviderFault(redact_key(what, access))
    return key


def is_openai(address: str) -> bool:
    """Tell whether an address is one of OpenAI's own hosts. Servers elsewhere that speak its
    protocol seldom want a key."""
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:  # no address at all, which the SDK will say
        return False
    return host == "api.openai.com" or host.endswith(".openai.azure.com")


def openai_key(access: Access, address: str) -> str:
    """Return the key for an address that speaks OpenAI's protocol. Raises ProviderFault."""
    if not access.api_key and not is_openai(address):
        return "none"  # the SDK insists on one
    return key_of("openai", access)


def tls_context(vendor: Vendor, access: Access) -> ssl.SSLContext | None:
    """Return the TLS context of an address with certificates of its own; None for the usual ones.
    Raises ProviderFault."""
    if access.ca_file is None:
        return None
    try:
        return ssl.create_default_context(cafile=access.ca_file)
    except OSError as error:  # every error of TLS is one, too
        raise ProviderFault(
            Fault(
                "not_configured",
                f"The certificates in {access.ca_file} cannot be used. Check "
                f"`providers.{vendor}.ca_file`: it must be a PEM file.",
                detail=str(error),
            )
        ) from None


def kind_of_transport(error: BaseException | None) -> FaultKind | None:
    """Return the kind of fault of an error below the SDK; None if it is of another layer."""
    import httpx2

    match error:
        case httpx2.ConnectError() | httpx2.ConnectTimeout() | httpx2.UnsupportedProtocol():
            return "unreachable"
        case httpx2.ProxyError() | httpx2.InvalidURL():
            return "unreachable"
        case httpx2.TimeoutException():
            return "timeout"
        case httpx2.TransportError():
            return "closed"
    return None


def redact_key(what: Fault, access: Access) -> Fault:
    """Remove the key from a fault; if the key is not accepted, add where it was set. Returns the
    fault."""
    if what.kind == "auth" and access.saved_key:
        what.message = (
            f"{what.message.partition(' Check ')[0]} Check the key that was saved in Settings; it "
            "counts before those of the environment and of antiphon.toml."
        )
    if access.api_key:
        what.detail = without(what.detail, [access.api_key])
        what.message = without(what.message, [access.api_key])
    return what
