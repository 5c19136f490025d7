"""Tool directories are found and read whatever lies around in their folder."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from antiphon.registry.findings import LintFinding
from antiphon.registry.sources import ToolSource, discover, read_regular, read_tool

WriteTool = Callable[..., Path]


def found(*folders: Path) -> tuple[list[ToolSource], list[LintFinding]]:
    findings: list[LintFinding] = []
    return list(discover(folders, findings)), findings


def test_a_tool_is_read_with_all_its_python_files(tools: Path, write_tool: WriteTool) -> None:
    write_tool("kb-search", files={"helper.py": "X = 1\n", "notes.txt": "no part of it"})
    [source], findings = found(tools)
    assert findings == []
    assert source.label == "tools/kb-search"
    assert set(source.files) == {"schema.json", "guide.md", "handler.py", "helper.py"}
    assert source.python.keys() == {"handler.py", "helper.py"}


def test_hidden_private_and_other_directories_are_no_tools(
    tools: Path, write_tool: WriteTool
) -> None:
    write_tool("kb-search")
    write_tool(".hidden")
    write_tool("_private")
    (tools / "assets").mkdir()
    (tools / "assets" / "helper.py").write_text("")
    (tools / "README.md").write_text("text")
    assert [source.name for source in found(tools)[0]] == ["kb-search"]


def test_one_folder_named_twice_is_read_once(tools: Path, write_tool: WriteTool) -> None:
    write_tool()
    sources, _ = found(tools, tools / "." / "")
    assert len(sources) == 1


def test_folders_of_the_same_name_are_told_apart(tmp_path: Path, write_tool: WriteTool) -> None:
    for parent in ("a", "b"):
        write_tool("kb-search", folder=tmp_path / parent / "tools")
    sources, _ = found(tmp_path / "a" / "tools", tmp_path / "b" / "tools")
    first, second = (source.label for source in sources)
    assert first.endswith("a/tools/kb-search")
    assert second.endswith("b/tools/kb-search")


@pytest.mark.parametrize("kind", ["missing", "file", "empty", "tool", "loop"])
def test_a_folder_without_tools_gives_one_finding(
    kind: str, tmp_path: Path, write_tool: WriteTool
) -> None:
    folder = tmp_path / "place"
    if kind == "file":
        folder.write_text("")
    elif kind == "empty":
        folder.mkdir()
    elif kind == "tool":
        write_tool("place", folder=tmp_path)
    elif kind == "loop":
        folder.symlink_to(folder)
    sources, findings = found(folder)
    assert sources == []
    [finding] = findings
    assert (finding.rule, finding.file) == ("folder", "place")
    assert finding.severity == ("warning" if kind == "empty" else "error")


def fifo(path: Path) -> None:
    os.mkfifo(path)


def dangling(path: Path) -> None:
    path.symlink_to("nowhere")


def loop(path: Path) -> None:
    path.symlink_to(path.name)


def listening(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        before = os.getcwd()
        os.chdir(path.parent)  # the path of a socket may be only 107 bytes long
        try:
            server.bind(path.name)
        finally:
            os.chdir(before)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (fifo, "a pipe"),
        (Path.mkdir, "a folder"),
        (dangling, "a link to nothing"),
        (loop, "in a circle"),
        (listening, "a socket"),
    ],
)
@pytest.mark.parametrize("name", ["schema.json", "handler.py"])
def test_what_is_no_file_is_reported_and_never_opened(
    make: Callable[[Path], None], said: str, name: str, tools: Path, write_tool: WriteTool
) -> None:
    directory = write_tool()
    (directory / name).unlink()
    make(directory / name)
    [source], _ = found(tools)
    [finding] = source.findings
    assert finding.file == f"tools/kb-search/{name}"
    assert said in finding.message
    assert len(source.files) == 2


@pytest.mark.parametrize(
    ("name", "size"),
    [("schema.json", 10_000_000), ("guide.md", 262_145), ("handler.py", 1_048_577)],
)
def test_a_file_beyond_its_limit_is_not_read(
    name: str, size: int, tools: Path, write_tool: WriteTool
) -> None:
    directory = write_tool()
    (directory / name).write_bytes(b" " * size)
    [source], _ = found(tools)
    [finding] = source.findings
    assert finding.rule == "unreadable"
    assert f"{size:,} bytes" in finding.message
    assert name not in source.files


def test_a_file_of_exactly_its_limit_is_read_whole(tools: Path, write_tool: WriteTool) -> None:
    write_tool(guide=b"x" * 262_144)
    [source], _ = found(tools)
    assert len(source.files["guide.md"]) == 262_144


def test_odd_names_are_shown_readably(tools: Path, write_tool: WriteTool) -> None:
    write_tool("kb-search\nx")
    os.mkdir(os.fsencode(tools) + b"/caf\xe9")
    with open(os.fsencode(tools) + b"/caf\xe9/schema.json", "w") as file:
        file.write("{}")
    labels = [source.label for source in found(tools)[0]]
    assert labels == ["tools/caf\\xe9", "tools/kb-search\\nx"]


def test_a_python_file_with_an_odd_name_is_reported(tools: Path, write_tool: WriteTool) -> None:
    write_tool(files={"so what.py": "", ".#handler.py": "an editor's lock"})
    [source], _ = found(tools)
    assert [finding.rule for finding in source.findings] == ["file-name"]
    assert source.python.keys() == {"handler.py"}


def test_python_in_a_subfolder_is_warned_about(tools: Path, write_tool: WriteTool) -> None:
    directory = write_tool()
    (directory / "lib").mkdir()
    (directory / "lib" / "more.py").write_text("")
    (directory / "__pycache__").mkdir()
    (directory / "__pycache__" / "x.py").write_text("")
    [source], _ = found(tools)
    assert [(f.severity, f.file) for f in source.findings] == [("warning", "tools/kb-search/lib")]


def test_the_digest_tells_files_apart_that_run_together(tmp_path: Path) -> None:
    first = ToolSource("a", "a", files={"guide.md": b"ab", "handler.py": b"c"})
    second = ToolSource("a", "a", files={"guide.md": b"a", "handler.py": b"bc"})
    assert first.raw_digest() != second.raw_digest()


def test_a_directory_that_vanished_is_a_finding(tmp_path: Path) -> None:
    source = read_tool(tmp_path / "gone")
    assert [finding.rule for finding in source.findings] == ["unreadable"]


def test_a_path_with_a_null_byte_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="not a usable name"):
        read_regular(f"{tmp_path}/a\0b", 10)
