"""Grade of HTTP response headers; works on text and reaches nowhere."""

from __future__ import annotations

import re
from typing import Any

from antiphon import ErrorType, fail, ok

COSTS = {"high": 25, "medium": 12, "low": 5}
RANKS = {"high": 0, "medium": 1, "low": 2}
GRADES = ((90, "A"), (75, "B"), (60, "C"), (40, "D"), (0, "F"))
LINE = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*:\s*(.*)")


def execute(args: dict[str, Any], context: Any) -> Any:
    headers = parse_headers(args["headers"])
    if not headers:
        message = "/headers: holds no header; write one in a line, such as `Server: nginx`."
        return fail(ErrorType.VALIDATION, message, pointer="/headers")
    findings, present = [], []
    for name, problem in checks(headers, args["https"]):
        if problem is None:
            present.append(name)
        else:
            severity, message, fix = problem
            findings.append({"header": name, "severity": severity, "message": message, "fix": fix})
    findings.sort(key=lambda one: (RANKS[one["severity"]], one["header"]))
    score = max(0, 100 - sum(COSTS[one["severity"]] for one in findings))
    grade = next(letter for least, letter in GRADES if score >= least)
    worst = ", ".join(one["header"] for one in findings[:3])
    summary = f"Grade {grade}: " + (
        f"look at {worst} first." if findings else "nothing is missing."
    )
    return ok(
        {
            "grade": grade,
            "score": score,
            "present": present,
            "findings": findings,
            "summary": summary,
        }
    )


def parse_headers(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if match := LINE.fullmatch(line.strip()):
            found.setdefault(match[1].lower(), []).append(match[2].strip())
    return found


def checks(headers: dict[str, list[str]], https: bool) -> list[tuple[str, Any]]:
    csp = "; ".join(headers.get("content-security-policy", ())).lower()
    found = [
        ("content-security-policy", policy(csp)),
        ("x-content-type-options", sniffing(headers)),
        ("x-frame-options", framing(headers, csp)),
        ("referrer-policy", referrer(headers)),
        ("permissions-policy", check_presence(
            headers, "permissions-policy", "low",
            "Permissions-Policy: camera=(), microphone=(), geolocation=()",
        )),
    ]  # fmt: skip
    if https:
        found.append(("strict-transport-security", transport(headers)))
    found += [("set-cookie", cookie(value, https)) for value in headers.get("set-cookie", ())]
    if "*" in headers.get("access-control-allow-origin", ()):
        message = "lets every site read the answers"
        fix = "Name the origins that may, or leave the header out."
        credentials = "true" in headers.get("access-control-allow-credentials", ())
        rank = "high" if credentials else "medium"
        found.append(("access-control-allow-origin", (rank, message, fix)))
    for name in ("server", "x-powered-by", "x-aspnet-version"):
        value = " ".join(headers.get(name, ()))
        if re.search(r"\d", value) or (value and name != "server"):
            message = f"tells what runs here ({value[:60]})"
            found.append((name, ("low", message, "Leave the version out, or the header.")))
    return found


def check_presence(headers: dict[str, list[str]], name: str, rank: str, fix: str) -> Any:
    return None if headers.get(name) else (rank, "is missing", fix)


def policy(csp: str) -> Any:
    fix = "Content-Security-Policy: default-src 'self'"
    if not csp:
        return ("high", "is missing", fix)
    if "'unsafe-eval'" in csp:
        return ("medium", "allows 'unsafe-eval'", "Remove 'unsafe-eval'.")
    if "'unsafe-inline'" in csp and "nonce-" not in csp and "sha256-" not in csp:
        return ("medium", "allows 'unsafe-inline'", "Use nonces or hashes for inline scripts.")
    if "default-src" not in csp and "script-src" not in csp:
        return ("medium", "restricts no scripts", fix)
    return None


def sniffing(headers: dict[str, list[str]]) -> Any:
    fix = "X-Content-Type-Options: nosniff"
    values = [value.lower() for value in headers.get("x-content-type-options", ())]
    if not values:
        return ("medium", "is missing", fix)
    return None if values == ["nosniff"] else ("medium", "must be nosniff", fix)


def framing(headers: dict[str, list[str]], csp: str) -> Any:
    values = [value.upper() for value in headers.get("x-frame-options", ())]
    if "frame-ancestors" in csp or values in (["DENY"], ["SAMEORIGIN"]):
        return None
    fix = "X-Frame-Options: DENY, or frame-ancestors 'none' in the content security policy"
    return ("medium", "is missing" if not values else "has no known value", fix)


def referrer(headers: dict[str, list[str]]) -> Any:
    values = " ".join(headers.get("referrer-policy", ())).lower()
    fix = "Referrer-Policy: strict-origin-when-cross-origin"
    if not values:
        return ("low", "is missing", fix)
    return ("low", "gives whole addresses away", fix) if "unsafe-url" in values else None


def transport(headers: dict[str, list[str]]) -> Any:
    fix = "Strict-Transport-Security: max-age=31536000; includeSubDomains"
    values = headers.get("strict-transport-security", ())
    if not values:
        return ("high", "is missing", fix)
    age = re.search(r"max-age=\"?(\d{1,12})", values[0])
    if not age:
        return ("high", "has no max-age", fix)
    if int(age[1]) < 15_552_000:
        return ("medium", "lasts less than half a year", fix)
    return None


def cookie(value: str, https: bool) -> Any:
    name = value.partition("=")[0].strip()[:60]
    flags = {part.strip().lower().partition("=")[0] for part in value.split(";")[1:]}
    lacking = [flag for flag in ("HttpOnly", "SameSite") if flag.lower() not in flags]
    if https and "secure" not in flags:
        lacking.insert(0, "Secure")
    if not lacking:
        return None
    return ("medium", f"sets {name} without {', '.join(lacking)}", f"Add {'; '.join(lacking)}.")
