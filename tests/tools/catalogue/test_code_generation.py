"""Generators: what comes out compiles, parses and runs."""

from __future__ import annotations

import ast
import itertools
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.tools.catalogue_world import data, error

DESCRIPTIONS = {
    "card": "a profile card",
    "form": "a form with email, password, age, message and remember me",
    "list": "a list of users",
    "table": "a table with name, price and class",
    "modal": "a modal window",
    "fetch": "loads users from the api",
    "counter": "a counter",
    "toggle": "a toggle",
    "todo": "a todo list where items can be added and checked off",
    "timer": "a countdown timer that counts down from 90 seconds",
    "tabs": "tabs with overview, details and class",
}
EVERYTHING = ["search", "sort", "pagination", "dark-mode", "tests", "styles"]
WHERE = {"search": ("list", "table"), "sort": ("table",), "pagination": ("list", "table")}


# -- react_component_generator


WEB = Path(__file__).parents[3] / "web"
# What the generated tests use and the console does not have: named, not described.
ELSEWHERE = """
declare module "*.module.css" { const names: Record<string, string>; export default names; }
declare module "@testing-library/react" {
  export const render: any, screen: any, fireEvent: any, waitFor: any;
}
declare module "@testing-library/preact" {
  export const render: any, screen: any, fireEvent: any, waitFor: any;
}
"""


def compiled(files: dict[str, str], folder: Path) -> str:
    """What the TypeScript compiler of the console says about components, in its strict way."""
    compiler = WEB / "node_modules" / ".bin" / "tsc"
    if not compiler.exists():
        if os.environ.get("CI"):
            pytest.fail("the TypeScript compiler is missing: npm ci in web/ installs it")
        pytest.skip("the TypeScript compiler is missing: npm ci in web/ installs it")
    (folder / "elsewhere.d.ts").write_text(ELSEWHERE, "utf-8")
    (folder / "node_modules").symlink_to(WEB / "node_modules")
    said = []
    for library in ("react", "preact"):
        chosen = {
            path: code
            for path, code in files.items()
            if ("preact" in code) == (library == "preact")
        }
        if not chosen:
            continue
        for path, code in chosen.items():
            (folder / path).write_text(code, "utf-8")
        options = {
            "compilerOptions": {
                "strict": True,
                "noEmit": True,
                "jsx": "react-jsx",
                "jsxImportSource": library,
                "target": "ES2022",
                "module": "ESNext",
                "moduleResolution": "bundler",
                "lib": ["ES2022", "DOM", "DOM.Iterable"],
                "skipLibCheck": True,
                "types": [],
            },
            "files": ["elsewhere.d.ts", *chosen],
        }
        (folder / "tsconfig.json").write_text(json.dumps(options), "utf-8")
        done = subprocess.run(
            [str(compiler), "-p", str(folder)],
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
        said.append(done.stdout + done.stderr)
    return "".join(said)


def without_values(code: str) -> str:
    """The code without the values of attributes, in which < and > may stand."""
    kept, place = [], 0
    while (start := code.find("={", place)) >= 0:
        kept.append(code[place:start])
        place, depth = start + 2, 1
        while depth:
            depth += {"{": 1, "}": -1}.get(code[place], 0)
            place += 1
    return "".join([*kept, code[place:]]).replace("=>", "")


def well_formed(code: str) -> list[str]:
    """What is wrong with the brackets and the JSX tags of a file."""
    plain = re.sub(r"/\*.*?\*/", "", code, flags=re.DOTALL)
    plain = re.sub(r"/\^.*?\$/", "0", plain)  # the one regular expression that is generated
    plain = re.sub(r'"(?:[^"\\\n]|\\.)*"|`[^`]*`', '""', plain)
    closing = {")": "(", "]": "[", "}": "{"}
    stack: list[str] = []
    for letter in plain:
        if letter in "([{":
            stack.append(letter)
        elif letter in closing and (not stack or stack.pop() != closing[letter]):
            return [f"{letter} closes nothing"]
    if stack:
        return [f"{stack[-1]} is not closed"]
    markup = without_values(plain)
    open_tags: list[str] = []
    for end, name, rest in re.findall(
        r"(?:(?<![\w.])<|<(?=/))(/?)([a-z][a-z0-9]*)\b([^<>]*)>", markup
    ):
        if end:
            if not open_tags or open_tags.pop() != name:
                return [f"</{name}> closes nothing"]
        elif not rest.rstrip().endswith("/"):
            open_tags.append(name)
    return [f"<{name}> is not closed" for name in open_tags]


@cache
def components() -> dict[str, str]:
    files: dict[str, str] = {}
    rest = (f for f in itertools.product(("react", "preact", "next"), DESCRIPTIONS))
    for number, (framework, kind) in enumerate(rest):
        fitting = [extra for extra in EVERYTHING if kind in WHERE.get(extra, (kind,))]
        for features in ([kind], [kind, *fitting]):
            found = data(
                "react_component_generator",
                name=f"{kind} {number} {len(features)}",
                description=DESCRIPTIONS[kind] + " */ `${x}` </b> {\"'",
                framework=framework,
                features=features,
            )
            assert (found["kind"], found["framework"]) == (kind, framework)
            files |= {f["path"]: f["content"] for f in found["files"] if f["language"] == "tsx"}
    return files


def test_every_component_is_well_formed() -> None:
    files = components()
    assert len(files) == 3 * len(DESCRIPTIONS) * 3
    assert {path: well_formed(code) for path, code in files.items() if well_formed(code)} == {}


def test_every_component_is_compiled_by_typescript_in_its_strict_way(tmp_path: Path) -> None:
    files = components()
    assert compiled(files, tmp_path) == ""


def test_the_compiler_sees_what_is_broken(tmp_path: Path) -> None:
    broken = 'import { useState } from "react";\nexport const x: number = useState("a")[0];\n'
    assert "x.tsx(2," in compiled({"x.tsx": broken}, tmp_path)


def test_the_check_of_components_sees_what_is_broken() -> None:
    assert well_formed("return (<div><p>x</div>);")
    assert well_formed("const x = { a: [1 };")
    assert not well_formed("const x = <div><br /><p>{a}</p></div>;")


def test_fields_are_read_from_the_description() -> None:
    found = data(
        "react_component_generator",
        name="sign up",
        description="a form with e-mail, password and newsletter",
        features=["tests"],
    )
    assert found["name"] == "SignUp"
    assert 'type="email"' in found["code"] or 'type="text"' in found["code"]
    assert 'type="password"' in found["code"]
    assert 'type="checkbox"' in found["code"]
    assert found["by"] == "template"
    assert [f["path"] for f in found["files"]] == ["SignUp.tsx", "SignUp.test.tsx"]


def test_a_card_shows_what_its_description_names(tmp_path: Path) -> None:
    found = data(
        "react_component_generator",
        name="PriceTag",
        description="a price with currency, title and active",
    )
    assert found["kind"] == "card"
    for line in ("price?: number;", "currency?: string;", "active?: boolean;", "title?: string;"):
        assert found["code"].count(line) == 1
    assert "<dt>Currency</dt>" in found["code"]
    assert found["usage"] == '<PriceTag price={1} currency="Currency" active={true} />'
    used = f'import {{ PriceTag }} from "./PriceTag";\n\nexport const x = {found["usage"]};\n'
    assert compiled({"PriceTag.tsx": found["code"], "x.tsx": used}, tmp_path) == ""


def test_next_components_with_state_run_on_the_client() -> None:
    found = data(
        "react_component_generator", name="Clicks", description="a counter", framework="next"
    )
    assert found["code"].startswith('"use client";')


def test_names_and_frameworks_that_cannot_be_used_are_named() -> None:
    assert error("react_component_generator", name="123", description="x")["pointer"] == "/name"
    found = error("react_component_generator", name="A", description="x", framework="angular")
    assert found["pointer"] == "/framework"


@pytest.mark.parametrize(
    ("description", "kind", "fields"),
    [
        ("a login form with email and password", "form", ["email", "password"]),
        ("a password field that validates", "form", ["password"]),
        ("a contact form", "form", ["name", "email", "message"]),
        (
            "name and e-mail fields with validation",
            "form",
            ['EMPTY: ThingValues = {\n  name: "",\n  email: "",\n}'],
        ),
        ("a todo list where items can be added and checked off", "todo", []),
        ("a countdown timer that counts down from 2 minutes", "timer", ["seconds = 120"]),
        ("tabs with overview, details and reviews", "tabs", ["overview", "details", "reviews"]),
        ("a counter with plus and minus buttons", "counter", []),
        (
            "a table of invoices with number, customer and total, sortable and paginated",
            "table",
            ["number", "customer", "total"],
        ),
        ("a list of users with search", "list", []),
    ],
)
def test_what_a_template_covers_is_made_with_the_fields_it_names(
    description: str, kind: str, fields: list[str]
) -> None:
    found = data("react_component_generator", name="Thing", description=description)
    assert found["kind"] == kind
    for field in fields:
        assert field in found["code"]
    assert "passwordThat" not in found["code"]


@pytest.mark.parametrize(
    "description",
    [
        "a drag and drop kanban board with three columns where cards can be moved",
        "image carousel with next and previous buttons",
        "star rating with half stars",
        "a line chart of monthly sales",
        "a button that switches the page to dark mode",
        "a modal that asks whether to delete the item",
        "a list of users with infinite scrolling",
        "an editable table with name and price",
        "a form with a file upload",
        "a counter with a reset button",
        "a table of users",
    ],
)
def test_what_no_template_does_all_of_is_refused_with_what_they_do(description: str) -> None:
    found = error("react_component_generator", name="Thing", description=description)
    assert found["type"] == "PERMANENT"
    assert "generate_react_component writes any component" in found["message"]
    assert {"form", "tabs", "todo"} <= set(found["templates"])


def test_a_feature_that_the_kind_has_not_is_no_silent_loss() -> None:
    for feature in ("teleport", "sort"):
        found = error(
            "react_component_generator",
            name="Users",
            description="a list of users",
            features=["list", feature],
        )
        assert (found["type"], found["unknown"]) == ("PERMANENT", [feature])


def test_code_from_elsewhere_is_checked() -> None:
    def check(code: str) -> Any:
        return error("react_component_generator", name="Thing", description="x", code=code)

    assert "exports no `Thing`" in check("export function Other() { return null; }")["message"]
    assert "`{`" in check("export function Thing() { return <p>Don't</p>;")["message"]
    assert "</b>" in check("export function Thing() { return <p>x</b>; }")["message"]
    fine = (
        'import { useState } from "react";\nimport clsx from "clsx";\n'
        "export const Thing = () => {\n  const [n, set] = useState<number>(0); // it's {here\n"
        "  const odd = /[{(]/.test(`${n}`);\n"
        "  return <p onClick={() => set(n > 1 ? 0 : n + 1)}>Don't {odd}<br /></p>;\n};\n"
    )
    found = data("react_component_generator", name="Thing", description="x", code=fine)
    assert (found["by"], found["kind"]) == ("model", "custom")
    assert found["dependencies"] == ["react", "clsx"]


# -- fastapi_endpoint_generator


def run_tests(folder: Path, files: list[dict[str, str]]) -> subprocess.CompletedProcess[str]:
    for file in files:
        (folder / file["path"]).write_text(file["content"], "utf-8")
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", "."],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


ENDPOINTS: list[tuple[dict[str, Any], str, str]] = [
    ({"description": "create an order with product, quantity and price"}, "POST", "/orders"),
    ({"description": "list users with pagination"}, "GET", "/users"),
    ({"description": "get an invoice by id"}, "GET", "/invoices/{invoice_id}"),
    ({"description": "delete a note"}, "DELETE", "/notes/{note_id}"),
    ({"description": "update a customer's email and phone"}, "PATCH", "/customers/{customer_id}"),
    ({"description": "replace a category"}, "PUT", "/categories/{category_id}"),
    ({"description": "x", "path": "/teams/{team_id}/members", "method": "get"}, "GET",
     "/teams/{team_id}/members"),
    ({"description": 'create """a""" \\ {{ x }}', "method": "POST", "path": "/from"},
     "POST", "/from"),
]  # fmt: skip


@pytest.mark.parametrize(("wish", "method", "path"), ENDPOINTS)
def test_an_endpoint_follows_from_its_description(
    wish: dict[str, Any], method: str, path: str
) -> None:
    for framework in ("fastapi", "starlette"):
        found = data("fastapi_endpoint_generator", framework=framework, **wish)
        assert (found["method"], found["path"]) == (method, path)
        ast.parse(found["code"])
        ast.parse(found["test"])


def test_generated_endpoints_run_and_pass_their_own_tests(tmp_path: Path) -> None:
    files = []
    for number, (wish, _, _) in enumerate(ENDPOINTS):
        for framework in ("fastapi", "starlette"):
            found = data("fastapi_endpoint_generator", framework=framework, **wish)
            name = f"{framework}{number}"
            test = found["test"].replace("from main import", f"from {name} import")
            files += [
                {"path": f"{name}.py", "content": found["code"]},
                {"path": f"test_{name}.py", "content": test},
            ]
    done = run_tests(tmp_path, files)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-500:]
    assert re.search(r"\b2[0-9] passed", done.stdout), done.stdout[-300:]


def test_types_follow_from_the_names_of_fields() -> None:
    found = data(
        "fastapi_endpoint_generator",
        description="create an event with title, date, start, price, quantity, tags and paid",
    )
    assert {one["name"]: one["type"] for one in found["fields"]} == {
        "title": "str",
        "date_": "date",
        "start": "datetime",
        "price": "float",
        "quantity": "int",
        "tags": "list[str]",
        "paid": "bool",
    }


@pytest.mark.parametrize(
    ("wish", "pointer"),
    [
        ({"method": "YELL"}, "/method"),
        ({"path": "orders"}, "/path"),
        ({"path": "/{a}/{a}"}, "/path"),
        ({"path": "/a b"}, "/path"),
        ({"framework": "django"}, "/framework"),
    ],
)
def test_what_cannot_be_an_endpoint_is_named(wish: dict[str, str], pointer: str) -> None:
    assert error("fastapi_endpoint_generator", description="x", **wish)["pointer"] == pointer


@pytest.mark.parametrize(
    "description",
    [
        "compute the shipping cost from weight and distance, with a surcharge of 10 percent",
        "convert celsius to fahrenheit",
        "upload a file and return its SHA-256",
        "websocket chat endpoint",
        "delete a user by id with admin authentication",
        "search products by name",
        "list users sorted by age",
        "create an order with email notification",
        "list the orders of a customer",
    ],
)
def test_what_no_endpoint_template_does_is_refused(description: str) -> None:
    found = error("fastapi_endpoint_generator", description=description)
    assert found["type"] == "PERMANENT"
    assert "generate_fastapi_endpoint writes any endpoint" in found["message"]
    assert "create" in found["templates"]


def test_a_module_from_elsewhere_is_parsed_and_described() -> None:
    def check(code: str, **more: Any) -> str:
        found = error("fastapi_endpoint_generator", description="x", code=code, **more)
        assert found["type"] == "PERMANENT"
        return str(found["message"])

    app = "from fastapi import FastAPI\napp = FastAPI()\n"
    assert "(line 1)" in check("def f(:")
    assert "makes no FastAPI" in check("x = 1")
    assert "has no route" in check(app)
    route = app + '@app.get("/f")\nasync def to_f(c: float) -> float:\n    return c * 1.8 + 32\n'
    assert "no route POST /g" in check(route, method="POST", path="/g")
    assert "no function test_" in check(route, test="x = 1")
    found = data("fastapi_endpoint_generator", description="x", code=route)
    assert (found["by"], found["method"], found["path"]) == ("model", "GET", "/f")


# -- pytest_generator

SUBJECT = '''
import random
from functools import cache

LIMIT = 3


class TooBig(Exception):
    pass


def add(a: int, b: int) -> int:
    """The sum.

    >>> add(1, 2)
    3
    """
    return a + b


def grade(score: int) -> str:
    if score < 0 or score > 100:
        raise ValueError("no score")
    if score >= 90:
        return "A"
    return "B" if score >= 50 else "C"


def words(text: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for word in text.lower().split():
        counts[word] = counts.get(word, 0) + 1
    return counts


def mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers)


@cache
def fib(n: int) -> int:
    if n > 9:
        raise TooBig(n)
    return n if n < 2 else fib(n - 1) + fib(n - 2)


async def slow(x: int) -> int:
    return x * LIMIT


def bump(values: list[int]) -> list[int]:
    values.append(1)
    return values


def endless(n: int) -> int:
    while True:
        n += 1


def large(n: int) -> str:
    return "x" * 10**9


def roll() -> float:
    return random.random()


def read(path: str) -> str:
    return open(path).read()


class Stack:
    def push(self, value):
        self.value = value

    @staticmethod
    def twice(n: int) -> int:
        return n * 2
'''


@pytest.mark.parametrize("framework", ["pytest", "unittest"])
@pytest.mark.parametrize("style", ["basic", "thorough"])
def test_generated_tests_run_and_pass(tmp_path: Path, framework: str, style: str) -> None:
    found = data("pytest_generator", code=SUBJECT, framework=framework, style=style)
    assert found["covered"] == [
        "add", "grade", "words", "mean", "fib", "slow", "bump", "roll", "read", "Stack.push",
        "Stack.twice",
    ]  # fmt: skip
    done = run_tests(tmp_path, found["files"])
    assert done.returncode == 0, done.stdout[-3000:]
    assert int(re.findall(r"(\d+) passed", done.stdout)[0]) >= found["tests"] >= 9


def test_generated_tests_notice_a_change(tmp_path: Path) -> None:
    found = data("pytest_generator", code=SUBJECT)
    files = [dict(file) for file in found["files"]]
    files[0]["content"] = SUBJECT.replace("return a + b", "return a - b").replace("> 100", "> 99")
    done = run_tests(tmp_path, files)
    assert done.returncode == 1
    assert "test_add" in done.stdout
    assert "test_grade" in data("pytest_generator", code=SUBJECT)["code"]


def test_what_cannot_be_worked_out_is_skipped_with_a_reason() -> None:
    found = data("pytest_generator", code=SUBJECT)
    reasons = {one["name"]: one["reason"] for one in found["skipped"]}
    assert reasons == {
        "endless": "it takes too long, or does not end",
        "large": "it needs too much memory",
    }


STATEFUL = r'''
import asyncio
import datetime
import math
import random
import re
from dataclasses import dataclass, field
from datetime import date, timedelta


class Account:
    fee = 1

    def __init__(self, owner: str, balance: int = 0):
        if balance < 0:
            raise ValueError("negative")
        self.owner = owner
        self.balance = balance
        self._log = []

    def deposit(self, amount: int) -> int:
        if amount <= 0:
            raise ValueError("no amount")
        self.balance += amount
        self._log.append(amount)
        return self.balance

    def rename(self, name: str) -> None:
        self.owner = name.strip().title()

    @property
    def rich(self) -> bool:
        return self.balance > 10

    async def later(self, n: int) -> int:
        await asyncio.sleep(0)
        return self.deposit(n)


@dataclass
class Point:
    x: float
    y: float = 0.0
    tags: list[str] = field(default_factory=list)

    def norm(self) -> float:
        return math.hypot(self.x, self.y)

    def moved(self, dx: float) -> "Point":
        return Point(self.x + dx, self.y)


async def double(n: int) -> int:
    return n * 2


async def both(a: int, b: int) -> list:
    return await asyncio.gather(double(a), double(b))


def countdown(n: int):
    while n > 0:
        yield n
        n -= 1


def naturals():
    n = 0
    while True:
        yield n
        n += 1


def slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def is_word(text: str) -> bool:
    return re.fullmatch(r"\w+", text) is not None


def area(r: float) -> float:
    return math.pi * r**2


def due(days: int) -> date:
    return date(2024, 1, 1) + timedelta(days=days)


def now_text() -> str:
    return datetime.datetime.now().isoformat()


def dice(n: int) -> list[int]:
    return [random.randint(1, 6) for _ in range(n)]


def pick(items: list[int]) -> int:
    return random.choice(items)


def safe(a: int, b: int) -> int:
    try:
        return a // b
    except ZeroDivisionError:
        return 0


def far() -> int:
    """Two draws differ, however alike their bounds are."""
    return abs(random.randint(1, 6) - random.randint(1, 6))
'''
CHANGES = [
    ("self.balance += amount", "self.balance += amount + 1"),
    ("name.strip().title()", "name.strip()"),
    ("self.balance > 10", "self.balance > 2"),
    ("return self.deposit(n)", "return self.deposit(n + 1)"),
    ("math.hypot(self.x, self.y)", "self.x"),
    ("Point(self.x + dx, self.y)", "Point(self.x + dx, self.y + 1)"),
    ("return n * 2", "return n * 3"),
    ("yield n\n        n -= 1", "yield n\n        n -= 2"),
    ("n = 0\n    while True", "n = 1\n    while True"),
    ('"-", text.lower()', '"_", text.lower()'),
    ("is not None", "is None"),
    ("math.pi * r**2", "math.pi * r"),
    ("date(2024, 1, 1)", "date(2024, 1, 2)"),
    ("datetime.datetime.now().isoformat()", "datetime.datetime.now()"),
    ("range(n)]", "range(n + 1)]"),
    ("random.choice(items)", "[random.choice(items)]"),
]


@pytest.mark.parametrize("framework", ["pytest", "unittest"])
def test_objects_coroutines_generators_and_the_library_are_tested(
    tmp_path: Path, framework: str
) -> None:
    found = data("pytest_generator", code=STATEFUL, framework=framework)
    assert found["skipped"] == []
    assert {"Account.deposit", "Account.rich", "Point.moved", "both", "naturals", "dice"} <= set(
        found["covered"]
    )
    done = run_tests(tmp_path, found["files"])
    assert done.returncode == 0, done.stdout[-3000:]


def test_those_tests_notice_a_change_in_any_of_it(tmp_path: Path) -> None:
    found = data("pytest_generator", code=STATEFUL)
    changed = STATEFUL
    for before, after in CHANGES:
        assert changed.count(before) == 1, before
        changed = changed.replace(before, after)
    files = [{"path": "subject.py", "content": changed}, found["files"][1]]
    done = run_tests(tmp_path, files)
    failed = set(re.findall(r"FAILED \S+::(test_\w+)", done.stdout))
    names = set(re.findall(r"def (test_\w+)\(", found["code"]))
    still = {name for name in names - failed if "raises" not in name}
    assert still == {"test_safe", "test_far"}, done.stdout[-3000:]


def test_guards_become_tests_of_exceptions() -> None:
    code = data("pytest_generator", code=SUBJECT, style="thorough")["code"]
    assert "pytest.raises(ValueError)" in code
    assert "pytest.raises(ZeroDivisionError)" in code
    assert "pytest.raises(TooBig)" in code


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("def f(:\n    pass", "line 1, column 7"),
        ("x = 1", "no public function"),
        ("def f():\0", "binary data"),
        ("def f(x):\n    return " + "(" * 300 + ")" * 300, "parenthes"),
        ("   ", "empty"),
        (
            "import socket\n\ndef f():\n    return socket.create_connection(('127.0.0.1', 9))",
            "f: it reaches the network, which is closed",
        ),
        ("import http_nowhere as h\n\ndef f():\n    return h.get('x')", "uses http_nowhere.get"),
        ("def f():\n    return input()", "input()"),
        ("def f(n):\n    return open('/etc/passwd').read()", "outside its folder"),
        ("import os\n\ndef f():\n    os._exit(0)", "ends the process"),
        ("raise ValueError('no')\n\ndef f(x):\n    return x\n", "cannot be imported: ValueError"),
        ("while True:\n    pass\n\ndef f(x):\n    return x\n", "does not end when it is imported"),
        ("import sys\n\ndef f(x):\n    return x\n\nsys.exit(3)\n", "sys.exit() as soon as it is"),
        ("NAME = input('Who? ')\n\ndef f(x):\n    return x\n", "calls input() as soon as it"),
    ],
)
@pytest.mark.parametrize("framework", ["pytest", "unittest"])
def test_code_that_cannot_be_tested_is_answered_clearly(
    code: str, reason: str, framework: str
) -> None:
    found = error("pytest_generator", code=code, framework=framework)
    assert found["type"] == "VALIDATION"
    assert reason in found["message"]


FILES = """
import json
from pathlib import Path


def save(name: str, data: dict[str, int]) -> str:
    Path(name + ".json").write_text(json.dumps(data))
    return Path(name + ".json").read_text()


def names(folder: str = ".") -> list[str]:
    return sorted(p.name for p in Path(folder).iterdir())


def letters(text: str) -> list[str]:
    return list(set(text))


COUNT = 0


def count() -> int:
    global COUNT
    COUNT += 1
    return COUNT


class Base:
    def __init__(self, size: int):
        self.size = size


class Box(Base):
    def twice(self, *more: int) -> int:
        return self.size * 2

    @classmethod
    def made(cls, n: int) -> int:
        return cls(n).size


def wrong(n: int) -> int:
    '''Not what it says.

    >>> wrong(1)
    7
    '''
    return n
"""


@pytest.mark.parametrize("framework", ["pytest", "unittest"])
def test_files_are_used_and_what_cannot_be_relied_on_is_left_out(
    tmp_path: Path, framework: str
) -> None:
    found = data("pytest_generator", code=FILES, framework=framework, style="thorough")
    assert found["covered"] == [
        "save", "names", "letters", "count", "Box.twice", "Box.made", "wrong",
    ]  # fmt: skip
    assert found["skipped"] == []
    assert "count() ==" not in found["code"]
    assert "== 7" not in found["code"]
    for _ in range(2):  # the order of a set is another one each time
        done = run_tests(tmp_path, found["files"])
        assert done.returncode == 0, done.stdout[-3000:]
    assert not list(tmp_path.glob("*.json"))


LIBRARIES = """
import json
import subprocess
import threading
from decimal import Decimal
from enum import Enum

import shop_nowhere
from pydantic import validate_call

shop = shop_nowhere.Shop(__name__)


class Colour(Enum):
    RED = 1
    BLUE = 2


def colour(n: int) -> Colour:
    return Colour.RED if n > 0 else Colour.BLUE


def parse(text: str) -> dict:
    return json.loads(text)


def half(n: int) -> Decimal:
    return Decimal(n) / 2


def shell(command: str) -> int:
    return subprocess.call(command, shell=True)


def threaded(n: int) -> int:
    out = []
    thread = threading.Thread(target=lambda: out.append(n))
    thread.start()
    thread.join()
    return out[0]


@validate_call
def following(n: int = 3) -> int:
    return n + 1


def bought(n: int) -> int:
    return shop.buy(n)
"""


def test_libraries_are_used_where_they_are_there(tmp_path: Path) -> None:
    found = data("pytest_generator", code=LIBRARIES)
    assert found["covered"] == ["colour", "parse", "half", "threaded", "following"]
    reasons = {one["name"]: one["reason"] for one in found["skipped"]}
    assert "other programs" in reasons["shell"]
    assert "shop_nowhere.Shop.buy, which is not there" in reasons["bought"]
    assert "pytest.raises(json.decoder.JSONDecodeError)" in found["code"]
    assert "Colour.RED" in found["code"]
    (tmp_path / "shop_nowhere.py").write_text("def Shop(name):\n    return None\n")
    done = run_tests(tmp_path, found["files"])
    assert done.returncode == 0, done.stdout[-3000:]


REACHING = """
import math
import os
from math import __class__ as NS


def made(n: int) -> str:
    return str(NS("m"))


def secret() -> str:
    return str(sorted(os.environ))


def told() -> int:
    for descriptor in range(3, 60):
        try:
            os.write(descriptor, b"x" * 64)
        except OSError:
            pass
    return 1


def gone(n: int) -> int:
    os.remove({file!r})
    return n


def safe(n: int) -> int:
    return n + 1
"""


def test_what_the_code_does_reaches_nothing_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Secrets of the environment, files of the machine and the connection to the server."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-secret")
    kept = tmp_path / "kept"
    kept.write_text("still here")
    code = REACHING.replace("{file!r}", repr(str(kept)))
    found = data("pytest_generator", code=code)
    assert "safe" in found["covered"]
    assert "gone" in [one["name"] for one in found["skipped"]]
    assert "ANTHROPIC" not in found["code"]
    assert kept.read_text() == "still here"


@pytest.mark.parametrize(
    "body",
    [
        'return re.match("(?:a|.|[^b]|\\\\w)*b", "a" * 25) is None',
        "x = [0]\n    for i in range(40):\n        x.extend(x)\n    return 1",
        "return len(b'a' * 4_000_000_000)",
        "return 10 ** 10 ** 10",
    ],
)
def test_a_function_that_takes_too_much_leaves_the_others_alone(body: str) -> None:
    code = f"import re\n\ndef f(n: int):\n    {body}\n\n\ndef g(n: int) -> int:\n    return n\n"
    found = data("pytest_generator", code=code)
    assert found["covered"] == ["g"]
    assert [one["name"] for one in found["skipped"]] == ["f"]


def test_unknown_frameworks_and_styles_are_named() -> None:
    assert error("pytest_generator", code=SUBJECT, framework="jest")["pointer"] == "/framework"
    assert error("pytest_generator", code=SUBJECT, style="wild")["pointer"] == "/style"


# -- dataclass_generator, gitignore_generator

SAMPLE = '[{"id": 1, "class": {"a b": 1.5}, "tags": ["a", 1], "items": [{"x": null}]}, {"id": 2.5}]'


@contextmanager
def imported(code: str) -> Iterator[ModuleType]:
    """The generated code as a module; its classes look for themselves among the modules."""
    module = ModuleType("generated_types")
    sys.modules[module.__name__] = module
    try:
        exec(compile(code, "generated", "exec"), module.__dict__)
        yield module
    finally:
        del sys.modules[module.__name__]


def test_dataclasses_can_be_made_from_the_sample() -> None:
    found = data("dataclass_generator", sample=SAMPLE, name="note")
    assert found["types"] == ["Class", "Item", "Note"]
    with imported(found["code"]) as module:
        assert module.Note(id=1).class_ is None


def test_pydantic_models_read_the_sample_back() -> None:
    found = data("dataclass_generator", sample=SAMPLE, name="note", target="pydantic")
    with imported(found["code"]) as module:
        first = module.Note.model_validate(json.loads(SAMPLE)[0])
        assert first.class_.a_b == 1.5
        assert first.items[0].x is None


def test_typescript_types_quote_odd_names_and_mark_optional_fields() -> None:
    code = data("dataclass_generator", sample=SAMPLE, target="typescript")["code"]
    assert '"a b": number;' in code
    assert "tags?: (number | string)[];" in code


def test_samples_that_are_no_objects_are_refused() -> None:
    for sample in ("[1]", "3", '{"a"', "[" * 5000):
        assert error("dataclass_generator", sample=sample.ljust(2))["pointer"] == "/sample"


def test_a_gitignore_has_each_pattern_once_and_names_what_it_does_not_know() -> None:
    found = data("gitignore_generator", topics=["py", "Node", "zig"], extra=["data/"])
    lines = [line for line in found["content"].splitlines() if line and line[0] != "#"]
    assert len(lines) == len(set(lines)) == found["patterns"]
    assert {"__pycache__/", "node_modules/", "data/"} <= set(lines)
    assert found["unknown"] == ["zig"]
    assert error("gitignore_generator", topics=["zig"])["pointer"] == "/topics"
