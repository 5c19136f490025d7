"""The shipped weights: found, and missed in words a person can act on."""

from __future__ import annotations

from pathlib import Path

import pytest

from antiphon.understanding.model import Understanding, shipped_understanding
from antiphon.understanding.network import FILES, WEIGHTS, Network, WeightsError


def copied(folder: Path, *without: str) -> Path:
    for name in set(FILES) - set(without):
        (folder / name).symlink_to(WEIGHTS / name)
    return folder


def test_the_weights_are_loaded_once_in_a_process() -> None:
    assert shipped_understanding() is shipped_understanding()
    assert len(shipped_understanding().network.digest()) == 64


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_missing_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(WeightsError, match=f"{name} are missing; install antiphon again"):
        Understanding(copied(tmp_path, name)).router.hear("hello")


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("content", ["nothing", "half", "other"])
def test_a_file_that_is_damaged_is_an_error_in_words(
    tmp_path: Path, name: str, content: str
) -> None:
    whole = (WEIGHTS / name).read_bytes()
    damaged = {"nothing": b"", "half": whole[: len(whole) // 2], "other": b"not weights"}[content]
    (copied(tmp_path, name) / name).write_bytes(damaged)
    with pytest.raises(WeightsError, match=r"cannot be read|cannot load") as refused:
        Understanding(tmp_path).reader.meant("hello", ["greet: Say hello."])
    assert "\n" not in str(refused.value)


def test_weights_that_cannot_be_told_apart_are_an_error_too(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="cannot be read"):
        Network(tmp_path).digest()
