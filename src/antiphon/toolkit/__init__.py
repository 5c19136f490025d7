"""Toolkit for handlers: helpers that tools share, importable beside the names of `antiphon`."""

from __future__ import annotations

from antiphon.contracts import relay

from .errors import invalid

__all__ = ["invalid", "relay"]
