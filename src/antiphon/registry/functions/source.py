"""Function sources: a function tool in the form in which the builder takes every tool."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from antiphon.registry.findings import FindingList, finding_lines, has_errors, nearest, shown
from antiphon.registry.functions.arguments import compile_arguments, object_schema
from antiphon.registry.functions.binding import bind_handler
from antiphon.registry.functions.contract import write_guide, write_schema
from antiphon.registry.functions.docstring import Docstring, parse_docstring
from antiphon.registry.functions.reference import reference_of
from antiphon.registry.functions.results import compile_results
from antiphon.registry.functions.signature import (
    FunctionSignature,
    is_nested,
    kind_of,
    place_of,
    read_signature,
    shape_problem,
    unwrapped,
)
from antiphon.registry.handlers import Handler, HandlerOrigin
from antiphon.registry.sources import GUIDE, HANDLER, SCHEMA, ToolSource

if TYPE_CHECKING:
    from antiphon.registry.functions.function_tool import FunctionTool

# What a worker process imports for a function tool: the function, by its own module.
_SHIM = '''\
"""Handler of the function tool {reference}."""

# SHA-256 of its source: {digest}
from antiphon.registry.functions import find_tool

execute = find_tool("{reference}").handler.execute
'''


@dataclass(slots=True)
class FunctionSource(ToolSource):
    """One function tool as it was read. Its files are written from the function. `importable`:
    another process can import it by its reference."""

    importable: bool = False
    handler: Handler = field(default_factory=lambda: Handler("async", _nothing))

    @property
    def name(self) -> str:
        return self.path

    def file_label(self, name: str) -> str:
        """Return the place of the function: it is all the files there are."""
        del name
        return self.label

    def checked_schema(self) -> dict[str, Any]:
        """Return the contract. Raises RegistryError with every finding when it has errors."""
        from antiphon.registry.lint import lint_tool
        from antiphon.registry.snapshot import RegistryError

        linted = lint_tool(self)
        if has_errors(linted.findings) or linted.schema is None:
            lines = finding_lines(linted.findings)
            raise RegistryError(f"the tool {self.path} cannot be used:\n{lines}")
        return linted.schema

    def isolated(self, digest: str) -> HandlerOrigin:
        """Return what a worker process needs to import the same function."""
        return HandlerOrigin(self.path, digest, self.python, "", HANDLER, self.handler.kind)  # type: ignore[arg-type]


def _nothing(args: Any, context: Any) -> Any:
    raise NotImplementedError("a tool with findings does not run")


def read_function(tool: FunctionTool[..., Any], names: Mapping[str, Any]) -> FunctionSource:
    """Read a function tool. Whatever is wrong with it is among the findings of the source."""
    function = tool.function
    source = FunctionSource(tool.name, place_of(function))
    source.present.update((SCHEMA, GUIDE, HANDLER))
    found = FindingList(source.label, source.findings)
    if problem := shape_problem(function):
        found.error("function", "", *problem)
        return source
    docstring = parse_docstring(inspect.getdoc(unwrapped(function)))
    signature = read_signature(function, names, found)
    _docstring_fits(docstring, signature, found)
    source.kind = "sync" if kind_of(function) == "sync" else "async"
    reference = reference_of(tool)
    source.importable = reference is not None
    source.reference = reference or f"{function.__module__}:{function.__qualname__}"
    _can_be_imported(tool, source, found)
    arguments = compile_arguments(signature.parameters, found)
    streams = kind_of(function) == "generator"
    results = compile_results(signature.returns, streams=streams, found=found)
    if arguments is None:
        return source
    parameters = _described(arguments.schema, signature, docstring)
    if tool.options.parameters is not None:
        parameters = _given_parameters(tool.options.parameters, parameters, found)
    schema = write_schema(tool.options, tool.name, docstring, parameters, results.schema, found)
    source.files[SCHEMA] = orjson.dumps(schema, option=orjson.OPT_INDENT_2)
    source.files[GUIDE] = _guide_text(tool, schema, docstring, found).encode()
    digest = hashlib.sha256(_code_of(function)).hexdigest()
    source.files[HANDLER] = _SHIM.format(reference=source.reference, digest=digest).encode()
    source.handler = bind_handler(
        tool.name, function, tool.further, signature, arguments, results, source.findings
    )
    return source


def _described(
    schema: dict[str, Any], signature: FunctionSignature, docstring: Docstring
) -> dict[str, Any]:
    """Return the schema of the parameters with the descriptions of the docstring."""
    properties = schema.get("properties", {})
    aliases = dict(zip(properties, (each.name for each in signature.parameters), strict=True))
    described = {
        name: body
        if "description" in body or not docstring.parameters.get(aliases[name])
        else {**body, "description": docstring.parameters[aliases[name]]}
        for name, body in properties.items()
    }
    return {**object_schema(schema), "properties": described}


def _given_parameters(
    given: Mapping[str, Any], own: dict[str, Any], found: FindingList
) -> dict[str, Any]:
    """Return the schema that a function was given in place of its own. It names the same
    parameters."""
    properties = given.get("properties")
    names = list(properties) if isinstance(properties, Mapping) else []
    if "patternProperties" in given:
        fix = "Name the parameters one by one."
        message = "a function takes parameters by name only"
        found.error("parameters", "/parameters/patternProperties", message, fix)
    elif set(names) != set(own["properties"]):
        listed = ", ".join(own["properties"]) or "none"
        message = f"`parameters` names {', '.join(names) or 'none'}; the function takes {listed}"
        found.error("parameters", "/parameters/properties", message, "Make them the same.")
    return dict(given)


def _docstring_fits(docstring: Docstring, signature: FunctionSignature, found: FindingList) -> None:
    known = {each.name for each in signature.parameters}
    accepted = known | {signature.context}
    if found.has_errors:  # a parameter that could not be read is no mistake of the docstring
        return
    for name in docstring.parameters:
        if name not in accepted:
            close = nearest(name, known)
            fix = f"Did you mean `{close}`?" if close else "Correct the name, or remove it."
            message = f"the docstring describes {shown(name)}, which is no parameter"
            found.error("docstring", "", message, fix)


def _can_be_imported(
    tool: FunctionTool[..., Any], source: FunctionSource, found: FindingList
) -> None:
    """Check a function that no other process can import: it must not need to be."""
    if source.importable:
        return
    if tool.options.isolation == "process":
        message = "a worker process cannot import it: " + _why(tool)
        found.error("isolation", "/isolation", message, "Define it at the top of a module.")
    elif is_nested(tool.function):
        message = _why(tool) + "; it works here, but in no worker process and no artifact"
        found.warning("closure", "", message, "Define it at the top of a module.")


def _why(tool: FunctionTool[..., Any]) -> str:
    function = tool.function
    if inspect.ismethod(function):
        return "it is bound to an object"
    if is_nested(function):
        return "it is made inside another function"
    if getattr(unwrapped(function), "__module__", None) == "__main__":
        return "it is in the program's main file"
    return "its module has no such name"


def _guide_text(
    tool: FunctionTool[..., Any], schema: dict[str, Any], docstring: Docstring, found: FindingList
) -> str:
    guide = tool.options.guide
    if isinstance(guide, Path):
        try:
            return guide.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            found.error("unreadable", "", f"the guide {guide} cannot be read: {error}", "Check it.")
            return ""
    return guide if guide is not None else write_guide(schema, docstring)


def _code_of(function: Any) -> bytes:
    """Return the source that a function's behaviour comes from: its module's, or its own where it
    has no file."""
    inner = unwrapped(function)
    try:
        file = inspect.getsourcefile(inner)
        if file is not None and Path(file).is_file():
            return Path(file).read_bytes()
        return inspect.getsource(inner).encode()
    except (OSError, TypeError):
        return bytes(inner.__code__.co_code)
