"""`antiphon users|groups|roles|tokens|organisations`: the operator's hand on the directory."""

from __future__ import annotations

import json
import os
import pty
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from tests.access.conftest import CHEAP
from tests.storage.helpers import Clock

from antiphon.access.directory import AccessDirectory
from antiphon.access.errors import AccessRefused
from antiphon.cli import main
from antiphon.storage import Store

PASSWORD = "correct horse battery"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        if name.startswith("ANTIPHON_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("ANTIPHON_ACCESS__PASSWORD_MEMORY", "8")
    monkeypatch.setenv("ANTIPHON_ACCESS__PASSWORD_PASSES", "1")
    return tmp_path


class Terminal:
    """Commands that are run here, with what they print."""

    def __init__(self, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self._capsys = capsys
        self._patch = patch

    def run(self, *arguments: str, status: int = 0, given: str = "") -> str:
        self._patch.setattr(sys, "stdin", TextIOWrapper(BytesIO(given.encode())))
        assert main(arguments) == status, self._capsys.readouterr()
        return self._capsys.readouterr().out

    def json(self, *arguments: str, given: str = "") -> Any:
        return json.loads(self.run(*arguments, "--json", given=given))

    def fails(self, *arguments: str, status: int = 1, given: str = "") -> str:
        """What a command says that ends with this status, and prints nothing."""
        self._patch.setattr(sys, "stdin", TextIOWrapper(BytesIO(given.encode())))
        assert main(arguments) == status
        printed = self._capsys.readouterr()
        assert printed.out == ""
        assert "Traceback" not in printed.err
        return printed.err


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Terminal:
    return Terminal(capsys, monkeypatch)


def audit_events(terminal: Terminal) -> list[tuple[str, str]]:
    lines = [json.loads(line) for line in terminal.run("audit", "tail", "--json").splitlines()]
    return [(line["event"], line["by"]) for line in lines]


def test_an_operator_makes_the_first_administrator_and_others(terminal: Terminal) -> None:
    assert "there is no store" in terminal.fails("users", "list")
    assert "without an administrator" in terminal.fails("users", "add", "ann")
    assert terminal.run("users", "list").startswith("There are no users.")
    link = terminal.run("users", "add", "root", "--role", "admin").strip()
    assert link.startswith("http://127.0.0.1:8080/#/link/")
    made = terminal.json(
        "users", "add", "ann", "--email", "ann@example.org", "--password", given=f"{PASSWORD}\n"
    )
    assert (made["name"], made["roles"], made["link"]) == ("ann", ["member"], None)
    assert made["has_password"]
    listed = terminal.json("users", "list")
    assert [user["name"] for user in listed["users"]] == ["ann", "root"]
    assert "ann  member" in terminal.run("users", "list")
    for printed in (json.dumps(listed), terminal.run("users", "show", "ann")):
        assert "argon2" not in printed
    assert audit_events(terminal) == [
        ("user_created", "(command line)"),
        ("sign_in_link_made", "(command line)"),
        ("user_created", "(command line)"),
    ]


def test_users_are_changed_disabled_and_removed(terminal: Terminal) -> None:
    terminal.run("users", "add", "root", "--role", "admin")
    terminal.run("users", "add", "ann")
    terminal.run("groups", "set", "sales", "--role", "operator", "--member", "ann")
    assert terminal.json("groups", "list")["groups"][0]["members"] == ["ann"]
    shown = terminal.json("users", "show", "ann")
    assert shown["groups"] == ["sales"]
    assert "others.manage" in shown["permissions"]
    changed = terminal.json("users", "change", "ann", "--role", "viewer", "--display-name", "Ann")
    assert (changed["roles"], changed["display_name"]) == (["viewer"], "Ann")
    terminal.run("users", "change", "ann", "--no-groups")
    assert terminal.json("users", "show", "ann")["groups"] == []
    terminal.run("groups", "remove", "sales")
    assert terminal.run("groups", "list") == "There are no groups.\n"
    assert terminal.json("users", "identity", "ann", "https://id.example.org", "7")["identity"] == [
        "https://id.example.org",
        "7",
    ]
    assert "belongs to" in terminal.fails(
        "users", "identity", "root", "https://id.example.org", "7"
    )
    assert terminal.json("users", "identity", "ann", "--remove")["identity"] is None
    assert terminal.json("users", "disable", "ann")["disabled"]
    assert "Enable it first" in terminal.fails("users", "link", "ann")
    assert not terminal.json("users", "enable", "ann")["disabled"]
    first, second = terminal.run("users", "link", "ann"), terminal.run("users", "link", "ann")
    assert first != second
    terminal.run("users", "link", "ann", "--withdraw")
    assert "There is no link" in terminal.fails("users", "link", "ann", "--withdraw")
    terminal.run("users", "remove", "ann")
    assert "no user 'ann'" in terminal.fails("users", "show", "ann")
    assert "was removed" in terminal.fails("users", "add", "ann")
    assert "without an administrator" in terminal.fails("users", "remove", "root")
    assert "without an administrator" in terminal.fails("users", "disable", "root")


@pytest.mark.parametrize(
    "arguments",
    [
        ["users", "change", "root"],
        ["users", "change", "root", "--group", "a", "--no-groups"],
        ["users", "identity", "root"],
        ["users", "identity", "root", "https://id.example.org"],
        ["users", "identity", "root", "https://id.example.org", "7", "--remove"],
        ["users", "add"],
        ["users", "nothing"],
        ["tokens", "create", "root", "ci", "--expires", "soon"],
        ["tokens", "create", "root", "ci", "--expires", "9999999999d"],
    ],
)
def test_wrong_usage_ends_with_status_2_and_changes_nothing(
    terminal: Terminal, folder: Path, arguments: list[str]
) -> None:
    assert terminal.fails(*arguments, status=2)
    assert list(folder.iterdir()) == []


def test_a_password_comes_from_standard_input_and_is_bounded(terminal: Terminal) -> None:
    terminal.run("users", "add", "root", "--role", "admin")
    terminal.run("users", "password", "root", given=f"{PASSWORD}\nignored\n")
    assert "has 5" in terminal.fails("users", "password", "root", given="short\n")
    assert "1048576" in terminal.fails("users", "password", "root", given="x" * 1024 * 1024)
    assert "no user 'bob'" in terminal.fails("users", "password", "bob", given=PASSWORD)
    assert audit_events(terminal).count(("password_set", "(command line)")) == 1


def test_a_typed_password_is_asked_for_twice_and_not_echoed(
    terminal: Terminal, folder: Path
) -> None:
    terminal.run("users", "add", "root", "--role", "admin")
    child, ours = pty.fork()
    if child == 0:  # pragma: no cover - another process
        os.execv(sys.executable, [sys.executable, "-m", "antiphon", "users", "password", "root"])
    printed = b""
    try:
        for question in (b"Password: ", b"confirmation: "):
            while not printed.endswith(question):
                printed += os.read(ours, 1024)
            os.write(ours, f"{PASSWORD}\n".encode())
        while b"was set" not in printed:
            printed += os.read(ours, 1024)
    finally:
        os.close(ours)
        status = os.waitpid(child, 0)[1]
    assert os.waitstatus_to_exitcode(status) in (0, -1)
    assert PASSWORD.encode() not in printed


def test_roles_come_from_files_and_errors_say_where(terminal: Terminal, folder: Path) -> None:
    terminal.run("users", "add", "root", "--role", "admin")
    (folder / "support.toml").write_text(
        'includes = ["member"]\n'
        '[[rules]]\ntools = ["pay_*"]\neffect = "ask"\nwhen = "args.amount > 100"\n'
    )
    terminal.run("roles", "set", "support", "support.toml")
    shown = terminal.run("roles", "show", "support")
    assert json.loads(shown)["rules"][0]["when"] == "args.amount > 100"
    (folder / "again.json").write_text(shown)
    again = terminal.json("roles", "set", "support", "again.json")
    assert again["includes"] == ["member"]
    assert terminal.json("roles", "set", "copy", "-", given=shown)["rules"] == again["rules"]
    names = [role["name"] for role in terminal.json("roles", "list")["roles"]]
    assert names[-2:] == ["copy", "support"]
    assert names[0] != "support"

    def wrong(text: str | bytes, name: str = "wrong.toml") -> str:
        content = text.encode() if isinstance(text, str) else text
        (folder / name).write_bytes(content)
        return terminal.fails("roles", "set", "wrong", name)

    assert "wrong.toml: not valid TOML" in wrong("includes = [\n")
    assert "line 2" in wrong("\nincludes 5\n")
    assert "wrong.json: not valid JSON" in wrong("[1,", "wrong.json")
    assert "line 2 column 1" in wrong('{"permissions":\n}', "wrong.json")
    assert "rules[1].when" in wrong(
        '[[rules]]\ntools = ["a"]\n[[rules]]\ntools = ["b"]\nwhen = 5\n'
    )
    assert "no field 'permission'" in wrong('permission = ["tools.call"]\n')
    assert "fly" in wrong('permissions = ["fly"]\n')
    assert "includes itself: wrong" in wrong('includes = ["wrong"]\n')
    assert "no role 'nobody'" in wrong('includes = ["nobody"]\n')
    assert "not valid TOML" in wrong(b"\xff\xfe")
    assert "too deeply" in wrong("[" * 100_000, "wrong.json")
    assert "longer than" in wrong(b" " * (1024 * 1024 + 1))
    assert "missing.toml cannot be read: No such file" in terminal.fails(
        "roles", "set", "wrong", "missing.toml"
    )
    assert "built in" in terminal.fails("roles", "set", "admin", "support.toml")
    assert "no role 'wrong'" in terminal.fails("roles", "show", "wrong")
    terminal.run("users", "change", "root", "--role", "admin", "--role", "support")
    assert "in use" in terminal.fails("roles", "remove", "support")
    terminal.run("users", "change", "root", "--role", "admin")
    terminal.run("roles", "remove", "support")


def test_organisations_are_managed(terminal: Terminal) -> None:
    terminal.run("users", "add", "root", "--role", "admin")
    terminal.run("organisations", "add", "north", "North wing")
    terminal.run("users", "add", "nora", "--organisation", "north")
    assert "[" not in terminal.run("users", "list", "--organisation", "north")
    listed = terminal.json("organisations", "list")["organisations"]
    assert [(each["id"], each["users"]) for each in listed] == [("", 1), ("north", 1)]
    assert terminal.json("organisations", "rename", "north", "North")["name"] == "North"
    assert "1 user" in terminal.fails("organisations", "remove", "north")
    terminal.run("users", "remove", "nora")
    terminal.run("organisations", "remove", "north")
    assert "no organisation 'north'" in terminal.fails("roles", "list", "--organisation", "north")


async def refused(directory: AccessDirectory, secret: str) -> str | None:
    try:
        await directory.principal_of_token(secret, "10.1.0.7")
    except AccessRefused as error:
        return error.code
    return None


async def test_a_token_is_shown_once_and_what_is_revoked_is_refused_on_a_running_node(
    terminal: Terminal, folder: Path
) -> None:
    # Commands run an event loop of their own, so they run in a thread beside this node's.
    from asyncio import to_thread

    await to_thread(terminal.run, "users", "add", "root", "--role", "admin")
    monotonic = Clock(0.0)
    store = Store.open(f"sqlite:///{folder}/.antiphon/antiphon.db")
    running = AccessDirectory(store, cost=CHEAP, monotonic=monotonic)
    create = ("tokens", "create", "root", "ci", "--tool", "kb_*", "--network", "10.1.0.0/16")
    secret = (await to_thread(terminal.run, *create, "--expires", "90d")).strip()
    listed = await to_thread(terminal.run, "tokens", "list", "--json")
    token = json.loads(listed)["tokens"][0]
    assert secret.startswith(f"anti_{token['id']}_")
    assert secret not in listed
    assert (token["tools"], token["networks"]) == (["kb_*"], ["10.1.0.0/16"])
    assert "until " in await to_thread(terminal.run, "tokens", "list", "--user", "root")
    assert await refused(running, secret) is None
    revoked = await to_thread(terminal.json, "tokens", "revoke", token["id"])
    assert revoked["revoked_at"] is not None
    monotonic.now += 0.9
    assert await refused(running, secret) == "revoked"
    for arguments, words in (
        (("tokens", "create", "bob", "ci"), "no user 'bob'"),
        (("tokens", "create", "root", "ci", "--permission", "fly"), "no permission 'fly'"),
        (("tokens", "create", "root", "ci", "--network", "10.1/99"), "A network is written like"),
        (("tokens", "create", "root", "ci", "--expires", "2020-01-01"), "expired already"),
        (("tokens", "revoke", "t0"), "no token 't0'"),
    ):
        assert words in await to_thread(terminal.fails, *arguments)

    _, session = await running.begin_session("root", "password")
    ended = await to_thread(terminal.json, "users", "sign-out", "root")
    assert ended == {"ended": 1}
    monotonic.now += 0.9
    with pytest.raises(AccessRefused, match="was ended"):
        await running.principal_of_session(session)
    await store.close()
