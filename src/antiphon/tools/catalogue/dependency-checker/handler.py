"""Risks in lists of dependencies, found without the network."""

from __future__ import annotations

import difflib
import json
import re
from collections import Counter
from importlib import metadata
from typing import Any

from antiphon import ErrorType, ToolError, ok

MOST = 1000
RANKS = {"high": 0, "medium": 1, "low": 2}
REQUIREMENT = re.compile(
    r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]{0,100})\s*(?:\[[^\]]{0,200}\])?\s*(?P<rest>[^;#]{0,300})"
)
WELL_KNOWN = {
    "requirements": (
        "requests", "numpy", "pandas", "flask", "django", "fastapi", "pydantic", "sqlalchemy",
        "pytest", "boto3", "urllib3", "cryptography", "pillow", "matplotlib", "scipy", "httpx",
        "aiohttp", "click", "jinja2", "pyyaml", "setuptools", "tensorflow", "torch", "openai",
    ),
    "package_json": (
        "react", "react-dom", "lodash", "express", "axios", "typescript", "webpack", "vite",
        "jquery", "chalk", "commander", "eslint", "prettier", "vitest", "jest", "moment", "next",
        "preact", "dotenv", "uuid", "cross-env",
    ),
}  # fmt: skip
GROUPS = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")


def execute(args: dict[str, Any], context: Any) -> Any:
    text = args["text"].removeprefix("\ufeff")
    kind = args.get("kind") or ("package_json" if text.lstrip()[:1] == "{" else "requirements")
    problems: list[dict[str, Any]] = []
    found = package_json(text) if kind == "package_json" else requirements(text, problems)
    seen: Counter[tuple[str, str]] = Counter()
    for one in found:
        name = re.sub(r"[-_.]+", "-", one["name"]).lower()
        seen[name, one["group"]] += 1
        if seen[name, one["group"]] == 2:
            problems.append(problem(one["name"], "medium", "is listed more than once"))
        problems += find_risks(one, name, kind)
    if kind == "requirements":
        for one in found[:MOST]:
            if licence := licence_of(one["name"]):
                one["licence"] = licence
    problems.sort(key=lambda p: RANKS[p["severity"]])
    licences = Counter(one["licence"] for one in found if "licence" in one)
    loose = sum(not one["pinned"] for one in found)
    return ok(
        {
            "kind": kind,
            "dependencies": found[:MOST],
            "problems": problems[:MOST],
            "licences": dict(licences),
            "count": len(found),
            "summary": f"{len(found)} dependencies, {loose} not pinned, {len(problems)} problems.",
        }
    )


def requirements(text: str, problems: list[dict[str, Any]]) -> list[dict[str, Any]]:
    found = []
    for number, line in enumerate(text.replace("\\\n", " ").splitlines(), start=1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("-"):
            if re.match(r"(?:--extra-index-url|--trusted-host|-f\b|--find-links)", line):
                message = "lets packages come from another place than the usual index"
                problems.append(problem(line.split()[0], "medium", message))
            continue
        if re.match(r"(?:git\+|https?:|svn\+|file:|\.{0,2}/)", line):
            found.append(entry(line.split("#egg=")[-1][:100], line[:300], False, "requirements"))
            continue
        match = REQUIREMENT.match(line)
        if not match:
            problems.append(problem(f"line {number}", "low", "cannot be read as a requirement"))
            continue
        rest = match["rest"].strip()
        pinned = bool(re.fullmatch(r"===?\s*[^*,\s]+(?:\s+--hash.*)?", rest))
        found.append(entry(match["name"], rest, pinned, "requirements"))
    return found


def package_json(text: str) -> list[dict[str, Any]]:
    try:
        body = json.loads(text)
    except (ValueError, RecursionError) as error:
        message = f"/text: is no JSON: {getattr(error, 'msg', 'it is nested too deeply')}."
        raise ToolError(ErrorType.VALIDATION, message, pointer="/text") from None
    if not isinstance(body, dict):
        raise ToolError(ErrorType.VALIDATION, "/text: is no JSON object.", pointer="/text")
    found = []
    for group in GROUPS:
        listed = body.get(group)
        for name, wanted in listed.items() if isinstance(listed, dict) else ():
            pinned = bool(re.fullmatch(r"=?v?\d++\.\d++\.\d++[\w.+-]*+", str(wanted)))
            found.append(entry(name, str(wanted)[:300], pinned, group))
    return found


def entry(name: str, constraint: str, pinned: bool, group: str) -> dict[str, Any]:
    return {"name": name, "constraint": constraint, "pinned": pinned, "group": group}


def find_risks(one: dict[str, Any], name: str, kind: str) -> list[dict[str, Any]]:
    found = []
    wanted = one["constraint"]
    if re.match(r"(?:git|svn)[+:]|https?:|github:|@", wanted.lstrip("@ ")):
        rank = "high" if wanted.lstrip("@ ").startswith("http:") else "medium"
        found.append(problem(one["name"], rank, "comes from a URL, not from the index"))
    elif wanted in ("", "*", "latest", "x"):
        message = "has no version; any release may be installed"
        found.append(problem(one["name"], "medium", message))
    elif not one["pinned"] and not re.search(r"[<^~=]|\d\.[x*]|-", wanted):
        found.append(problem(one["name"], "low", "has no upper limit"))
    near = difflib.get_close_matches(name, WELL_KNOWN[kind], n=1, cutoff=0.8)
    if near and near[0] != name and len(name) > 4:
        found.append(problem(one["name"], "high", f"looks like a misspelling of {near[0]}"))
    return found


def problem(name: str, severity: str, message: str) -> dict[str, Any]:
    return {"name": name[:100], "severity": severity, "message": message}


def licence_of(name: str) -> str | None:
    try:
        facts = metadata.metadata(name)
    except (metadata.PackageNotFoundError, ValueError):
        return None
    if text := facts.get("License-Expression"):
        return str(text)[:80]
    for classifier in facts.get_all("Classifier") or ():
        if classifier.startswith("License :: OSI Approved :: "):
            return str(classifier).rpartition(" :: ")[2][:80]
    text = (facts.get("License") or "").strip().split("\n")[0]
    return text[:80] or None
