"""Façade: tools, a model and a conversation in one object, `Antiphon`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from antiphon._lazy import lazy

if TYPE_CHECKING:
    from antiphon.facade.antiphon import Antiphon
    from antiphon.facade.results import ConfirmationQuestion, RunCall, RunError, RunResult

_HOMES = {
    "Antiphon": "antiphon.facade.antiphon",
    "ConfirmationQuestion": "antiphon.facade.results",
    "RunCall": "antiphon.facade.results",
    "RunError": "antiphon.facade.results",
    "RunResult": "antiphon.facade.results",
}
__all__ = ["Antiphon", "ConfirmationQuestion", "RunCall", "RunError", "RunResult"]
__getattr__ = lazy(__name__, _HOMES, globals())
