"""Rules for JavaScript and TypeScript, over code whose comments are blanked out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from .script_text import without_comments, without_strings


@dataclass(frozen=True)
class ScriptRule:
    """Rule of one pattern; a `bare` one is searched outside of strings only."""

    id: str
    severity: str
    confidence: str
    cwe: int
    pattern: re.Pattern[str]
    message: str
    fix: str
    bare: bool = True


def rule(
    id: str, ranks: str, cwe: int, pattern: str, message: str, fix: str, bare: bool = True
) -> ScriptRule:
    severity, confidence = ranks.split("/")
    return ScriptRule(id, severity, confidence, cwe, re.compile(pattern), message, fix, bare)


OUTSIDE = r"(?:req(?:uest)?\.(?:query|params|body|headers|cookies)|process\.argv|location\.\w+)"
RULES = (
    rule(
        "JS01", "high/high", 95, r"(?<![\w.$])eval\s*\(",
        "eval runs whatever text it is given.",
        "Parse the data with JSON.parse, or call functions from a table.",
    ),
    rule(
        "JS02", "high/high", 95, r"\bnew\s+Function\s*\(|(?<![\w.$])Function\s*\(\s*[\"'`]",
        "The Function constructor runs text as code.",
        "Write the function out, or look it up in a table.",
    ),
    rule(
        "JS03", "medium/medium", 95, r"\bset(?:Timeout|Interval)\s*\(\s*[\"'`]",
        "A timer with text runs that text as code.",
        "Pass a function to the timer.",
    ),
    rule(
        "JS04", "high/medium", 79, r"\.(?:inner|outer)HTML\s*\+?=(?!=)",
        "HTML is set from a value; a script in it runs in the page.",
        "Set textContent, or clean the HTML with a sanitizer first.",
    ),
    rule(
        "JS05", "high/medium", 79, r"\bdangerouslySetInnerHTML\b",
        "React does not escape what is given here.",
        "Render the text as children, or clean the HTML with a sanitizer first.",
    ),
    rule(
        "JS06", "medium/high", 79, r"\bdocument\.write(?:ln)?\s*\(",
        "document.write puts markup into the page unescaped.",
        "Build elements and set their textContent.",
    ),
    rule(
        "JS07", "medium/medium", 79, r"\.insertAdjacentHTML\s*\(",
        "HTML is inserted from a value; a script in it runs in the page.",
        "Use insertAdjacentText, or clean the HTML first.",
    ),
    rule(
        "JS08", "high/medium", 78,
        r"\bexec(?:Sync)?\s*+\(\s*+(?:`[^`]*\$\{|[\"'][^\"'\n]*[\"']\s*\+|[^)\n]*" + OUTSIDE + ")",
        "A shell command is put together from values.",
        "Use execFile or spawn with a list of arguments.", False,
    ),
    rule(
        "JS09", "high/medium", 78, r"\bspawn(?:Sync)?\s*\([^)\n]*\bshell\s*:\s*true",
        "The command goes through a shell.",
        "Leave `shell` off and pass a list of arguments.",
    ),
    rule(
        "JS10", "high/medium", 89,
        r"[\"'`]\s*(?:SELECT\s[^\"'`\n]*\sFROM|INSERT\s+INTO|UPDATE\s[^\"'`\n]*\sSET|DELETE\s+FROM)"
        r"\b[^\"'`\n]*(?:\$\{|[\"']\s*\+)",
        "A database query is put together from values.",
        "Use placeholders and pass the values separately.", False,
    ),
    rule(
        "JS11", "medium/high", 327, r"\bcreateHash\s*\(\s*[\"'`](?:md5|sha1|md4)[\"'`]",
        "A broken hash function.", "Use sha256 or better.", False,
    ),
    rule(
        "JS12", "high/high", 327, r"\bcreate(?:Cipher|Decipher)\s*\(",
        "createCipher derives its key without salt and is removed from Node.",
        "Use createCipheriv with a random IV, such as aes-256-gcm.",
    ),
    rule(
        "JS13", "medium/medium", 330,
        r"(?i:token|secret|password|session|nonce|otp|salt|csrf)\w{0,60}+\s*+[:=][^;\n]*\bMath\.random\s*\(",
        "Math.random can be guessed.",
        "Use crypto.randomUUID or crypto.getRandomValues.",
    ),
    rule(
        "JS14", "high/high", 295, r"\brejectUnauthorized\s*:\s*false\b",
        "Certificates are not checked.", "Remove it, or give the CA in `ca`.",
    ),
    rule(
        "JS15", "high/high", 295,
        r"NODE_TLS_REJECT_UNAUTHORIZED[\"'\]]*\s*=\s*[\"'`]?0",
        "Certificates are not checked in the whole process.",
        "Remove it, or give the CA in NODE_EXTRA_CA_CERTS.", False,
    ),
    rule(
        "JS16", "high/medium", 798,
        r"(?i)(?:password|passwd|secret|api_?key|access_?token|auth_?token|private_?key)\w{0,40}"
        r"[\"']?\s*[:=]\s*[\"'`](?![\"'`])(?!\$\{)[^\"'`\s]{6,}[\"'`]",
        "A secret stands in the code.",
        "Read it from the environment or a secret store, and replace the one that leaked.", False,
    ),
    rule(
        "JS17", "high/high", 798, r"-----BEGIN (?:RSA |EC |OPENSSH |DSA )?PRIVATE KEY-----",
        "A private key stands in the code.",
        "Remove it, replace the key, and load the new one from a secret store.", False,
    ),
    rule(
        "JS18", "medium/medium", 922,
        r"\b(?:local|session)Storage\.setItem\s*\(\s*[\"'`][^\"'`]*"
        r"(?i:token|jwt|password|secret)",
        "Any script of the page can read what is in web storage.",
        "Keep session tokens in HttpOnly cookies.", False,
    ),
    rule(
        "JS19", "medium/high", 346, r"\.postMessage\s*\([^;\n]*,\s*[\"'`]\*[\"'`]",
        "The message goes to whatever page is in the window.",
        "Name the target origin instead of '*'.", False,
    ),
    rule(
        "JS20", "medium/medium", 942,
        r"Access-Control-Allow-Origin[\"'`]\s*[,:]\s*[\"'`]\*|\borigin\s*:\s*[\"'`]\*[\"'`]",
        "Every site may read the answers.",
        "List the origins that may.", False,
    ),
    rule(
        "JS21", "high/medium", 22,
        r"\b(?:readFile|writeFile|createReadStream|createWriteStream|unlink|sendFile|readdir)"
        r"(?:Sync)?\s*\([^;\n]*" + OUTSIDE,
        "A path comes from the request.",
        "Look the file up by an id, or check that the resolved path stays in its folder.",
    ),
    rule(
        "JS22", "medium/medium", 1333, r"\bnew\s+RegExp\s*\([^;\n]*" + OUTSIDE,
        "A regular expression comes from the request; it can take for ever.",
        "Escape the text, or search with includes().",
    ),
    rule(
        "JS23", "medium/medium", 601, r"\b(?:res(?:ponse)?\.redirect)\s*\([^;\n]*" + OUTSIDE,
        "The target of a redirect comes from the request.",
        "Allow only paths of your own, or names from a list.",
    ),
    rule(
        "JS24", "high/medium", 347, r"\balgorithms?\s*+:\s*+\[?\s*+[\"'`]none[\"'`]",
        "Tokens without a signature are accepted.",
        "List the signing algorithm you use.", False,
    ),
    rule(
        "JS25", "medium/medium", 319,
        r"\b(?:fetch|axios(?:\.\w+)?|get|request)\s*\(\s*[\"'`]http://"
        r"(?!localhost|127\.|\[::1\])",
        "Data travels unencrypted.", "Use https.", False,
    ),
    rule(
        "JS26", "medium/medium", 1321,
        r"\[\s*[\"'`]__proto__[\"'`]\s*\]|\.__proto__\s*(?:\[|=(?!=))",
        "The prototype of every object may be changed.",
        "Refuse the keys __proto__, constructor and prototype.", False,
    ),
    rule(
        "JS27", "high/medium", 502, r"\b(?:unserialize|deserialize)\s*\([^;\n]*" + OUTSIDE,
        "Objects are made from what the request sends.",
        "Parse JSON and check it against a schema.",
    ),
    rule(
        "JS28", "low/medium", 1022,
        r"target\s*=\s*[\"'{]+_blank[\"'}]+(?![^>\n]*\brel\s*=)",
        "The opened page may steer this one in old browsers.",
        'Add rel="noopener".', False,
    ),
)  # fmt: skip


# Minified code has lines without end; what a person wrote is in the first part.
LONGEST = 2000


def scan_script(code: str) -> list[dict[str, Any]]:
    plain = without_comments(code)
    bare = without_strings(plain)
    shown = code.split("\n")
    findings = []
    lines = zip(plain.split("\n"), bare.split("\n"), strict=True)
    for number, (line, outside) in enumerate(lines, start=1):
        for one in RULES:
            found = one.pattern.search((outside if one.bare else line)[:LONGEST])
            if found:
                findings.append(
                    {
                        "rule": one.id,
                        "severity": one.severity,
                        "confidence": one.confidence,
                        "line": number,
                        "code": shown[number - 1].strip()[:200],
                        "message": one.message,
                        "fix": one.fix,
                        "cwe": one.cwe,
                    }
                )
    return findings
