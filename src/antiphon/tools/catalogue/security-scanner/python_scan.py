"""Python scan by bandit, in a child process that is stopped when it takes too long."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from typing import Any

from antiphon import ErrorType, ToolError
from antiphon.toolkit import invalid
from antiphon.toolkit.python_source import parse_python

SECONDS = 45
# bandit explains each finding on a page of its own; this is the short of it.
FIXES = {
    "B101": "Raise an exception instead: asserts vanish under -O.",
    "B102": "Do without exec; call functions by name from a table.",
    "B104": "Bind to 127.0.0.1 unless the world should reach it.",
    "B105": "Read the secret from the environment or a secret store.",
    "B106": "Read the secret from the environment or a secret store.",
    "B107": "Read the secret from the environment or a secret store.",
    "B108": "Use the tempfile module.",
    "B110": "Catch the exceptions you expect, and log them.",
    "B112": "Catch the exceptions you expect, and log them.",
    "B113": "Give the request a timeout.",
    "B201": "Never run Flask with debug=True outside development.",
    "B202": "Pass filter='data' to extractall.",
    "B301": "Do not unpickle data that others can write; use JSON.",
    "B303": "Use hashlib.sha256 or better.",
    "B306": "Use tempfile.mkstemp or NamedTemporaryFile.",
    "B307": "Use ast.literal_eval, or parse the input yourself.",
    "B308": "Let the template escape the value.",
    "B310": "Check that the URL is http or https before it is opened.",
    "B311": "Use the secrets module for anything that must not be guessed.",
    "B313": "Parse untrusted XML with defusedxml.",
    "B314": "Parse untrusted XML with defusedxml.",
    "B318": "Parse untrusted XML with defusedxml.",
    "B320": "Parse untrusted XML with defusedxml.",
    "B323": "Use ssl.create_default_context().",
    "B324": "Use hashlib.sha256 or better; for checksums say usedforsecurity=False.",
    "B403": "Do not unpickle data that others can write.",
    "B404": "See that no argument comes from a user unchecked.",
    "B501": "Leave certificate checks on.",
    "B502": "Use TLS 1.2 or newer.",
    "B503": "Use TLS 1.2 or newer.",
    "B504": "Use TLS 1.2 or newer.",
    "B505": "Use at least 2048 bits for RSA and DSA, 224 for elliptic curves.",
    "B506": "Use yaml.safe_load.",
    "B507": "Check host keys; do not add unknown ones by themselves.",
    "B601": "Pass arguments as a list, and quote what a shell must see.",
    "B602": "Pass the command as a list without shell=True.",
    "B603": "See that no argument comes from a user unchecked.",
    "B604": "Pass the command as a list without shell=True.",
    "B605": "Use subprocess.run with a list instead.",
    "B606": "See that no argument comes from a user unchecked.",
    "B607": "Name the program by its full path.",
    "B608": "Use placeholders and pass the values separately.",
    "B609": "Do not leave wildcards to the shell.",
    "B614": "Load with weights_only=True.",
    "B701": "Turn autoescape on.",
    "B702": "Escape what users wrote.",
    "B703": "Let the template escape the value.",
}


def scan_python(code: str) -> tuple[list[dict[str, Any]], int]:
    """Return the findings and how many comments silence; raise the error of `/code` for bad
    code."""
    parse_python(code)
    with tempfile.TemporaryDirectory(prefix="scan-") as folder:
        report = _bandit(code, folder)
    lines = code.split("\n")
    findings = [_finding(one, lines) for one in report["results"]]
    totals = report["metrics"].get("_totals", {})
    return findings, int(totals.get("nosec", 0)) + int(totals.get("skipped_tests", 0))


def _bandit(code: str, folder: str) -> dict[str, Any]:
    # The code goes in through stdin; -I keeps modules of the folder and the environment out.
    command = [sys.executable, "-I", "-W", "ignore", "-m", "bandit", "-q", "-f", "json", "-"]
    try:
        done = subprocess.run(
            command,
            input=code.encode("utf-8", "replace"),
            cwd=folder,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
        report: dict[str, Any] = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        message = f"The scan took longer than {SECONDS} seconds; scan the code in smaller parts."
        raise ToolError(ErrorType.PERMANENT, message) from None
    except ValueError:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        reason = said[-1][:200] if said else f"it ended with status {done.returncode}"
        raise ToolError(ErrorType.PERMANENT, f"bandit did not run: {reason}") from None
    if report["errors"]:
        raise invalid("/code", f"cannot be scanned: {report['errors'][0]['reason'][:200]}.")
    return report


def _finding(one: dict[str, Any], lines: list[str]) -> dict[str, Any]:
    line = max(1, int(one["line_number"]))
    body: dict[str, Any] = {
        "rule": one["test_id"],
        "severity": _rank(one["issue_severity"]),
        "confidence": _rank(one["issue_confidence"]),
        "line": line,
        "code": lines[line - 1].strip()[:200] if line <= len(lines) else "",
        "message": one["issue_text"].strip(),
    }
    if one["test_id"] in FIXES:
        body["fix"] = FIXES[one["test_id"]]
    if one.get("issue_cwe", {}).get("id"):
        body["cwe"] = int(one["issue_cwe"]["id"])
    return body


def _rank(word: str) -> str:
    return word.lower() if word in ("LOW", "MEDIUM", "HIGH") else "low"
