"""Secret scanner: known shapes and high entropy, masked in whatever it finds."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import Any

from antiphon import ok

MOST = 200
LONGEST = 4000
KNOWN = (
    ("private key", "high", r"-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----"),
    ("AWS access key id", "high", r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    ("GitHub token", "high", r"\bgh[pousr]_[A-Za-z0-9]{36,255}\b|\bgithub_pat_\w{60,255}\b"),
    ("GitLab token", "high", r"\bglpat-[\w-]{20,64}"),
    ("Slack token", "high", r"\bxox[abposr]-[A-Za-z0-9-]{10,200}"),
    ("Slack webhook", "high", r"https://hooks\.slack\.com/services/[A-Z0-9]+/[A-Z0-9]+/\w+"),
    ("Stripe key", "high", r"\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,200}\b"),
    ("Google API key", "high", r"\bAIza[\w-]{35}\b"),
    ("Anthropic key", "high", r"\bsk-ant-[\w-]{20,200}"),
    ("OpenAI key", "high", r"\bsk-(?:proj-)?[A-Za-z0-9_-]{32,200}"),
    ("npm token", "high", r"\bnpm_[A-Za-z0-9]{36}\b"),
    ("PyPI token", "high", r"\bpypi-[\w-]{50,300}"),
    ("SendGrid key", "high", r"\bSG\.[\w-]{22}\.[\w-]{43}\b"),
    ("JSON Web Token", "medium", r"\beyJ[\w-]{8,2000}\.eyJ[\w-]{8,3000}\.[\w-]{8,1000}"),
    (
        "password in a URL",
        "high",
        r"\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@]{1,100}:(?P<s>[^\s/@]{3,200})@",
    ),
)
NAMED = re.compile(
    r"(?i)(?P<name>(?:password|passwd|pwd|secret|token|api_?key|access_?key|auth|credential)"
    r"[\w.-]{0,40})[\"']?\s{0,5}(?:=|:|=>)\s{0,5}[\"']?(?P<value>[^\s\"',;]{6,400})"
)
PATTERNS = tuple((kind, confidence, re.compile(p)) for kind, confidence, p in KNOWN)
EMPTY = re.compile(
    r"(?i)^(?:<.*>|\$\{?.*|\{\{.*|%\(.*|x{4,}|\*{3,}|\.{3,}|none|null|true|false|undefined|"
    r"change_?me.*|your[_-]?.*|example.*|placeholder.*|dummy.*|todo.*|process\.env.*|os\.environ.*|"
    r"os\.getenv.*|getenv.*|env\..*|config\..*|settings\..*|self\..*|secrets?\..*|str|string|int)$"
)


def execute(args: dict[str, Any], context: Any) -> Any:
    findings = []
    for number, line in enumerate(args["text"].splitlines(), start=1):
        findings += scan_line(line[:LONGEST], number, args["entropy"])
    kinds = [f"{one['kind']} (line {one['line']})" for one in findings[:5]]
    more = f" and {len(findings) - 5} more" if len(findings) > 5 else ""
    if findings:
        plural = "" if len(findings) == 1 else "s"
        summary = f"{len(findings)} possible secret{plural}: {', '.join(kinds)}{more}."
    else:
        summary = "No secrets of a known shape were found."
    return ok({"findings": findings[:MOST], "count": len(findings), "summary": summary})


def scan_line(line: str, number: int, entropy: bool) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    taken: list[tuple[int, int]] = []
    for kind, confidence, pattern in PATTERNS:
        for hit in pattern.finditer(line):
            if not overlaps(hit.span(), taken):
                taken.append(hit.span())
                group = "s" if "s" in pattern.groupindex else 0
                found.append(finding(kind, number, hit.start(group), hit[group], confidence))
    for hit in NAMED.finditer(line):
        value = hit["value"]
        if overlaps(hit.span("value"), taken) or EMPTY.match(value) or "(" in value:
            continue
        random = entropy_of(value) >= 3.2 and len(value) >= 12
        if random or (entropy and entropy_of(value) >= 2.5):
            taken.append(hit.span("value"))
            rank = "medium" if random else "low"
            kind = f"value of {hit['name']}"
            found.append(finding(kind, number, hit.start("value"), value, rank))
    return sorted(found, key=lambda one: one["column"])


def finding(kind: str, line: int, start: int, secret: str, confidence: str) -> dict[str, Any]:
    return {
        "kind": kind,
        "line": line,
        "column": start + 1,
        "masked": mask(secret),
        "confidence": confidence,
    }


def mask(secret: str) -> str:
    # Short ones would be half shown by their ends.
    return f"{secret[:4]}…{secret[-4:]}" if len(secret) >= 16 else f"{secret[:1]}…"


def overlaps(span: tuple[int, int], taken: list[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in taken)


def entropy_of(text: str) -> float:
    """Return the Shannon entropy of a text in bits per character."""
    total = len(text)
    return -sum(n / total * math.log2(n / total) for n in Counter(text).values())
