"""Security tools: what is found, what is hidden, what is never claimed."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from typing import Any

import pytest
from tests.tools.catalogue_world import data, error

# -- security_scanner


def rules(code: str, **args: Any) -> set[str]:
    return {one["rule"] for one in data("security_scanner", code=code, **args)["findings"]}


def test_python_is_scanned_by_bandit_worst_first() -> None:
    code = "import subprocess\nsubprocess.call('ls ' + x, shell=True)\nimport pickle  # nosec\n"
    found = data("security_scanner", code=code)
    assert [(one["rule"], one["line"]) for one in found["findings"]] == [("B602", 2), ("B404", 1)]
    worst = found["findings"][0]
    assert (worst["severity"], worst["cwe"]) == ("high", 78)
    assert worst["code"] == "subprocess.call('ls ' + x, shell=True)"
    assert "list" in worst["fix"]
    assert (found["counts"]["high"], found["suppressed"]) == (1, 1)


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("const a = eval(text);", "JS01"),
        ("const f = new Function('return 1');", "JS02"),
        ("setTimeout('go()', 10);", "JS03"),
        ("element.innerHTML = text;", "JS04"),
        ("const a = <div dangerouslySetInnerHTML={{ __html: text }} />;", "JS05"),
        ("document.write(text);", "JS06"),
        ("exec(`rm ${file}`);", "JS08"),
        ("spawn('ls', { shell: true });", "JS09"),
        ("const q = `SELECT * FROM users WHERE id = ${id}`;", "JS10"),
        ("crypto.createHash('md5');", "JS11"),
        ("const token = Math.random().toString(36);", "JS13"),
        ("const agent = { rejectUnauthorized: false };", "JS14"),
        ("const apiKey = 'abcd1234efgh';", "JS16"),
        ("localStorage.setItem('jwt', value);", "JS18"),
        ("window.postMessage(data, '*');", "JS19"),
        ("fs.readFile(req.query.name, done);", "JS21"),
        ("response.redirect(req.query.next);", "JS23"),
        ("fetch('http://example.org/a');", "JS25"),
    ],
)
def test_javascript_has_rules_of_its_own(line: str, rule: str) -> None:
    assert rule in rules(line, language="javascript")


@pytest.mark.parametrize(
    "line",
    [
        "// eval(text)",
        "const a = 'eval(1)';",
        "/* element.innerHTML = x */",
        "retrieval(text);",
        "if (a.innerHTML == b) { }",
        "const password = process.env.PASSWORD;",
        "fetch('http://localhost:3000/a');",
        "const q = 'SELECT * FROM users WHERE id = ?';",
        "const roll = Math.random();",
    ],
)
def test_harmless_javascript_is_left_alone(line: str) -> None:
    assert rules(line, language="javascript") == set()


def test_the_language_is_recognised() -> None:
    samples = {
        "python": "import os\nos.system(x)\n",
        "javascript": "const x = require('fs');\neval(x);\n",
        "typescript": "interface A { b: string }\nconst x: string = eval(y);\n",
    }
    for language, code in samples.items():
        found = data("security_scanner", code=code)
        assert found["language"] == language
        assert found["findings"]


def test_nothing_found_is_not_called_safe() -> None:
    found = data("security_scanner", code="x = 1\n")
    assert found["findings"] == []
    assert "not everything" in found["summary"]


def test_more_findings_than_are_listed_are_counted() -> None:
    found = data("security_scanner", code="eval(x);\n" * 150, language="js")
    assert (len(found["findings"]), found["counts"]["high"], found["truncated"]) == (100, 150, True)


# -- secret_scanner


def test_secrets_are_found_and_masked() -> None:
    secret = "ghp_" + "a1B2" * 9
    url = "postgres://ada:hunter22@db/x"
    text = f"x = 1\ntoken = '{secret}'\nurl = {url}\n-----BEGIN PRIVATE KEY-----\n"
    found = data("secret_scanner", text=text)
    assert [(one["kind"], one["line"]) for one in found["findings"]] == [
        ("GitHub token", 2),
        ("password in a URL", 3),
        ("private key", 4),
    ]
    assert secret not in json.dumps(found)
    assert "hunter22" not in json.dumps(found)


@pytest.mark.parametrize(
    "text",
    ["password=changeme", "token: <your-token>", "api_key = os.environ['KEY']", "secret=${SECRET}",
     "password: str", "the password is important"],
)  # fmt: skip
def test_placeholders_are_no_secrets(text: str) -> None:
    assert data("secret_scanner", text=text)["findings"] == []


# -- password_strength


def test_passwords_are_ranked() -> None:
    scores = [
        data("password_strength", password=password)["bits"]
        for password in (
            "123456",
            "Summer2024!",
            "correct horse battery staple",
            "T7#kPz!9qLmv2$Wd",
        )
    ]
    assert scores == sorted(scores)
    assert scores[0] < 15 < 80 < scores[-1]


@pytest.mark.parametrize(
    ("password", "problem"),
    [
        ("P4ssw0rd", "common word password"),
        ("xsdfghjk", "sequence sdfghjk"),
        ("aaaaaaaa", "repeats a character"),
        ("xk1999vw", "a year"),
        ("kzokzokzo", "repeats a part"),
        ("x7!", "short"),
    ],
)
def test_what_makes_a_password_weak_is_said(password: str, problem: str) -> None:
    found = data("password_strength", password=password)
    assert any(problem in one for one in found["problems"])
    assert found["score"] < 3
    assert found["advice"]


# -- hash_text, hmac_text


@pytest.mark.parametrize("name", ["md5", "sha256", "sha3_512", "blake2b"])
def test_hashes_are_those_of_the_standard_library(name: str) -> None:
    found = data("hash_text", text="häst", algorithm=name)
    assert found["hex"] == hashlib.new(name, "häst".encode()).hexdigest()
    assert base64.b64decode(found["base64"]).hex() == found["hex"]
    assert ("note" in found) is (name == "md5")


def test_hashes_are_compared_in_either_form() -> None:
    digest = hashlib.sha256(b"\x00\xff").digest()
    for expected in (digest.hex().upper(), base64.b64encode(digest).decode()):
        assert data("hash_text", text="00ff", input="hex", expected=expected)["matches"] is True
    assert data("hash_text", text="x", expected="abc")["matches"] is False
    assert data("hash_text", text="abc", algorithm="crc32")["hex"] == "352441c2"
    assert error("hash_text", text="zz", input="hex")["pointer"] == "/text"
    assert error("hash_text", text="!", input="base64")["pointer"] == "/text"


def test_webhook_signatures_are_checked() -> None:
    code = hmac.digest(b"secret", b"payload", "sha256").hex()
    args = {"text": "payload", "key": "secret"}
    assert data("hmac_text", **args)["hex"] == code
    assert data("hmac_text", expected=f"sha256={code}", **args)["valid"] is True
    assert data("hmac_text", expected=code[:-1] + "0", **args)["valid"] is (code[-1] == "0")
    assert error("hmac_text", text="x", key="zz", key_format="hex")["pointer"] == "/key"


# -- jwt_decoder


def token(header: Any, claims: Any, signature: str = "c2ln") -> str:
    parts = [base64.urlsafe_b64encode(json.dumps(p).encode()).decode() for p in (header, claims)]
    return ".".join([*(part.rstrip("=") for part in parts), signature])


def test_a_token_is_shown_but_never_called_verified() -> None:
    made = token({"alg": "HS256"}, {"sub": "ada", "exp": 1, "iat": 0})
    found = data("jwt_decoder", token=f"Bearer {made}")
    assert found["claims"] == {"sub": "ada", "exp": 1, "iat": 0}
    assert (found["verified"], found["expired"]) == (False, True)
    assert found["times"]["exp"] == "1970-01-01T00:00:01+00:00"
    assert "not checked" in found["summary"]


def test_odd_tokens_are_warned_of() -> None:
    found = data("jwt_decoder", token=token({"alg": "none"}, {"exp": "soon"}, ""))
    text = " ".join(found["warnings"])
    assert "no signature" in text
    assert "`exp` is no time" in text
    forever = data("jwt_decoder", token=token({"alg": "RS256", "jku": "x"}, {}))
    assert "never expires" in " ".join(forever["warnings"])
    assert "own key" in " ".join(forever["warnings"])


@pytest.mark.parametrize("text", ["abc", "a.b", "a.b.c.d.e", "!!.!!.x", "W10.W10.x"])
def test_what_is_no_token_is_refused(text: str) -> None:
    assert error("jwt_decoder", token=text)["pointer"] == "/token"
