"""Confirmation tokens: good for exactly one set of claims, until they expire."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antiphon.orchestrator.tokens import (
    EXPIRED,
    MALFORMED,
    NOT_THIS_ACTION,
    Claims,
    mint,
    new_nonce,
    verify,
)

SECRET = b"0123456789abcdef0123456789abcdef"
CLAIMS = Claims(
    confirmation_id="conf_1",
    session_id="s_1",
    user="ada",
    tool_id="calendar_create_event",
    args_digest="9f86d081884c7d65",
    registry_version="1.0.0a1b2c3d",
    nonce="AbC-_123456789xyz",
    expires_at=1_768_312_800.25,
)
NOW = CLAIMS.expires_at - 300
TOKEN = mint(SECRET, CLAIMS)
TEXT_CLAIMS = [field.name for field in dataclasses.fields(Claims) if field.name != "expires_at"]


def altered(**changes: Any) -> Claims:
    return dataclasses.replace(CLAIMS, **changes)


def test_a_token_proves_the_claims_it_was_minted_for() -> None:
    assert verify(SECRET, TOKEN, CLAIMS, NOW) is None


def test_a_token_is_url_safe_text_with_version_expiry_nonce_and_signature() -> None:
    version, expiry, nonce, signature = TOKEN.split(".")
    assert (version, expiry, nonce) == ("v1", "1768312800250", CLAIMS.nonce)
    assert re.fullmatch(r"[A-Za-z0-9_-]{43}", signature)


def test_a_token_shows_nothing_of_the_action() -> None:
    for name in TEXT_CLAIMS:
        if name != "nonce":
            assert getattr(CLAIMS, name) not in TOKEN


@pytest.mark.parametrize("name", TEXT_CLAIMS)
def test_any_changed_claim_fails(name: str) -> None:
    for value in (getattr(CLAIMS, name) + "x", getattr(CLAIMS, name)[:-1], "other"):
        assert verify(SECRET, TOKEN, altered(**{name: value}), NOW) == NOT_THIS_ACTION


def test_an_expiry_moved_by_the_least_amount_fails() -> None:
    later = altered(expires_at=CLAIMS.expires_at + 2e-6)
    assert mint(SECRET, later).split(".")[1] == TOKEN.split(".")[1]
    assert verify(SECRET, TOKEN, later, NOW) == NOT_THIS_ACTION


def test_text_moved_from_one_claim_to_the_next_fails() -> None:
    moved = altered(confirmation_id="conf_1s", session_id="_1")
    assert verify(SECRET, TOKEN, moved, NOW) == NOT_THIS_ACTION


@given(st.lists(st.text(max_size=4), min_size=12, max_size=12))
def test_different_claims_never_share_a_token(texts: list[str]) -> None:
    names = [name for name in TEXT_CLAIMS if name != "nonce"]
    one = altered(**dict(zip(names, texts[:6], strict=True)))
    two = altered(**dict(zip(names, texts[6:], strict=True)))
    assert (mint(SECRET, one) == mint(SECRET, two)) == (one == two)


def test_another_secret_fails() -> None:
    assert verify(b"another secret of enough bytes", TOKEN, CLAIMS, NOW) == NOT_THIS_ACTION


@pytest.mark.parametrize(
    ("after", "reason"), [(-1e-6, None), (0, EXPIRED), (1, EXPIRED), (1e9, EXPIRED)]
)
def test_a_token_is_good_until_the_moment_it_expires(after: float, reason: str | None) -> None:
    assert verify(SECRET, TOKEN, CLAIMS, CLAIMS.expires_at + after) == reason


def test_a_clock_that_gives_no_number_does_not_keep_a_token_alive() -> None:
    assert verify(SECRET, TOKEN, CLAIMS, float("nan")) == EXPIRED


def test_a_forged_token_is_not_told_that_it_has_expired() -> None:
    forged = TOKEN[:-2] + ("AA" if not TOKEN.endswith("AA") else "BB")
    assert verify(SECRET, forged, CLAIMS, CLAIMS.expires_at + 1) == NOT_THIS_ACTION


def test_an_expiry_rewritten_inside_the_token_fails() -> None:
    version, expiry, nonce, signature = TOKEN.split(".")
    longer = ".".join((version, str(int(expiry) + 3_600_000), nonce, signature))
    assert verify(SECRET, longer, CLAIMS, NOW) == NOT_THIS_ACTION


@pytest.mark.parametrize("index", range(len(TOKEN)))
def test_a_token_with_any_one_character_changed_fails(index: int) -> None:
    changed = TOKEN[:index] + ("Q" if TOKEN[index] != "Q" else "R") + TOKEN[index + 1 :]
    assert verify(SECRET, changed, CLAIMS, NOW) in (MALFORMED, NOT_THIS_ACTION)


@pytest.mark.parametrize(
    "garbage",
    [
        None,
        True,
        7,
        TOKEN.encode(),
        [TOKEN],
        "",
        ".",
        "...",
        "v1...",
        "v2" + TOKEN[2:],
        TOKEN + "\n",
        " " + TOKEN,
        TOKEN + "=",
        TOKEN + ".x",
        TOKEN.replace("v1", "\uff56\uff11"),
        TOKEN.replace("1768312800250", "\u0661\u0667"),
        TOKEN.replace("1768312800250", "-1"),
        TOKEN.replace("1768312800250", "1e9"),
        "v1.1." + "a" * 10_000_000,
        "\ud800",
        "\x00" * 40,
    ],
    ids=range(21),
)
def test_garbage_is_malformed(garbage: Any) -> None:
    assert verify(SECRET, garbage, CLAIMS, NOW) == MALFORMED


@given(st.text() | st.from_regex(r"v1\.[0-9]{1,20}\.[\w-]{0,70}\.[\w-]{40,44}"))
def test_no_text_raises_or_passes(text: str) -> None:
    assert verify(SECRET, text, CLAIMS, NOW) in (MALFORMED, NOT_THIS_ACTION)


def test_claims_of_any_text_can_be_minted_and_verified() -> None:
    claims = altered(user="\ud800 ünï\x00", session_id="", args_digest="x" * 10_000)
    assert verify(SECRET, mint(SECRET, claims), claims, NOW) is None


@pytest.mark.parametrize(
    ("secret", "changes", "message"),
    [
        (b"", {}, "at least 16"),
        (b"short", {}, "at least 16"),
        (SECRET, {"nonce": ""}, "nonce"),
        (SECRET, {"nonce": "a.b"}, "nonce"),
        (SECRET, {"nonce": "a" * 65}, "nonce"),
        (SECRET, {"expires_at": float("nan")}, "expires_at"),
        (SECRET, {"expires_at": float("inf")}, "expires_at"),
        (SECRET, {"expires_at": -1.0}, "expires_at"),
        (SECRET, {"expires_at": 1e300}, "expires_at"),
    ],
)
def test_what_cannot_be_signed_safely_is_refused(
    secret: bytes, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        mint(secret, altered(**changes))


def test_nonces_are_url_safe_and_do_not_repeat() -> None:
    nonces = {new_nonce() for _ in range(1000)}
    assert len(nonces) == 1000
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{22}", nonce) for nonce in nonces)
    assert (
        verify(SECRET, mint(SECRET, altered(nonce=min(nonces))), altered(nonce=min(nonces)), NOW)
        is None
    )
