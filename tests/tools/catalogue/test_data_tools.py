"""The catalogue's data tools: JSON, CSV, YAML, SQL over CSV, encodings."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tools.catalogue_world import data, error, within

TEXT = st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)


def all_of(*calls: tuple[str, dict]) -> list[dict]:
    """The data of several calls in one session."""

    async def scenario(call):
        answers = [await call("run_tool", tool_id=tool, params=one) for tool, one in calls]
        assert all(answer["ok"] for answer in answers), answers
        return [answer["data"]["result"] for answer in answers]

    return within(scenario)


def test_json_is_formatted_minified_and_sorted_without_losing_a_digit() -> None:
    text = '{"b": 1.10, "a": [12345678901234567890123, "\\ud800", "é"], "c": {}}'
    found = data("json_formatter", text=text, action="minify", sort_keys=True)
    assert found["text"] == '{"a":[12345678901234567890123,"\\ud800","é"],"b":1.10,"c":{}}'
    assert (found["type"], found["items"]) == ("object", 3)
    assert data("json_formatter", text="[1,[]]", indent=1)["text"] == "[\n 1,\n []\n]"


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("users[0].name", '"Ada"'),
        ("$.users[-1].name", '"Bob"'),
        ("users[*].name", '["Ada","Bob"]'),
        ('["odd key"]', "null"),
        ("*[0].name", '["Ada"]'),
    ],
)
def test_json_paths(path: str, wanted: str) -> None:
    text = '{"users": [{"name": "Ada"}, {"name": "Bob"}], "odd key": null}'
    assert data("json_formatter", text=text, path=path, action="minify")["text"] == wanted


def test_bad_json_and_paths_say_where() -> None:
    found = error("json_formatter", text='{"a": 1,\n "b": }')
    assert (found["pointer"], found["line"], found["column"]) == ("/text", 2, 7)
    assert "NaN" in error("json_formatter", text="[NaN]")["message"]
    assert "levels" in error("json_formatter", text="[" * 100_000)["message"]
    assert "levels" in error("json_formatter", text="[" * 300 + "]" * 300)["message"]
    found = error("json_formatter", text='{"name": 1}', path="nam")
    assert found["pointer"] == "/path"
    assert "name" in found["message"]
    assert data("json_formatter", text='{"a":1,"a":2}')["repeated_keys"] == ["a"]


@settings(max_examples=6, deadline=None)
@given(st.lists(JSON, min_size=6, max_size=6))
def test_formatting_json_changes_no_value(values: list) -> None:
    found = all_of(*(("json_formatter", {"text": json.dumps(value)}) for value in values))
    assert [json.loads(one["text"]) for one in found] == values


@settings(max_examples=6, deadline=None)
@given(st.lists(JSON, min_size=6, max_size=6))
def test_a_document_does_not_differ_from_itself(values: list) -> None:
    calls = [{"left": json.dumps(one), "right": json.dumps(one, indent=1)} for one in values]
    found = all_of(*(("json_diff", one) for one in calls))
    assert all(one["equal"] and not one["changes"] for one in found)


def test_differences_have_pointers() -> None:
    left = '{"a/b": {"x": 1}, "list": [1, 2, 3], "flag": true}'
    right = '{"a/b": {"x": 2}, "list": [1, 2], "flag": 1, "new": null}'
    found = data("json_diff", left=left, right=right)
    assert [(one["pointer"], one["change"]) for one in found["changes"]] == [
        ("/a~1b/x", "changed"),
        ("/list/2", "removed"),
        ("/flag", "changed"),
        ("/new", "added"),
    ]
    assert (found["added"], found["removed"], found["changed"]) == (1, 1, 2)


def test_the_order_of_lists_counts_only_when_it_should() -> None:
    left, right = '[1, {"a": [1, 2]}, 3]', '[3, 1.0, {"a": [2, 1]}]'
    assert not data("json_diff", left=left, right=right)["equal"]
    assert data("json_diff", left=left, right=right, ignore_order=True)["equal"]
    found = data("json_diff", left="[1, 1, 2]", right="[1, 4, 2]", ignore_order=True)
    assert [(one["pointer"], one["change"]) for one in found["changes"]] == [
        ("/1", "removed"),
        ("/1", "added"),
    ]
    assert error("json_diff", left="{}", right="{")["pointer"] == "/right"


def test_columns_of_csv_are_typed_as_a_whole() -> None:
    text = "n,zip,ok,x\n1,01234,true,\n2.5,98765,FALSE,y\n"
    found = json.loads(data("csv_to_json", text=text)["json"])
    assert found == [
        {"n": 1.0, "zip": "01234", "ok": True, "x": None},
        {"n": 2.5, "zip": "98765", "ok": False, "x": "y"},
    ]


def test_csv_with_quotes_blank_names_and_short_rows() -> None:
    found = data("csv_to_json", text='a,,a\r\n"x, ""y""\nz",1\r\n\r\n', types=False)
    assert found["columns"] == ["a", "column_2", "a_2"]
    assert json.loads(found["json"]) == [{"a": 'x, "y"\nz', "column_2": "1", "a_2": ""}]


def test_bad_csv_names_the_line() -> None:
    found = error("csv_to_json", text="a,b\n1,2\n1,2,3")
    assert (found["pointer"], found["line"]) == ("/text", 3)
    assert error("csv_to_json", text='a\n"open')["pointer"] == "/text"
    assert error("csv_to_json", text="\n\n")["pointer"] == "/text"
    assert error("csv_to_json", text="a" * 300 + "\n1")["pointer"] == "/text"


ROWS = st.lists(st.lists(TEXT, min_size=2, max_size=2), min_size=1, max_size=4)


@settings(max_examples=6, deadline=None)
@given(st.lists(ROWS, min_size=4, max_size=4))
def test_csv_to_json_and_back_is_the_same_table(tables: list[list[list[str]]]) -> None:
    def written(rows: list[list[str]]) -> str:
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows([["first", "second"], *rows])
        return out.getvalue()

    texts = [written(rows) for rows in tables]
    calls = [("csv_to_json", {"text": one, "types": False, "delimiter": "comma"}) for one in texts]
    back = [("json_to_csv", {"text": one["json"]}) for one in all_of(*calls)]
    assert [one["csv"] for one in all_of(*back)] == texts


def test_records_become_columns_and_formulas_can_be_guarded() -> None:
    text = '[{"a": {"b": 1}, "l": [1, 2]}, {"c": "=SUM(A1)", "a": {"b": -3}}]'
    found = data("json_to_csv", text=text, escape_formulas=True)
    assert found["csv"] == 'a.b,l,c\n1,"[1, 2]",\n-3,,\'=SUM(A1)\n'
    found = data("json_to_csv", text=text, columns=["c", "a.b"], delimiter="tab", header=False)
    assert found["csv"] == "\t1\n=SUM(A1)\t-3\n"


@pytest.mark.parametrize("text", ["[1, 2]", "[]", "{", '"x"', '[{"a": 1}, [2]]', '["\\ud800"]'])
def test_what_is_no_list_of_records_is_refused(text: str) -> None:
    assert error("json_to_csv", text=text)["pointer"] == "/text"


def test_a_column_that_no_record_has_is_named() -> None:
    assert error("json_to_csv", text='[{"a": 1}]', columns=["b"])["pointer"] == "/columns"


def test_csv_columns_are_described() -> None:
    text = "day;n;flag\n2026-01-02;0.1;yes\n2026-01-01;0.2;no\n2026-01-01;;yes\n2026-01-01;;yes"
    found = data("csv_stats", text=text)
    day, number, flag = found["columns"]
    assert (found["rows"], found["repeated_rows"], found["delimiter"]) == (4, 1, "semicolon")
    assert (day["type"], day["first"], day["last"]) == ("date", "2026-01-01", "2026-01-02")
    assert (number["type"], number["empty"], number["mean"]) == ("number", 2, 0.15)
    assert flag["top"][0] == {"value": "yes", "count": 3}
    assert data("csv_stats", text="d\n2026-02-30")["columns"][0]["type"] == "text"


def test_yaml_becomes_json() -> None:
    text = "base: &b {x: 1}\nitem:\n  <<: *b\n  y: [yes, ~, 2026-01-05]\n1: one\n"
    assert json.loads(data("yaml_to_json", text=text)["text"]) == {
        "base": {"x": 1},
        "item": {"x": 1, "y": [True, None, "2026-01-05"]},
        "1": "one",
    }
    found = data("yaml_to_json", text="a: 1\n---\nb: 2\n")
    assert (json.loads(found["text"]), found["documents"]) == ([{"a": 1}, {"b": 2}], 2)


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
MERGES = "a: &a {k1: 1, k2: 2, k3: 3}\n" + "".join(
    f"{new}: &{new} {{<<: [{', '.join([f'*{old}'] * 9)}]}}\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    "text",
    [
        "a: [1",
        "a: 1\na: 2",
        "!!python/object/apply:os.system [ls]",
        "a: .inf",
        "&a [*a]",
        BOMB,
        MERGES,
        "[" * 5000,
        "a: 2026-13-45",
        "x: !!int " + "9" * 5000,
        "\x07",
        "? {a: 1}\n: 2",
    ],
)
def test_yaml_that_cannot_or_must_not_be_read(text: str) -> None:
    assert error("yaml_to_json", text=text)["pointer"] == "/text"


@settings(max_examples=6, deadline=None)
@given(st.lists(JSON, min_size=4, max_size=4))
def test_json_to_yaml_and_back_is_the_same(values: list) -> None:
    calls = [("yaml_to_json", {"text": json.dumps(one), "to": "yaml"}) for one in values]
    back = [("yaml_to_json", {"text": one["text"]}) for one in all_of(*calls)]
    assert [json.loads(one["text"]) for one in all_of(*back)] == values


SALES = "Customer ID,Unit price\n1,2.5\n2,4\n1,\n"


def test_sql_joins_and_groups() -> None:
    found = data(
        "sql_on_csv",
        csv=SALES,
        other="id;name\n1;Ada\n2;Bob",
        query="SELECT name, SUM(unit_price) s, COUNT(*) n FROM data JOIN other ON id = customer_id "
        "GROUP BY name ORDER BY name",
    )
    assert found["columns"] == ["name", "s", "n"]
    assert found["rows"] == [["Ada", 2.5, 2], ["Bob", 4.0, 1]]


def test_sql_rows_are_bounded() -> None:
    query = (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 50) SELECT i FROM n"
    )
    found = data("sql_on_csv", csv="a\n1", query=query, max_rows=10)
    assert (found["row_count"], found["truncated"]) == (10, True)
    assert data("sql_on_csv", csv="a\n1", query="SELECT x'ff', 9e999")["rows"] == [["ff", "inf"]]


@pytest.mark.parametrize(
    "query",
    [
        "DELETE FROM data",
        "DROP TABLE data",
        "ATTACH '/tmp/x.db' AS x",
        "PRAGMA writable_schema = 1",
        "SELECT load_extension('x')",
        "SELECT random()",
        "SELECT 1; SELECT 2",
        "SELECT nope FROM data",
        "SELECT * FROM sqlite_master; DROP TABLE data",
        "-- nothing",
        "VACUUM INTO '/tmp/x.db'",
    ],
)
def test_sql_that_is_no_reading_is_refused(query: str) -> None:
    assert error("sql_on_csv", csv=SALES, query=query)["pointer"] == "/query"


@pytest.mark.parametrize(
    "query",
    [
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT SUM(i) FROM n",
        "SELECT zeroblob(2000000000)",
        "WITH RECURSIVE n(i, s) AS (SELECT 1, zeroblob(900000) UNION ALL SELECT i + 1, s FROM n) "
        "SELECT i, s FROM n ORDER BY i DESC",
    ],
)
def test_sql_without_end_is_stopped(query: str) -> None:
    assert error("sql_on_csv", csv=SALES, query=query)["pointer"] == "/query"


def test_an_unknown_column_is_answered_with_the_known_ones() -> None:
    assert "unit_price" in error("sql_on_csv", csv=SALES, query="SELECT price FROM data")["message"]
    assert error("sql_on_csv", csv="a\n1,2", query="SELECT 1")["pointer"] == "/csv"
    assert error("sql_on_csv", csv="a", other='"', query="SELECT 1")["pointer"] == "/other"


@pytest.mark.parametrize("encoding", ["base64", "base64url", "base32", "hex", "url", "html"])
@settings(max_examples=3, deadline=None)
@given(texts=st.lists(st.text(st.characters(blacklist_categories=("Cs",))), min_size=6, max_size=6))
def test_what_is_encoded_is_decoded_again(encoding: str, texts: list[str]) -> None:
    calls = [("base_encoder", {"text": one, "encoding": encoding}) for one in texts]
    back = [
        ("base_encoder", {"text": one["text"], "encoding": encoding, "direction": "decode"})
        for one in all_of(*calls)
    ]
    assert [one["text"] for one in all_of(*back)] == texts


def test_known_codes_and_bytes_that_are_no_text() -> None:
    assert data("base_encoder", text="f", encoding="base32")["text"] == "MY======"
    assert data("base_encoder", text="a b/ü", encoding="url")["text"] == "a%20b%2F%C3%BC"
    found = data("base_encoder", text="/w==", encoding="base64", direction="decode")
    assert (found["is_text"], found["hex"]) == (False, "ff")
    found = data("base_encoder", text="aGk", encoding="base64url", direction="decode")
    assert found["text"] == "hi"


@pytest.mark.parametrize(
    ("encoding", "text"), [("base64", "a*b"), ("hex", "xyz"), ("base32", "1"), ("url", "100%")]
)
def test_what_is_no_code_is_refused(encoding: str, text: str) -> None:
    found = error("base_encoder", text=text, encoding=encoding, direction="decode")
    assert found["pointer"] == "/text"


@pytest.mark.parametrize(
    ("tool", "params"),
    [
        ("json_formatter", {"text": json.dumps(list(range(120_000))), "indent": 0}),
        ("json_diff", {"left": json.dumps(list(range(70_000))), "right": "[]"}),
        ("csv_to_json", {"text": "a,b\n" + "1,x\n" * 60_000}),
        ("json_to_csv", {"text": json.dumps([{"a": 1}] * 90_000)}),
        ("csv_stats", {"text": "a,b\n" + "1,x\n" * 249_000}),
        ("csv_stats", {"text": "," * 900 + "\n" + ("1," * 900 + "1\n") * 500}),
        ("yaml_to_json", {"text": "- a: 1\n" * 4_000}),
        ("sql_on_csv", {"csv": "a,b\n" + "1,x\n" * 249_000, "query": "SELECT SUM(a) FROM data"}),
        ("base_encoder", {"text": "é" * 1_000_000, "encoding": "base32"}),
    ],
)
def test_the_largest_texts_are_answered(tool: str, params: dict) -> None:
    assert data(tool, **params)


def test_csv_whose_json_would_be_too_long_is_refused() -> None:
    text = ",".join("n" * 190 + str(at) for at in range(500)) + "\n" + "1\n" * 400_000
    assert error("csv_to_json", text=text)["pointer"] == "/text"
