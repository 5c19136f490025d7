"""Sign-in, one's account, administration, and approvals by a second person, in a browser."""

from __future__ import annotations

import json
import logging
import re
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Request, expect
from tests.console.conftest import PHONE, Watch, until
from tests.console.test_shell import findings
from tests.server.conftest import Client, write_workshop
from tests.server.sign_in_helpers import (
    ACCESS,
    OPERATOR,
    PASSWORD,
    as_operator,
    provider_process,
)
from tests.server.sign_in_helpers import Browser as Cookies
from tests.server.ws.phone import RULES, in_thread
from tests.shipped import build_shipped

from antiphon import Registry
from antiphon.config import Settings
from antiphon.emulators.runner import emulate
from antiphon.server import create_app

PEOPLE = {
    "root": ["admin"],
    "ada": ["member"],
    "bea": ["approver"],
    "vic": ["viewer"],
    "max": ["member"],
}


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    """The shipped tools, and some that need two people."""
    folder = tmp_path_factory.mktemp("tools")
    write_workshop(folder / "tools")
    return Registry.load(build_shipped(folder / "tool_registry.json", folder / "tools"))


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    with provider_process([{"sub": "8", "preferred_username": "carla"}]) as found:
        yield found


@pytest.fixture(scope="module")
def client(
    registry: Registry, issuer: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Client]:
    """A server with some people on it, and two identity providers, one of which is away."""
    corp = {"issuer": issuer, "client_id": "antiphon", "client_secret": "s3cret"}
    gone = {"issuer": "http://localhost:1025", "client_id": "antiphon", "title": "Faraway"}
    oidc = {"corp": {**corp, "title": "Corporation", "create_users": True}, "gone": gone}
    with emulate("gemini", RULES, check=False) as gemini:
        provider = {"api_key": gemini.key, "base_url": gemini.base_url, "ca_file": gemini.ca_file}
        settings = Settings(
            data=tmp_path_factory.mktemp("access"),
            access={**ACCESS, "oidc": oidc},
            server={"admin_token": OPERATOR},
            providers={"gemini": provider},
        )
        app = create_app(registry, settings)
        app.services.warm_after = float("inf")
        with in_thread(app) as running:
            for name, roles in PEOPLE.items():
                body = {"name": name, "roles": roles, "password": PASSWORD}
                as_operator(running, "POST", "/api/users", body)
            yield running


@pytest.fixture(scope="module")
def server(client: Client) -> str:
    # Not the number: there are no passkeys for numbers.
    return f"http://localhost:{client.port}"


@pytest.fixture
def arrives(opened: Callable[..., Page], client: Client) -> Callable[..., Page]:
    """Opens the console as somebody who is signed in already."""

    def arrive(user: str, at: str = "", **options: Any) -> Page:
        browser = Cookies(client)
        assert browser.sign_in(user).status == 200
        kept = {"name": "antiphon", "value": browser.secret, "domain": "localhost", "path": "/"}
        cookie = {**kept, "expires": -1, "httpOnly": True, "secure": False, "sameSite": "Lax"}
        return opened(at, cookies=[cookie], **options)

    return arrive


def sign_in(page: Page, user: str, password: str = PASSWORD) -> None:
    page.get_by_label("User name").fill(user)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Sign in", exact=True).click()


def drawer(page: Page) -> Locator:
    return page.locator(".drawer")


def kept(page: Page) -> dict[str, str]:
    """What the browser keeps, without how the console looks and to whom it belongs."""
    found: dict[str, str] = page.evaluate("({...localStorage, ...sessionStorage})")
    return {k: v for k, v in found.items() if k not in ("antiphon.prefs", "antiphon.owner")}


# -- coming in ---------------------------------------------------------------------------------


def test_who_signs_in_comes_to_where_they_wanted_to_go(
    opened: Callable[..., Page], watch: Watch
) -> None:
    watch.expected.append("401 (Unauthorized)")
    page = opened("#/kg-studio/studio", arrived=".entrance")
    expect(page.get_by_label("User name")).to_be_focused()
    expect(page.get_by_role("navigation")).to_have_count(0)
    assert findings(page) == []
    sign_in(page, "ada", "a wrong password")
    expect(page.get_by_role("alert")).to_have_text("The user name or the password is wrong.")
    secret = page.get_by_label("Password", exact=True)
    expect(secret).to_have_attribute("autocomplete", "current-password")
    page.get_by_role("button", name="Show password").click()
    expect(secret).to_have_attribute("type", "text")
    page.get_by_role("button", name="Hide password").click()
    assert findings(page) == []
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    secret.fill(PASSWORD)
    secret.press("Enter")
    expect(page.locator("main .page-kg-studio")).to_be_visible()
    assert page.url.endswith("#/kg-studio/studio")


def test_whoever_tries_too_often_is_told_how_long_to_wait(
    opened: Callable[..., Page], watch: Watch
) -> None:
    watch.expected += ["401 (Unauthorized)", "429 (Too Many Requests)"]
    page = opened(arrived=".entrance")
    button = page.get_by_role("button", name="Sign in", exact=True)
    for _ in range(30):
        sign_in(page, "nobody-at-all", "not the password")
        expect(page.locator(".button[aria-busy]")).to_have_count(0)
        if button.is_disabled():
            break
    expect(page.locator(".entrance")).to_contain_text(re.compile(r"Try again in \d+ (sec|min)"))
    expect(button).to_be_disabled()


def test_a_link_sets_a_password_once_and_leaves_the_address_bar(
    opened: Callable[..., Page], client: Client, watch: Watch
) -> None:
    watch.expected += ["401 (Unauthorized)", "422 (Unprocessable"]
    made = as_operator(client, "POST", "/api/users", {"name": "lea", "roles": ["member"]})
    secret = made["link"]["secret"]
    page = opened(f"#/link/{secret}", arrived=".entrance form")
    assert secret not in page.url
    expect(page.get_by_role("heading", name="Set your password")).to_be_visible()
    expect(page.locator(".entrance")).to_contain_text("For the user lea.")
    field = page.get_by_label("New password", exact=True)
    field.fill("short")
    page.get_by_role("button", name="Set password and sign in").click()
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_be_focused()
    assert findings(page) == []
    field.fill(PASSWORD)
    field.press("Enter")
    page.locator("main .page").wait_for()
    assert secret not in json.dumps(kept(page))
    page.goto(f"/#/link/{secret}")
    expect(page.get_by_role("alert")).to_contain_text("This link has been used already")
    assert secret not in page.url
    page.get_by_role("button", name="Go to sign-in").click()
    expect(page.get_by_role("navigation", name="Pages")).to_be_visible()  # lea is signed in


def test_the_first_administrator_comes_by_the_link_of_the_log(
    opened: Callable[..., Page],
    registry: Registry,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    watch: Watch,
) -> None:
    watch.expected += ["asked elsewhere", "422 (Unprocessable"]
    caplog.set_level(logging.WARNING, "antiphon.server.first_link")
    with in_thread(create_app(registry, Settings(data=tmp_path, access=ACCESS))) as running:
        [secret] = re.findall(r"#/link/([\w-]+)", caplog.text)
        at = f"http://localhost:{running.port}/#/link/{secret}"
        page = opened(at, arrived=".entrance form")
        page.get_by_label("User name").fill("r о")
        page.get_by_label("New password", exact=True).fill(PASSWORD)
        page.get_by_role("button", name="Make the administrator").click()
        expect(page.get_by_label("User name")).to_have_attribute("aria-invalid", "true")
        page.get_by_label("User name").fill("root")
        page.get_by_role("button", name="Make the administrator").click()
        menu = page.get_by_role("navigation", name="Pages")
        expect(menu.get_by_role("link", name="Administration")).to_be_visible()
        page.close()


def test_an_identity_provider_leads_back_to_where_one_wanted_to_go(
    opened: Callable[..., Page], watch: Watch
) -> None:
    # Their page has a style sheet from elsewhere, which there is not here.
    watch.expected += ["asked elsewhere", "404", "ERR_NAME_NOT_RESOLVED"]
    page = opened("#/projects", arrived=".entrance")
    page.get_by_role("button", name="Sign in with Faraway").click()
    expect(page.get_by_role("alert")).to_contain_text("does not answer right now")
    assert "problem" not in page.url
    page.get_by_role("button", name="Sign in with Corporation").click()
    page.locator("input[name=sub]").fill("8")
    page.locator("input[name=sub]").press("Enter")
    page.locator("main .page").wait_for()
    page.goto("/#/settings/account")
    expect(page.locator("main")).to_contain_text("carla")
    page.get_by_role("link", name="Sign-in").click()
    expect(page.locator("#settings-security")).to_contain_text("You have no password.")


def test_a_passkey_is_added_signs_in_and_is_removed(
    arrives: Callable[..., Page], watch: Watch
) -> None:
    page = arrives("ada", "#/settings/security")
    line = page.context.new_cdp_session(page)
    line.send("WebAuthn.enable")
    able = {"hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True}
    device = {"protocol": "ctap2", "transport": "internal", **able}
    line.send("WebAuthn.addVirtualAuthenticator", {"options": device})
    page.get_by_label("Name of the new passkey").fill("work laptop")
    page.get_by_role("button", name="Add a passkey").click()
    keys = page.locator("#settings-passkeys li")
    expect(keys).to_contain_text("work laptop")
    expect(keys).to_contain_text("never used")
    assert findings(page) == []
    # The button: what the browser offers where the name is typed, this device would take at once.
    page.add_init_script("PublicKeyCredential.isConditionalMediationAvailable = async () => false")
    page.get_by_role("link", name="Account", exact=True).click()
    page.get_by_role("button", name="Sign out", exact=True).click()
    name = page.get_by_label("User name")
    expect(name).to_have_attribute("autocomplete", "username webauthn")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.locator("main .page").wait_for()
    page.goto("/#/settings/security")
    expect(keys).to_contain_text("last used")
    keys.get_by_role("button", name="Remove").click()
    expect(page.locator("#settings-passkeys")).to_contain_text("No passkeys yet")


# -- signed out in the middle, and other people --------------------------------------------------


def test_a_lost_sign_in_keeps_what_was_typed_and_goes_on_there(
    arrives: Callable[..., Page], watch: Watch
) -> None:
    watch.expected.append("401 (Unauthorized)")
    page = arrives("ada", "#/kg-studio/studio?tab=ingest")
    text = page.get_by_label("Text", exact=True)
    text.fill("Ada leads Meridian.")
    cookies = page.context.cookies()
    page.context.clear_cookies()
    page.get_by_role("button", name=re.compile("Add to")).click()
    expect(page.get_by_role("heading", name="Sign in again")).to_be_visible()
    expect(page.get_by_role("navigation", name="Pages")).to_be_hidden()
    expect(page.get_by_label("User name")).to_have_value("ada")
    sign_in(page, "ada")
    expect(page.get_by_role("heading", name="Sign in again")).to_have_count(0)
    expect(text).to_have_value("Ada leads Meridian.")
    assert page.url.endswith("#/kg-studio/studio?tab=ingest")
    assert cookies != page.context.cookies()


def test_a_window_that_was_open_waits_behind_the_sign_in(
    arrives: Callable[..., Page], watch: Watch
) -> None:
    watch.expected.append("401 (Unauthorized)")
    page = arrives("root", "#/users")
    page.get_by_role("button", name="Invite a user").click()
    page.get_by_label("User name").fill("yan")
    page.context.clear_cookies()
    page.evaluate("dispatchEvent(new Event('online'))")
    over = page.get_by_role("dialog", name="Sign in")
    over.get_by_label("Password", exact=True).fill(PASSWORD)
    assert findings(page) == []
    over.get_by_label("Password", exact=True).press("Enter")
    expect(over).to_have_count(0)
    expect(page.get_by_role("dialog").get_by_label("User name")).to_have_value("yan")


def test_another_person_at_the_same_browser_finds_nothing_of_the_one_before(
    arrives: Callable[..., Page], watch: Watch
) -> None:
    watch.expected.append("401 (Unauthorized)")
    page = arrives("ada", "#/chat")
    box = page.get_by_label("Message")
    box.fill("half a sentence of Ada's")
    until(page, "JSON.stringify(localStorage).includes('half a sentence')")
    page.context.clear_cookies()
    page.evaluate("fetch('/api/account').then((answer) => answer.text())")
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.get_by_role("heading", name="Sign in again")).to_be_visible()
    sign_in(page, "max")
    expect(page.get_by_label("Message")).to_have_value("")
    assert "Ada" not in json.dumps(kept(page))
    page.goto("/#/settings/account")
    expect(page.locator("main")).to_contain_text("max")
    # And whoever signs out leaves nothing at all.
    page.goto("/#/chat")
    page.get_by_label("Message").fill("half a sentence of Max's")
    page.goto("/#/settings/account")
    other = page.context.new_page()
    other.goto("/#/tools")
    other.locator("main .page").wait_for()
    page.get_by_role("button", name="Sign out", exact=True).click()
    for tab in (page, other):
        expect(tab.get_by_role("heading", name="Sign in", exact=True)).to_be_visible()
        assert kept(tab) == {}
    other.close()


def test_the_socket_of_the_voice_opens_with_a_ticket_that_is_in_no_address(
    arrives: Callable[..., Page],
) -> None:
    page = arrives("ada", "#/chat", prefs={"backend": "gemini"})
    asked: list[Request] = []
    page.on("request", lambda request: asked.append(request))
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    shakes: list[dict[str, Any]] = []
    line.on("Network.webSocketWillSendHandshakeRequest", lambda event: shakes.append(event))
    with page.expect_websocket() as opening:
        page.get_by_role("button", name=re.compile("microphone|Talk", re.IGNORECASE)).first.click()
    socket = opening.value
    with socket.expect_event("framereceived"):
        pass
    assert any(each.url.endswith("/api/account/ticket") for each in asked)
    assert "ticket" not in socket.url
    protocols = shakes[0]["request"]["headers"]["Sec-WebSocket-Protocol"]
    assert re.fullmatch(r"antiphon, ticket\.[\w-]+", protocols)


# -- one's account -------------------------------------------------------------------------------


def test_a_password_is_changed_and_other_browsers_are_signed_out(
    arrives: Callable[..., Page], client: Client, watch: Watch
) -> None:
    watch.expected.append("403 (Forbidden)")
    made = {"name": "pia", "roles": ["member"], "password": PASSWORD}
    as_operator(client, "POST", "/api/users", made)
    elsewhere = Cookies(client)
    elsewhere.sign_in("pia")
    page = arrives("pia", "#/settings/account")
    page.get_by_label("Display name").fill("Pia Sand")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name="Save")).to_be_disabled()
    assert elsewhere.account()["display_name"] == "Pia Sand"
    assert findings(page) == []
    page.get_by_role("link", name="Sign-in").click()
    browsers = page.locator("#settings-browsers li")
    expect(browsers).to_have_count(2)
    expect(browsers.filter(has_text="this browser")).to_have_count(1)
    page.get_by_label("Current password", exact=True).fill("not this one")
    page.get_by_label("New password", exact=True).fill("another good password")
    page.get_by_role("button", name="Change password").click()
    expect(page.locator("main")).to_contain_text("This is not your current password.")
    assert findings(page) == []
    page.get_by_label("Current password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_label("Current password", exact=True)).to_have_value("")
    assert elsewhere.get("/api/account").status == 401
    assert elsewhere.sign_in("pia", "another good password").status == 200
    page.reload()
    page.get_by_role("button", name="Sign out all others").click()
    expect(browsers).to_have_count(1)
    assert elsewhere.get("/api/account").status == 401


def test_a_token_is_shown_once_works_and_is_revoked(
    arrives: Callable[..., Page], server: str
) -> None:
    page = arrives("ada", "#/settings/tokens")
    page.get_by_role("button", name="New token").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("nightly import")
    dialog.get_by_role("checkbox", name=re.compile("All that the user has")).uncheck()
    dialog.get_by_role("button", name="Create").click()
    expect(dialog).to_contain_text("Choose at least one, or all of them.")
    dialog.get_by_role("checkbox", name=re.compile("knowledge.read")).check()
    dialog.get_by_role("textbox", name="Tools").fill("kb_*")
    assert findings(page) == []
    dialog.get_by_role("button", name="Create").click()
    secret = dialog.get_by_label("Token").input_value()
    request = urllib.request.Request(
        f"{server}/api/account", headers={"authorization": f"Bearer {secret}"}
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        assert json.load(answer)["permissions"] == ["knowledge.read"]
    dialog.get_by_role("button", name="Copy").click()
    assert page.evaluate("navigator.clipboard.readText()") == secret
    dialog.get_by_role("button", name="Done").click()
    assert secret not in page.content()
    expect(page.locator("main")).to_contain_text("tools kb_*")
    page.get_by_role("button", name="Revoke nightly import").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(page.locator("main")).to_contain_text("Revoked")
    with pytest.raises(urllib.error.HTTPError, match="401"):
        urllib.request.urlopen(request, timeout=30)


# -- administration ------------------------------------------------------------------------------


def test_a_user_is_invited_changed_and_removed_and_problems_stand_at_their_fields(
    arrives: Callable[..., Page], client: Client, watch: Watch
) -> None:
    watch.expected.append("409 (Conflict)")
    page = arrives("root", "#/users")
    page.get_by_role("button", name="Invite a user").click()
    dialog = page.get_by_role("dialog")
    name = dialog.get_by_label("User name")
    name.fill("r00t")
    dialog.get_by_role("button", name="Invite", exact=True).click()
    expect(name).to_have_attribute("aria-invalid", "true")
    expect(name).to_be_focused()
    expect(dialog).to_contain_text("looks like 'root', which is taken")
    assert findings(page) == []
    name.fill("zoe")
    dialog.get_by_label("Display name").fill("Zoe Lind")
    dialog.get_by_role("button", name="Invite", exact=True).click()
    link = dialog.get_by_label("Link for zoe").input_value()
    assert re.search(r"/#/link/[\w-]{20,}$", link)
    assert findings(page) == []
    dialog.get_by_role("button", name="Done").click()
    expect(drawer(page)).to_contain_text("Open link")
    drawer(page).get_by_role("checkbox", name=re.compile("^approver")).check()
    with page.expect_response(lambda kept: kept.request.method == "PATCH"):
        drawer(page).get_by_role("button", name="Save").click()
    expect(drawer(page).get_by_role("button", name="Save")).to_be_disabled()
    shown = as_operator(client, "GET", "/api/users/zoe")
    assert (shown["roles"], shown["display_name"]) == (["member", "approver"], "Zoe Lind")
    assert findings(page) == []
    drawer(page).get_by_role("button", name="Remove the user").click()
    asked = page.get_by_role("dialog")
    expect(asked).to_contain_text("the name can never be given again")
    asked.get_by_role("button", name="Remove for good").click()
    expect(page.locator("main")).not_to_contain_text("Zoe")
    # One's own roles are for others to change.
    page.goto("/#/users/root")
    expect(drawer(page)).to_contain_text("Nobody changes their own roles.")
    expect(drawer(page).get_by_role("checkbox")).to_have_count(0)


def test_the_last_administrator_is_told_where_it_stands(
    opened: Callable[..., Page], arrives: Callable[..., Page], client: Client, watch: Watch
) -> None:
    watch.expected.append("409 (Conflict)")
    # Another one, who has all that `root` has by a group: that is no administrator of their own.
    as_operator(client, "POST", "/api/users", {"name": "gil", "password": PASSWORD})
    chiefs = {"roles": ["admin"], "members": ["gil"]}
    as_operator(client, "PUT", "/api/groups/chiefs", chiefs)
    page = arrives("gil", "#/users/root")
    drawer(page).get_by_role("checkbox", name=re.compile("^admin")).uncheck()
    drawer(page).get_by_role("button", name="Save").click()
    roles = drawer(page).get_by_role("group", name="Roles")
    expect(roles).to_have_attribute("aria-invalid", "true")
    expect(roles).to_contain_text("left without an administrator")


def test_a_role_and_a_group_are_made_and_a_rule_that_is_wrong_is_marked(
    arrives: Callable[..., Page], client: Client, watch: Watch
) -> None:
    watch.expected.append("422 (Unprocessable")
    page = arrives("root", "#/roles")
    page.get_by_role("button", name="New role").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name", exact=True).fill("cashier")
    dialog.get_by_role("group", name="Includes these roles").get_by_role(
        "checkbox", name=re.compile("^member")
    ).check()
    dialog.get_by_role("button", name="Add a rule").click()
    rule = dialog.get_by_role("group", name="Rule 1")
    rule.get_by_label("Tools").fill("pay_*, ask_two")
    rule.get_by_label("Effect").select_option("ask")
    rule.get_by_label("Condition").fill("args.amount >")
    dialog.get_by_role("button", name="Create").click()
    expect(rule).to_have_attribute("aria-invalid", "true")
    assert findings(page) == []
    rule.get_by_label("Condition").fill("args.amount > 100")
    dialog.get_by_role("button", name="Create").click()
    expect(drawer(page)).to_contain_text("cashier")
    [made] = [r for r in as_operator(client, "GET", "/api/roles")["roles"] if not r["built_in"]]
    rules = [{"tools": ["pay_*", "ask_two"], "effect": "ask", "modes": [], "writes": None}]
    assert made["rules"] == [{**rules[0], "when": "args.amount > 100"}]
    assert (made["includes"], made["name"]) == (["member"], "cashier")
    page.goto("/#/roles/admin")
    expect(drawer(page)).to_contain_text("Built-in roles cannot be changed.")
    assert findings(page) == []
    page.goto("/#/groups")
    page.get_by_role("button", name="New group").click()
    dialog.get_by_label("Name", exact=True).fill("tills")
    dialog.get_by_role("checkbox", name=re.compile("^cashier")).check()
    dialog.get_by_role("checkbox", name="max").check()
    dialog.get_by_role("button", name="Create").click()
    expect(drawer(page).get_by_role("checkbox", name="max")).to_be_checked()
    assert "tills" in as_operator(client, "GET", "/api/users/max")["groups"]
    assert findings(page) == []
    drawer(page).get_by_role("button", name="Remove the group").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove for good").click()
    expect(page.locator("main")).not_to_contain_text("tills")
    page.goto("/#/roles/cashier")
    drawer(page).get_by_role("button", name="Remove the role").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove for good").click()
    expect(page.locator("main")).not_to_contain_text("cashier")


def test_an_organisation_is_made_and_its_users_are_looked_at(arrives: Callable[..., Page]) -> None:
    page = arrives("root", "#/organisations")
    page.get_by_role("button", name="New organisation").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("North wing")
    dialog.get_by_label("ID").fill("north-wing")
    dialog.get_by_role("button", name="Create").click()
    expect(drawer(page).get_by_label("Name")).to_have_value("North wing")
    assert findings(page) == []
    page.goto("/#/users")
    page.get_by_label("Organisation").select_option("north-wing")
    expect(page.locator("main")).to_contain_text("There are none yet.")
    page.goto("/#/organisations/north-wing")
    drawer(page).get_by_role("button", name="Remove the organisation").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove for good").click()
    expect(page.locator("main")).not_to_contain_text("North wing")


def test_nothing_is_offered_or_asked_for_that_ones_permissions_do_not_open(
    arrives: Callable[..., Page],
) -> None:
    # `watch` fails for every request that is refused: there are none.
    page = arrives("vic", "#/tools/find")
    menu = page.get_by_role("navigation", name="Pages")
    expect(menu.get_by_role("link", name="Administration")).to_have_count(0)
    expect(page.locator("main h2").first).to_be_visible()
    page.goto("/#/sessions")
    tabs = page.get_by_role("navigation", name="Activity")
    expect(tabs.get_by_role("link")).to_have_text(
        ["Sessions", re.compile("Approvals"), "Traces", "Usage"]
    )
    for address in ("audit", "metrics", "users"):
        page.goto(f"/#/{address}")
        expect(page.locator("main")).to_contain_text("You have no access to this page")
    page.goto("/#/kg-studio/studio")
    expect(page.get_by_role("tab", name="Graph")).to_be_visible()
    expect(page.get_by_role("tab", name="Add", exact=True)).to_have_count(0)
    expect(page.get_by_role("button", name="New database")).to_have_count(0)
    page.goto("/#/projects")
    expect(page.locator("main .page-projects")).to_be_visible()
    expect(page.get_by_role("button", name="New project")).to_have_count(0)
    page.goto("/#/settings/backend")
    expect(page.get_by_label("Gemini API key")).to_have_count(0)


# -- approvals by a second person ------------------------------------------------------------------


def test_a_second_person_sees_whose_call_it_is_and_approves_it(
    arrives: Callable[..., Page], client: Client, tmp_path: Path
) -> None:
    ada = Cookies(client)
    ada.sign_in("ada")
    target = tmp_path / "written"
    args = {"args": {"file": str(target), "text": "two of us"}}
    asked = ada.post("/api/tools/ask_two/call", args).json["error"]["confirmation_request"]["id"]
    hers = arrives("ada", f"#/inbox/{asked}")
    drawer(hers).get_by_role("button", name="Review").click()
    hers.get_by_role("alertdialog").get_by_role("button", name="Approve").click()
    expect(drawer(hers)).to_contain_text("You have approved it. A second person")
    expect(drawer(hers).get_by_role("button", name="Review")).to_have_count(0)
    assert not target.exists()
    theirs = arrives("bea", "#/inbox")
    row = theirs.locator(".inbox-rows li").filter(has_text="ask_two")
    expect(row).to_contain_text("ada")
    expect(row).to_contain_text("1 of 2 approved")
    row.get_by_role("link").click()
    expect(drawer(theirs)).to_contain_text("Asked by")
    assert findings(theirs) == []
    drawer(theirs).get_by_role("button", name="Review").click()
    question = theirs.get_by_role("alertdialog")
    expect(question).to_contain_text("ada asks for this")
    expect(question).to_contain_text("You are the second person")
    question.get_by_role("button", name="Approve").click()
    expect(drawer(theirs)).to_contain_text("You approved it.")
    assert target.read_text() == "two of us\n"
    expect(drawer(hers)).to_contain_text("bea approved it.")


# -- usage and limits ------------------------------------------------------------------------------


def test_what_was_spent_is_shown_and_caps_and_limits_are_set(
    arrives: Callable[..., Page], client: Client, watch: Watch
) -> None:
    watch.expected.append("status of 422")
    ada = Cookies(client)
    assert ada.sign_in("ada").status == 200
    asked = {"message": "Hello.", "backend": "gemini"}
    assert ada.post("/api/chat", asked, Accept="application/json").status == 200

    root = arrives("root", "#/limits")
    caps = root.locator(".card").filter(has=root.get_by_role("heading", name="Spending caps"))
    root.get_by_role("button", name="Set a cap").click()
    form = root.get_by_role("dialog")
    form.get_by_label("Name").fill("ada")
    form.get_by_label("Per day").fill("-3")
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_label("Per day")).to_have_attribute("aria-invalid", "true")
    form.get_by_label("Per day").fill("1.50")
    form.get_by_role("button", name="Save").click()
    expect(caps.get_by_role("row", name="User ada")).to_contain_text("$1.50")

    limits = root.locator(".card").filter(has_text="Limits of the settings")
    root.get_by_role("button", name="Set limits").click()
    form = root.get_by_role("dialog")
    form.get_by_label("Name").fill("ada")
    form.get_by_label("calls_per_minute").fill("many")
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_label("calls_per_minute")).to_have_attribute("aria-invalid", "true")
    form.get_by_label("calls_per_minute").fill("50")
    form.get_by_role("button", name="Save").click()
    expect(limits.get_by_role("button", name="User ada")).to_contain_text("calls_per_minute 50")
    assert findings(root) == []

    page = arrives("ada", "#/usage?by=model")
    row = page.get_by_role("row", name=re.compile(r"^gemini-2\.5-flash \d"))
    expect(row).to_contain_text("$0.0")
    tile = page.locator(".figures-tiles > div").filter(has_text="You today")
    expect(tile).to_contain_text("of $1.50")
    page.get_by_label("Group by").select_option("day")
    expect(page).to_have_url(re.compile("by=day"))
    assert findings(page) == []
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    assert b"day" in Path(download.value.path()).read_bytes()
