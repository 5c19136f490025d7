"""The workspace as handlers see it."""

from __future__ import annotations

import pytest

from antiphon import ErrorType, ToolError
from antiphon.workspace import Workspace


def test_a_service_that_is_not_there_is_a_permanent_error() -> None:
    workspace = Workspace(tours="the tours")
    assert workspace.tours == "the tours"
    with pytest.raises(ToolError, match="This server has no macros") as refused:
        _ = workspace.macros
    assert refused.value.type is ErrorType.PERMANENT


def test_names_that_no_workspace_has_are_slips() -> None:
    with pytest.raises(AttributeError):
        _ = Workspace().macroes
    with pytest.raises(TypeError, match="macroes"):
        Workspace(macroes=1)
