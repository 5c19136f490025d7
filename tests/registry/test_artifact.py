"""The artifact is written whole or not at all, and read back only when it is one."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from antiphon.registry.artifact import (
    ArtifactError,
    GitCommit,
    artifact_parts,
    build_timestamp,
    entry_bytes,
    read_artifact,
    registry_version,
    tool_digest,
    write_atomic,
)

SCHEMA = {"toolId": "kb_search", "version": "1.0.0"}


def test_the_digest_follows_content_and_not_the_layout_of_the_contract() -> None:
    digest = tool_digest(SCHEMA, b"guide", {"handler.py": b"code"})
    assert digest == tool_digest(dict(reversed(SCHEMA.items())), b"guide", {"handler.py": b"code"})
    assert digest != tool_digest({**SCHEMA, "version": "1.0.1"}, b"guide", {"handler.py": b"code"})
    assert digest != tool_digest(SCHEMA, b"guide!", {"handler.py": b"code"})
    assert digest != tool_digest(SCHEMA, b"guide", {"handler.py": b"code!"})
    assert digest != tool_digest(SCHEMA, b"guide", {"handler.py": b"code", "helper.py": b""})


def test_the_version_does_not_depend_on_the_order_of_tools() -> None:
    digests = {"a": "1" * 64, "b": "2" * 64}
    assert registry_version(digests) == registry_version(dict(reversed(digests.items())))
    assert registry_version(digests) != registry_version({"a": "2" * 64, "b": "1" * 64})
    assert registry_version({})[:4] == "1.0."


@pytest.mark.parametrize("count", [0, 1, 2])
def test_the_artifact_is_json_with_one_line_for_each_tool(count: int) -> None:
    entries = [entry_bytes({"toolId": f"t{i}", "summary": "two\nlines"}) for i in range(count)]
    parts = artifact_parts(entries, version="1.0.x", git_commit=None, build_timestamp="now")
    raw = b"".join(parts)
    artifact = json.loads(raw)
    assert [tool["toolId"] for tool in artifact["tools"]] == [f"t{i}" for i in range(count)]
    assert list(artifact) == sorted(artifact)
    assert sum(line.startswith(b'{"summary"') for line in raw.splitlines()) == count


def test_the_time_of_the_build_can_be_fixed() -> None:
    assert build_timestamp({"SOURCE_DATE_EPOCH": "1700000000"}) == "2023-11-14T22:13:20Z"


@pytest.mark.parametrize("epoch", ["yesterday", "1.5", "9" * 30, "-" + "9" * 30])
def test_a_time_that_is_none_is_refused(epoch: str) -> None:
    with pytest.raises(ArtifactError, match="SOURCE_DATE_EPOCH"):
        build_timestamp({"SOURCE_DATE_EPOCH": epoch})


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_inside_a_repository_the_commit_is_its_short_hash(tmp_path: Path) -> None:
    def git(*args: str) -> str:
        author = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
        command = ["git", *author, *args]
        return subprocess.run(
            command, cwd=tmp_path, capture_output=True, check=True
        ).stdout.decode()

    git("init")
    git("commit", "--allow-empty", "--no-gpg-sign", "--message", "first")
    with GitCommit(tmp_path) as commit:
        short = commit.short_hash()
    assert short
    assert git("rev-parse", "HEAD").startswith(short)


def test_outside_a_repository_there_is_no_commit(tmp_path: Path) -> None:
    with GitCommit(tmp_path / "missing") as commit:
        assert commit.short_hash() is None


def test_writing_keeps_permissions_and_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")
    path.chmod(0o640)
    write_atomic(path, [b"new"])
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.json"]


def test_writing_through_a_link_keeps_the_link(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link.json").symlink_to("real.json")
    write_atomic(tmp_path / "link.json", [b"new"])
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").read_bytes() == b"new"


def test_a_new_file_gets_the_usual_permissions(tmp_path: Path) -> None:
    umask = os.umask(0)
    os.umask(umask)
    write_atomic(tmp_path / "a.json", [b"new"])
    assert stat.S_IMODE((tmp_path / "a.json").stat().st_mode) == 0o666 & ~umask


@pytest.mark.parametrize("where", ["missing/a.json", "file/a.json", "folder"])
def test_what_cannot_be_written_is_said_plainly(where: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    with pytest.raises(ArtifactError, match="--out"):
        write_atomic(tmp_path / where, [b"new"])
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["file", "folder"]


TOOLS = b'{"version": "1.0.00000000", "buildTimestamp": "", "gitCommit": null, "tools": %s}'


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "half-written"),
        (b'{"version": "1.0.00000000", "too', "half-written"),
        (b"\xff\xfe", "half-written"),
        (b"[]", "not an object"),
        (b"{}", "`version`"),
        (b'{"version": "2"}', "`version`"),
        (b'{"version": "1.0.00000000"}', "`buildTimestamp`"),
        (TOOLS % b"{}", "`tools` is not a list"),
        (TOOLS % b"[5]", "/tools/0: it is not an object"),
        (TOOLS % b'[{"toolId": 5}]', "/tools/0: `toolId`"),
        (TOOLS % b'[{"toolId": "a"}]', "/tools/0: `version`"),
    ],
)
def test_what_is_no_artifact_is_refused_with_the_command_that_mends_it(
    raw: bytes, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "tool_registry.json"
    path.write_bytes(raw)
    with pytest.raises(ArtifactError) as caught:
        read_artifact(path)
    assert said in str(caught.value)
    assert "antiphon build" in str(caught.value)


def test_a_missing_artifact_and_a_folder_in_its_place_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(ArtifactError, match="does not exist"):
        read_artifact(tmp_path / "none.json")
    with pytest.raises(ArtifactError, match="is a folder"):
        read_artifact(tmp_path)
