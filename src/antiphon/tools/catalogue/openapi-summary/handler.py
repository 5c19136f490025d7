"""OpenAPI summary: the operations of a document and its gaps."""

from __future__ import annotations

import json
from typing import Any

from antiphon import ok
from antiphon.toolkit import invalid

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
OPERATIONS, SCHEMAS, PROBLEMS = 200, 200, 100
DEEPEST = 200


def execute(args: dict[str, Any], context: Any) -> Any:
    document = parse_document(args["document"])
    info = document.get("info") if isinstance(document.get("info"), dict) else {}
    problems: list[str] = [] if info else ["`info` is missing"]
    found = operations(document, problems)
    wanted = args.get("filter", "").casefold()
    chosen = [body for body, words in found if wanted in words]
    problems += dangling_references(document)
    return ok(
        {
            "title": str(info.get("title", ""))[:300],
            "version": str(info.get("version", ""))[:100],
            "specification": specification(document),
            "servers": servers(document),
            "operations": chosen[:OPERATIONS],
            "count": len(chosen),
            "schemas": schemas(document)[:SCHEMAS],
            "problems": problems[:PROBLEMS],
        }
    )


def parse_document(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        found = read_yaml(text)
    except RecursionError:
        raise invalid("/document", "is nested too deeply.") from None
    if not isinstance(found, dict):
        raise invalid(
            "/document", "is no object; an OpenAPI document has `openapi`, `info` and `paths`."
        )
    if "openapi" not in found and "swagger" not in found:
        raise invalid("/document", "is no OpenAPI document: `openapi` is missing.")
    return found


def read_yaml(text: str) -> Any:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        depth = 0
        for event in yaml.parse(text, loader):
            # A few lines of aliases (*name) can unfold to gigabytes.
            if isinstance(event, yaml.AliasEvent):
                raise invalid(
                    "/document",
                    "uses aliases (*name), which are not supported; write the parts out.",
                )
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            # The loader calls itself for each level, in native code that knows no limit.
            if depth > DEEPEST:
                raise invalid("/document", "is nested too deeply.")
        return yaml.load(text, loader)  # noqa: S506 - a safe loader, the fast one where there is one
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        place = f" (line {mark.line + 1})" if mark else ""
        reason = getattr(error, "problem", None) or str(error)
        raise invalid(
            "/document", f"is neither JSON nor YAML: {str(reason)[:200]}{place}."
        ) from None


def specification(document: dict[str, Any]) -> str:
    if "openapi" in document:
        return f"OpenAPI {str(document['openapi'])[:20]}"
    return f"Swagger {str(document['swagger'])[:20]}"


def servers(document: dict[str, Any]) -> list[str]:
    listed = document.get("servers")
    if isinstance(listed, list):
        return [str(s.get("url", ""))[:300] for s in listed[:20] if isinstance(s, dict)]
    if "host" in document:
        return [f"{document['host']}{document.get('basePath', '')}"[:300]]
    return []


def operations(document: dict[str, Any], problems: list[str]) -> list[tuple[dict[str, Any], str]]:
    paths = document.get("paths")
    if not isinstance(paths, dict):
        problems.append("`paths` is missing")
        return []
    found, ids = [], set()
    everywhere = bool(document.get("security"))
    for path, item in paths.items():
        if not isinstance(item, dict):
            problems.append(f"{str(path)[:200]} is no object")
            continue
        if not str(path).startswith("/"):
            problems.append(f"the path {str(path)[:200]} does not start with /")
        for method in METHODS:
            one = item.get(method)
            if not isinstance(one, dict):
                continue
            name = f"{method.upper()} {str(path)[:200]}"
            problems += find_gaps(name, one, ids)
            words = f"{name} {one.get('summary', '')} {one.get('tags', '')}".casefold()
            found.append((operation(method, str(path), item, one, document, everywhere), words))
    return found


def operation(
    method: str,
    path: str,
    item: dict[str, Any],
    one: dict[str, Any],
    document: dict[str, Any],
    everywhere: bool,
) -> dict[str, Any]:
    given = [*listed(item.get("parameters")), *listed(one.get("parameters"))]
    parameters = [resolve_reference(document, p) for p in given[:100]]
    summary = str(one.get("summary") or one.get("description") or "").strip().split("\n")[0]
    responses = one.get("responses")
    return {
        "method": method.upper(),
        "path": path[:500],
        "summary": summary[:300],
        "parameters": [
            f"{p.get('name', '?')}{'*' if p.get('required') else ''}"[:100] for p in parameters
        ],
        "body": body_of(document, one)[:200],
        "responses": [str(s)[:20] for s in responses][:30] if isinstance(responses, dict) else [],
        "auth": bool(one["security"]) if "security" in one else everywhere,
        "deprecated": one.get("deprecated") is True,
    }


def find_gaps(name: str, one: dict[str, Any], ids: set[str]) -> list[str]:
    found = []
    if not (one.get("summary") or one.get("description")):
        found.append(f"{name} has no summary")
    if not one.get("responses"):
        found.append(f"{name} has no responses")
    label = one.get("operationId")
    if isinstance(label, str):
        if label in ids:
            found.append(f"{name} repeats the operationId {label[:100]}")
        ids.add(label)
    return found


def body_of(document: dict[str, Any], one: dict[str, Any]) -> str:
    request = resolve_reference(document, one.get("requestBody"))
    content = request.get("content")
    if not isinstance(content, dict):
        return ""
    kinds = []
    for kind, media in list(content.items())[:5]:
        schema = media.get("schema") if isinstance(media, dict) else None
        name = ""
        if isinstance(schema, dict):
            name = str(schema.get("$ref", schema.get("type", ""))).rpartition("/")[2]
        kinds.append(f"{kind} {name}".strip())
    return ", ".join(kinds)


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def resolve_reference(document: dict[str, Any], value: Any) -> dict[str, Any]:
    for _ in range(10):
        if not isinstance(value, dict):
            return {}
        if not isinstance(value.get("$ref"), str):
            return value
        value = follow_pointer(document, value["$ref"])
    return {}


def follow_pointer(document: Any, reference: str) -> Any:
    if not reference.startswith("#/"):
        return None
    for part in reference[2:].split("/"):
        name = part.replace("~1", "/").replace("~0", "~")
        document = document.get(name) if isinstance(document, dict) else None
    return document


def schemas(document: dict[str, Any]) -> list[str]:
    components = document.get("components")
    found = components.get("schemas") if isinstance(components, dict) else None
    found = found if found is not None else document.get("definitions")
    return sorted(str(name)[:200] for name in found) if isinstance(found, dict) else []


def dangling_references(document: dict[str, Any]) -> list[str]:
    missing, waiting = {}, [document]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting += one
        elif isinstance(one, dict):
            name = one.get("$ref")
            if (
                isinstance(name, str)
                and name.startswith("#/")
                and follow_pointer(document, name) is None
            ):
                missing[name] = f"the reference {name[:200]} leads nowhere"
            waiting += one.values()
    return list(missing.values())
