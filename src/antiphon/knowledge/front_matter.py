"""Front matter of Markdown files: YAML between `---` lines, or TOML between `+++` lines.

YAML is read safely and by the rules of version 1.2: `no` and `12:30` are texts, dates stay as they
are written, unknown tags are passed over, a key that is there twice is an error.
"""

from __future__ import annotations

import datetime
import math
import re
import tomllib
from typing import TYPE_CHECKING, Any

import orjson

from antiphon.knowledge.errors import KnowledgeError
from antiphon.text.yaml_values import YamlRefused, load_yaml

if TYPE_CHECKING:
    import yaml

MAX_HEAD = 256 * 1024  # characters
MAX_NODES = 20_000  # values in all: an alias may stand for thousands
MAX_NESTED = 64
_OPENING = re.compile(r"(---|\+\+\+)[ \t]*\r?\n")
_PLAIN = re.compile(r"[A-Za-z_/][\w /.,()-]*(?::(?=[\w/])[\w /.,()-]*)*")
_LIKE_OTHERS = {"true", "false", "null", "yes", "no", "on", "off", "nan", "inf", "infinity"}
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPED = re.compile("[\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]")
_TOML_LINE = re.compile(r" \(at line (\d+), column \d+\)$")


class FrontMatterError(KnowledgeError):
    """Front matter that cannot be read; `line` is the line of the file."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


def split(text: str) -> tuple[dict[str, Any] | None, str, int]:
    """Split a file into front matter (None without), body, and the line the body begins on.

    A rule of dashes is no front matter: without a closing line, or with prose behind it, all of
    the file is text. Raises FrontMatterError for what was meant as front matter and cannot be read.
    """
    opening = _OPENING.match(text)
    if opening is None:
        return None, text, 1
    mark = opening[1]
    ends = r"^(?:---|\.\.\.)" if mark == "---" else r"^\+\+\+"
    closing = re.compile(rf"{ends}[ \t]*(?:\r?\n|\Z)", re.MULTILINE).search(text, opening.end())
    if closing is None:
        return None, text, 1
    head = text[opening.end() : closing.start()]
    line = text.count("\n", 0, closing.end()) + 1
    if len(head) > MAX_HEAD:
        raise FrontMatterError(f"the front matter is longer than {MAX_HEAD // 1024} kB", 1)
    values = _toml(head) if mark == "+++" else _yaml(head)
    if values is None:
        return None, text, 1
    return {str(name): value for name, value in values.items()}, text[closing.end() :], line


def write(values: dict[str, Any]) -> str:
    """Front matter as text between two `---` lines; a list of objects gets one line for each."""
    lines = ["---"]
    for key, value in values.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            lines.append(f"{key}:")
            lines += [f"  - {_json(item)}" for item in value]
        elif isinstance(value, str) and _is_plain(value):
            lines.append(f"{key}: {value}")
        else:
            lines.append(f"{key}: {_json(value)}")
    return "\n".join([*lines, "---", ""])


def _json(value: Any) -> str:
    """JSON for YAML: the few characters escaped that YAML takes for line ends or not at all."""
    text = orjson.dumps(value).decode()
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _is_plain(text: str) -> bool:
    return bool(
        text.isascii()
        and _PLAIN.fullmatch(text)
        and text == text.strip()
        and text.lower() not in _LIKE_OTHERS
    )


# -- reading


def _toml(head: str) -> dict[str, Any]:
    try:
        return _Plain().mapping(tomllib.loads(head.replace("\r\n", "\n")))
    except tomllib.TOMLDecodeError as error:
        found = _TOML_LINE.search(str(error))
        line = int(found[1]) + 1 if found else 1
        raise FrontMatterError(f"not TOML: {_TOML_LINE.sub('', str(error))}", line) from error
    except RecursionError as error:
        raise FrontMatterError("the front matter is nested too deeply", 1) from error


def _yaml(head: str) -> dict[str, Any] | None:
    try:
        found = load_yaml(_UNPRINTABLE.sub("", head), _loader())
    except YamlRefused as error:
        lines = [line for line in head.splitlines() if line.strip() and line.strip()[0] != "#"]
        name = lines[0].split(":")[0] if lines and ":" in lines[0] else ""
        if not 0 < len(name.split()) <= 3:
            return None  # prose between two rules
        raise FrontMatterError(
            f"not YAML: {error.problem}; put a value with special characters in quotation marks",
            1 if error.line is None else error.line + 1,
        ) from error
    if found is None:
        return {}
    return _Plain().mapping(found) if isinstance(found, dict) else None


class _Plain:
    """Conversion of parsed YAML and TOML to JSON, within limits."""

    def __init__(self) -> None:
        self._left = MAX_NODES

    def mapping(self, value: dict[Any, Any]) -> dict[str, Any]:
        found: dict[str, Any] = self._value(value, 0)
        return found

    def _value(self, value: Any, depth: int) -> Any:
        self._left -= 1
        if self._left < 0 or depth > MAX_NESTED:
            raise FrontMatterError("the front matter holds too many or too deeply nested values", 1)
        if isinstance(value, dict):
            return {str(key): self._value(item, depth + 1) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self._value(item, depth + 1) for item in value]
        if isinstance(value, datetime.date | datetime.time):
            return value.isoformat()
        if isinstance(value, float) and not math.isfinite(value):
            return str(value)
        if isinstance(value, int) and not -(2**63) <= value < 2**64:
            return str(value)
        return value


_loaders: list[type[yaml.SafeLoader]] = []


def _loader() -> type[yaml.SafeLoader]:
    if _loaders:
        return _loaders[0]
    import yaml

    class FrontMatterLoader(yaml.SafeLoader):
        """A safe loader by the scalar rules of YAML 1.2."""

        # Not those of 1.1, by which `no` is false and `12:30` is 750.
        yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - as in the library

    def mapping(loader: yaml.SafeLoader, node: yaml.MappingNode) -> dict[str, Any]:
        loader.flatten_mapping(node)
        found: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = loader.construct_object(key_node, deep=True)
            name = key if isinstance(key, str) else str(key)
            if name in found:
                raise yaml.constructor.ConstructorError(
                    None, None, f"{name} is there twice", key_node.start_mark
                )
            found[name] = loader.construct_object(value_node, deep=True)
        return found

    def untagged(loader: yaml.SafeLoader, _tag: str, node: yaml.Node) -> Any:
        if isinstance(node, yaml.MappingNode):
            return mapping(loader, node)
        if isinstance(node, yaml.SequenceNode):
            return loader.construct_sequence(node, deep=True)
        return node.value

    FrontMatterLoader.add_constructor("tag:yaml.org,2002:map", mapping)
    FrontMatterLoader.add_constructor("tag:yaml.org,2002:float", lambda _, node: float(node.value))
    FrontMatterLoader.add_constructor("tag:yaml.org,2002:int", lambda _, node: int(node.value))
    FrontMatterLoader.add_multi_constructor("!", untagged)
    FrontMatterLoader.add_multi_constructor("tag:yaml.org,2002:python", untagged)
    FrontMatterLoader.add_multi_constructor("tag:yaml.org,2002:ruby", untagged)
    for name, pattern, first in (
        ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
        ("null", r"~|null|Null|NULL|", "~nN\0"),
        ("int", r"[-+]?(?:0|[1-9][0-9]{0,30})", "-+0123456789"),
        ("float", r"[-+]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]{1,3})?", "-+0123456789"),
        ("merge", r"<<", "<"),
    ):
        starts = [("" if letter == "\0" else letter) for letter in first]
        FrontMatterLoader.add_implicit_resolver(
            f"tag:yaml.org,2002:{name}", re.compile(rf"^(?:{pattern})$"), starts
        )
    _loaders.append(FrontMatterLoader)
    return FrontMatterLoader
