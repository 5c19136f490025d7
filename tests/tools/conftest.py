"""Calls a shipped tool as the product does: arguments validated, defaults in, output checked."""

from __future__ import annotations

import asyncio
import copy
import inspect
import json
from collections.abc import Callable
from datetime import datetime
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema_rs
import pytest

import antiphon
from antiphon.contracts import ToolError, ToolResult
from antiphon.registry.handlers import load_module
from antiphon.registry.sources import read_tool

TOOLS = Path(antiphon.__file__).parent / "tools"


class InvalidArguments(Exception):
    """The arguments break the tool's own schema."""


class ShippedTool:
    def __init__(self, directory: str) -> None:
        folder = TOOLS / directory
        self.schema: dict[str, Any] = json.loads((folder / "schema.json").read_text("utf-8"))
        self.guide = (folder / "guide.md").read_text("utf-8")
        source = read_tool(folder)
        digest = source.raw_digest()
        module = load_module(self.schema["toolId"], digest, source.python, folder)
        self._execute = module.execute
        self._parameters = _validator(self.schema["parameters"])
        self._output = _validator(self.schema["output"])

    @property
    def summary(self) -> str:
        """The first line of the guide that is no heading: what the model sees."""
        return next(x for x in self.guide.splitlines() if x.strip() and not x.startswith("#"))

    def call(self, args: dict[str, Any], now: datetime | None = None) -> ToolResult:
        """Run the tool; `now` is the injected time."""
        problems = [error.message for error in self._parameters.iter_errors(args)]
        if problems:
            raise InvalidArguments("; ".join(problems))
        return self.run(args, now)

    def run(self, args: dict[str, Any], now: datetime | None = None) -> ToolResult:
        """Run the tool on arguments that JSON cannot carry and no validator has seen."""
        filled = _with_defaults(self.schema["parameters"], copy.deepcopy(args))
        untouched = copy.deepcopy(filled)
        context = SimpleNamespace() if now is None else SimpleNamespace(now=lambda: now)
        try:
            result = self._execute(filled, context)
            if inspect.iscoroutine(result):
                result = asyncio.run(result)
        except ToolError as error:
            result = ToolResult(False, None, error.body, [])
        assert isinstance(result, ToolResult)
        assert repr(filled) == repr(untouched), "a handler must not change its arguments"
        if result.ok:
            problems = [error.message for error in self._output.iter_errors(result.data)]
            assert problems == []
        return result

    def data(self, args: dict[str, Any], now: datetime | None = None) -> dict[str, Any]:
        """The data of a call that must succeed."""
        result = self.call(args, now)
        assert result.ok, result.error
        assert result.data is not None
        return result.data

    def error(self, args: dict[str, Any], now: datetime | None = None) -> dict[str, Any]:
        """The error of a call that must fail."""
        result = self.call(args, now)
        assert not result.ok, result.data
        assert result.error is not None
        return result.error


def _validator(schema: dict[str, Any]) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(schema, validate_formats=True)


def _with_defaults(schema: dict[str, Any], value: dict[str, Any]) -> dict[str, Any]:
    for name, part in schema.get("properties", {}).items():
        if name not in value and "default" in part:
            value[name] = copy.deepcopy(part["default"])
        if isinstance(value.get(name), dict):
            _with_defaults(part, value[name])
    return value


@pytest.fixture(scope="session")
def shipped_tool() -> Callable[[str], ShippedTool]:
    return cache(ShippedTool)


@pytest.fixture(scope="session")
def invalid_arguments() -> type[Exception]:
    return InvalidArguments
