"""`antiphon tools`: looking into a registry, and projections and checks in pipelines."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from antiphon.cli import main
from antiphon.registry.builder import build

WriteTool = Callable[..., Path]
Pipe = Callable[..., list[dict[str, Any]]]

PROVIDERS = ["openai", "openaiStrict", "geminiNative", "geminiJson", "anthropic", "mcp"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def pipe(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Pipe:
    """Run a command with these bytes on standard input; the answers, one for each line."""

    def run(arguments: list[str], given: bytes, status: int = 0) -> list[dict[str, Any]]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        assert main(["tools", *arguments]) == status
        captured = capsysbinary.readouterr()
        assert captured.err == b""
        return [json.loads(line) for line in captured.out.splitlines()]

    return run


def test_tools_are_listed(
    tools: Path, write_tool: WriteTool, capsys: pytest.CaptureFixture[str]
) -> None:
    write_tool("b-tool")
    write_tool("a-tool", allowedModes=["text"])
    build([tools], Path("tool_registry.json"))
    assert main(["tools", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["a_tool", "b_tool", "2"]
    assert main(["tools", "list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [tool["toolId"] for tool in listed["tools"]] == ["a_tool", "b_tool"]
    assert listed["version"].startswith("1.0.")


def test_a_tool_is_shown_by_either_spelling_of_its_name(
    tools: Path, write_tool: WriteTool, capsys: pytest.CaptureFixture[str]
) -> None:
    write_tool()
    build([tools], Path("r.json"))
    assert main(["tools", "show", "kb-search", "--registry", "r.json"]) == 0
    text = capsys.readouterr().out
    assert "latencyBudgetMs: 500" in text
    assert "# kb_search" in text
    assert main(["tools", "show", "kb_search", "--registry", "r.json", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["jsonSchema"]["required"] == ["query"]


def test_an_unknown_tool_is_answered_with_the_nearest_name(
    tools: Path, write_tool: WriteTool, capsys: pytest.CaptureFixture[str]
) -> None:
    write_tool()
    build([tools], Path("tool_registry.json"))
    assert main(["tools", "show", "kb_serch"]) == 1
    assert "Did you mean `kb_search`?" in capsys.readouterr().err


def test_the_difference_of_two_artifacts_tells_whether_callers_break(
    tools: Path, write_tool: WriteTool, capsys: pytest.CaptureFixture[str]
) -> None:
    write_tool()
    gone = write_tool("old-tool")
    build([tools], Path("old.json"))
    assert main(["tools", "diff", "old.json", "old.json"]) == 0
    assert "No tool differs." in capsys.readouterr().out
    write_tool("new-tool")
    build([tools], Path("more.json"))
    assert main(["tools", "diff", "old.json", "more.json"]) == 0
    assert "+ new_tool\nThis breaks no caller." in capsys.readouterr().out
    gone.rename(tools / ".gone")
    build([tools], Path("less.json"))
    assert main(["tools", "diff", "more.json", "less.json"]) == 1
    assert "- old_tool (breaking)" in capsys.readouterr().out
    assert main(["tools", "diff", "more.json", "less.json", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["removed"] == ["old_tool"]


@pytest.mark.parametrize(
    "arguments", [["list"], ["show", "x"], ["diff", "tool_registry.json", "tool_registry.json"]]
)
@pytest.mark.parametrize("content", [None, "", "{}", '{"version": "1.0.00000000", "tools": [{'])
def test_a_missing_or_damaged_artifact_is_said_with_the_command_that_mends_it(
    content: str | None, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    if content is not None:
        Path("tool_registry.json").write_text(content)
    assert main(["tools", *arguments]) == 1
    assert "antiphon build" in capsys.readouterr().err


@pytest.mark.parametrize("provider", PROVIDERS)
def test_each_line_is_projected_and_bad_ones_do_not_stop_the_rest(
    provider: str, pipe: Pipe
) -> None:
    lines = [
        b'{"type": "object", "properties": {"a": {"type": "integer", "minimum": 1}}}',
        b"{",
        b'"\xff"',
        b'{"type": "object", "properties": {"a": {"type": "sting"}}}',
        b'{"type": "array"}',
        b"[" * 100_000,
        b'{"type": "object", "maxProperties": NaN}',
        b'{"type": "object", "properties": {"a": {"$ref": "https://example.com/x"}}}',
        # a reference to where no schema is expected, and none of today's dialect is
        b'{"type":"object","properties":{"a":{"$ref":"#/x"}},'
        b'"x":{"type":"array","items":[{"type":"number"}]}}',
        b'{"type":"object","properties":{"a":{"$ref":"#/x"}},"x":{"$ref":"#/y"},"y":{"type":3}}',
        b'{"type": "object"}',
    ]
    answers = pipe(["project", "--provider", provider], b"\n".join(lines), status=1)
    assert [answer.keys() for answer in answers] == [
        {"schema", "losses"},
        *[{"error"}] * 9,
        {"schema", "losses"},
    ]
    assert answers[8]["error"].startswith("/x/items: ")
    assert answers[9]["error"].startswith("/y/type: ")


def test_a_reference_to_an_unusual_place_is_followed(pipe: Pipe) -> None:
    line = b'{"type":"object","properties":{"a":{"$ref":"#/x/y"}},"x":{"y":{"type":"string"}}}'
    [answer] = pipe(["project", "--provider", "geminiNative"], line)
    assert answer["schema"]["properties"] == {"a": {"type": "STRING"}}


def test_blank_lines_are_skipped_and_line_ends_of_either_kind_are_taken(pipe: Pipe) -> None:
    given = b'\n{"type": "object"}\r\n  \n{"type": "object"}\n'
    assert len(pipe(["project", "--provider", "mcp"], given)) == 2


def test_lines_may_be_megabytes_long(pipe: Pipe) -> None:
    schema = {"type": "object", "properties": {"a": {"enum": ["x" * 1000] + list(range(1000))}}}
    long = json.dumps({**schema, "description": "x" * 3_000_000}).encode()
    [answer] = pipe(["project", "--provider", "anthropic"], long)
    assert "schema" in answer


def test_an_unknown_provider_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tools", "project", "--provider", "openia"]) == 2
    assert "openai" in capsys.readouterr().err


def test_instances_are_validated_with_formats(pipe: Pipe) -> None:
    Path("s.json").write_text(
        json.dumps({"type": "object", "properties": {"a": {"format": "email"}}, "required": ["a"]})
    )
    lines = [b'{"a": "x@example.com"}', b'{"a": "no"}', b"{}", b"nope", b"\xff", b'"\\ud800"']
    answers = pipe(["validate", "--schema", "s.json"], b"\n".join(lines), status=1)
    assert [answer["valid"] for answer in answers] == [True, False, False, False, False, False]
    assert answers[0]["errors"] == []
    assert [answer["errors"][0]["pointer"] for answer in answers[1:3]] == ["/a", "/a"]
    assert all(answer["errors"][0]["message"] for answer in answers[1:])


def test_numbers_beyond_64_bits_are_json_too(pipe: Pipe) -> None:
    Path("s.json").write_text('{"type": "integer", "maximum": 10}')
    given = b"123456789012345678901234567890\n" + b"9" * 5000 + b"\n3\n"
    answers = pipe(["validate", "--schema", "s.json"], given, status=1)
    assert [answer["valid"] for answer in answers] == [False, False, True]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "cannot be read"),
        (b"{", "line 1"),
        (b'{"type": "sting"}', "cannot be used"),
        (b'{"$ref": "https://example.com/x"}', "cannot be used"),
        (b'{"type": "object", "type": "array"}', "more than once"),
    ],
)
def test_a_schema_that_cannot_be_used_is_said(
    content: bytes | None, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if content is not None:
        Path("s.json").write_bytes(content)
    assert main(["tools", "validate", "--schema", "s.json"]) == 1
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.out == ""


COMMAND = "import sys; from antiphon.cli import main; sys.exit(main(sys.argv[1:]))"


def test_each_answer_is_sent_before_the_next_line_is_read() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", COMMAND, "tools", "project", "--provider", "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
    ) as process:
        assert process.stdin
        assert process.stdout
        for _ in range(2):
            process.stdin.write(b'{"type": "object"}\n')
            assert json.loads(process.stdout.readline())["schema"] == {"type": "object"}


def test_a_reader_that_goes_away_ends_it_quietly() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", COMMAND, "tools", "project", "--provider", "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout
        process.stdout.close()
        process.stdout = None
        _, said = process.communicate(b'{"type": "object"}\n' * 100)
    assert said == b""
    assert process.returncode == 0
