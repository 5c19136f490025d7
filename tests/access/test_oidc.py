"""Sign-in by an identity provider: who it lets in, and everything that a provider may lie about."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from joserfc.jwk import ECKey
from tests.access.conftest import Node
from tests.access.identity_provider import CLIENT, KEY, OTHER_KEY, TestProvider

from antiphon.access.errors import AccessRefused
from antiphon.access.oidc_provider import OidcProvider, ProviderOptions
from antiphon.access.oidc_sign_in import OidcSignIn

pytestmark = pytest.mark.real_time
BACK = "http://127.0.0.1:8080/api/sign-in/oidc/corp/callback"


@dataclass
class Corporation:
    """A node, and the identity provider `corp` that its people sign in by."""

    node: Node
    provider: TestProvider

    def sign_in(self, **options: Any) -> OidcSignIn:
        given = ProviderOptions(
            "corp", self.provider.issuer, CLIENT, self.provider.secret, **options
        )
        clocks = {"clock": self.node.clock, "monotonic": self.node.monotonic}
        return OidcSignIn(
            self.node.directory,
            [OidcProvider(given, **clocks), OidcProvider(replace(given, name="other"), **clocks)],
        )

    async def user(self, sign_in: OidcSignIn | None = None) -> str:
        """The name of who has signed in, all the way. Raises AccessRefused."""
        sign_in = sign_in or self.sign_in()
        address, browser = await sign_in.begin("corp", redirect_uri=BACK, to="/tools")
        user, to = await sign_in.finish("corp", self.provider.sign_in(address), browser)
        assert to == "/tools"
        return user.name

    async def refusal(self, sign_in: OidcSignIn | None = None) -> tuple[str, str]:
        with pytest.raises(AccessRefused) as refused:
            await self.user(sign_in)
        lines = [json.loads(each) for each in await self.node.events("sign_in_refused")]
        assert lines[-1]["details"]["code"] == refused.value.code
        assert lines[-1]["details"]["way"] == "oidc"
        assert refused.value.reason.endswith(".")
        return refused.value.code, refused.value.reason


@pytest.fixture
async def corp(node: Node) -> AsyncIterator[Corporation]:
    """A provider that knows the user `ann` as 7."""
    provider = TestProvider(node.clock)
    async with provider.serving():
        await node.directory.change_user("ann", identity=(provider.issuer, "7"), by="root")
        yield Corporation(node, provider)


async def test_somebody_whom_the_provider_knows_comes_in(corp: Corporation) -> None:
    assert await corp.user() == "ann"
    assert corp.provider.asked == ["/.well-known/openid-configuration", "/token", "/keys"]
    assert corp.sign_in(title="Corporation").titles == {
        "corp": "Corporation",
        "other": "Corporation",
    }


async def test_the_server_shows_who_it_is_as_the_provider_wants_it(corp: Corporation) -> None:
    corp.provider.metadata = {"token_endpoint_auth_methods_supported": ["client_secret_post"]}
    assert await corp.user() == "ann"
    corp.provider.secret = None
    assert await corp.user() == "ann"


async def test_nobody_is_found_by_an_e_mail_address_or_a_name(corp: Corporation) -> None:
    await corp.node.directory.change_user("ann", email="ann@example.org", by="root")
    corp.provider.claims = {
        "sub": "8",
        "email": "ann@example.org",
        "email_verified": True,
        "preferred_username": "ann",
    }
    assert (await corp.refusal())[0] == "unknown"
    code, reason = await corp.refusal(corp.sign_in(create_users=True))
    assert code == "conflict"
    assert "is taken" in reason
    corp.provider.claims["preferred_username"] = "аnn"  # begins with a Cyrillic letter
    assert (await corp.refusal(corp.sign_in(create_users=True)))[0] == "conflict"


async def test_a_new_person_becomes_a_user_where_the_settings_say_so(corp: Corporation) -> None:
    directory = corp.node.directory
    await directory.create_organisation("north", "North", "root")
    await directory.set_group("north", "sales", by="root")
    corp.provider.claims = {"sub": "8"}
    corp.provider.userinfo = {
        "preferred_username": "Nora",
        "name": "Nora N.",
        "email": "nora@example.org",
        "groups": ["crew", "others"],
    }
    sign_in = corp.sign_in(
        create_users=True,
        organisation="north",
        default_roles=("viewer",),
        roles={"crew": ("operator",), "chiefs": ("admin",)},
        groups={"crew": ("sales",)},
    )
    assert await corp.user(sign_in) == "nora"
    user = await directory.user("nora")
    assert user is not None
    assert (user.organisation, user.roles) == ("north", ("viewer", "operator"))
    assert (user.display_name, user.email) == ("Nora N.", "nora@example.org")
    assert user.identity == (corp.provider.issuer, "8")
    assert not user.has_password
    assert (await directory.groups("north"))[0].members == ("nora",)
    assert json.loads((await corp.node.events("user_created"))[-1])["by"] == "(oidc corp)"
    assert await corp.user(sign_in) == "nora"
    assert len(await directory.users("north")) == 1


async def test_mapped_roles_and_groups_are_renewed_at_each_sign_in_and_others_stay(
    corp: Corporation,
) -> None:
    directory = corp.node.directory
    await directory.change_user("ann", roles=["viewer", "approver"], by="root")
    for name in ("theirs", "ours"):
        await directory.set_group("", name, members=["ann"] * (name == "ours"), by="root")
    sign_in = corp.sign_in(
        roles={"staff": ("operator",), "late": ("approver",)}, groups={"staff": ("theirs",)}
    )

    async def now() -> tuple[set[str], set[str]]:
        await corp.user(sign_in)
        user = await directory.user("ann")
        assert user is not None
        joined = {each.name for each in await directory.groups() if "ann" in each.members}
        return set(user.roles), joined

    corp.provider.claims["groups"] = ["staff"]
    assert await now() == ({"viewer", "operator"}, {"ours", "theirs"})
    changes = len(await corp.node.events("user_changed"))
    assert await now() == ({"viewer", "operator"}, {"ours", "theirs"})
    assert len(await corp.node.events("user_changed")) == changes
    corp.provider.claims["groups"] = []
    assert await now() == ({"viewer"}, {"ours"})
    corp.provider.claims["groups"] = ["late"]
    assert await now() == ({"viewer", "approver"}, {"ours"})
    corp.provider.claims["groups"] = "late"
    assert (await corp.refusal(sign_in))[0] == "provider_wrong"
    del corp.provider.claims["groups"]
    assert await now() == ({"viewer"}, {"ours"})


async def test_the_last_administrator_is_not_taken_away_by_a_mapping(corp: Corporation) -> None:
    directory = corp.node.directory
    await directory.change_user("ann", identity=None, by="root")
    await directory.change_user("root", identity=(corp.provider.issuer, "7"), by="root")
    sign_in = corp.sign_in(roles={"chiefs": ("admin",)})
    code, reason = await corp.refusal(sign_in)
    assert code == "conflict"
    assert "without an administrator" in reason
    corp.provider.claims["groups"] = ["chiefs"]
    assert await corp.user(sign_in) == "root"


async def test_who_is_disabled_or_removed_stays_out(corp: Corporation) -> None:
    await corp.node.directory.change_user("ann", disabled=True, by="root")
    assert (await corp.refusal())[0] == "disabled"
    await corp.node.directory.remove_user("ann", by="root")
    assert (await corp.refusal(corp.sign_in()))[0] == "unknown"


async def test_only_verified_addresses_of_the_domains_come_in(corp: Corporation) -> None:
    sign_in = corp.sign_in(email_domains=("example.org",))
    wrong: list[dict[str, Any]] = [
        {},
        {"email": "ann@example.org"},
        {"email": "ann@example.org", "email_verified": "true"},
        {"email": "ann@example.org", "email_verified": False},
        {"email": "ann@evil-example.org", "email_verified": True},
        {"email": "ann@example.org@evil.test", "email_verified": True},
        {"email": ["ann@example.org"], "email_verified": True},
    ]
    for claims in wrong:
        corp.provider.claims = {"sub": "7", **claims}
        assert (await corp.refusal(sign_in))[0] == "forbidden"
    corp.provider.claims = {"sub": "7", "email": "ann@EXAMPLE.org", "email_verified": True}
    assert await corp.user(sign_in) == "ann"


WRONG_CLAIMS: list[tuple[dict[str, Any], str]] = [
    ({"nonce": "another"}, "nonce"),
    ({"nonce": None}, "nonce"),
    ({"iss": "https://evil.test"}, "iss"),
    ({"iss": None}, "iss"),
    ({"aud": "somebody"}, "aud"),
    ({"aud": []}, "aud"),
    ({"aud": None}, "aud"),
    ({"aud": [CLIENT, "somebody"]}, "azp"),
    ({"azp": "somebody"}, "azp"),
    ({"exp": 1}, "expired"),
    ({"exp": None}, "exp"),
    ({"exp": "tomorrow"}, "exp"),
    ({"iat": 99_999_999_999}, "in the future"),
    ({"nbf": 99_999_999_999}, "not yet valid"),
    ({"sub": None}, "sub"),
    ({"sub": ""}, "sub"),
    ({"sub": 7}, "sub"),
    ({"sub": "7" * 300}, "sub"),
    ({"at_hash": "x"}, "at_hash"),
]


async def test_an_id_token_with_a_wrong_claim_lets_nobody_in(corp: Corporation) -> None:
    sign_in = corp.sign_in()
    for claims, said in WRONG_CLAIMS:
        corp.provider.claims = {"sub": "7", **claims}
        code, reason = await corp.refusal(sign_in)
        assert code == "provider_wrong"
        assert said in reason


async def test_an_id_token_of_another_key_or_algorithm_lets_nobody_in(corp: Corporation) -> None:
    provider = corp.provider
    provider.key = OTHER_KEY
    assert (await corp.refusal())[0] == "provider_wrong"
    provider.header = {"alg": "none"}
    assert (await corp.refusal())[0] == "provider_wrong"
    provider.header = {"alg": "HS256", "kid": "one"}
    assert (await corp.refusal())[0] == "provider_wrong"
    for broken in (b"{}", b'{"id_token": 5}', b'{"id_token": "a.b.c"}', b'{"id_token": "' + b"."):
        provider.answers["/token"] = (200, broken)
        assert (await corp.refusal())[0] == "provider_wrong"


async def test_new_keys_of_the_provider_are_fetched_but_not_all_the_time(corp: Corporation) -> None:
    sign_in = corp.sign_in()
    assert await corp.user(sign_in) == "ann"
    provider = corp.provider
    provider.header = {"alg": "ES256", "kid": "two"}
    provider.key = ECKey.generate_key("P-256", {"kid": "two"})
    provider.keys = [KEY, provider.key]
    assert (await corp.refusal(sign_in))[0] == "provider_wrong"
    corp.node.monotonic.now += 5
    assert await corp.user(sign_in) == "ann"
    assert provider.asked.count("/keys") == 2
    assert provider.asked.count("/.well-known/openid-configuration") == 1


async def test_a_configuration_that_cannot_be_believed_is_told(corp: Corporation) -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"issuer": "https://evil.test"}, "calls itself"),
        ({"jwks_uri": None}, "jwks_uri"),
        ({"token_endpoint": "https://10.1.1.1/token"}, "is not a public address"),
        ({"token_endpoint": "ftp://example.org/"}, "http"),
        ({"authorization_endpoint": "javascript:alert(1)"}, "http"),
        ({"code_challenge_methods_supported": ["plain"]}, "PKCE"),
    ]
    for metadata, said in wrong:
        corp.provider.metadata = metadata
        assert said in (await corp.refusal())[1]


async def test_broken_answers_of_a_provider_let_nobody_in(corp: Corporation) -> None:
    broken = [
        ((500, b"{}"), "provider_away"),
        ((503, b"busy"), "provider_away"),
        ((302, b"{}"), "provider_wrong"),
        ((404, b"no"), "provider_wrong"),
        ((200, b"<html>"), "provider_wrong"),
        ((200, b"[]"), "provider_wrong"),
        ((200, b"[" * 50_000), "provider_wrong"),
        ((200, b'{"keys": [5]}'), "provider_wrong"),
        ((200, b" " * 600_000), "provider_wrong"),
    ]
    for path in ("/.well-known/openid-configuration", "/token", "/keys"):
        for answer, code in broken:
            corp.provider.answers = {path: answer}
            assert (await corp.refusal())[0] == code, (path, answer)


async def test_a_provider_that_is_away_is_told_and_asked_again_later(corp: Corporation) -> None:
    provider = corp.provider
    sign_in = corp.sign_in()
    path = "/.well-known/openid-configuration"
    provider.answers[path] = (500, b"")
    assert (await corp.refusal(sign_in))[0] == "provider_away"
    del provider.answers[path]
    assert (await corp.refusal(sign_in))[0] == "provider_away"
    assert provider.asked == [path]
    corp.node.monotonic.now += 5
    assert await corp.user(sign_in) == "ann"
    nowhere = replace(
        ProviderOptions("corp", provider.issuer, CLIENT), issuer="http://localhost:1025"
    )
    away = OidcSignIn(corp.node.directory, [OidcProvider(nowhere)])
    assert (await corp.refusal(away))[0] == "provider_away"


async def test_user_information_about_somebody_else_is_not_believed(corp: Corporation) -> None:
    corp.provider.userinfo = {"sub": "8", "email": "ann@example.org", "email_verified": True}
    sign_in = corp.sign_in(email_domains=("example.org",))
    assert (await corp.refusal(sign_in))[0] == "provider_wrong"
    del corp.provider.userinfo["sub"]
    assert await corp.user(sign_in) == "ann"


async def test_an_answer_is_good_once_in_the_browser_that_began_and_for_ten_minutes(
    corp: Corporation,
) -> None:
    sign_in = corp.sign_in()

    async def refused(answer: dict[str, str], browser: str | None, name: str = "corp") -> str:
        with pytest.raises(AccessRefused) as error:
            await sign_in.finish(name, answer, browser)
        return error.value.code

    async def begun() -> tuple[dict[str, str], str]:
        address, browser = await sign_in.begin("corp", redirect_uri=BACK, to="/tools")
        return corp.provider.sign_in(address), browser

    answer, browser = await begun()
    assert await refused({**answer, "state": "invented"}, browser) == "unknown"
    assert await refused({}, browser) == "unknown"
    assert (await sign_in.finish("corp", answer, browser))[0].name == "ann"
    assert await refused(answer, browser) == "used"

    # Somebody's else answer, smuggled into this browser, and one without the browser's secret.
    answer, browser = await begun()
    _, mine = await begun()
    assert await refused(answer, mine) == "foreign"
    assert await refused(answer, browser) == "used"
    answer, _ = await begun()
    assert await refused(answer, None) == "foreign"

    # An answer for one provider is none for another.
    answer, browser = await begun()
    assert await refused(answer, browser, "other") == "foreign"
    answer, browser = await begun()
    assert await refused(answer, browser, "nowhere") == "unknown"
    assert await refused({**answer, "iss": "https://evil.test"}, browser) == "provider_wrong"

    answer, browser = await begun()
    assert await refused({**answer, "code": "stolen"}, browser) == "denied"
    answer, browser = await begun()
    del answer["code"]
    assert await refused({**answer, "error": "access_denied"}, browser) == "denied"
    answer, browser = await begun()
    del answer["code"]
    assert await refused(answer, browser) == "provider_wrong"

    answer, browser = await begun()
    corp.node.pass_time(600)
    assert await refused(answer, browser) == "expired"


async def test_an_issuer_that_promises_to_name_itself_must(corp: Corporation) -> None:
    corp.provider.metadata["authorization_response_iss_parameter_supported"] = True
    sign_in = corp.sign_in()
    assert await corp.user(sign_in) == "ann"
    address, browser = await sign_in.begin("corp", redirect_uri=BACK, to="/")
    answer = corp.provider.sign_in(address)
    del answer["iss"]
    with pytest.raises(AccessRefused, match="whose it is"):
        await sign_in.finish("corp", answer, browser)


async def test_the_store_keeps_nothing_with_which_a_sign_in_could_be_finished(
    corp: Corporation, tmp_path: Path
) -> None:
    address, browser = await corp.sign_in().begin("corp", redirect_uri=BACK, to="/")
    begun = corp.provider.sign_in(address)
    kept = b"".join(each.read_bytes() for each in tmp_path.glob("store.db*") if each.is_file())
    assert BACK.encode() in kept
    assert begun["state"].encode() not in kept
    assert browser.encode() not in kept
