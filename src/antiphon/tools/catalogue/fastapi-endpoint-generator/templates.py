"""Jinja2 templates of endpoints and their tests."""

# ruff: noqa: E501 - the templates are lines of Python as it comes out

from __future__ import annotations

STORE = """\
class Store:
    \"\"\"Keeps {{ plural }} in memory; put a database in its place.\"\"\"

    def __init__(self) -> None:
        self.rows: dict[int, {{ model }}] = {}
        self.last_id = 0

    def add(self, data: New{{ model }}) -> {{ model }}:
        self.last_id += 1
        row = {{ model }}(id=self.last_id, **data.model_dump())
        self.rows[row.id] = row
        return row


store = Store()
"""

MODELS = """\
class New{{ model }}(BaseModel):
{% for name, kind, first, second in fields %}
    {{ name }}: {{ kind }}
{% endfor %}


class {{ model }}(New{{ model }}):
    id: int
{% if method == "PATCH" %}


class {{ model }}Change(BaseModel):
{% for name, kind, first, second in fields %}
    {{ name }}: {{ kind }} | None = None
{% endfor %}
{% endif %}


"""

FASTAPI = (
    """\
\"\"\"{{ description }}\"\"\"

from __future__ import annotations

{% if dates %}
from datetime import {{ dates | join(", ") }}

{% endif %}
from fastapi import FastAPI{{ ", HTTPException" if key or method in ("PUT", "PATCH", "DELETE") }}{{ ", Query" if listing }}
from pydantic import BaseModel

app = FastAPI(title={{ (plural | replace("_", " ") | capitalize) | quoted }})


"""
    + MODELS
    + STORE
    + """\
{% set arguments %}{% for name in names %}{{ name }}: int, {% endfor %}{% endset %}
{% set id = key if key else resource ~ "_id" %}
{% if not key and method in ("PUT", "PATCH", "DELETE") %}
{% set arguments %}{{ arguments }}{{ id }}: int, {% endset %}
{% endif %}


{% if listing %}
@app.get({{ path | quoted }})
async def {{ function }}(
{% for name in names %}
    {{ name }}: int,
{% endfor %}
    limit: int = Query(20, ge=1, le=100), offset: int = Query(0, ge=0)
) -> list[{{ model }}]:
    \"\"\"All {{ plural | replace("_", " ") }}, a page at a time.\"\"\"
    return list(store.rows.values())[offset : offset + limit]
{% elif method == "GET" %}
@app.get({{ path | quoted }})
async def {{ function }}({{ arguments | trim | trim(",") }}) -> {{ model if key else "list[" ~ model ~ "]" }}:
    \"\"\"{{ "One " ~ resource if key else "All " ~ plural }}.\"\"\"
{% if key %}
    if {{ id }} not in store.rows:
        raise HTTPException(404, "There is no such {{ resource | replace("_", " ") }}.")
    return store.rows[{{ id }}]
{% else %}
    return list(store.rows.values())
{% endif %}
{% elif method == "POST" %}
@app.post({{ path | quoted }}, status_code=201)
async def {{ function }}({{ arguments }}data: New{{ model }}) -> {{ model }}:
    \"\"\"Add one {{ resource | replace("_", " ") }}.\"\"\"
    return store.add(data)
{% elif method == "PUT" %}
@app.put({{ path | quoted }})
async def {{ function }}({{ arguments }}data: New{{ model }}) -> {{ model }}:
    \"\"\"Put other data in the place of one {{ resource | replace("_", " ") }}.\"\"\"
    if {{ id }} not in store.rows:
        raise HTTPException(404, "There is no such {{ resource | replace("_", " ") }}.")
    store.rows[{{ id }}] = {{ model }}(id={{ id }}, **data.model_dump())
    return store.rows[{{ id }}]
{% elif method == "PATCH" %}
@app.patch({{ path | quoted }})
async def {{ function }}({{ arguments }}data: {{ model }}Change) -> {{ model }}:
    \"\"\"Change some fields of one {{ resource | replace("_", " ") }}.\"\"\"
    if {{ id }} not in store.rows:
        raise HTTPException(404, "There is no such {{ resource | replace("_", " ") }}.")
    changes = data.model_dump(exclude_unset=True)
    store.rows[{{ id }}] = store.rows[{{ id }}].model_copy(update=changes)
    return store.rows[{{ id }}]
{% else %}
@app.delete({{ path | quoted }}, status_code=204)
async def {{ function }}({{ arguments | trim | trim(",") }}) -> None:
    \"\"\"Remove one {{ resource | replace("_", " ") }}.\"\"\"
    if store.rows.pop({{ id }}, None) is None:
        raise HTTPException(404, "There is no such {{ resource | replace("_", " ") }}.")
{% endif %}
"""
)

STARLETTE = (
    """\
\"\"\"{{ description }}\"\"\"

from __future__ import annotations

{% if dates %}
from datetime import {{ dates | join(", ") }}

{% endif %}
from pydantic import BaseModel, ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route


"""
    + MODELS
    + STORE
    + """\
{% set id = 'request.path_params["' ~ key ~ '"]' if key else 'int(request.query_params.get("' ~ resource ~ '_id", "0"))' %}


def problem(status: int, detail: object) -> Response:
    return JSONResponse({"detail": detail}, status_code=status)


async def {{ function }}(request: Request) -> Response:
{% if method == "GET" and (listing or not key) %}
    \"\"\"All {{ plural | replace("_", " ") }}, a page at a time.\"\"\"
    try:
        limit = min(100, max(1, int(request.query_params.get("limit", "20"))))
        offset = max(0, int(request.query_params.get("offset", "0")))
    except ValueError:
        return problem(422, "limit and offset are whole numbers.")
    rows = list(store.rows.values())[offset : offset + limit]
    return JSONResponse([row.model_dump(mode="json") for row in rows])
{% elif method == "POST" %}
    \"\"\"Add one {{ resource | replace("_", " ") }}.\"\"\"
    try:
        data = New{{ model }}.model_validate_json(await request.body())
    except ValidationError as error:
        return problem(422, error.errors(include_context=False, include_url=False))
    return JSONResponse(store.add(data).model_dump(mode="json"), status_code=201)
{% else %}
    \"\"\"{{ {"GET": "Return", "PUT": "Replace", "PATCH": "Change", "DELETE": "Remove"}[method] }} one {{ resource | replace("_", " ") }}.\"\"\"
    key = {{ id }}
    if key not in store.rows:
        return problem(404, "There is no such {{ resource | replace("_", " ") }}.")
{% if method == "DELETE" %}
    del store.rows[key]
    return Response(status_code=204)
{% elif method == "GET" %}
    return JSONResponse(store.rows[key].model_dump(mode="json"))
{% else %}
    try:
        data = {{ model ~ "Change" if method == "PATCH" else "New" ~ model }}.model_validate_json(await request.body())
    except ValidationError as error:
        return problem(422, error.errors(include_context=False, include_url=False))
    changes = data.model_dump(exclude_unset=True)
    store.rows[key] = store.rows[key].model_copy(update=changes)
    return JSONResponse(store.rows[key].model_dump(mode="json"))
{% endif %}
{% endif %}


app = Starlette(routes=[Route({{ path | replace("}", ":int}") | quoted }}, {{ function }}, methods=[{{ method | quoted }}])])
"""
)

TEST = """\
\"\"\"Tests of {{ method }} {{ path }}.\"\"\"

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from main import New{{ model }}, Store, app, store

SAMPLE = {{ sample }}


@pytest.fixture(autouse=True)
def empty_store() -> None:
    fresh = Store()
    store.rows, store.last_id = fresh.rows, fresh.last_id


def test_{{ function }}() -> None:
    client = TestClient(app)
{% if method == "POST" %}
    answer = client.post({{ concrete | quoted }}, json=SAMPLE)
    assert answer.status_code == 201
    assert answer.json()["id"] == 1
    assert len(store.rows) == 1
{% else %}
    store.add(New{{ model }}(**SAMPLE))
{% if method == "GET" %}
    answer = client.get({{ concrete | quoted }})
    assert answer.status_code == 200
    assert answer.json(){{ "" if key and not listing else "[0]" }}["id"] == 1
{% elif method == "DELETE" %}
    answer = client.delete({{ concrete | quoted }}{{ "" if key else ', params={"' ~ resource ~ '_id": 1}' }})
    assert answer.status_code == 204
    assert not store.rows
{% else %}
    answer = client.{{ method | lower }}({{ concrete | quoted }}, json={{ "SAMPLE" if method == "PUT" else changed }}{{ "" if key else ', params={"' ~ resource ~ '_id": 1}' }})
    assert answer.status_code == 200
    assert answer.json()["id"] == 1
{% endif %}
{% endif %}
{% if method == "POST" %}


def test_wrong_data_is_refused() -> None:
    assert TestClient(app).post({{ concrete | quoted }}, json={}).status_code == 422
    assert not store.rows
{% elif key and not listing %}


def test_what_is_not_there_is_not_found() -> None:
    answer = TestClient(app).request({{ method | quoted }}, {{ missing | quoted }}{{ ", json=SAMPLE" if method in ("PUT", "PATCH") }})
    assert answer.status_code == 404
{% endif %}
"""
