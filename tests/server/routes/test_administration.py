"""Administration over HTTP: who may make, change and remove users, groups, roles and tokens."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import HTTPConnection

from antiphon import Principal
from antiphon.access.errors import AccessRefused
from antiphon.config import Settings
from antiphon.server import create_app

CHEAP = {"password_memory": 1024, "password_passes": 1}
TOKEN = "a token of some length"
PASSWORD = "correct horse battery"


class Desk:
    """A server whose requests say in a header who makes them."""

    def __init__(self, client: Any) -> None:
        self.client = client

    def ask(self, who: str, method: str, path: str, body: Any = None) -> Any:
        headers = {"x-user": who} if who else {}
        content = None if body is None else json.dumps(body).encode()
        if content is not None:
            headers["content-type"] = "application/json"
        return self.client.send(method, path, headers, content)

    def done(self, who: str, method: str, path: str, body: Any = None) -> Any:
        reply = self.ask(who, method, path, body)
        assert reply.status in (200, 201), reply.body
        return reply.json

    def refused(self, status: int, who: str, method: str, path: str, body: Any = None) -> str:
        """The words of a refusal, which is a problem document."""
        reply = self.ask(who, method, path, body)
        assert (reply.status, reply.media_type) == (status, "application/problem+json"), reply.body
        assert reply.json["title"]
        return str(reply.json["detail"])

    def events(self, event: str) -> list[dict[str, Any]]:
        lines: list[dict[str, Any]] = self.done("root", "GET", f"/api/audit?event={event}")["lines"]
        return lines


def make_desk(serve: Any, data: Path) -> Any:
    async def by_header(connection: HTTPConnection) -> Principal | None:
        name, _, credential = connection.headers.get("x-user", "").partition(":")
        try:
            access = app.services.application.access
            return await access.principal(name, credential=credential or "b1")
        except AccessRefused:
            return None

    app = create_app(
        serve.registry,
        Settings(data=data, access=CHEAP, server={"admin_token": TOKEN}),
        principal=by_header,
    )
    app.services.warm_after = float("inf")
    return app


async def populate(app: Any) -> None:
    async with app.running():
        access = app.services.application.access
        await access.create_user("root", roles=["admin"], by="test")
        await access.create_organisation("shop", "The shop", "test")
        await access.create_user("sue", organisation="shop", roles=["admin"], by="test")
        await access.create_user("sam", organisation="shop", by="test")


@pytest.fixture(scope="module")
def desk(serve: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """With `root`, administrator of the server; `sue`, administrator of the shop; `sam`, her
    member; and `pam`, who manages the people of the first organisation and no more."""
    app = make_desk(serve, tmp_path_factory.mktemp("desk"))
    asyncio.run(populate(app))
    with serve.running(app) as client:
        made = Desk(client)
        keeper = {"includes": ["member"], "permissions": ["users.manage", "roles.manage"]}
        made.done("root", "PUT", "/api/roles/keeper", keeper)
        made.done("root", "POST", "/api/users", {"name": "pam", "roles": ["keeper"]})
        yield made


def test_a_user_is_invited_changed_disabled_and_removed(desk: Desk) -> None:
    body = {"name": "Ada", "display_name": "Ada L.", "roles": ["operator"]}
    made = desk.done("root", "POST", "/api/users", body)
    user, link = made["user"], made["link"]
    assert (user["name"], user["roles"], user["has_password"]) == ("ada", ["operator"], False)
    assert link["url"].endswith(f"/#/link/{link['secret']}")
    assert "ada" in [
        each["user"] for each in desk.done("root", "GET", "/api/invitations")["invitations"]
    ]
    again = desk.done("root", "POST", "/api/users/ada/link")
    assert again["secret"] != link["secret"]
    assert desk.done("root", "DELETE", "/api/invitations/ada") == {"removed": "ada"}
    assert "no link" in desk.refused(404, "root", "DELETE", "/api/invitations/ada")

    changed = desk.done("root", "PATCH", "/api/users/ada", {"roles": ["member"], "email": "a@b.c"})
    assert (changed["roles"], changed["email"]) == (["member"], "a@b.c")
    assert desk.ask("ada", "GET", "/api/tools").status == 200
    assert desk.done("root", "PATCH", "/api/users/ada", {"disabled": True})["disabled"]
    assert desk.ask("ada", "GET", "/api/tools").status == 401
    assert "disabled" in desk.refused(409, "root", "POST", "/api/users/ada/link")
    assert desk.done("root", "DELETE", "/api/users/ada") == {"removed": "ada"}
    assert desk.refused(404, "root", "GET", "/api/users/ada")
    assert "was removed" in desk.refused(409, "root", "POST", "/api/users", {"name": "ada"})
    events = [line["by"] for line in desk.events("user_created") if line["user"] == "ada"]
    assert events == ["root"]
    secrets = link["secret"], again["secret"]
    assert not any(each in json.dumps(desk.events("sign_in_link_made")) for each in secrets)


def test_a_user_with_a_password_needs_no_link(desk: Desk) -> None:
    made = desk.done("root", "POST", "/api/users", {"name": "bob", "password": PASSWORD})
    assert (made["link"], made["user"]["has_password"]) == (None, True)
    assert PASSWORD not in json.dumps(made)


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (422, {"name": ""}, "1 to 64 characters"),
        (422, {"name": "a b"}, "cannot be seen or is a space"),
        (422, {"name": "rооt"}, "several alphabets"),
        (409, {"name": "ROOT"}, "is taken"),
        (409, {"name": "r00t"}, "looks like 'root', which is taken"),
        (409, {"name": "sarn"}, "a user of another organisation"),
        (422, {"name": "new", "roles": ["king"]}, "no role 'king'"),
        (404, {"name": "new", "groups": ["nobody"]}, "no group 'nobody'"),
        (404, {"name": "new", "organisation": "nowhere"}, "no organisation 'nowhere'"),
        (422, {"name": "new", "password": "short"}, "12 to 128 characters"),
        (422, {"name": "new", "password": "x" * 200_000}, "this one has 200000"),
        (413, {"name": "new", "password": "x" * 1_000_000}, "may have at most"),
        (422, {"name": "new", "email": "a\nb"}, "cannot be shown"),
        (422, {"name": "new", "rights": "all"}, "rights"),
        (422, {"name": 7}, "name"),
    ],
)
def test_a_user_that_cannot_be_made_is_told_why(
    desk: Desk, status: int, body: dict[str, Any], words: str
) -> None:
    assert words in desk.refused(status, "root", "POST", "/api/users", body)
    assert desk.ask("root", "GET", "/api/users/new").status == 404


@pytest.mark.parametrize(
    ("method", "path", "body", "field"),
    [
        ("POST", "/api/users", {"name": "r00t"}, "name"),
        ("POST", "/api/users", {"name": "new", "password": "short"}, "password"),
        ("POST", "/api/users", {"name": "new", "email": "a\nb"}, "email"),
        ("POST", "/api/users", {"name": "new", "groups": ["nobody"]}, "groups"),
        ("PATCH", "/api/users/root", {"roles": ["member"]}, "roles"),
        ("PUT", "/api/groups/-", {}, "name"),
        ("PUT", "/api/groups/new", {"members": ["nobody"]}, "members"),
        ("PUT", "/api/roles/own", {"permissions": ["fly"]}, "permissions"),
        ("PUT", "/api/roles/own", {"includes": ["own"]}, "includes"),
        ("PUT", "/api/roles/own", {"rules": [{"tools": ["a"]}, {"tools": []}]}, "rules.1"),
        ("POST", "/api/tokens", {"name": "x", "networks": ["10.0.0.0/99"]}, "networks"),
        ("POST", "/api/tokens", {"name": "x", "expires_at": 1000.0}, "expires_at"),
        ("POST", "/api/organisations", {"id": "A", "name": "A"}, "id"),
    ],
)
def test_a_problem_names_the_field_that_it_is_about(
    desk: Desk, method: str, path: str, body: dict[str, Any], field: str
) -> None:
    problem = desk.ask("root", method, path, body).json
    assert problem["status"] in (403, 404, 409, 422)
    assert [(each["in"], each["name"]) for each in problem["errors"]] == [("body", field)]
    assert problem["errors"][0]["message"] == problem["detail"]


def test_what_was_refused_is_in_the_audit(desk: Desk) -> None:
    desk.refused(409, "pam", "POST", "/api/users", {"name": "parn"})
    (line,) = [each for each in desk.events("access_change_refused") if each["by"] == "pam"][:1]
    assert line["details"]["route"].startswith(("POST", "PUT", "PATCH", "DELETE"))
    assert line["details"]["code"] in ("conflict", "forbidden")


def test_an_address_that_ones_permissions_do_not_open_is_in_the_audit(desk: Desk) -> None:
    desk.refused(403, "pam", "GET", "/api/audit")
    (line,) = [each for each in desk.events("permission_refused") if each["by"] == "pam"][:1]
    assert line["details"]["route"] == "GET /api/audit"
    assert "audit.read" in line["details"]["reason"]


def test_the_last_administrator_stays(desk: Desk) -> None:
    # Not even the operator can take the server's last administrator away.
    headers = {"authorization": f"Bearer {TOKEN}", "content-type": "application/json"}
    for method, body in (
        ("DELETE", b""),
        ("PATCH", b'{"roles": ["member"]}'),
        ("PATCH", b'{"disabled": true}'),
    ):
        reply = desk.client.send(method, "/api/users/root", headers, body)
        assert reply.status == 409, reply.body
        assert "without an administrator" in reply.json["detail"]
    assert desk.done("root", "GET", "/api/users/root")["you"]


# -- nobody raises their own rights ---------------------------------------------------------------


def test_nobody_gives_more_than_they_have(desk: Desk) -> None:
    def refused(method: str, path: str, body: Any = None) -> str:
        return desk.refused(403, "pam", method, path, body)

    give = "cannot give or change what you do not have"
    assert give in refused("POST", "/api/users", {"name": "max", "roles": ["admin"]})
    assert give in refused("PUT", "/api/roles/keeper", {"permissions": ["audit.read"]})
    assert give in refused("PUT", "/api/roles/boss", {"includes": ["admin"]})
    assert give in refused("PUT", "/api/roles/boss", {"approves": ["*"]})
    assert give in refused("PUT", "/api/groups/bosses", {"roles": ["operator"]})
    # Whoever has more is not theirs to change: a link would let them in as that person.
    assert give in refused("POST", "/api/users/root/link")
    assert give in refused("PATCH", "/api/users/root", {"email": "mine@example.org"})
    assert give in refused("DELETE", "/api/users/root")
    assert give in refused("POST", "/api/tokens", {"name": "t", "user": "root"})
    assert "Nobody changes their own roles" in refused(
        "PATCH", "/api/users/pam", {"roles": ["member"]}
    )
    assert "Nobody removes themselves" in refused("DELETE", "/api/users/pam")
    made = desk.done("pam", "POST", "/api/users", {"name": "max"})
    assert made["user"]["manageable"]
    listed = {each["name"]: each for each in desk.done("pam", "GET", "/api/users")["users"]}
    assert (listed["root"]["manageable"], listed["pam"]["you"]) == (False, True)
    roles = {
        each["name"]: each["grantable"] for each in desk.done("pam", "GET", "/api/roles")["roles"]
    }
    assert (roles["admin"], roles["operator"], roles["member"]) == (False, False, True)


def test_nobody_frees_themselves_of_a_rule_that_binds_them(desk: Desk) -> None:
    bound = {"rules": [{"tools": ["pay_*"], "effect": "refuse"}]}
    desk.done("root", "PUT", "/api/roles/bound", bound)
    desk.done("root", "PUT", "/api/groups/bound", {"roles": ["bound"]})
    desk.done(
        "root", "POST", "/api/users", {"name": "kim", "roles": ["keeper"], "groups": ["bound"]}
    )
    for method, path, body in (
        ("PUT", "/api/roles/bound", {}),
        ("PUT", "/api/groups/bound", {"members": ["kim"]}),
        ("PUT", "/api/groups/bound", {"roles": ["bound"]}),
        ("DELETE", "/api/groups/bound", None),
        ("POST", "/api/users", {"name": "free", "roles": ["member"]}),
    ):
        assert desk.refused(403, "kim", method, path, body), path
    both = {"name": "tied", "roles": ["member", "bound"]}
    assert desk.done("kim", "POST", "/api/users", both)["user"]["roles"] == ["member", "bound"]


def test_without_the_permission_nothing_of_it_is_there(desk: Desk) -> None:
    desk.done("root", "POST", "/api/users", {"name": "mel"})
    for method, path in (
        ("GET", "/api/users"),
        ("POST", "/api/users"),
        ("GET", "/api/groups"),
        ("GET", "/api/roles"),
        ("GET", "/api/invitations"),
        ("GET", "/api/organisations"),
    ):
        body = {"name": "x"} if method == "POST" else None
        assert "needs the permission" in desk.refused(403, "mel", method, path, body)


# -- organisations --------------------------------------------------------------------------------


def test_an_administrator_of_one_organisation_cannot_touch_another(desk: Desk) -> None:
    desk.done("root", "PUT", "/api/groups/north", {"roles": [], "members": []})
    token = desk.done("root", "POST", "/api/tokens", {"name": "mine"})["token"]
    assert {each["name"] for each in desk.done("sue", "GET", "/api/users")["users"]} == {
        "sue",
        "sam",
    }
    missing = [
        ("GET", "/api/users/root", None),
        ("PATCH", "/api/users/root", {"disabled": True}),
        ("DELETE", "/api/users/root", None),
        ("POST", "/api/users/root/link", None),
        ("DELETE", "/api/invitations/pam", None),
        ("DELETE", "/api/groups/north", None),
        ("PUT", "/api/groups/own", {"members": ["root"]}),
        ("GET", "/api/tokens?user=root", None),
        ("POST", "/api/tokens", {"name": "x", "user": "root"}),
        ("DELETE", f"/api/tokens/{token['id']}", None),
    ]
    for method, path, body in missing:
        words = desk.refused(404, "sue", method, path, body)
        # The same as of what is nowhere.
        elsewhere = path.replace("root", "nix").replace("pam", "nix")
        assert words.replace("root", "nix").replace("pam", "nix") == desk.refused(
            404, "sue", method, elsewhere, json.loads(json.dumps(body).replace("root", "nix"))
        )
    for path in ("users", "groups", "roles", "invitations", "tokens?everybody=true"):
        mark = "&" if "?" in path else "?"
        assert desk.refused(403, "sue", "GET", f"/api/{path}{mark}organisation=")
    assert desk.refused(403, "sue", "POST", "/api/users", {"name": "x", "organisation": ""})
    assert desk.refused(403, "sue", "GET", "/api/organisations")
    assert desk.done("sue", "GET", "/api/tokens?everybody=true")["tokens"] == []
    # Within her own she can do what an administrator does.
    desk.done("sue", "PUT", "/api/roles/clerk", {"includes": ["member"]})
    made = desk.done("sue", "POST", "/api/users", {"name": "cleo", "roles": ["clerk", "admin"]})
    assert made["user"]["organisation"] == "shop"
    assert "king" in desk.refused(422, "sue", "PUT", "/api/roles/clerk", {"includes": ["king"]})
    wide = {"permissions": ["organisations.manage"]}
    assert "first organisation" in desk.refused(422, "sue", "PUT", "/api/roles/x", wide)
    assert "clerk" not in [each["name"] for each in desk.done("root", "GET", "/api/roles")["roles"]]
    assert "clerk" in [
        each["name"] for each in desk.done("root", "GET", "/api/roles?organisation=shop")["roles"]
    ]


def test_organisations_are_made_renamed_and_removed_when_empty(desk: Desk) -> None:
    made = desk.done("root", "POST", "/api/organisations", {"id": "yard", "name": "Yard"})
    assert (made["id"], made["users"]) == ("yard", 0)
    again = {"id": "yard", "name": "Yard"}
    assert "already" in desk.refused(409, "root", "POST", "/api/organisations", again)
    assert "small letters" in desk.refused(
        422, "root", "POST", "/api/organisations", {"id": "A b", "name": "x"}
    )
    assert desk.refused(422, "root", "POST", "/api/organisations", {"id": "b", "name": " "})
    assert (
        desk.done("root", "PATCH", "/api/organisations/yard", {"name": "The yard"})["name"]
        == "The yard"
    )
    desk.done("root", "POST", "/api/users", {"name": "yan", "organisation": "yard"})
    assert "1 user" in desk.refused(409, "root", "DELETE", "/api/organisations/yard")
    listed = {
        each["id"]: each["users"]
        for each in desk.done("root", "GET", "/api/organisations")["organisations"]
    }
    assert listed["yard"] == 1
    assert "" in listed
    desk.done("root", "DELETE", "/api/users/yan")
    assert desk.done("root", "DELETE", "/api/organisations/yard") == {"removed": "yard"}
    assert "whose things are still there" in desk.refused(
        409, "root", "POST", "/api/organisations", again
    )
    assert desk.refused(404, "root", "DELETE", "/api/organisations/yard")


# -- groups and roles -----------------------------------------------------------------------------


def test_a_group_gives_its_roles_to_its_members(desk: Desk) -> None:
    desk.done("root", "POST", "/api/users", {"name": "gil"})
    assert desk.ask("gil", "GET", "/api/audit").status == 403
    body = {"roles": ["operator"], "members": ["Gil"]}
    assert desk.done("root", "PUT", "/api/groups/ops", body)["members"] == ["gil"]
    assert desk.ask("gil", "GET", "/api/audit").status == 200
    assert desk.done("root", "GET", "/api/users/gil")["groups"] == ["ops"]
    assert desk.done("root", "PATCH", "/api/users/gil", {"groups": []})["groups"] == []
    assert desk.ask("gil", "GET", "/api/audit").status == 403
    assert "no role 'king'" in desk.refused(
        422, "root", "PUT", "/api/groups/ops", {"roles": ["king"]}
    )
    assert "name of a group" in desk.refused(422, "root", "PUT", "/api/groups/a%20b", {})
    assert "no user 'sam'" in desk.refused(
        404, "root", "PUT", "/api/groups/ops", {"members": ["sam"]}
    )
    assert desk.done("root", "DELETE", "/api/groups/ops") == {"removed": "ops"}
    assert desk.refused(404, "root", "DELETE", "/api/groups/ops")


@pytest.mark.parametrize(
    ("name", "body", "words"),
    [
        ("ring", {"includes": ["ring"]}, "includes itself"),
        ("one", {"includes": ["two"]}, "includes itself: "),
        ("admin", {}, "built in"),
        ("Big", {}, "small letter"),
        ("own", {"permissions": ["fly"]}, "no permission 'fly'"),
        ("own", {"includes": ["king"]}, "no role 'king'"),
        ("own", {"rules": [{"tools": []}]}, "names its tools"),
        ("own", {"rules": [{"tools": ["*"], "when": "args."}]}, "`rules[0]`"),
        ("own", {"rules": [{"tools": ["*"], "effect": "maybe"}]}, "allow, ask or refuse"),
        ("own", {"rules": ["all"]}, "must be an object"),
        ("own", {"permissions": [7]}, "list of at most"),
        ("own", {"power": 1}, "power"),
    ],
)
def test_a_role_that_cannot_be_is_told_why(
    desk: Desk, name: str, body: dict[str, Any], words: str
) -> None:
    if name == "one":
        desk.done("root", "PUT", "/api/roles/one", {})
        desk.done("root", "PUT", "/api/roles/two", {"includes": ["one"]})
    assert words in desk.refused(422, "root", "PUT", f"/api/roles/{name}", body)


def test_a_role_is_shown_with_all_that_it_gives_and_removed_when_nobody_has_it(desk: Desk) -> None:
    rule = {
        "tools": ["pay_*"],
        "effect": "ask",
        "modes": ["voice"],
        "writes": None,
        "when": "args.n > 1",
    }
    made = desk.done("root", "PUT", "/api/roles/payer", {"includes": ["member"], "rules": [rule]})
    assert made["rules"] == [rule]
    assert "tools.call" in made["all_permissions"]
    assert made["permissions"] == []
    desk.done("root", "POST", "/api/users", {"name": "pat", "roles": ["payer"]})
    listed = desk.done("root", "GET", "/api/roles")
    assert [each["used_by"] for each in listed["roles"] if each["name"] == "payer"] == [1]
    assert "users.manage" in [each["name"] for each in listed["permissions"]]
    assert "'pat' has it" in desk.refused(409, "root", "DELETE", "/api/roles/payer")
    desk.done("root", "PATCH", "/api/users/pat", {"roles": ["member"]})
    assert desk.done("root", "DELETE", "/api/roles/payer") == {"removed": "payer"}
    assert "built in" in desk.refused(422, "root", "DELETE", "/api/roles/admin")


# -- tokens ---------------------------------------------------------------------------------------


def test_everybody_has_tokens_of_their_own_and_sees_no_others(desk: Desk) -> None:
    for name in ("tia", "tom"):
        desk.done("root", "POST", "/api/users", {"name": name})
    body = {
        "name": "ci",
        "permissions": ["tools.call"],
        "tools": ["kb_*"],
        "networks": ["10.0.0.0/8"],
    }
    made = desk.done("tia", "POST", "/api/tokens", body)
    token = made["token"]
    assert made["secret"].startswith(f"anti_{token['id']}_")
    assert (token["user"], token["state"], token["networks"]) == ("tia", "active", ["10.0.0.0/8"])
    listed = desk.done("tia", "GET", "/api/tokens")
    assert listed["tokens"] == [token]
    assert made["secret"] not in json.dumps(listed)
    assert desk.done("tom", "GET", "/api/tokens")["tokens"] == []
    for path in ("/api/tokens?user=tia", "/api/tokens?everybody=true"):
        assert "users.manage" in desk.refused(403, "tom", "GET", path)
    assert desk.refused(404, "tom", "DELETE", f"/api/tokens/{token['id']}")
    assert desk.refused(403, "tom", "POST", "/api/tokens", {"name": "x", "user": "tia"})
    assert desk.done("pam", "GET", "/api/tokens?user=tia")["count"] == 1
    assert desk.done("pam", "DELETE", f"/api/tokens/{token['id']}")["state"] == "revoked"
    assert "cannot make another" in desk.refused(
        403, "tia:t12", "POST", "/api/tokens", {"name": "x"}
    )


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (422, {"name": ""}, "name of a token"),
        (422, {"name": "x", "expires_at": -1}, "greater than 0"),
        (422, {"name": "x", "expires_at": 1000.0}, "expired already"),
        (422, {"name": "x", "networks": ["10.0.0.0/99"]}, "A network is written like"),
        (422, {"name": "x", "networks": []}, "1 to 200 entries"),
        (422, {"name": "x", "permissions": ["fly"]}, "no permission"),
        (403, {"name": "x", "permissions": ["audit.read"]}, "cannot have more than its user"),
        (422, {"name": "x", "tools": ["a\u0000"]}, "cannot be shown"),
    ],
)
def test_a_token_that_cannot_be_made_is_told_why(
    desk: Desk, status: int, body: dict[str, Any], words: str
) -> None:
    assert words in desk.refused(status, "sam", "POST", "/api/tokens", body)


# -- without sign-in ------------------------------------------------------------------------------


def test_without_sign_in_the_operator_does_all_of_it(serve: Any, tmp_path: Path) -> None:
    app = serve.app(data=tmp_path, access={"sign_in": "off", **CHEAP})
    with serve.running(app) as client:
        desk = Desk(client)
        first = {"name": "ada", "roles": ["member"]}
        assert "without an administrator" in desk.refused(409, "", "POST", "/api/users", first)
        made = desk.done("", "POST", "/api/users", {"name": "ada", "roles": ["admin"]})
        assert not made["user"]["you"]
        assert "whose token" in desk.refused(422, "", "POST", "/api/tokens", {"name": "x"})
        desk.done("", "POST", "/api/tokens", {"name": "x", "user": "ada"})
        desk.done("", "POST", "/api/organisations", {"id": "shop", "name": "Shop"})
        lines = desk.done("", "GET", "/api/audit?event=user_created")["lines"]
        assert [line["by"] for line in lines] == ["(operator)"]


def test_people_of_the_application_around_it_have_no_tokens_here(
    serve: Any, tmp_path: Path
) -> None:
    app = create_app(serve.registry, Settings(data=tmp_path), principal=lambda _: Principal("root"))
    app.services.warm_after = float("inf")
    with serve.running(app) as client:
        desk = Desk(client)
        assert "application around it" in desk.refused(403, "", "GET", "/api/tokens")
        assert "for the operator only" in desk.refused(403, "", "GET", "/api/users")


def test_marks_of_a_record_are_lifted_by_an_administrator_alone(desk: Desk) -> None:
    desk.done("sue", "POST", "/api/knowledge", {"id": "marked", "title": "Marked"})
    path = "/api/knowledge/marked/records/note:1"
    fields = {"code": {"sensitivity": "secret"}}
    strict = {"marks": {"origin": "untrusted", "fields": fields}}
    desk.done("sam", "PUT", path, {"type": "note", "metadata": {**strict, "code": "1"}})
    for claim in ({}, {"marks": {"origin": "operator"}}, {"marks": {"fields": {"code": {}}}}):
        kept = desk.done("sam", "PUT", path, {"type": "note", "metadata": {**claim, "code": "2"}})
        assert kept["metadata"] == {**strict, "code": "2"}
    assert desk.done("sam", "GET", path)["metadata"] == {**strict, "code": "2"}
    stricter = {"marks": {"sensitivity": "secret"}}
    kept = desk.done("sam", "PUT", path, {"type": "note", "metadata": stricter})
    assert kept["metadata"]["marks"] == {**strict["marks"], **stricter["marks"]}
    desk.done("sue", "PUT", path, {"type": "note", "metadata": {}})
    assert desk.done("sam", "GET", path)["metadata"] == {}
    desk.ask("sue", "DELETE", "/api/knowledge/marked")
