"""Parsers of what comes from outside, each as a function of bytes: a result, or a refusal in words.

One list for the property tests (`test_parsers.py`) and for `make fuzz` (`coverage_guided.py`).
"""

from __future__ import annotations

import atexit
import io
import json
import shutil
import tempfile
import time
import tomllib
import wave
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
from mcp.types import CallToolResult, Tool
from pydantic import ValidationError
from tests.knowledge.files import docx, paragraph, pdf
from tests.providers.gguf.letters import write_model

from antiphon.agents.profiles import ProfileError, load_profile
from antiphon.cli.audio_devices import SoundError
from antiphon.cli.audio_devices import read_wav as read_spoken_wav
from antiphon.config import ConfigError, load_settings
from antiphon.contracts import ToolError
from antiphon.emulators.base import read_wav as read_scripted_wav
from antiphon.emulators.script import Script, ScriptError
from antiphon.knowledge import KnowledgeError
from antiphon.knowledge.errors import explained
from antiphon.knowledge.exchange.formats import open_source
from antiphon.knowledge.front_matter import split
from antiphon.knowledge.ingestion.documents import kind_of, read_document
from antiphon.mcp.connection import McpServer
from antiphon.mcp.mcp_tool import McpTool, tool_options
from antiphon.mcp.results import result_data
from antiphon.openapi import OpenApiError, tools_from_openapi
from antiphon.providers.gguf import ModelFileError, read_model_file
from antiphon.registry import Registry, RegistryError
from antiphon.registry.builder import compile_in_memory
from antiphon.registry.strict_json import parse as parse_strictly
from antiphon.server.ws.client_messages import ProtocolError, parse, parse_binary
from antiphon.speech.audio import from_pcm, master
from antiphon.text.cron import CronError, explain_cron, parse_cron
from antiphon.workspace.calendar.dav_xml import DavXmlError, parse_multistatus, parse_precondition
from antiphon.workspace.calendar.ics_import import parse_ics
from antiphon.workspace.definitions import BadDefinition
from antiphon.workspace.playbooks import read_playbook
from antiphon.workspace.runs.pipelines import read_pipeline

# What a parser may take for the few kilobytes of an example, on a machine that does much else.
SECONDS = 3.0

SCRATCH = Path(tempfile.mkdtemp(prefix="fuzz-"))
atexit.register(shutil.rmtree, SCRATCH, ignore_errors=True)


@dataclass(frozen=True)
class Target:
    """A parser, the errors with which it refuses, and some of what it takes."""

    name: str
    parse: Callable[[bytes], object]
    refusals: tuple[type[Exception], ...]
    seeds: tuple[bytes, ...]
    # Pieces that a parser of this kind looks for.
    words: tuple[bytes, ...] = ()

    def check(self, data: bytes) -> None:
        """Parse; anything but a result or a refusal in words, in time, is an AssertionError."""
        begun = time.process_time()
        words = "a result"
        try:
            self.parse(data)
        except self.refusals as refused:
            words = str(refused).strip()
        except Exception as error:
            raise AssertionError(f"{self.name}: {type(error).__name__}: {error}") from error
        taken = time.process_time() - begun
        assert words, f"{self.name}: refused without a word"
        assert taken < SECONDS, f"{self.name}: {taken:.1f} seconds for {len(data)} bytes"


def _file(name: str, data: bytes) -> Path:
    path = SCRATCH / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


# -- the socket ------------------------------------------------------------------------------------


def _message(data: bytes) -> object:
    return parse(_text(data))


MESSAGES = (
    b'{"type":"start","mode":"gemini","model":"m","voice":"Puck","systemPrompt":"","audio":"binary"}',
    b'{"type":"audio","data":"AAAAAAAA"}',
    b'{"type":"text","text":"Hello"}',
    b'{"type":"browser_function_result","name":"n","result":{"success":true},"fn_call_id":"fc_1"}',
    b'{"type":"confirmation_response","id":"c","token":"t","approve":true}',
    b'{"type":"playback","turn_id":3,"played_ms":120.0}',
    b'{"type":"activity","active":true}',
)


# -- the registry ----------------------------------------------------------------------------------

_SCHEMA = {
    "toolId": "odd_one",
    "version": "1.0.0",
    "description": "Finds what is there.",
    "category": "retrieval",
    "sideEffects": "read_only",
    "idempotent": True,
    "requiresConfirmation": False,
    "allowedModes": ["text", "voice"],
    "latencyBudgetMs": 2000,
    "rateLimit": {"calls": 1, "windowMs": 3600000},
    "availability": {"roles": ["admin"]},
    "redact": ["/query"],
    "parameters": {
        "type": "object",
        "additionalProperties": False,
        "required": ["query"],
        "properties": {
            "query": {"type": "string", "maxLength": 9, "pattern": "^[a-z]+$"},
            "more": {"anyOf": [{"type": "integer", "minimum": 1}, {"$ref": "#/$defs/it"}]},
        },
        "$defs": {"it": {"enum": ["a", "b"]}},
    },
}
_GUIDE = b"# odd_one\n\nFinds what is there.\n"
_HANDLER = b"from antiphon import ok\n\n\nasync def execute(args, context):\n    return ok({})\n"


def _schema(data: bytes) -> object:
    """The contract of a tool, as `antiphon build` takes it."""
    folder = SCRATCH / "tools" / "odd-one"
    for name, content in (("schema.json", data), ("guide.md", _GUIDE), ("handler.py", _HANDLER)):
        _file(f"tools/odd-one/{name}", content)
    report = compile_in_memory([folder.parent], [], SCRATCH / "tool_registry.json")
    assert report.ok or all(each.message and each.fix for each in report.findings)
    return report


def _artifact(data: bytes) -> object:
    return Registry.load(_file("tool_registry.json", data))


_ENTRY = {
    "toolId": "odd_one",
    "version": "1.0.0",
    "description": "d",
    "category": "retrieval",
    "sideEffects": "read_only",
    "idempotent": True,
    "requiresConfirmation": False,
    "allowedModes": ["text"],
    "latencyBudgetMs": 1,
    "timeoutMs": 1,
    "jsonSchema": {},
    "providerSchemas": {},
    "losses": {},
    "summary": "s",
    "documentation": "d",
    "handlerPath": "tools/odd-one/handler.py",
    "digest": "0" * 64,
}
_ARTIFACT = {"version": "1.0.00000000", "buildTimestamp": "", "gitCommit": None, "tools": [_ENTRY]}


# -- knowledge and calendars -----------------------------------------------------------------------


def _calendar(data: bytes) -> object:
    """The events of a file, each with the bounds by which a calendar keeps it."""
    found, _, report = parse_ics(data)
    for series in found:
        series.bounds()
    return report


def _rows(name: str, format: str) -> Callable[[bytes], object]:
    """What an import reads of a file: rows, each with an item or a reason."""

    def read(data: bytes) -> object:
        path = _file(name, data)
        source = path.parent if format in ("csv", "markdown") else path
        with explained(path):
            rows = list(open_source(source, format).rows())
        assert all(row.item is not None or row.problem for row in rows)
        return rows

    return read


def _document(kind: str) -> Callable[[bytes], object]:
    def read(data: bytes) -> object:
        return read_document(data, kind or kind_of("", data))

    return read


def _pipeline(data: bytes) -> object:
    """The file of a workflow (JSON) or an agent (TOML); the parser of the form is Python's own."""
    text = _text(data)
    try:
        body = orjson.loads(text)
    except orjson.JSONDecodeError:
        try:
            body = tomllib.loads(text)
        except (tomllib.TOMLDecodeError, RecursionError):
            return None
    return read_pipeline("x", body)


ICS = b"""BEGIN:VCALENDAR\r
VERSION:2.0\r
BEGIN:VTIMEZONE\r
TZID:Europe/Vienna\r
END:VTIMEZONE\r
BEGIN:VEVENT\r
UID:1@x\r
DTSTART;TZID=Europe/Vienna:20310303T090000\r
DTEND;TZID=Europe/Vienna:20310303T100000\r
SUMMARY:Review\\, of things\r
 and more\r
RRULE:FREQ=WEEKLY;COUNT=3;BYDAY=MO,TU\r
EXDATE:20310310T090000Z\r
ATTENDEE;CN="A":mailto:a@example.org\r
BEGIN:VALARM\r
TRIGGER:-PT15M\r
END:VALARM\r
END:VEVENT\r
BEGIN:VEVENT\r
UID:2@x\r
DTSTART;VALUE=DATE:20310303\r
DURATION:P1D\r
END:VEVENT\r
END:VCALENDAR\r
"""
GRAPHML = b"""<?xml version="1.0"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="t" for="node" attr.name="title" attr.type="string"/>
<key id="w" for="edge" attr.name="weight" attr.type="double"/>
<graph edgedefault="directed">
<node id="a"><data key="t">A</data></node><node id="b"><data key="t">B</data></node>
<edge source="a" target="b"><data key="w">1.5</data></edge>
</graph></graphml>
"""
DAV = b"""<?xml version="1.0"?><multistatus xmlns="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">
<response><href>/a</href><propstat><prop><getetag>"1"</getetag><c:calendar-data>X</c:calendar-data>
</prop></propstat></response></multistatus>"""


def _dav(data: bytes) -> object:
    parse_precondition(data)
    return parse_multistatus(data)


# -- tools of others -------------------------------------------------------------------------------


def _mcp_result(data: bytes) -> object:
    try:
        result = CallToolResult.model_validate_json(data)
    except ValidationError:
        return None  # the SDK's own refusal
    found = result_data(result, "other", writes=True, max_bytes=10_000)
    assert len(orjson.dumps(found)) <= 10_000
    return found


def _mcp_tool(data: bytes) -> object:
    try:
        listed = Tool.model_validate_json(data)
    except ValidationError:
        return None
    server = McpServer("other", ["nothing"])
    tool = McpTool(server, listed, tool_options("other", listed, {}))
    report = compile_in_memory([], [tool.source], SCRATCH / "none.json")
    assert report.ok or all(each.message and each.fix for each in report.findings)
    return report


def _openapi(data: bytes) -> object:
    return tools_from_openapi(_file("api.yaml", data), base_url="https://api.example")


_API = {
    "openapi": "3.1.0",
    "info": {"title": "Pets", "version": "1"},
    "servers": [{"url": "https://pets.example"}],
    "paths": {
        "/pets/{id}": {
            "parameters": [
                {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
            ],
            "get": {
                "operationId": "getPet",
                "summary": "Get a pet",
                "responses": {"200": {"description": "The pet"}},
            },
            "put": {
                "summary": "Change a pet",
                "requestBody": {
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/P"}}}
                },
                "responses": {"200": {"description": "The pet"}},
            },
        }
    },
    "components": {
        "schemas": {
            "P": {
                "type": "object",
                "properties": {"name": {"type": ["string", "null"]}, "of": {"enum": [1, 2]}},
            }
        }
    },
}
_API_YAML = b"""openapi: 3.0.1
info: &i {title: Pets, version: '1'}
x-more: *i
paths:
  /pets:
    get:
      parameters:
      - {name: since, in: query, schema: {type: string, nullable: true, example: 2020-01-01}}
      responses: {200: {description: Pets}}
"""


# -- sound and models ------------------------------------------------------------------------------


def _wav(rate: int = 24_000, channels: int = 1, width: int = 2) -> bytes:
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(width)
        file.setframerate(rate)
        file.writeframes(bytes(range(48)))
    return out.getvalue()


def _pcm(data: bytes) -> object:
    audio = parse_binary(data)
    assert len(master(from_pcm(audio.pcm), 16_000, 24_000)) % 2 == 0
    return audio


def _gguf_head() -> bytes:
    return write_model(SCRATCH / "letters.gguf", {}).read_bytes()[:8_000]


# -- settings --------------------------------------------------------------------------------------


def _settings(data: bytes) -> object:
    return load_settings(_file("antiphon.toml", data), environment={})


def _profile(data: bytes) -> object:
    _file("profiles/odd.toml", data)
    return load_profile("odd", SCRATCH / "profiles")


def _cron(data: bytes) -> object:
    return explain_cron(parse_cron(_text(data)))


def _json(value: Any) -> bytes:
    return json.dumps(value, indent=1).encode()


_JSON_WORDS = (
    *(
        b'"$ref":"#/"',
        b"null",
        b"-1",
        b"1e999",
        b"true",
        b"[]",
        b"{}",
        b'""',
        b"[" * 90,
        b"\\ud800",
    ),
    *(b"18446744073709551616", b"NaN", b'"\\u0000"', b'"type":', b'"a":{"a":', b"0.1", b'{"":'),
)
_YAML_WORDS = (
    *(
        b"2001-99-99",
        b"[" * 1100,
        b"&a ",
        b"*a",
        b"!!python/object:os.system ",
        b"!!binary ",
        b"? ",
    ),
    *(b"<<: ", b"---\n", b"+++\n", b"!!set ", b"1:2:3", b".nan", b"0x", b"0b_", b"!!int '", b"- "),
    *(b"!!timestamp x", b"!!float x", b"{", b"}", b"\t"),
)
_TOML_WORDS = (b"[[", b"]]", b"=", b"'''", b'"""', b"1979-05-27T07:32:00Z", b"inf", b".", b"[a]\n")
_ICS_WORDS = (
    *(b"RRULE:FREQ=", b"SECONDLY", b"YEARLY;BYSETPOS=-366", b";UNTIL=", b"COUNT=99999999999"),
    *(b"INTERVAL=0", b"00000000T000000", b"99991231", b";TZID=", b"RECURRENCE-ID:", b"EXDATE:"),
    *(
        b"DURATION:P99999999999W",
        b"DURATION:-P1D",
        b"BEGIN:VEVENT\r\n",
        b"END:VEVENT\r\n",
        b"\r\n ",
    ),
    *(b";VALUE=DATE", b"DTSTART", b"BYDAY=99MO", b"VALUE=PERIOD", b"RDATE:", b"\xff", b"TZID:/"),
)
_XML_WORDS = (
    *(
        b"<!DOCTYPE a>",
        b"&#0;",
        b"&#x110000;",
        b"<a>" * 300,
        b"<![CDATA[",
        b"]]>",
        b"<!--",
        b"&lt;",
    ),
    *(b'attr.type="long"', b'for="all"', b"<default>", b"<graph>", b"nan", b"1e999", b'xmlns:x=""'),
)

TARGETS = (
    Target("ws_text", _message, (ProtocolError,), MESSAGES, _JSON_WORDS),
    Target("ws_binary", _pcm, (ProtocolError,), (b"", bytes(640), b"\x01\x80" * 50)),
    Target("strict_json", parse_strictly, (), (_json(_SCHEMA),), _JSON_WORDS),
    Target("schema_json", _schema, (), (_json(_SCHEMA),), _JSON_WORDS),
    Target("artifact", _artifact, (RegistryError,), (_json(_ARTIFACT),), _JSON_WORDS),
    Target("ics", _calendar, (ToolError,), (ICS,), _ICS_WORDS),
    Target("dav", _dav, (DavXmlError,), (DAV,), _XML_WORDS),
    Target("graphml", _rows("g.graphml", "graphml"), (KnowledgeError,), (GRAPHML,), _XML_WORDS),
    Target(
        "csv",
        _rows("csv/records.csv", "csv"),
        (KnowledgeError,),
        (b'id,type,title,text,tags\r\na,person,Ada,"Some, text",x;y\r\n',),
        (b'"', b"\r", b"\0", b",,", b"\xff", b"metadata,", b'"{""a"":1}"', b"\n" * 9),
    ),
    Target(
        "csv_edges",
        _rows("edges/edges.csv", "csv"),
        (KnowledgeError,),
        (b"source,target,relation,weight\na,b,knows,0.5\n",),
        (b'"', b"\r", b"\0", b",,", b"nan", b"1e999", b"metadata"),
    ),
    Target(
        "jsonl",
        _rows("k.jsonl", "jsonl"),
        (KnowledgeError,),
        (
            b'{"kind":"record","id":"a","type":"person","title":"A","text":"t","tags":["x"]}\n'
            b'{"kind":"edge","source":"a","target":"b","relation":"knows","weight":1}\n',
        ),
        _JSON_WORDS,
    ),
    Target(
        "markdown_folder",
        _rows("notes/note.md", "markdown"),
        (KnowledgeError,),
        (b"---\ntitle: A\ntags: [x, y]\n---\n# A\n\nText of [b](b.md).\n", b"# A\n\nText.\n"),
        _YAML_WORDS,
    ),
    Target(
        "front_matter",
        lambda data: split(_text(data)),
        (KnowledgeError,),
        (b"---\na: 1\nb: [x, {c: d}]\n---\ntext", b"+++\na = 1\n[b]\nc = 'd'\n+++\ntext"),
        _YAML_WORDS + _TOML_WORDS,
    ),
    Target("pdf", _document("pdf"), (KnowledgeError,), (pdf("One page.", "Two."),)),
    Target("docx", _document("docx"), (KnowledgeError,), (docx(paragraph("A word."), "T"),)),
    Target(
        "html",
        _document("html"),
        (KnowledgeError,),
        (b"<html><title>T</title><body><h1>A</h1><script>x</script><p>B &amp; C</body></html>",),
        (*_XML_WORDS, b"<script", b"<pre>", b"<table><tr><td>"),
    ),
    Target(
        "markdown",
        _document("markdown"),
        (KnowledgeError,),
        (b"---\ntitle: A\n---\n# A\n\n**b** _c_ `d` [e](f) ![g](h)\n\n```\ncode\n```\n> i\n",),
        (b"**" * 40, b"[" * 40, b"](", b"```\n", b"_" * 40, b"![", b"| a | b |\n|---|---|\n"),
    ),
    Target("any_document", _document(""), (KnowledgeError,), (b"Some text.", b"\xff\xfeA\0")),
    Target(
        "playbook",
        lambda data: read_playbook("x", _text(data)),
        (BadDefinition,),
        (b"---\ntitle: A\nsummary: B\ntags: c, d\n---\n\n# A\n\nText.\n",),
        _YAML_WORDS,
    ),
    Target(
        "pipeline",
        _pipeline,
        (BadDefinition,),
        (
            _json(
                {
                    "title": "A",
                    "description": "B",
                    "steps": [
                        {"id": "a", "tool": "word_count", "args": {"text": "x"}},
                        {"id": "b", "sections": [{"heading": "H", "from": "a"}]},
                    ],
                }
            ),
        ),
        _JSON_WORDS,
    ),
    Target(
        "mcp_result",
        _mcp_result,
        (ToolError,),
        (
            b'{"content":[{"type":"text","text":"a"},{"type":"image","data":"AA==",'
            b'"mimeType":"image/png"}],"isError":false}',
            b'{"content":[],"structuredContent":{"a":1}}',
        ),
        _JSON_WORDS,
    ),
    Target(
        "mcp_tool",
        _mcp_tool,
        (RegistryError,),
        (_json({"name": "find", "description": "F.", "inputSchema": _SCHEMA["parameters"]}),),
        _JSON_WORDS,
    ),
    Target(
        "openapi",
        _openapi,
        (OpenApiError, RegistryError),
        (_json(_API), _API_YAML),
        _JSON_WORDS + _YAML_WORDS,
    ),
    Target(
        "script_yaml",
        lambda data: Script.load(_file("script.yaml", data)),
        (ScriptError,),
        (b"rules:\n- on: text\n  with: {text: '/a (b)/'}\n  reply: [{say: 'hi'}, complete]\n",),
        _YAML_WORDS,
    ),
    Target(
        "settings_toml",
        _settings,
        (ConfigError,),
        (b"data = 'x'\n[server]\nport = 8080\norigins = ['https://a.example']\n[agent]\n",),
        _TOML_WORDS,
    ),
    Target(
        "profile_toml",
        _profile,
        (ProfileError,),
        (b'name = "odd"\ndescription = "D."\ntools = ["a*"]\n[voice]\n[text]\nrounds = 3\n',),
        _TOML_WORDS,
    ),
    Target(
        "cron",
        _cron,
        (CronError,),
        (b"0 3 1 1 *", b"*/5 9-17 * * mon-fri", b"@daily"),
        (b"99999999999999999999", b"*/0", b"-", b",", b"\xd9\xa3", b"\xc2\xb2"),
    ),
    Target(
        "wav_of_a_script",
        lambda data: read_scripted_wav(_file("script.wav", data)),
        (ScriptError,),
        (_wav(),),
    ),
    Target(
        "wav",
        lambda data: read_spoken_wav(_file("said.wav", data)),
        (SoundError,),
        (_wav(), _wav(16_000), _wav(8_000, 2), _wav(44_100, 1, 1)),
    ),
    Target(
        "gguf",
        lambda data: read_model_file(_file("model.gguf", data)).describe(512),
        (ModelFileError,),
        (_gguf_head(),),
        (b"\xff" * 8, b"\0" * 8, b"\x09\0\0\0", b"\x08\0\0\0", b"\x06\0\0\0\0\0\xc0\x7f"),
    ),
)
