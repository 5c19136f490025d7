"""Toolkit for handlers: helpers that tools share, importable beside the names of `antiphon`."""

from __future__ import annotations

from .errors import invalid, relay

__all__ = ["invalid", "relay"]
