"""Stores of both kinds, as the tests of the store have them."""

from __future__ import annotations

from tests.storage.conftest import (  # noqa: F401 - fixtures
    postgres,
    postgres_database,
    postgres_url,
    sqlite_template,
    sqlite_url,
    store_url,
)
