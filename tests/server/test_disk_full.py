"""A store that cannot be written: nothing runs, and everybody is told that it is not for ever."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from tests.server.conftest import Serve


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("mounting a small disk takes another user")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_is_told_and_passes(workshop: Serve, small_disk: Path, tmp_path: Path) -> None:
    lines = tmp_path / "lines"
    args = {"file": str(lines), "text": "x" * 100}
    with workshop.running(workshop.app(data=small_disk / "data")) as shop:
        assert shop.call("append_line", args).status == 200
        assert shop.get("/readyz").status == 200
        with (small_disk / "filler").open("wb", buffering=0) as filler, suppress(OSError):
            while filler.write(b"0" * 4096):
                pass
        for n in range(400):  # until what SQLite has in reserve is used up
            reply = shop.call("append_line", args, key=f"key-{n}")
            if reply.status != 200:
                break
        ran = len(lines.read_text().splitlines())
        assert reply.status == 503
        assert reply.json["error"]["type"] == "TRANSIENT"
        assert "was not run" in reply.json["error"]["message"]
        ready = shop.get("/readyz")
        assert (ready.status, ready.media_type) == (503, "application/problem+json")
        assert "space" in ready.json["detail"]
        assert shop.get("/healthz").status == 200
        (small_disk / "filler").unlink()
        assert shop.get("/readyz").status == 200
        assert shop.call("append_line", args, key=f"key-{n}").status == 200
    assert len(lines.read_text().splitlines()) == ran + 1
