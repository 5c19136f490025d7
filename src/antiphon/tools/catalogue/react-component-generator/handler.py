"""Generates a React component from templates; the same request gives the same code."""

from __future__ import annotations

import re
from typing import Any

from antiphon import ErrorType, ToolError, ok

from .reading import EXTRAS, KINDS, fields_in, kind_of, words_to_name
from .templates import COMPONENTS, STYLES, TESTS

FRAMEWORKS = {
    "react": "react", "reactjs": "react", "react.js": "react", "react-ts": "react",
    "typescript": "react", "preact": "preact", "next": "next", "nextjs": "next",
    "next.js": "next",
}  # fmt: skip


def execute(args: dict[str, Any], context: Any) -> Any:
    from jinja2 import Environment, StrictUndefined

    name = component_name(args["name"])
    framework = framework_of(args.get("framework", "react"))
    wanted = [feature.strip().casefold().replace(" ", "-") for feature in args.get("features", [])]
    known = {*KINDS, *EXTRAS}
    ignored = [feature for feature in wanted if feature not in known]
    description = " ".join(args["description"].split())
    kind = kind_of(description, wanted)
    features = [kind, *chosen(description, wanted, kind)]
    values = {
        "name": name,
        "comment": description.replace("*/", "* /"),
        "framework": framework,
        "kind": kind,
        "fields": fields_in(description, kind),
        "shown_types": {"number": "number", "checkbox": "boolean"},
        "shown_values": {"number": "{1}", "checkbox": "{true}"},
        "title": title(args["name"]),
        **{extra.replace("-", "_"): extra in features for extra in EXTRAS},
    }
    # Code is written, not HTML: nothing is to be escaped, and values are checked above.
    templates = Environment(  # noqa: S701
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )

    def rendered(template: str) -> str:
        text = templates.from_string(template).render(values)
        return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"

    code = rendered(COMPONENTS["head"] + COMPONENTS[kind])
    files = [{"path": f"{name}.tsx", "language": "tsx", "content": code}]
    if values["styles"]:
        styles = {"path": f"{name}.module.css", "language": "css", "content": rendered(STYLES)}
        files.append(styles)
    if values["tests"]:
        tests = rendered(TESTS["head"] + TESTS[kind])
        files.append({"path": f"{name}.test.tsx", "language": "tsx", "content": tests})
    return ok(
        {
            "name": name,
            "framework": framework,
            "kind": kind,
            "features": features,
            "ignored": ignored,
            "files": files,
            "code": code,
            "dependencies": dependencies(framework, features),
            "usage": rendered(COMPONENTS["usage"]).strip(),
            "summary": summary(name, kind, values["fields"], len(files)),
        }
    )


def component_name(text: str) -> str:
    name = words_to_name(text)
    if not name:
        message = f"/name: {text.strip()[:40]!r} holds no letter; give a name such as UserCard."
        raise ToolError(ErrorType.VALIDATION, message, pointer="/name")
    return name


def framework_of(text: str) -> str:
    found = FRAMEWORKS.get(text.strip().casefold())
    if found is None:
        message = f"/framework: {text.strip()[:40]!r} is not known; use react, preact or next."
        raise ToolError(ErrorType.VALIDATION, message, pointer="/framework")
    return found


def chosen(description: str, wanted: list[str], kind: str) -> list[str]:
    """The extras that were asked for or are named in the description, and that the kind has."""
    lower = description.casefold()
    found = []
    for extra, (pattern, kinds) in EXTRAS.items():
        if kind in kinds and (extra in wanted or re.search(pattern, lower)):
            found.append(extra)
    return found


def title(text: str) -> str:
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", text)
    return " ".join(words).capitalize() or text


def dependencies(framework: str, features: list[str]) -> list[str]:
    found = ["preact"] if framework == "preact" else ["react"]
    found += ["next"] if framework == "next" else []
    if "tests" in features:
        library = "preact" if framework == "preact" else "react"
        found += [f"@testing-library/{library}", "vitest"]
    return found


def summary(name: str, kind: str, fields: list[dict[str, str]], files: int) -> str:
    extent = f" with {len(fields)} field{'' if len(fields) == 1 else 's'}" if fields else ""
    return f"{name} is a {kind}{extent}; {files} file{'' if files == 1 else 's'}."
