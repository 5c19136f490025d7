"""The public interface: every name that users may import, with its signature.

python -m scripts.public_api           writes tests/public_api.txt
python -m scripts.public_api --check   says how that file differs from the code

The file is the interface that was promised; a release writes it anew. A line that goes or changes
may break somebody's program: it has to be named in CHANGELOG.md under Unreleased, in backquotes.
More parameters with defaults break nobody. The code is read, not imported.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

import griffe
from scripts.distributions import ROOT

OUT = ROOT / "tests" / "public_api.txt"
CHANGELOG = ROOT / "CHANGELOG.md"
# What programs, handlers, plug-ins, adapters and tests of users import from.
MODULES = (
    "antiphon",
    "antiphon.app",
    "antiphon.contracts",
    "antiphon.contracts.session_events",
    "antiphon.emulators",
    "antiphon.facade",
    "antiphon.orchestrator",
    "antiphon.plugins",
    "antiphon.policy",
    "antiphon.providers",
    "antiphon.testing",
    "antiphon.toolkit",
)


def public_names() -> list[str]:
    """Return one line for each public name and each public member of a class, in order."""
    package = griffe.load("antiphon", search_paths=[ROOT / "src"], allow_inspection=False)
    assert isinstance(package, griffe.Module)
    modules = {
        module.path: module
        for module in package["adapters"].modules.values()
        if module.exports is not None  # the others are helpers
    }
    for path in MODULES:
        modules[path] = package if path == "antiphon" else package[path.removeprefix("antiphon.")]
    lines: set[str] = set()
    for path, module in modules.items():
        for name in _exported(module):
            lines.update(_described(f"{path}.{name}", module[name]))
    return sorted(lines)


def _exported(module: griffe.Object | griffe.Alias) -> Iterator[str]:
    """Yield what a module exports: its `__all__`, or what it defines without a `_`."""
    if module.exports is not None:
        yield from map(str, module.exports)
        return
    for name, member in module.members.items():
        if not (name.startswith("_") or member.is_alias):
            yield name


def _described(path: str, found: griffe.Object | griffe.Alias) -> Iterator[str]:
    found = found.final_target if isinstance(found, griffe.Alias) else found
    if isinstance(found, griffe.Function):
        for form in found.overloads or (found,):
            yield f"{path}{_signature(form)}"
    elif isinstance(found, griffe.Class):
        yield f"{path}({', '.join(_parameters(found.parameters))})"
        for name, member in found.all_members.items():
            inner = member.final_target if isinstance(member, griffe.Alias) else member
            if not name.startswith("_") and inner.canonical_path.startswith("antiphon."):
                yield from _described(f"{path}.{name}", inner)
    elif isinstance(found, griffe.Attribute):
        yield f"{path}: {found.annotation}" if found.annotation else path
    else:
        yield path


def _signature(function: griffe.Function) -> str:
    result = f" -> {function.returns}" if function.returns else ""
    return f"({', '.join(_parameters(function.parameters))}){result}"


def _parameters(parameters: griffe.Parameters) -> Iterator[str]:
    """Yield each parameter as it is written, but for `self` and `cls`."""
    star = False
    for index, each in enumerate(parameters):
        if index == 0 and each.name in ("self", "cls"):
            continue
        if each.kind is griffe.ParameterKind.var_positional:
            star = True
        elif each.kind is griffe.ParameterKind.keyword_only and not star:
            star = True
            yield "*"
        mark = {
            griffe.ParameterKind.var_positional: "*",
            griffe.ParameterKind.var_keyword: "**",
        }.get(each.kind or griffe.ParameterKind.positional_or_keyword, "")
        annotation = f": {each.annotation}" if each.annotation else ""
        default = f" = {each.default}" if each.default is not None and not mark else ""
        yield f"{mark}{each.name}{annotation}{default}"


def named(line: str) -> str:
    """Return the dotted name that a line of the list is about."""
    return re.split(r"[(:]", line, maxsplit=1)[0]


def still_works(old: str, new: str) -> bool:
    """Whether every use of the old line is a use of the new one: more parameters may follow,
    each with a default."""
    (before, keywords, result), (after, more, returned) = _split(old), _split(new)
    added = after[len(before) :] + [each for each in more if each not in keywords]
    return (
        named(old) == named(new)
        and result == returned
        and after[: len(before)] == before
        and set(keywords) <= set(more)
        and all(" = " in each or each.startswith("*") for each in added)
    )


def _split(line: str) -> tuple[list[str], list[str], str]:
    """Return the positional and the keyword-only parameters of a line, and what follows them."""
    inside, depth, rest = [""], 0, ""
    for at, char in enumerate(line[len(named(line)) :], len(named(line))):
        depth += (char in "([{") - (char in ")]}")
        if depth == 0:
            rest = line[at + 1 :]
            break
        if char == "," and depth == 1:
            inside.append("")
        elif (char, depth) != ("(", 1) or inside[-1]:
            inside[-1] += char
    parameters = [each.strip() for each in inside if each.strip()]
    stars = [index for index, each in enumerate(parameters) if each.startswith("*")]
    first = stars[0] if stars else len(parameters)
    return parameters[:first], parameters[first:], rest


def unannounced(old: list[str], new: list[str], changelog: str) -> list[str]:
    """Return the lines that went or changed for users without a word under Unreleased."""
    unreleased = changelog.partition("## [Unreleased]")[2].partition("\n## [")[0]
    told = set(re.findall(r"`@?([\w.]+)", unreleased))
    return [
        line
        for line in old
        if not any(line == other or still_works(line, other) for other in new)
        and not {named(line), named(line).removeprefix("antiphon.")} & told
    ]


def main() -> int:
    """Write or check the list; return 1 for a difference that may not be."""
    old = OUT.read_text("utf-8").splitlines() if OUT.exists() else []
    new = public_names()
    if "--check" in sys.argv:
        for mark, lines in (("-", set(old) - set(new)), ("+", set(new) - set(old))):
            for line in sorted(lines):
                sys.stdout.write(f"{mark} {line}\n")
        if old != new:
            sys.stderr.write(f"{OUT.relative_to(ROOT)} is not of today: run `make public-api`.\n")
        return int(old != new)
    missing = unannounced(old, new, CHANGELOG.read_text("utf-8"))
    if missing:
        for line in missing:
            sys.stderr.write(f"gone or changed: {line}\n")
        sys.stderr.write("Name each in CHANGELOG.md under Unreleased, in backquotes.\n")
        return 1
    OUT.write_text("\n".join(new) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
