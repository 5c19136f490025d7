"""Listed tools: what an MCP server says of a tool, its digest, and what is odd about its words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

import orjson

from antiphon.contracts.json_depth import is_deeper
from antiphon.secrecy.redaction import REDACTOR

MAX_NAME = 128
MAX_SCHEMA_BYTES = 64_000
MAX_SCHEMA_DEPTH = 32
MAX_WORDS = 16_000
_SHOWN = 4000
# Longer ids are refused by vendors; two that are cut differ by a hash.
_MAX_ID = 64
# What speaks to a model in place of saying what a tool does.
_INSTRUCTIONS = (
    r"\b(?:ignore|disregard|forget)\b.{0,40}\b(?:previous|prior|above|earlier|other|all)\b",
    r"</?\s*(?:important|system|instructions?|secret|admin)\b[^>]{0,40}>",
    r"\b(?:system|developer) prompt\b",
    r"\b(?:do not|don't|never|without)\b.{0,30}\b(?:tell|telling|mention|mentioning|inform"
    r"|informing|notify|reveal|show|showing|ask|asking)\b.{0,30}\b(?:user|person|human|anyone|anybody)\b",
    r"\b(?:before|instead of|prior to)\b.{0,20}\b(?:using|calling|invoking)\b.{0,30}\btools?\b",
    r"\byou (?:must|should|have to|need to) (?:always|first|never)\b",
    r"(?:~/\.|\.ssh\b|id_rsa|\.env\b|/etc/passwd|mcp\.json)",
)
_INSTRUCTION = re.compile("|".join(_INSTRUCTIONS), re.IGNORECASE | re.DOTALL)
# Letters of other alphabets, and digits, that look like Latin ones.
_LOOKALIKES = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0445\u0443\u0456\u0455\u0458\u051b\u051d\u0432\u043a\u043c\u043d\u0442"
    "\u03b1\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u03b201358|l",
    "aeopcxyisjqwbkmhtaeikvoptuxboiesbii",
)


@dataclass(frozen=True, slots=True)
class ListedTool:
    """A tool as a server lists it: the parts that a model or a person is shown."""

    name: str
    title: str | None = None
    description: str | None = None
    input_schema: Mapping[str, Any] | None = None
    output_schema: Mapping[str, Any] | None = None
    annotations: Mapping[str, Any] | None = None
    oversize: str = ""  # what of it is too large, in words, and so was left out

    @classmethod
    def of(cls, listed: Any) -> ListedTool:
        """The tool of a listing of the SDK; what is too large is left out."""
        notes, words = listed.annotations, []
        schemas = {"input": listed.input_schema, "output": listed.output_schema}
        schemas["annotations"] = (
            None if notes is None else notes.model_dump(mode="json", exclude_none=True)
        )
        if len(listed.name) > MAX_NAME:
            words.append(f"its name has {len(listed.name)} characters; it may have {MAX_NAME}")
        if len(listed.description or "") + len(listed.title or "") > MAX_WORDS:
            words.append(f"its description has more than {MAX_WORDS} characters")
        for which, schema in schemas.items():
            if is_deeper(schema, MAX_SCHEMA_DEPTH):
                words.append(f"its {which} schema is nested more than {MAX_SCHEMA_DEPTH} deep")
            elif schema is None or len(orjson.dumps(schema)) <= MAX_SCHEMA_BYTES:
                continue
            else:
                words.append(f"its {which} schema has more than {MAX_SCHEMA_BYTES} bytes")
            schemas[which] = None
        return cls(
            listed.name[:MAX_NAME],
            _start(listed.title),
            _start(listed.description),
            schemas["input"],
            schemas["output"],
            schemas["annotations"],
            "; ".join(words),
        )

    @classmethod
    def parsed(cls, content: str) -> ListedTool:
        """The tool that `content` was made of."""
        return cls(**orjson.loads(content))

    @property
    def content(self) -> str:
        """The tool as JSON: the same text for the same tool."""
        return orjson.dumps(asdict(self), option=orjson.OPT_SORT_KEYS).decode()

    @property
    def digest(self) -> str:
        return sha256(self.content.encode()).hexdigest()[:32]

    def unusable(self) -> str | None:
        """Why nobody can accept it, in words; None: somebody may."""
        if self.oversize or not self.name:
            return self.oversize or "it has no name"
        if any(ch in _CONTROL or not ch.isprintable() for ch in self.name):
            return f"its name holds characters that nobody sees: {visible(self.name)}"
        return None

    def warnings(self) -> list[str]:
        """What an operator should look at before accepting it, in words."""
        found = []
        for place, text in _texts(self):
            if text != (shown := visible(text)):
                found.append(f"{place} holds characters that nobody sees: {_cut(shown, 300)}")
            if (said := _INSTRUCTION.search(_plain(text))) is not None:
                words = visible(" ".join(said[0].split()))
                found.append(f"{place} speaks to the model: “{_cut(words, 120)}”")
            if len(found) >= 8:
                break
        return found


_CONTROL = {chr(code) for code in (*range(32), 127)}


def _start(text: str | None) -> str | None:
    return None if text is None else text[:MAX_WORDS]


def visible(text: str) -> str:
    """Text in which characters that are not seen, or change how others are, stand as ⟨U+202E⟩."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(f"⟨U+{ord(ch):04X}⟩" if _is_hidden(ch) else ch for ch in text)


def _is_hidden(ch: str) -> bool:
    if ch in "\n\t":
        return False
    code = ord(ch)
    if unicodedata.category(ch) in ("Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"):
        return True
    # Variation selectors, fillers and blanks that are letters by their category.
    return 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF or code in _BLANKS


_BLANKS = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0}


def _plain(text: str) -> str:
    """Text without what is not seen, and with the tag characters that spell hidden words read."""
    read = (chr(ord(ch) - 0xE0000) if 0xE0020 <= ord(ch) <= 0xE007E else ch for ch in text)
    return unicodedata.normalize("NFKC", "".join(ch for ch in read if not _is_hidden(ch)))


def _texts(tool: ListedTool) -> Iterator[tuple[str, str]]:
    yield "its name", tool.name
    yield "its title", tool.title or ""
    yield "its description", tool.description or ""
    for which, tree in (
        ("input schema", tool.input_schema),
        ("output schema", tool.output_schema),
        ("annotations", tool.annotations),
    ):
        for text in _strings(tree):
            yield f"its {which}", text


def _strings(tree: Any) -> Iterator[str]:
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, Mapping):
        for key, value in tree.items():
            yield str(key)
            yield from _strings(value)
    elif isinstance(tree, list | tuple):
        for value in tree:
            yield from _strings(value)


def tool_id(server: str, name: str) -> str:
    """The id that a server's tool has here: `server__name`, in letters that every vendor takes."""
    made = f"{server}__{re.sub(r'[^a-z0-9_]', '_', _snake(name).lower())}"
    if len(made) <= _MAX_ID:
        return made
    return f"{made[: _MAX_ID - 9]}_{sha256(name.encode('utf-8', 'replace')).hexdigest()[:8]}"


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)


def skeleton(name: str) -> str:
    """What two names have in common that a person takes for each other."""
    folded = unicodedata.normalize("NFKC", name).casefold().translate(_LOOKALIKES)
    return "".join(ch for ch in folded if ch.isalnum())


@dataclass(frozen=True, slots=True)
class ToolDifference:
    """One part of a tool that is not as it was accepted; both texts show what is not seen."""

    field: str
    before: str
    after: str


def differences(before: ListedTool | None, after: ListedTool) -> list[ToolDifference]:
    """The parts in which a tool differs from the one that was accepted; all of them for a new
    one."""
    found = []
    for field, now in asdict(after).items():
        then = None if before is None else getattr(before, field)
        if now != then:
            found.append(ToolDifference(field, _shown(then), _shown(now)))
    return found


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        options = orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS
        value = orjson.dumps(value, option=options).decode()
    return REDACTOR.clean(_cut(visible(value), _SHOWN))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
