"""Alembic environment: migrations on the connection that the store is being opened with."""

from alembic import context

# The caller has begun a transaction that holds the lock against other openers, and ends it.
context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
context.run_migrations()
