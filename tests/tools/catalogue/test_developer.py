"""A developer's helpers: diff, regular expressions, cron, .env, ids, schemas, changelogs."""

from __future__ import annotations

import re
import uuid
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.tools.catalogue_world import data, error

# -- diff_text


def test_a_diff_is_in_the_unified_form() -> None:
    found = data("diff_text", before="a\nb\nc\n", after="a\nx\nc\nd\n", context=1)
    assert found["diff"] == "--- before\n+++ after\n@@ -1,3 +1,4 @@\n a\n-b\n+x\n c\n+d\n"
    assert (found["added"], found["removed"], found["identical"]) == (2, 1, False)


def test_changes_far_apart_are_told_apart() -> None:
    before = "\n".join(str(n) for n in range(40))
    after = before.replace("3\n", "x\n", 1).replace("\n35", "\ny")
    found = data("diff_text", before=before, after=after)
    assert found["diff"].count("@@ -") == 2


def test_the_same_text_and_the_same_words_are_told_apart() -> None:
    assert data("diff_text", before="a", after="a")["identical"] is True
    spaced = data("diff_text", before="a b\n", after="a  b\n", ignore_whitespace=True)
    assert (spaced["identical"], spaced["diff"]) == (False, "")
    assert data("diff_text", before="", after="")["similarity"] == 1


def test_large_texts_are_bounded() -> None:
    assert error("diff_text", before="x\n" * 5001, after="")["pointer"] == "/before"
    found = data("diff_text", before="x\n" * 5000, after="yy\n" * 5000)
    assert (found["truncated"], found["added"]) == (True, 5000)


# -- regex_tester


def test_matches_come_with_groups_and_places() -> None:
    found = data(
        "regex_tester",
        pattern=r"(?P<user>\w+)@(\w+)",
        text="x\nada@home",
        replacement=r"\2:\g<user>",
    )
    assert found["matches"] == [
        {"text": "ada@home", "start": 2, "end": 10, "line": 2, "groups": ["ada", "home"],
         "named": {"user": "ada"}}
    ]  # fmt: skip
    assert (found["replaced"], found["full_match"], found["groups"]) == ("x\nhome:ada", False, 2)


def test_flags_count() -> None:
    assert data("regex_tester", pattern="ADA", text="ada")["count"] == 0
    assert data("regex_tester", pattern="ADA", text="ada", flags=["ignorecase"])["count"] == 1


def test_an_expression_without_end_is_stopped() -> None:
    found = error("regex_tester", pattern="(a+)+$", text="a" * 40 + "b")
    assert found["type"] == "PERMANENT"
    assert "backtracks" in found["message"]


@pytest.mark.parametrize(
    ("args", "pointer"),
    [
        ({"pattern": "("}, "/pattern"),
        ({"pattern": "a", "replacement": r"\3"}, "/replacement"),
        ({"pattern": "a", "replacement": r"\g<x>"}, "/replacement"),
    ],
)
def test_bad_expressions_are_named(args: dict[str, str], pointer: str) -> None:
    assert error("regex_tester", text="x", **args)["pointer"] == pointer


# -- cron_explainer


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("30 9 * * MON-FRI", "At 09:30, from Monday to Friday."),
        ("*/15 * * * *", "Every 15 minutes."),
        ("@daily", "At 00:00, every day."),
        ("0 0 29 2 *", "At 00:00, on day 29 of the month, in February."),
        ("0 0 13 * 5", "At 00:00, on day 13 of the month or on Friday."),
        ("5 4 * * sun", "At 04:05, on Sunday."),
        ("0 8 * * 0,6", "At 08:00, at weekends."),
        ("* * * * *", "Every minute."),
    ],
)
def test_expressions_in_words(expression: str, words: str) -> None:
    assert data("cron_explainer", expression=expression)["explanation"] == words


def test_the_next_times_are_in_the_future_and_fit() -> None:
    found = data("cron_explainer", expression="30 9 * * 1", timezone="Europe/Paris", count=3)
    times = [datetime.fromisoformat(text) for text in found["next"]]
    assert len(times) == 3
    assert times == sorted(times)
    assert times[0] > datetime.now(UTC)
    assert {(t.isoweekday(), t.hour, t.minute) for t in times} == {(1, 9, 30)}


def test_rare_days_are_found_and_impossible_ones_are_not() -> None:
    assert len(data("cron_explainer", expression="0 0 29 2 *", count=2)["next"]) == 2
    assert data("cron_explainer", expression="0 0 31 2 *")["next"] == []


@pytest.mark.parametrize(
    "expression",
    ["* * *", "61 * * * *", "* * * * 8", "a * * * *", "*/0 * * * *", "9-3 * * * *", "@never"],
)
def test_expressions_that_are_none(expression: str) -> None:
    assert error("cron_explainer", expression=expression)["pointer"] == "/expression"


def test_a_time_zone_that_is_none() -> None:
    for zone in ("Mars/Base", "../etc", "/etc/passwd"):
        found = error("cron_explainer", expression="@daily", timezone=zone)
        assert found["pointer"] == "/timezone"


# -- env_parser


def test_an_env_file_is_read_with_its_mistakes() -> None:
    text = (
        "# c\nPORT=8080 # note\nAPI_KEY=abcd1234efgh\nexport A='x y'\nB=\"two\nlines\"\n"
        'PORT=1\nbad\n1X=2\nDB=postgres://ada:pw@db\nD="open\n'
    )
    found = data("env_parser", text=text, required=["A", "NOPE"])
    values = {one["name"]: one["value"] for one in found["variables"]}
    assert values["API_KEY"] == "a…"
    assert (values["A"], values["B"], values["PORT"]) == ("x y", "two\nlines", "1")
    assert values["DB"] == "postgres://ada:…@db"
    assert found["missing"] == ["NOPE"]
    assert [one["line"] for one in found["problems"]] == [7, 8, 9, 11]
    shown = data("env_parser", text=text, reveal=True)["variables"]
    assert {one["name"]: one["value"] for one in shown}["API_KEY"] == "abcd1234efgh"


# -- id_generator


def test_ids_have_their_form_and_differ() -> None:
    shapes = {
        "uuid4": r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
        "uuid7": r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
        "ulid": r"[0-7][0-9A-HJKMNP-TV-Z]{25}",
        "short": r"[2-9a-zA-Z]{10}",
        "hex": r"[0-9a-f]{10}",
    }
    for kind, shape in shapes.items():
        ids = data("id_generator", kind=kind, count=20, length=10)["ids"]
        assert len(set(ids)) == 20
        assert all(re.fullmatch(shape, one) for one in ids), (kind, ids)


def test_uuid7_carries_the_time() -> None:
    made = uuid.UUID(data("id_generator", kind="uuid7")["ids"][0])
    seconds = (made.int >> 80) / 1000
    assert abs(seconds - datetime.now(UTC).timestamp()) < 60


# -- json_schema_validator


def test_every_error_of_a_document_is_named() -> None:
    schema = '{"properties": {"age": {"type": "integer"}}, "required": ["name"]}'
    found = data("json_schema_validator", document='{"age": "x"}', schema=schema)
    assert found["valid"] is False
    assert {one["rule"] for one in found["errors"]} == {"/properties/age/type", "/required"}
    assert data("json_schema_validator", document='{"name": 1}', schema=schema)["valid"] is True


@pytest.mark.parametrize(
    ("args", "pointer"),
    [
        ({"document": "{", "schema": "{}"}, "/document"),
        ({"document": "1", "schema": "[]"}, "/schema"),
        ({"document": "1", "schema": '{"type": "nope"}'}, "/schema"),
        ({"document": "1", "schema": '{"$ref": "http://127.0.0.1:1/x"}'}, "/schema"),
        ({"document": "[" * 100_000, "schema": "{}"}, "/document"),
    ],
)
def test_schemas_and_documents_that_cannot_be_read(args: dict[str, str], pointer: str) -> None:
    assert error("json_schema_validator", **args)["pointer"] == pointer


# -- changelog_writer


@pytest.mark.parametrize(
    ("commits", "version", "following"),
    [
        ("fix: a", "1.4.2", "1.4.3"),
        ("feat: a\nfix: b", "1.4.2", "1.5.0"),
        ("feat!: a", "1.4.2", "2.0.0"),
        ("feat!: a", "0.4.2", "0.5.0"),
        ("chore: a", "v1.4.2", "1.4.2"),
        ("refactor: x BREAKING CHANGE", "1.0.0", "2.0.0"),
    ],
)
def test_the_next_version_follows_from_the_commits(
    commits: str, version: str, following: str
) -> None:
    assert data("changelog_writer", commits=commits, version=version)["next_version"] == following


def test_commits_are_grouped_and_noise_is_left_out() -> None:
    commits = (
        "abc1234 feat(api): add search\nfix: empty query\nMerge branch x\nchore: deps\nAdd y\nAdd y"
    )
    found = data("changelog_writer", commits=commits, date="2026-03-01", version="1.0.0")
    assert found["markdown"] == (
        "## 1.1.0 (2026-03-01)\n\n### Features\n\n- **api:** add search\n- Add y\n\n"
        "### Fixes\n\n- empty query\n"
    )
    assert found["skipped"] == 3
    assert error("changelog_writer", commits="x", version="one")["pointer"] == "/version"


# -- dependency_checker


def problems(text: str) -> dict[str, str]:
    found: dict[str, Any] = data("dependency_checker", text=text)
    return {one["name"]: one["message"] for one in found["problems"]}


def test_risky_requirements_are_named() -> None:
    text = "requets==2.0\nflask\nNumPy>=1,<3\nnumpy==2.0\ngit+https://x/y#egg=z\n# c\n-r other\n"
    found = problems(text)
    assert "requests" in found["requets"]
    assert "no version" in found["flask"]
    assert "more than once" in found["numpy"]
    assert "URL" in found["z"]
    pinned = data("dependency_checker", text=text)["dependencies"]
    assert [one["pinned"] for one in pinned] == [True, False, False, True, False]


def test_licences_of_installed_packages_are_shown() -> None:
    found = data("dependency_checker", text="fastapi==0.1.0\n")
    assert found["dependencies"][0]["licence"].startswith("MIT")
    assert sum(found["licences"].values()) == 1


def test_package_json_is_recognised() -> None:
    found = problems('{"dependencies": {"raect": "^1.0.0", "x": "*"}, "devDependencies": {}}')
    assert "react" in found["raect"]
    assert "no version" in found["x"]
    assert error("dependency_checker", text='{"dep')["pointer"] == "/text"
    assert error("dependency_checker", text="[]", kind="package_json")["pointer"] == "/text"
