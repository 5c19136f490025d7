"""Stores to test limits with."""

from tests.storage.conftest import (  # noqa: F401 - fixtures
    postgres,
    postgres_database,
    postgres_url,
    sqlite_template,
    sqlite_url,
    store_url,
)
