"""Principal: who a request is made for."""

from __future__ import annotations

from typing import Any

import pytest

from antiphon import Principal


def test_data_is_copied_and_read_only() -> None:
    given = {"tenant": "acme"}
    principal = Principal("ada", given)
    given["tenant"] = "other"
    assert principal.data == {"tenant": "acme"}
    data: Any = principal.data
    with pytest.raises(TypeError):
        data["tenant"] = "other"


def test_data_is_json() -> None:
    with pytest.raises(ValueError, match="/since is a object"):
        Principal("ada", {"since": object()})


@pytest.mark.parametrize("user", ["", "x" * 201])
def test_a_user_has_a_name_of_a_length_that_is_stored(user: str) -> None:
    with pytest.raises(ValueError, match="1 to 200 characters"):
        Principal(user)


def test_a_number_is_no_user() -> None:
    user: Any = 4711
    with pytest.raises(TypeError, match="must be a str, not int"):
        Principal(user)
