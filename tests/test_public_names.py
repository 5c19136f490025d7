"""What users may import is exported on purpose, and importing it is cheap."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from importlib import import_module

import pytest

import antiphon

PUBLIC = [
    "Antiphon",
    "Budget",
    "Context",
    "ErrorType",
    "FunctionTool",
    "Intent",
    "Orchestrator",
    "Policy",
    "Principal",
    "Registry",
    "RunError",
    "RunResult",
    "ToolCall",
    "ToolError",
    "fail",
    "ok",
    "tool",
]

HEAVY = {
    *("asyncio", "fastapi", "google", "httpx2", "jsonschema_rs", "orjson", "pydantic", "rich"),
    *("sqlalchemy", "starlette", "typer", "uvicorn"),
    *("antiphon.cli", "antiphon.config", "antiphon.registry", "antiphon.server"),
}

PACKAGES = ["antiphon"] + [
    module.name
    for module in pkgutil.walk_packages(antiphon.__path__, "antiphon.")
    if module.ispkg and not module.name.startswith("antiphon.tools")
]


def modules_after(statement: str) -> set[str]:
    """What a fresh interpreter has imported after a statement."""
    code = f"{statement}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stdout.split())


def test_the_public_names_are_exactly_these() -> None:
    assert sorted(antiphon.__all__) == sorted(PUBLIC)
    assert antiphon.__version__


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_can_be_imported(name: str) -> None:
    assert getattr(antiphon, name) is not None


def test_another_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="registrar"):
        _ = antiphon.registrar


@pytest.mark.parametrize(
    "statement", ["import antiphon", "from antiphon import Context, ErrorType, ok, fail"]
)
def test_what_handlers_import_is_cheap(statement: str) -> None:
    assert not modules_after(statement) & HEAVY


def test_the_command_line_imports_heavy_things_only_inside_commands() -> None:
    heavy = {
        "antiphon.config",
        "antiphon.server",
        "fastapi",
        "jsonschema_rs",
        "pydantic",
        "sqlalchemy",
        "uvicorn",
    }
    assert not modules_after("import antiphon.cli") & heavy


@pytest.mark.parametrize("package", PACKAGES)
def test_every_name_a_package_exports_exists(package: str) -> None:
    module = import_module(package)
    names = getattr(module, "__all__", [])
    assert len(names) == len(set(names))
    for name in names:
        assert hasattr(module, name), f"{package}.__all__ names {name}, which is not there"
