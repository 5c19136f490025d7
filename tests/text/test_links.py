"""Links and images that are not allowed are taken out of a text, in whatever pieces it comes."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antiphon.text.links import LinkFilter

E = "https[:]//evil.example"


def filtered(text: str, size: int = 0) -> str:
    """What is shown of a text that comes in pieces of that size."""
    links = LinkFilter(
        lambda address: re.match(r"https://good\.example(?:[/?#]|$)", address) is not None
    )
    pieces = [text[at : at + size] for at in range(0, len(text), size)] if size else [text]
    return "".join(map(links.feed, pieces)) + links.finish()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('See [here](https://evil.example/?q=1 "t").', f"See here ({E}/?q=1)."),
        ("![pic](https://evil.example/p)", f"pic (image not shown: {E}/p)"),
        ("![](https://evil.example/p)", f"(image not shown: {E}/p)"),
        ("go to https://evil.example/x.", f"go to {E}/x."),
        ("HTTPS://EVIL.example", "HTTPS[:]//EVIL.example"),
        ("www.evil.example!", "www[.]evil.example!"),
        ("xwww.evil.example\n)", "xwww[.]evil.example\n)"),
        ("www.www.(evil.example", "www[.]www[.]evil.example"),
        ("www.https://evil.example", f"www[.]{E}"),
        ("<https://evil.example>", E),
        ("<a href='https://evil.example'>x</a>", f"\\<a href='{E}'>x\\</a>"),
        ("<img src=//evil.example/x>", "\\<img src=//evil.example/x>"),
        ("<svg/onload=alert(1)>", "\\<svg/onload=alert(1)>"),
        ("[a][1]\n\n[1]: https://evil.example/z\n", f"[a][1]\n\n\\[1]: {E}/z\n"),
        ("[x](hTTps://evil.example)", "x (hTTps[:]//evil.example)"),
        ("[x](&#104;ttps://evil.example)", f"x ({E})"),
        ("[x](&#x68;ttps&colon;//evil.example)", f"x ({E})"),
        ("[x](//evil.example/a)", "x ([/]/evil.example/a)"),
        ("[x](\\//evil.example)", "x ([/]/evil.example)"),
        ("[x](javascript:alert)", "x (javascript[:]alert)"),
        ("[x](mailto:a@evil.example?body=1)", "x (mailto[:]a@evil.example?body=1)"),
        ("[a](<https://evil.example/b c>)", f"a ({E}/bc)"),
        (
            "[![alt](https://evil.example/a)](https://evil.example/b)",
            f"alt (image not shown: {E}/a) ({E}/b)",
        ),
        ("[https://good.example](https://evil.example)", f"https://good.example ({E})"),
        ("[x](http:\\\\evil.example)", "x (http[:]\\evil.example)"),
        ("[a [b [c]]](//evil.example/d)", "[a [b [c]]] ([/]/evil.example/d)"),
        ("![a [b [c]]](//evil.example/d)", "![a [b [c]]] ([/]/evil.example/d)"),
        ("[`]`](//evil.example/a)", "[`]`] ([/]/evil.example/a)"),
        ("[a [b [c]]](\n</\t/evil.example>)", "[a [b [c]]] ([/]/evil.example)"),
        (
            "[[[x]]](https://good.example)[y](//evil.example)",
            "[[[x]]](https://good.example)y ([/]/evil.example)",
        ),
        ("> [1]: \n> //evil.example\n\n![a][1]", "> \\[1]: [/]/evil.example\n\n![a][1]"),
        ("[1]:\r\n//evil.example\n\n![a][1]", "\\[1]: [/]/evil.example\n\n![a][1]"),
        ("https://good.example, &#104;ttps://evil.example/x", f"https://good.example, {E}/x"),
        ("*" * 1995 + "https://evil.example/x", "*" * 1995 + f"{E}/x"),
        (
            "<p title='>' style='background:url(//evil.example)'>",
            "\\<p title='>' style='background:url(//evil.example)'>",
        ),
    ],
)
@pytest.mark.parametrize("size", [0, 1, 3])
def test_what_is_not_allowed_cannot_be_opened(text: str, shown: str, size: int) -> None:
    if "</a>" in text:  # the end of a tag opens nothing
        shown = shown.replace("\\</a>", filtered("</a>"))
    assert filtered(text, size) == shown


@pytest.mark.parametrize(
    "text",
    [
        "[ok](https://good.example/a) and https://good.example, too",
        "![fig](https://good.example/a.png)",
        "[rel](/api/x) ![i](/images/1.png) [top](#top) [page](page.html)",
        "a < b and c > d, list[0] = x[1]; f(x)[2]",
        "- [ ] todo\n- [x] done: yes",
        "[note]: this is text",
        "<b>bold</b> and `code [x]`",
        "Hello [name], how are you? x ![",
        "mail eve@evil.example at 10:30, see 1:2",
        "C:\\Users and a/b",
        "[a [b [c]]](https://good.example/a). And [d `]`](/api/x)",
        "<p title='a>b'>it's</p>",
    ],
)
@pytest.mark.parametrize("size", [0, 1, 3])
def test_all_else_stays_as_it_is(text: str, size: int) -> None:
    assert filtered(text, size) == text


@given(
    st.lists(
        st.sampled_from(
            ["[", "]", "(", ")", "!", "<", ">", "x", " ", "\n", "\n\n", ":", "//", "https:", "www."]
            + ["evil.example", "a href=", "&#104;ttp", "\\", "`", '"', "good.example/"]
        ),
        max_size=14,
    ),
    st.integers(1, 5),
)
def test_no_piece_of_text_opens_an_address_however_it_is_cut(parts: list[str], size: int) -> None:
    text = "".join(parts)
    for shown in (filtered(text), filtered(text, size)):
        for address in ("https://evil", "http://evil", "www.evil", "](//evil", "](https:"):
            assert address not in shown


def test_only_what_may_become_a_link_is_held_back() -> None:
    links = LinkFilter(lambda _: False)
    assert links.feed("All is well. ") == "All is well. "
    assert links.feed("See [the") == "See "
    assert links.feed(" list] of") == "[the list] "
    assert links.feed(" things") == "of "
    assert links.finish() == "things"
    assert links.feed("[" + "x" * 5000).startswith("\\[x")
