"""Secrecy errors: why something that is encrypted cannot be read or kept."""

from __future__ import annotations


class SecrecyError(Exception):
    """A key or an encrypted value that cannot be used; the words say what to do, and are free of
    secrets."""


class UnknownKeyError(SecrecyError):
    """A value was encrypted with a data key that is not in the key ring."""
