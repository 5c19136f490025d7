"""The catalogue's text tools: counting, summaries, cases, Markdown, replacing, templates."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tools.catalogue_world import data, error, within

MILLION = 1_000_000
HARMLESS = re.compile(
    r"</?(?:p|code|pre|em|a)>|<code class=\"language-script\">"
    r"|<(?:a href|img src)=\"[^\"<>]*\"(?: (?:rel|alt)=\"[^\"<>]*\")*>"
)
PRINTABLE = st.text(st.characters(blacklist_categories=("Cs",)), max_size=60)


def many(tool: str, params: list[dict]) -> list[dict]:
    """The data of several calls in one session."""

    async def scenario(call):
        answers = [await call("run_tool", tool_id=tool, params=one) for one in params]
        assert all(answer["ok"] for answer in answers), answers
        return [answer["data"]["result"] for answer in answers]

    return within(scenario)


def test_words_sentences_and_paragraphs_are_counted() -> None:
    found = data("word_count", text="It's well-known.\nTrue!\n\nReally? Yes...")
    counts = ("words", "sentences", "paragraphs", "lines", "characters")
    assert [found[name] for name in counts] == [5, 4, 2, 4, 38]


def test_an_empty_text_has_nothing_to_count() -> None:
    found = data("word_count", text="")
    assert found["words"] == found["sentences"] == found["lines"] == 0
    assert "readability" not in found


def test_short_words_read_easier_than_long_ones() -> None:
    easy = data("word_count", text="The cat sat. The dog ran. We had fun.")["readability"]
    hard = data("word_count", text="Institutional considerations necessitate comprehensive review.")
    assert easy["reading_ease"] > 90 > hard["readability"]["reading_ease"]
    assert "readability" not in data("word_count", text="Съешь ещё этих мягких булок.")


def test_a_summary_is_made_of_the_texts_own_sentences_in_order() -> None:
    text = (
        "Dr. Smith studies coral reefs. Coral reefs shelter a quarter of all sea life. "
        "He likes tea. Warm water kills coral reefs, e.g. by bleaching. The office is blue."
    )
    found = data("text_summary", text=text, sentences=3)
    assert found["total_sentences"] == 5
    assert [one["position"] for one in found["sentences"]] == [1, 2, 4]
    assert all(one["text"] in text for one in found["sentences"])
    assert found["keywords"][:2] == ["coral", "reefs"]


def test_a_text_without_sentences_cannot_be_summarised() -> None:
    assert error("text_summary", text="123 456 ...")["pointer"] == "/text"


@pytest.mark.parametrize(
    ("text", "style", "wanted"),
    [
        ("HTTPServer2Config", "snake", "http_server2_config"),
        ("user-account ID", "camel", "userAccountId"),
        ("user_account_id", "pascal", "UserAccountId"),
        ("don't panic", "kebab", "dont-panic"),
        ("maxRetryCount", "constant", "MAX_RETRY_COUNT"),
        ("the lord of the rings", "title", "The Lord of the Rings"),
        ("my iPhone in the rain", "title", "My iPhone in the Rain"),
        ("HELLO THERE. how ARE you?", "sentence", "Hello there. How are you?"),
        ("Straße & Øl -- 50%", "slug", "strasse-ol-50"),
        ("日本語", "slug", ""),
        ("one\ntwo words", "dot", "one\ntwo.words"),
    ],
)
def test_cases(text: str, style: str, wanted: str) -> None:
    assert data("case_converter", text=text, style=style)["result"] == wanted


def test_a_long_slug_is_cut_between_words() -> None:
    found = data("case_converter", text="alpha beta gamma", style="slug", max_length=12)
    assert found["result"] == "alpha-beta"


@settings(max_examples=5, deadline=None)
@given(st.lists(PRINTABLE, min_size=8, max_size=8))
def test_writing_snake_case_twice_changes_nothing(texts: list[str]) -> None:
    once = many("case_converter", [{"text": text, "style": "snake"} for text in texts])
    again = many("case_converter", [{"text": one["result"], "style": "snake"} for one in once])
    assert [one["result"] for one in again] == [one["result"] for one in once]


def html(text: str) -> str:
    return data("markdown_to_html", text=text)["html"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "a **b** *c* _d_ `e<`",
            "<p>a <strong>b</strong> <em>c</em> <em>d</em> <code>e&lt;</code></p>",
        ),
        ("***both***", "<p><em><strong>both</strong></em></p>"),
        ("snake_case_name and 2 * 3 * 4", "<p>snake_case_name and 2 * 3 * 4</p>"),
        ("~~gone~~ \\*kept\\*", "<p><del>gone</del> *kept*</p>"),
        ("a  \nb", "<p>a<br>\nb</p>"),
        ("Title\n=====", '<h1 id="title">Title</h1>'),
        ("- a\n- b\n  - c", "<ul>\n<li>a</li>\n<li>b\n<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>"),
        ("3. x\n4. y", '<ol start="3">\n<li>x</li>\n<li>y</li>\n</ol>'),
        ("> quote\nlazy", "<blockquote>\n<p>quote\nlazy</p>\n</blockquote>"),
        ("```py\n<x>\n```", '<pre><code class="language-py">&lt;x&gt;\n</code></pre>'),
        ("***", "<hr>"),
        ("[a][r]\n\n[r]: #b", '<p><a href="#b" rel="noopener noreferrer">a</a></p>'),
        ('![alt](a.png "t")', '<p><img src="a.png" alt="alt" title="t"></p>'),
        ("- [x] done", '<ul>\n<li><input type="checkbox" disabled checked> done</li>\n</ul>'),
    ],
)
def test_markdown(text: str, wanted: str) -> None:
    assert html(text) == wanted


def test_tables_have_heads_sides_and_even_rows() -> None:
    found = html("| a | b |\n|---|--:|\n| 1 | 2 |\n| 3 |")
    assert '<th align="right">b</th>' in found
    assert found.count("<td") == 4


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert)",
        "[x](java\u0000script:alert)",
        "![x](data:text/html;base64,AAAA)",
        '[x](https://a.example/"onmouseover="alert)',
        '![a"onload="b](x.png)',
        "<javascript:alert>",
        "[x](<  javascript:alert>)",
        "[x](java&#10;script:alert)",
        "[x](&#32;javascript:alert)",
        "[x][r]\n\n[r]: javascript:alert",
        '```"><script>\nx\n```',
    ],
)
def test_nothing_in_markdown_can_run(text: str) -> None:
    found = html(text)
    for tag in re.findall(r"<[^>]*>", found):
        assert HARMLESS.fullmatch(tag), tag
    assert not re.search(r'(?:href|src)="\s*(?:java\s*script|data):', found, re.IGNORECASE)


def test_refused_links_are_listed() -> None:
    found = data("markdown_to_html", text="[a](javascript:x) [b](mailto:a@b.example) [c](#here)")
    assert found["refused_links"] == ["javascript:x"]
    assert found["links"] == ["mailto:a@b.example", "#here"]


@pytest.mark.parametrize(
    "piece", ["[", "*a ", "**", "`" * 3 + "a", "> ", "- ", "](", "![[a](u)", " ", "| a ", "<a"]
)
def test_hostile_markdown_is_answered(piece: str) -> None:
    text = "x" + piece * (200_000 // len(piece))
    assert data("markdown_to_html", text=text)["html"]


def test_replacing_counts_and_shows_the_lines() -> None:
    found = data(
        "find_replace", text="Cat\ncat scatter", find="cat", replace="dog", whole_word=True
    )
    assert (found["text"], found["count"]) == ("Cat\ndog scatter", 1)
    assert found["matches"] == [{"line": 2, "found": "cat", "replaced": "dog"}]
    found = data("find_replace", text="a.b.c", find=".", replace="\\1", max_replacements=1)
    assert found["text"] == "a\\1b.c"
    found = data(
        "find_replace", text="Äpfel äpfel", find="ÄPFEL", replace="x", case_sensitive=False
    )
    assert found["text"] == "x x"


def test_a_bad_expression_or_replacement_is_named() -> None:
    assert error("find_replace", text="a", find="(", syntax="regex")["pointer"] == "/find"
    found = error("find_replace", text="a", find="a", replace="\\7", syntax="regex")
    assert found["pointer"] == "/replace"


def test_a_search_that_would_never_end_is_stopped() -> None:
    found = error("find_replace", text="a" * 60 + "!", find="(a+)+$", syntax="regex")
    assert found["pointer"] == "/find"
    assert "seconds" in found["message"]


def test_a_result_that_grows_without_bound_is_refused() -> None:
    found = error("find_replace", text="a" * 1000, find="a", replace="b" * 10_000)
    assert found["pointer"] == "/replace"


def test_similarity() -> None:
    assert data("text_similarity", text="Same", other="same")["verdict"] == "identical"
    found = data("text_similarity", text="kitten", other="sitting")
    assert (found["edits"], found["similarity"]) == (3, 0.5714)
    assert data("text_similarity", text="abc", other="xyz")["verdict"] == "different"
    assert data("text_similarity", text="", other="")["similarity"] == 1


def test_templates_reach_into_values_and_keep_what_is_missing() -> None:
    values = {"user": {"name": "Ada", "tags": ["x", "y"]}, "extra": 1}
    template = "{{user.name|upper}} {{ user.tags.1 }} {{ nope }} {{ user | json }}"
    found = data("template_fill", template=template, values=values, missing="keep")
    assert found["text"] == 'ADA y {{ nope }} {"name": "Ada", "tags": ["x", "y"]}'
    assert (found["missing"], found["unused"]) == (["nope"], ["extra"])


def test_values_are_not_read_as_templates() -> None:
    found = data("template_fill", template="{{ a }}", values={"a": "{{ b }}", "b": "secret"})
    assert found["text"] == "{{ b }}"


@pytest.mark.parametrize(
    ("template", "pointer"),
    [("{{ x }}", "/values"), ("{{ 1+1 }}", "/template"), ("{{ a | run }}", "/template")],
)
def test_templates_that_cannot_be_filled(template: str, pointer: str) -> None:
    assert error("template_fill", template=template, values={"a": 1})["pointer"] == pointer


def test_a_template_cannot_grow_without_bound() -> None:
    found = error("template_fill", template="{{a}}" * 300, values={"a": "x" * 10_000})
    assert found["pointer"] == "/template"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The house that they built is on the hill and it was not for sale.", "en"),
        ("La maison est sur la colline et elle ne se vend pas pour le moment.", "fr"),
        ("El perro que vive en la casa no come por la noche.", "es"),
        ("O cão que vive na casa não come à noite, mas dorme com os gatos.", "pt"),
        ("Het huis is van de buurman en het is niet te koop.", "nl"),
        ("Я не знаю, что это было, но он так сказал.", "ru"),
        ("私は本を読みます。", "ja"),
        ("我们明天去北京。", "zh"),
        ("Πού είναι ο σταθμός;", "el"),
        ("qwzx vbnm", "unknown"),
        ("12345 !?", "unknown"),
    ],
)
def test_languages(text: str, language: str) -> None:
    assert data("language_detect", text=text)["language"] == language


@pytest.mark.parametrize(
    ("tool", "params"),
    [
        ("word_count", {"text": "word. " * (MILLION // 6)}),
        ("word_count", {"text": "a" * MILLION}),
        ("word_count", {"text": "." * (MILLION - 1) + "a"}),
        ("text_summary", {"text": "Word." + ".'" * 400_000 + "a"}),
        ("template_fill", {"template": "{{a}}" * 40_000, "values": {}, "missing": "blank"}),
        ("markdown_to_html", {"text": "|a" * 1000 + "\n" + "|-" * 1000 + "\n" + "|\n" * 400_000}),
        ("markdown_to_html", {"text": "# a *b* `c` [d](e)\n\n- f\n" * (MILLION // 28)}),
        ("text_summary", {"text": "Some words here. " * (MILLION // 17), "sentences": 20}),
        ("text_summary", {"text": "\n" * 500_000 + "word." + "." * 400_000}),
        ("language_detect", {"text": "the " * (MILLION // 4)}),
        ("text_similarity", {"text": "ab" * 25_000, "other": "ba c" * 12_500}),
        ("find_replace", {"text": "ab" * 500_000, "find": "b", "replace": "c"}),
        ("case_converter", {"text": "aB" * 50_000, "style": "snake"}),
    ],
)
def test_the_largest_texts_are_answered(tool: str, params: dict) -> None:
    assert data(tool, **params)
