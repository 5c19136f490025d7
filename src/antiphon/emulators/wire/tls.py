"""A certificate authority for loopback, for the SDKs that insist on TLS."""

from __future__ import annotations

import os
import ssl
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import trustme

CA_FILE = "ca.pem"
KEY_FILE = "ca-key.pem"
_BEGIN_CERTIFICATE = b"-----BEGIN CERTIFICATE-----"


class TestAuthority:
    """A certificate authority for loopback; clients that trust it trust our servers."""

    __test__ = False  # its name would make pytest collect it

    def __init__(self, ca: trustme.CA | None = None) -> None:
        self._ca = _trustme().CA() if ca is None else ca

    @classmethod
    def saved(cls, folder: Path) -> TestAuthority:
        """Load the authority of a folder, or create it there.

        Its certificate is in `ca.pem`, for clients; `ca-key.pem` has the key too and is only for
        its owner. Raises ValueError if the latter is there but of no use.
        """
        folder.mkdir(parents=True, exist_ok=True)
        secret = folder / KEY_FILE
        if not secret.exists():
            ca = _trustme().CA()
            _write(secret, ca.private_key_pem.bytes() + ca.cert_pem.bytes(), keep=True)
        # Always as it is in the file: another process may have been faster to write it.
        authority = cls(_loaded(secret))
        authority.write_ca(folder / CA_FILE)
        return authority

    def server_context(self) -> ssl.SSLContext:
        """A TLS context with a new certificate of this authority."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._ca.issue_cert("127.0.0.1", "localhost").configure_cert(context)
        return context

    def client_context(self) -> ssl.SSLContext:
        """A TLS context that trusts this authority and no other."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self._ca.configure_trust(context)
        return context

    def write_ca(self, path: Path) -> Path:
        """Write the certificate that clients are to trust, e.g. by SSL_CERT_FILE."""
        _write(path, self._ca.cert_pem.bytes(), mode=0o644)
        return path


def _loaded(secret: Path) -> trustme.CA:
    key, begin, certificate = secret.read_bytes().partition(_BEGIN_CERTIFICATE)
    library = _trustme()
    try:
        ca = library.CA.from_pem(begin + certificate, key)
        # It looks whether they belong together, which else shows only when a client refuses us.
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(secret)
    except (ValueError, TypeError, ssl.SSLError) as error:
        raise ValueError(
            f"{secret} does not hold a key and its certificate ({error}). "
            "Delete it, and a new one is made; clients then need the new ca.pem."
        ) from error
    return ca  # type: ignore[no-any-return]


def _write(path: Path, data: bytes, *, mode: int = 0o600, keep: bool = False) -> None:
    """Replace a file atomically; with `keep` only create it if there is none yet."""
    number, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
        os.chmod(name, mode)
        if keep:
            try:
                os.link(name, path)
            except FileExistsError:
                return
        else:
            os.replace(name, path)
    finally:
        Path(name).unlink(missing_ok=True)


def _trustme() -> Any:
    try:
        import trustme
    except ImportError as error:
        raise RuntimeError(
            "TLS on loopback needs the package trustme: pip install trustme"
        ) from error
    return trustme
