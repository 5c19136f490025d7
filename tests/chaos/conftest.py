"""The PostgreSQL server of the storage tests, for those who crash on it."""

from tests.storage.conftest import postgres

__all__ = ["postgres"]
