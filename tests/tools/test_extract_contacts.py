"""extract_contacts: what is found in a text, what is not, and who it belongs to."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.effort import examples

from antiphon.contracts import ToolDefinition

SIGNATURE = """Hi Bob,
see you there.

Best regards,

Ada Lovelace
CEO, Acme
Tel: +44 20 7946 0958 ext. 12
ada@acme.org | https://acme.org.
linkedin.com/in/ada-lovelace
"""


@pytest.fixture(scope="session")
def tool(shipped_tool: Any) -> Any:
    return shipped_tool("extract-contacts")


def values(found: list[dict[str, Any]]) -> list[str]:
    return [item["value"] for item in found]


def people(data: dict[str, Any]) -> list[tuple[str | None, list[str]]]:
    return [(c["name"], c["emails"] + c["phones"]) for c in data["contacts"]]


def test_a_signature_becomes_one_contact(tool: Any) -> None:
    data = tool.data({"text": SIGNATURE})
    assert data["contacts"] == [
        {
            "name": "Ada Lovelace",
            "role": "CEO",
            "organisation": "Acme",
            "emails": ["ada@acme.org"],
            "phones": ["+442079460958;ext=12"],
            "urls": ["https://acme.org"],
            "profiles": ["https://linkedin.com/in/ada-lovelace"],
        }
    ]
    (phone,) = data["phones"]
    assert phone["international"] == "+44 20 7946 0958"
    assert (phone["extension"], phone["region"], phone["type"]) == ("12", "GB", "fixed_line")


def test_a_signature_on_one_line_becomes_one_contact(tool: Any) -> None:
    (contact,) = tool.data({"text": "Ada Lovelace / CEO, Acme / +44 20 7946 0958"})["contacts"]
    assert (contact["name"], contact["role"], contact["organisation"]) == (
        "Ada Lovelace",
        "CEO",
        "Acme",
    )
    assert contact["phones"] == ["+442079460958"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            'Ada Lovelace <ada@x.org>, Bob <bob@y.com>; "Hopper, Grace" <grace@navy.mil>',
            [
                ("Ada Lovelace", ["ada@x.org"]),
                ("Bob", ["bob@y.com"]),
                ("Grace Hopper", ["grace@navy.mil"]),
            ],
        ),
        ("sales@acme.com (Mary Jones)", [("Mary Jones", ["sales@acme.com"])]),
        (
            "Please call Grace Hopper on +1 202-555-0143.",
            [("Grace Hopper", ["+12025550143"])],
        ),
        (
            "1. Grace Hopper, grace@navy.mil\n2. Alan Turing, alan@x.org",
            [("Grace Hopper", ["grace@navy.mil"]), ("Alan Turing", ["alan@x.org"])],
        ),
        ("Dr. Jan de Vries: jan@vries.nl", [("Jan de Vries", ["jan@vries.nl"])]),
        ("Write to a@x.org or b@y.org", [(None, ["a@x.org"]), (None, ["b@y.org"])]),
        ("Best Regards\nada@x.org", [(None, ["ada@x.org"])]),
        ("Customer Support: help@x.org", [(None, ["help@x.org"])]),
        (
            "Ada Lovelace, ada@x.org, bob@y.org",
            [("Ada Lovelace", ["ada@x.org"]), (None, ["bob@y.org"])],
        ),
        ("Ada Lovelace\nada@x.org\nme@home.org", [("Ada Lovelace", ["ada@x.org", "me@home.org"])]),
        ("José Núñez <jose@x.es>", [("José Núñez", ["jose@x.es"])]),
    ],
)  # fmt: skip
def test_names_go_with_the_items_they_stand_beside(tool: Any, text: str, expected: Any) -> None:
    assert people(tool.data({"text": text})) == expected


def test_a_town_in_an_address_is_not_a_person(tool: Any) -> None:
    text = "Ada Lovelace\nCEO\nAcme Widgets\nNew York, NY 10001\nada@acme.org"
    (contact,) = tool.data({"text": text})["contacts"]
    assert contact["name"] == "Ada Lovelace"
    assert contact["organisation"] == "Acme Widgets"


def test_the_same_person_in_two_places_is_one_contact(tool: Any) -> None:
    text = "Ada Lovelace <ada@x.org> wrote:\n\nAda Lovelace\nADA@X.ORG\n+44 20 7946 0958"
    data = tool.data({"text": text})
    assert people(data) == [("Ada Lovelace", ["ada@x.org", "+442079460958"])]
    assert len(data["emails"]) == 1


def test_a_name_said_later_is_given_to_the_address_seen_before(tool: Any) -> None:
    data = tool.data({"text": "Write to ada@x.org.\n\nAda Lovelace <ada@x.org>"})
    assert people(data) == [("Ada Lovelace", ["ada@x.org"])]


def test_role_and_employer_joined_by_at_are_told_apart(tool: Any) -> None:
    (contact,) = tool.data({"text": "Jane Roe, Head of Research at Bletchley Park\njane@x.org"})[
        "contacts"
    ]
    assert (contact["role"], contact["organisation"]) == ("Head of Research", "Bletchley Park")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mail ada@x.org.", ["ada@x.org"]),
        ("('ada@x.org', *bob@y.org*, _c@z.org_)", ["ada@x.org", "bob@y.org", "c@z.org"]),
        ("<mailto:Ada@X.ORG?subject=Hi>", ["Ada@x.org"]),
        ("email=e@v.org;", ["e@v.org"]),
        ("o'brien+x@sub.x.co.uk!", ["o'brien+x@sub.x.co.uk"]),
        ("联系ada@x.org谢谢。", ["ada@x.org"]),
        ("用户@例子.广告", ["用户@例子.广告"]),
        ("a..b@x.org a@b.com@c.com x@y @ada a@-b.org", []),
        ("logo@2x.png git@github.com:a/b.git pkg@1.2.3", []),
        ("https://h.org/?email=ada@x.org https://ada@x.org/", []),
    ],
)
def test_emails(tool: Any, text: str, expected: list[str]) -> None:
    assert values(tool.data({"text": text})["emails"]) == expected


def test_an_international_domain_also_has_its_ascii_form(tool: Any) -> None:
    (email,) = tool.data({"text": "info@münchen.de"})["emails"]
    assert (email["value"], email["ascii"]) == ("info@münchen.de", "info@xn--mnchen-3ya.de")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ada [at] acme [dot] co [dot] uk", ["ada@acme.co.uk"]),
        ("ada (at) acme.org", ["ada@acme.org"]),
        ("ada dot lovelace at acme dot org", ["ada.lovelace@acme.org"]),
        ("My email is bob at acme dot com, thanks", ["bob@acme.com"]),
        ("bob AT acme DOT com", ["bob@acme.com"]),
        ("look at acme dot com for more", []),
        ("Find us at acme.com", []),
        ("name at host dot com. And more", []),
        ("meet me at noon dot dot dot", []),
    ],
)
def test_written_out_emails_count_only_when_unambiguous(
    tool: Any, text: str, expected: list[str]
) -> None:
    found = tool.data({"text": text})["emails"]
    assert values(found) == expected
    assert all(email["obfuscated"] for email in found)


@pytest.mark.parametrize(
    ("text", "region", "expected"),
    [
        ("+44 20 7946 0958, +442079460958", None, ["+442079460958"]),
        ("tel:+442079460958", None, ["+442079460958"]),
        ("020 7946 0958", "GB", ["+442079460958"]),
        ("M: 07911 123456", "GB", ["+447911123456"]),
        ("(202) 555-0143", "US", ["+12025550143"]),
        ("Paid $2025550123 on 2024-03-03 10:15", "US", []),
        ("2 025 550 123 EUR", "US", []),
        ("order 2025550199, IP 192.168.100.100", "US", []),
        ("Rechnung 1709463000 vom 03.03.2024 um 1.234.567.890", "DE", []),
        ("Hotel 2024-03-03", "DE", []),
        ("Tel. 912345678, Kunde 934567890", "ES", ["+34912345678"]),
        ("https://x.org/+442079460958", None, []),
    ],
)
def test_phones(tool: Any, text: str, region: str | None, expected: list[str]) -> None:
    args = {"text": text} | ({"default_region": region} if region else {})
    assert values(tool.data(args)["phones"]) == expected


def test_two_extensions_of_one_number_are_two_phones(tool: Any) -> None:
    data = tool.data({"text": "+1 202-555-0143 x5\n+1 202-555-0143 x6"})
    assert [phone["extension"] for phone in data["phones"]] == ["5", "6"]


def test_national_numbers_without_a_region_are_hinted_at(tool: Any) -> None:
    data = tool.data({"text": "call 020 7946 0958"})
    assert data["phones"] == []
    assert "default_region" in data["notes"][0]


def test_an_unknown_region_is_refused(tool: Any, invalid_arguments: type[Exception]) -> None:
    error = tool.error({"text": "x", "default_region": "ZZ"})
    assert error["type"] == "VALIDATION"
    assert "'ZZ'" in error["message"]
    with pytest.raises(invalid_arguments):
        tool.call({"text": "x", "default_region": "gb"})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(see www.Example.com/A).", ["https://www.example.com/A"]),
        ("https://en.wikipedia.org/wiki/Foo_(bar),", ["https://en.wikipedia.org/wiki/Foo_(bar)"]),
        ("https://a.com,https://b.com;", ["https://a.com", "https://b.com"]),
        ("HTTP://User:Pw@Host.org:8080/X?y#z", ["http://User:Pw@host.org:8080/X?y#z"]),
        ("http://10.0.0.1/a http://1.2.3/", ["http://10.0.0.1/a"]),
        ("Web: acme.org", ["https://acme.org"]),
        ("http:// www. file.py e.g. x", []),
        ("看https://x.org/页。好", ["https://x.org/页"]),
    ],
)
def test_urls(tool: Any, text: str, expected: list[str]) -> None:
    assert values(tool.data({"text": text})["urls"]) == expected


def test_profiles_by_url_and_by_handle(tool: Any) -> None:
    text = (
        "Twitter: @ada_l, github.com/ada, @ada@mastodon.social, follow @grace, "
        "https://www.linkedin.com/in/ada/?trk=1 https://github.com/a/b https://x.com/home"
    )
    data = tool.data({"text": text})
    assert [(p["platform"], p["handle"], p["value"]) for p in data["profiles"]] == [
        ("x", "ada_l", "https://x.com/ada_l"),
        ("github", "ada", "https://github.com/ada"),
        ("mastodon", "ada@mastodon.social", "https://mastodon.social/@ada"),
        ("unknown", "grace", "@grace"),
        ("linkedin", "ada", "https://linkedin.com/in/ada"),
    ]
    assert values(data["urls"]) == ["https://github.com/a/b", "https://x.com/home"]
    assert data["contacts"] == []


@pytest.mark.parametrize("text", ["", " \n\t", "No contacts here, 12 apples and 3.14."])
def test_nothing_found_is_empty_lists(tool: Any, text: str) -> None:
    assert not any(tool.data({"text": text}).values())


def test_a_text_that_is_too_long_is_refused(tool: Any, invalid_arguments: type[Exception]) -> None:
    with pytest.raises(invalid_arguments):
        tool.call({"text": "x" * 20_001})


@pytest.mark.parametrize(
    "unit",
    ["@", "a@", "a.", "www.", "http://", "http://a.bb;", "(", "x at ", "a dot ", "Ada ", "+1 ",
     "1-2", "a at b dot ", '"Ada', "@a ", "web: a.", "- ", "\0"],
)  # fmt: skip
def test_hostile_repetition_is_answered(tool: Any, unit: str) -> None:
    """The suite's own time limit turns a blow-up into a failure."""
    text = (unit * 20_000)[:20_000]
    check_spans(text, tool.data({"text": text, "default_region": "GB"}))


def check_spans(text: str, data: dict[str, Any]) -> None:
    for name in ("emails", "phones", "urls", "profiles"):
        for item in data[name]:
            assert text[item["start"] : item["end"]] == item["raw"]
        starts = [item["start"] for item in data[name]]
        assert starts == sorted(set(starts))
    grouped = [v for c in data["contacts"] for v in c["emails"] + c["phones"]]
    assert len(grouped) == len(data["emails"]) + len(data["phones"])


fragments = st.sampled_from(
    ["ada@x.org", "Ada Lovelace", "<", ">", " ", "\n", ", ", "+44 20 7946 0958", "@ada", "\u2028",
     "https://x.org/a(b)", "CEO, Acme", "[at]", " at ", " dot com", "2024-03-03", "Tel: ", "\r\n",
     "linkedin.com/in/ada", "例子", "mailto:", "(", ")", '"', "Bob", "020 7946 0958", "-", "\0"]
)  # fmt: skip


@settings(max_examples=examples(150), deadline=None)
@given(text=st.lists(fragments | st.text(max_size=8), max_size=25).map("".join))
def test_any_text_is_answered_with_true_spans(tool: Any, text: str) -> None:
    data = tool.data({"text": text, "default_region": "GB"})
    check_spans(text, data)
    assert data == tool.data({"text": text, "default_region": "GB"})


def test_the_guide_shows_true_results(tool: Any) -> None:
    blocks = [json.loads(b) for b in re.findall(r"```json\n(.*?)\n```", tool.guide, re.DOTALL)]
    assert len(blocks) == 4
    for call, result in zip(blocks[::2], blocks[1::2], strict=True):
        assert tool.data(call) == result


def test_the_contract(tool: Any) -> None:
    definition = ToolDefinition.from_schema(tool.schema)
    assert definition.tool_id == "extract_contacts"
    assert (definition.category, definition.side_effects) == ("utility", "none")
    assert definition.idempotent
    assert not definition.requires_confirmation
    assert definition.allowed_modes == ("text",)
    assert definition.latency_budget_ms == 200
    assert tool.guide.splitlines()[0] == "# extract_contacts"
    assert len(tool.summary) <= 250
    assert all("description" in part for part in definition.parameters["properties"].values())
