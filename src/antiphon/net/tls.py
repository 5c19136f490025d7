"""TLS contexts of clients: the system's authorities, or those of one PEM file."""

from __future__ import annotations

import ssl
from pathlib import Path


def client_context(ca_file: Path | str | None = None) -> ssl.SSLContext:
    """A verifying context; `ca_file` replaces the system's authorities. Raises OSError."""
    import httpx2

    if ca_file is None:
        return httpx2.create_ssl_context()
    return ssl.create_default_context(cafile=ca_file)
