"""Conversion between the two forms of a tool: a function, and a directory."""

from __future__ import annotations

import importlib.util
import json
import secrets
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from antiphon.registry.artifact import contract_digest
from antiphon.registry.findings import finding_lines, has_errors
from antiphon.registry.functions.function_tool import FunctionTool
from antiphon.registry.functions.reference import ReferenceProblem, find_tool
from antiphon.registry.functions.source_writer import write_source
from antiphon.registry.handlers import describe, load_module, unload
from antiphon.registry.lint import LintedTool, lint_tool
from antiphon.registry.scaffold import ScaffoldError, write_directory
from antiphon.registry.snapshot import RegistryError
from antiphon.registry.sources import GUIDE, HANDLER, SCHEMA, ToolSource, hash_files, read_tool

_FURTHER = ("prepare", "reconcile", "preview")
_CALLS = {
    "prepare": "handler.prepare(args, context)",
    "reconcile": "handler.reconcile(key, args, context)",
    "preview": "handler.preview(args, context)",
}
_HANDLER = '''\
"""Handler of {tool_id}: the function {reference}."""

from antiphon.registry.functions import find_tool

_handler = find_tool("{reference}").handler
execute = _handler.execute
'''


def directory_of(reference: str, folder: Path) -> tuple[Path, str]:
    """Write the directory of a function tool into `folder`; return it and the digest of the
    contract.

    The handler calls the function where it is. Raises ScaffoldError.
    """
    try:
        tool = find_tool(reference)
        schema, guide, handler = tool.schema, tool.guide.encode(), tool.handler
    except (ReferenceProblem, RegistryError) as error:
        raise ScaffoldError(f"{reference}: {error}") from None
    text = _HANDLER.format(tool_id=tool.name, reference=reference)
    for name in _FURTHER:
        if getattr(handler, name) is not None:
            text += f"{name} = _handler.{name}\n"
    directory = folder / tool.name.replace("_", "-")
    layout = json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
    files = {SCHEMA: layout.encode(), GUIDE: guide, HANDLER: text.encode()}
    write_directory(directory, files)
    return directory, contract_digest(schema, guide)


def package_of(directory: Path, folder: Path) -> tuple[Path, str]:
    """Write a tool directory into `folder` as a package with a function tool; return it and the
    digest of the contract, which is the same.

    The Python files of the tool go along as they are. Raises ScaffoldError.
    """
    source = read_tool(directory)
    linted = lint_tool(source)
    if has_errors(linted.findings) or linted.schema is None or linted.tool_id is None:
        raise ScaffoldError(f"{directory} has errors:\n{finding_lines(linted.findings)}")
    for field in ("aliasOf", "variants"):
        if field in linted.schema:
            raise ScaffoldError(f"{directory} has `{field}`, which a function cannot have.")
    text = _function_source(linted, source)
    files = {**source.python, GUIDE: source.files[GUIDE], "__init__.py": text.encode()}
    digest = contract_digest(linted.schema, source.files[GUIDE])
    if "__init__.py" in source.python or _digest_of(files, linted.tool_id) != digest:
        raise ScaffoldError(f"{directory} cannot be written as a function; it stays a directory.")
    package = folder / linted.tool_id
    write_directory(package, files)
    return package, digest


def _function_source(linted: LintedTool, source: ToolSource) -> str:
    assert linted.schema is not None
    assert linted.tool_id is not None
    code = hash_files(source.python)
    try:
        module = load_module(linted.tool_id, code, source.python, source.directory)
        handler = describe(module)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a handler may raise anything
        said = f"{type(error).__name__}: {error}"
        raise ScaffoldError(f"{source.directory / HANDLER} cannot be imported: {said}") from None
    finally:
        unload(linted.tool_id, code, source.directory)
    calls = {name: _CALLS[name] for name in _FURTHER if getattr(handler, name) is not None}
    if handler.reconcile is not getattr(module, "reconcile", None):  # it takes the key alone
        calls["reconcile"] = "handler.reconcile(key)"
    return write_source(linted.schema, handler.kind, calls)  # type: ignore[arg-type]


def _digest_of(files: dict[str, bytes], tool_id: str) -> str | None:
    """Return the digest of the contract that a package gives; None when it gives none."""
    name = f"antiphon_conversion_{secrets.token_hex(6)}"
    folder = Path(tempfile.mkdtemp(prefix="conversion-"))
    try:
        write_directory(folder / name, files)
        module = _imported(name, folder / name)
        tools = [each for each in vars(module).values() if isinstance(each, FunctionTool)]
        (tool,) = [each for each in tools if each.name == tool_id]
        return contract_digest(tool.schema, tool.guide.encode())
    except (RegistryError, ValueError):
        return None
    finally:
        for module_name in [each for each in sys.modules if each.partition(".")[0] == name]:
            del sys.modules[module_name]
        shutil.rmtree(folder, ignore_errors=True)


def _imported(name: str, package: Path) -> Any:
    spec = importlib.util.spec_from_file_location(
        name, package / "__init__.py", submodule_search_locations=[str(package)]
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
