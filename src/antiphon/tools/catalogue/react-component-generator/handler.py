"""React component from templates where one does all that is asked."""

from __future__ import annotations

import re
from typing import Any

from antiphon import ErrorType, ToolError, ok

from .description import EXTRAS, KINDS, ComponentRequest, parse_request, words_to_name
from .inspection import problem_in
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
    description = " ".join(args["description"].split())
    if "code" in args:
        return ok(describe_written(name, framework, wanted, args["code"]))
    request = require_template(description, wanted, args["name"])
    kind = request.kind
    features = [kind, *request.extras]
    values = {
        "name": name,
        "comment": description.replace("*/", "* /"),
        "framework": framework,
        "kind": kind,
        "fields": request.fields,
        "seconds": request.seconds,
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
            "by": "template",
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


def require_template(description: str, wanted: list[str], name: str) -> ComponentRequest:
    """Return the request if a template covers it; raise PERMANENT with what none does."""
    request = parse_request(description, wanted, name)
    if request is None:
        raise unsupported("no template makes such a component", [])
    asked = [each for each in wanted if each != request.kind and each not in request.extras]
    unknown = [*asked, *request.unknown]
    if unknown:
        named = ", ".join(f"\u201c{word}\u201d" for word in unknown[:8])
        raise unsupported(f"the template for a {request.kind} does nothing for {named}", unknown)
    if request.missing:
        raise unsupported(f"a {request.kind} needs {request.missing} by name", [])
    return request


def unsupported(why: str, unknown: list[str]) -> ToolError:
    kinds = ", ".join(sorted(KINDS))
    extras = ", ".join(sorted(EXTRAS))
    return ToolError(
        ErrorType.PERMANENT,
        f"This cannot be made from templates: {why}. There are templates for {kinds}, with "
        f"{extras} where they fit. With the key of a model, generate_react_component writes any "
        "component.",
        unknown=unknown,
        templates=sorted(KINDS),
        features=sorted(EXTRAS),
    )


def describe_written(name: str, framework: str, wanted: list[str], code: str) -> dict[str, Any]:
    """Check and describe a component that a model wrote; raise PERMANENT if it is unusable."""
    if problem := problem_in(code, name):
        raise ToolError(ErrorType.PERMANENT, f"The code of {name} cannot be used: {problem}.")
    code = code.strip() + "\n"
    packages = re.findall(
        r"""^import\b[^;"']{0,500}+["']((?:@[\w.-]+/)?[\w.-]+)""", code, re.MULTILINE
    )
    found = [each for each in dict.fromkeys(packages) if not each.startswith(".")]
    return {
        "name": name,
        "framework": framework,
        "kind": "custom",
        "features": wanted,
        "by": "model",
        "files": [{"path": f"{name}.tsx", "language": "tsx", "content": code}],
        "code": code,
        "dependencies": found or dependencies(framework, []),
        "usage": f'import {{ {name} }} from "./{name}";',
        "summary": f"{name} is a component of {code.count(chr(10))} lines, written by the model.",
    }


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
    what = {"todo": "a todo list", "tabs": "a row of tabs", "fetch": "a list from a server"}
    made = what.get(kind, f"a {kind}")
    return f"{name} is {made}{extent}; {files} file{'' if files == 1 else 's'}."
