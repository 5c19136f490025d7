"""Binding of the server: whether others than this machine reach it, and may."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from antiphon.config.settings import Settings


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a server that listens there."""
    if host == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


def binding_trouble(settings: Settings) -> str | None:
    """Why the server must not listen where the settings say, and what to do; None: it may."""
    host = settings.server.host
    if settings.access.sign_in != "off" or is_loopback(host):
        return None
    return (
        f"`server.host` is {host}, which others than this machine reach, and `access.sign_in` is "
        'off: everybody could do everything. Set `access.sign_in` to "auto", so that people sign '
        "in there, or listen on 127.0.0.1."
    )
