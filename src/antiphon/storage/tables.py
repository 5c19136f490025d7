"""The tables as they are today; how they came to be is in migrations/. Loads SQLAlchemy."""

from __future__ import annotations

from functools import cache

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Double,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
    insert,
    make_url,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateIndex, CreateTable, ExecutableDDLElement

metadata = MetaData()

ledger = Table(
    "ledger",
    metadata,
    # SQLite counts rows by itself only where the key is exactly INTEGER.
    Column("id", BigInteger().with_variant(Integer(), "sqlite"), primary_key=True),
    Column("session_id", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("call_hash", Text, nullable=False),
    Column("tool_id", Text, nullable=False),
    Column("args_digest", Text, nullable=False),
    Column("args", LargeBinary, nullable=False),
    Column("turn", BigInteger, nullable=False),
    Column("state", Text, nullable=False),
    Column("envelope", LargeBinary),
    Column("owner", Text, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("updated_at", Double, nullable=False),
    Column("expires_at", Double, nullable=False),
    UniqueConstraint("session_id", "key", name="ledger_key"),
    UniqueConstraint("session_id", "call_hash", name="ledger_call_hash"),
    Index("ledger_expires_at", "expires_at"),
)
# Few rows are running at a time, so finding those of dead nodes must not read the others.
Index(
    "ledger_running",
    ledger.c.owner,
    sqlite_where=ledger.c.state == "running",
    postgresql_where=ledger.c.state == "running",
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", Text, primary_key=True),
    Column("user", Text, nullable=False),
    Column("mode", Text, nullable=False),
    Column("provider", Text, nullable=False),
    Column("profile", Text, nullable=False),
    Column("registry_version", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("updated_at", Double, nullable=False),
    Column("ended_at", Double),
    Column("conversation_id", Text, nullable=False, server_default=""),
    Index("sessions_created_at", "created_at", "id"),
    Index("sessions_user", "user", "created_at"),
    Index("sessions_conversation", "conversation_id"),
)

blocks = Table(
    "blocks",
    metadata,
    Column("user", Text, primary_key=True),
    Column("until", Double, nullable=False),
    Column("reason", Text, nullable=False),
    Column("created_at", Double, nullable=False),
)

approvals = Table(
    "approvals",
    metadata,
    Column("id", Text, primary_key=True),
    Column("user", Text, nullable=False),
    Column("tool_id", Text, nullable=False),
    Column("tool_digest", Text, nullable=False),
    Column("session_id", Text),
    Column("created_at", Double, nullable=False),
)

# What people have sent something to, as what it can be compared by.
destinations = Table(
    "destinations",
    metadata,
    Column("user", Text, primary_key=True),
    Column("digest", Text, primary_key=True),
    Column("used_at", Double, nullable=False),
)

rate_windows = Table(
    "rate_windows",
    metadata,
    Column("session_id", Text, primary_key=True),
    Column("tool_id", Text, primary_key=True),
    Column("stamps", Text, nullable=False),
    Column("updated_at", Double, nullable=False),
)

confirmations = Table(
    "confirmations",
    metadata,
    Column("id", Text, primary_key=True),
    Column("session_id", Text, nullable=False),
    Column("user", Text, nullable=False),
    Column("tool_id", Text, nullable=False),
    Column("args", LargeBinary, nullable=False),
    Column("args_digest", Text, nullable=False),
    Column("registry_version", Text, nullable=False),
    Column("nonce", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("turn", BigInteger, nullable=False),
    Column("risk", Text, nullable=False),
    Column("preview", Text, nullable=False),
    Column("call_hash", Text, nullable=False),
    Column("call_args", LargeBinary, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("expires_at", Double, nullable=False),
    Column("status", Text, nullable=False),
    Column("resolved_at", Double),
    Column("title", Text, nullable=False, server_default=""),
    Column("rule", Text, nullable=False, server_default=""),
    Column("approvers", Text, nullable=False, server_default="[]"),
    Column("changes", Text, nullable=False, server_default="{}"),
    Column("answered_by", Text),
    Column("via", Text),
    Index("confirmations_session", "session_id", "created_at"),
    Index("confirmations_status", "status", "created_at"),
)

turns = Table(
    "turns",
    metadata,
    # SQLite counts rows by itself only where the key is exactly INTEGER.
    Column("id", BigInteger().with_variant(Integer(), "sqlite"), primary_key=True),
    Column("session_id", Text, nullable=False),
    Column("at", Double, nullable=False),
    Column("channel", Text, nullable=False),
    Column("turn", Text, nullable=False),
    Index("turns_session", "session_id", "at", "id"),
)

conversations = Table(
    "conversations",
    metadata,
    Column("id", Text, primary_key=True),  # that of its first session
    Column("user", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("title_words", Text, nullable=False),  # as they are compared in a search
    Column("folder", Text, nullable=False),
    Column("preview", Text, nullable=False),
    Column("messages", Integer, nullable=False),
    Column("spoken", Boolean, nullable=False),
    Column("share_token", Text),
    Column("version", Integer, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("updated_at", Double, nullable=False),
    UniqueConstraint("share_token", name="conversations_share_token"),
    Index("conversations_user", "user", "updated_at", "id"),
)

messages = Table(
    "messages",
    metadata,
    Column(
        "turn_id",
        BigInteger().with_variant(Integer(), "sqlite"),
        primary_key=True,
        autoincrement=False,
    ),
    Column("conversation_id", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("words", Text, nullable=False),  # as they are compared in a search
    Column("feedback", Text),
    Column("comment", Text, nullable=False),
    Index("messages_conversation", "conversation_id"),
)

tasks = Table(
    "tasks",
    metadata,
    Column("id", Text, primary_key=True),
    Column("session_id", Text, nullable=False),
    Column("user", Text, nullable=False),
    Column("mode", Text, nullable=False),
    Column("tool_id", Text, nullable=False),
    Column("tool_version", Text, nullable=False),
    Column("registry_version", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("call_id", Text),
    Column("args", LargeBinary, nullable=False),
    Column("args_digest", Text, nullable=False),
    Column("turn", BigInteger, nullable=False),
    Column("source", Text, nullable=False),
    Column("origin", LargeBinary, nullable=False),
    Column("status", Text, nullable=False),
    Column("owner", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("cancel_requested", Boolean, nullable=False),
    Column("progress", LargeBinary),
    Column("envelope", LargeBinary),
    Column("client_told", Boolean, nullable=False),
    Column("model_told", Boolean, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("updated_at", Double, nullable=False),
    Column("started_at", Double),
    Column("finished_at", Double),
    Index("tasks_created_at", "created_at", "id"),
    Index("tasks_session", "session_id", "created_at"),
    Index("tasks_status", "status", "created_at"),
    Index("tasks_finished_at", "finished_at"),
)

calendar_events = Table(
    "calendar_events",
    metadata,
    Column("id", Text, primary_key=True),
    Column("user", Text, nullable=False),
    Column("calendar", Text, nullable=False),
    Column("uid", Text, nullable=False),
    Column("key", Text),
    Column("title", Text, nullable=False),
    Column("zone", Text, nullable=False),
    Column("events", Text, nullable=False),
    Column("zones", Text, nullable=False),
    Column("starts_at", Double, nullable=False),
    Column("ends_at", Double),
    Column("created_at", Double, nullable=False),
    Column("updated_at", Double, nullable=False),
    UniqueConstraint("user", "calendar", "uid", name="calendar_events_uid"),
    UniqueConstraint("key", name="calendar_events_key"),
    Index("calendar_events_time", "user", "calendar", "starts_at"),
)

audit = Table(
    "audit",
    metadata,
    # SQLite's own row number, which needs no index, where the key is exactly INTEGER.
    Column(
        "seq",
        BigInteger().with_variant(Integer(), "sqlite"),
        primary_key=True,
        autoincrement=False,
    ),
    Column("at", Double, nullable=False),
    Column("session_id", Text),
    Column("line", Text, nullable=False),
    Index("audit_session", "session_id", "seq"),
)

audit_head = Table(
    "audit_head",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("seq", BigInteger, nullable=False),
    Column("hash", Text, nullable=False),
)

audit_sinks = Table(
    "audit_sinks",
    metadata,
    Column("name", Text, primary_key=True),
    Column("seq", BigInteger, nullable=False),
)

secrets = Table(
    "secrets",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", LargeBinary, nullable=False),
)

macros = Table(
    "macros",
    metadata,
    Column("id", Text, primary_key=True),
    Column("user", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("trigger_phrase", Text, nullable=False),
    Column("steps", Text, nullable=False),
    Column("error_policy", Text, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("updated_at", Double, nullable=False),
    UniqueConstraint("user", "trigger_phrase", name="macros_trigger_phrase"),
)

page_visits = Table(
    "page_visits",
    metadata,
    Column("id", BigInteger().with_variant(Integer(), "sqlite"), primary_key=True),
    Column("user", Text, nullable=False),
    Column("page", Text, nullable=False),
    Column("at", Double, nullable=False),
    Column("seconds", Double),  # null while it lasts
    Column("details", Text, nullable=False),
    Index("page_visits_user", "user", "at"),
    Index("page_visits_at", "at"),
)

page_errors = Table(
    "page_errors",
    metadata,
    Column("id", BigInteger().with_variant(Integer(), "sqlite"), primary_key=True),
    Column("user", Text, nullable=False),
    Column("error_type", Text, nullable=False),
    Column("message", Text, nullable=False),
    Column("page", Text, nullable=False),
    Column("at", Double, nullable=False),
    Column("times", Integer, nullable=False),
    Column("resolved_at", Double),
    Index("page_errors_user", "user", "at"),
    Index("page_errors_at", "at"),
)

page_context = Table(
    "page_context",
    metadata,
    Column("user", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
    Column("at", Double, nullable=False),
)

projects = Table(
    "projects",
    metadata,
    Column("id", Text, primary_key=True),
    Column("user", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("name_key", Text, nullable=False),  # the name as it is compared
    Column("description", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("updated_at", Double, nullable=False),
    UniqueConstraint("user", "name_key", name="projects_name"),
)

expert_turns = Table(
    "expert_turns",
    metadata,
    Column("id", BigInteger().with_variant(Integer(), "sqlite"), primary_key=True),
    Column("user", Text, nullable=False),
    Column("expert", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("at", Double, nullable=False),
    Column("message", Text, nullable=False),
    Column("answer", Text, nullable=False),
    UniqueConstraint("key", name="expert_turns_key"),
    Index("expert_turns_user", "user", "expert", "id"),
)

run_steps = Table(
    "run_steps",
    metadata,
    Column("key", Text, primary_key=True),
    Column("step", Text, primary_key=True),
    Column("at", Double, nullable=False),
    Column("outcome", LargeBinary, nullable=False),
    Index("run_steps_at", "at"),
)

runs = Table(
    "runs",
    metadata,
    Column("id", Text, primary_key=True),
    Column("key", Text, nullable=False),
    Column("session_id", Text, nullable=False),
    Column("user", Text, nullable=False),
    Column("mode", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("input", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("stop_requested", Boolean, nullable=False),
    Column("error", Text),
    Column("error_type", Text),
    Column("outcome", Text),
    Column("created_at", Double, nullable=False),
    Column("finished_at", Double),
    Index("runs_created_at", "created_at", "id"),
    Index("runs_user", "user", "created_at", "id"),
    Index("runs_name", "user", "kind", "name", "created_at", "id"),
    Index("runs_status", "status", "created_at", "id"),
)

run_events = Table(
    "run_events",
    metadata,
    Column("id", BigInteger().with_variant(Integer(), "sqlite"), primary_key=True),
    Column("run_id", Text, nullable=False),
    Column("at", Double, nullable=False),
    Column("event", Text, nullable=False),
    Column("step", Text, nullable=False),
    Column("details", Text, nullable=False),
    Index("run_events_run", "run_id", "id"),
    Index("run_events_at", "at"),
)

schedules = Table(
    "schedules",
    metadata,
    Column("id", Text, primary_key=True),
    Column("user", Text, nullable=False),
    Column("data", Text),  # of the principal whose schedule it is; null: the operator's
    Column("organisation", Text, nullable=False, server_default=""),
    Column("credential", Text),  # with which it was saved; null: of a principal without rights
    Column("kind", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("input", Text, nullable=False),
    Column("trigger", Text, nullable=False),
    Column("zone", Text, nullable=False),
    Column("missed", Text, nullable=False),
    Column("enabled", Boolean, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("updated_at", Double, nullable=False),
    Column("next_at", Double),
    Column("last_at", Double),
    Column("last_run", Text),
    Column("problem", Text),
    Index("schedules_user", "user", "created_at"),
    Index("schedules_next", "next_at"),
)


organisations = Table(
    "organisations",
    metadata,
    Column("id", Text, primary_key=True),  # '' is the first one, which always is there
    Column("name", Text, nullable=False),
    Column("created_at", Double, nullable=False),
)

users = Table(
    "users",
    metadata,
    Column("name", Text, primary_key=True),
    Column("name_key", Text, nullable=False),  # two names that look alike have the same
    Column("organisation", Text, nullable=False),
    Column("display_name", Text, nullable=False),
    Column("email", Text, nullable=False),
    Column("roles", Text, nullable=False),  # JSON: names
    Column("password", Text),  # the hash; null: no sign-in by password
    Column("identity", Text),  # JSON: issuer and subject of the identity provider, in this order
    Column("disabled", Boolean, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("updated_at", Double, nullable=False),
    Column("signed_in_at", Double),
    Column("removed_at", Double),  # the name stays taken: things of its own may still be there
    UniqueConstraint("name_key", name="users_name_key"),
    UniqueConstraint("identity", name="users_identity"),
    Index("users_organisation", "organisation", "name"),
)

user_groups = Table(
    "user_groups",
    metadata,
    Column("organisation", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("roles", Text, nullable=False),  # JSON: names
    Column("members", Text, nullable=False),  # JSON: names of users
    Column("updated_at", Double, nullable=False),
)

roles = Table(
    "roles",
    metadata,
    Column("organisation", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    # JSON: permissions, rules about tools, roles that it includes, whose calls it may approve
    Column("content", Text, nullable=False),
    Column("updated_at", Double, nullable=False),
)

service_tokens = Table(
    "service_tokens",
    metadata,
    Column("id", Text, primary_key=True),
    Column("hash", Text, nullable=False),
    Column("user", Text, nullable=False),  # in whose name it acts
    Column("name", Text, nullable=False),
    Column("permissions", Text, nullable=False),  # JSON: null for those of its user, or names
    Column("tools", Text, nullable=False),  # JSON: null for those of its user, or patterns
    Column("networks", Text, nullable=False),  # JSON: null for any, or addresses with a mask
    Column("created_at", Double, nullable=False),
    Column("created_by", Text, nullable=False),
    Column("expires_at", Double),
    Column("revoked_at", Double),
    Column("used_at", Double),
    UniqueConstraint("hash", name="service_tokens_hash"),
    Index("service_tokens_user", "user", "created_at"),
)

browser_sessions = Table(
    "browser_sessions",
    metadata,
    Column("id", Text, primary_key=True),
    Column("hash", Text, nullable=False),  # of the cookie in force
    Column("previous_hash", Text),  # of the one before it, taken for some seconds more
    Column("user", Text, nullable=False),
    Column("way", Text, nullable=False),  # password, link, oidc, passkey
    Column("agent", Text, nullable=False),  # what the browser calls itself
    Column("created_at", Double, nullable=False),
    Column("used_at", Double, nullable=False),
    Column("rotated_at", Double, nullable=False),
    Column("expires_at", Double, nullable=False),
    Column("ended_at", Double),
    UniqueConstraint("hash", name="browser_sessions_hash"),
    Index("browser_sessions_user", "user", "created_at"),
    Index("browser_sessions_expires_at", "expires_at"),
)

# What is good for one use: tickets for a socket, links that invite or set a password, the halves of
# a sign-in elsewhere.
single_use = Table(
    "single_use",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("purpose", Text, nullable=False),
    Column("user", Text, nullable=False),
    Column("content", Text, nullable=False),  # JSON
    Column("created_at", Double, nullable=False),
    Column("expires_at", Double, nullable=False),
    Column("used_at", Double),
    Index("single_use_expires_at", "expires_at"),
)

passkeys = Table(
    "passkeys",
    metadata,
    Column("id", Text, primary_key=True),  # as the authenticator names it
    Column("user", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("public_key", LargeBinary, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("used_at", Double),
    Index("passkeys_user", "user", "created_at"),
)

limit_overrides = Table(
    "limit_overrides",
    metadata,
    Column("organisation", Text, primary_key=True),
    Column("kind", Text, primary_key=True),  # user, role or organisation
    Column("name", Text, primary_key=True),
    Column("amounts", Text, nullable=False),  # JSON
    Column("updated_at", Double, nullable=False),
    Column("updated_by", Text, nullable=False),
)

limit_usage = Table(
    "limit_usage",
    metadata,
    Column("scope", Text, primary_key=True),  # user or organisation
    Column("name", Text, primary_key=True),
    Column("limit", Text, primary_key=True),
    Column("day", BigInteger, primary_key=True),  # of UTC, counted from the epoch
    Column("amount", Double, nullable=False),
    Index("limit_usage_day", "day"),
)

# What was used: one row for each request to a model, slice of voice and call of a priced tool.
# Money is in billionths of the currency.
usage_entries = Table(
    "usage_entries",
    metadata,
    Column("id", Text, primary_key=True),
    Column("at", Double, nullable=False),
    Column("day", Text, nullable=False),  # in UTC, as 2026-11-18
    Column("user", Text, nullable=False),
    Column("organisation", Text, nullable=False),
    Column("agent", Text, nullable=False),
    Column("session_id", Text, nullable=False),
    Column("backend", Text, nullable=False),
    Column("model", Text, nullable=False),  # '' for a tool
    Column("tool", Text, nullable=False),  # '' for a model
    Column("state", Text, nullable=False),  # reserved, counted, estimated, released
    Column("node", Text, nullable=False),  # whose request it is
    Column("currency", Text, nullable=False),
    Column("estimate", BigInteger, nullable=False),
    Column("cost", BigInteger, nullable=False),
    Column("input_tokens", BigInteger, nullable=False),
    Column("cached_tokens", BigInteger, nullable=False),
    Column("cache_write_tokens", BigInteger, nullable=False),
    Column("output_tokens", BigInteger, nullable=False),
    Column("audio_input_tokens", BigInteger, nullable=False),
    Column("audio_output_tokens", BigInteger, nullable=False),
    Column("voice_ms", BigInteger, nullable=False),
    Index("usage_entries_day", "day", "user"),
    Index("usage_entries_organisation", "organisation", "day"),
    Index("usage_entries_state", "state", "node"),
)

# The sums that caps are held against: what is spent and set aside in one day or month.
usage_sums = Table(
    "usage_sums",
    metadata,
    Column("currency", Text, primary_key=True),
    Column("organisation", Text, primary_key=True),
    Column("scope", Text, primary_key=True),  # user, organisation, agent
    Column("subject", Text, primary_key=True),  # a name; '' for the organisation
    Column("period", Text, primary_key=True),  # a day, or a month as 2026-11
    Column("spent", BigInteger, nullable=False),
    Column("reserved", BigInteger, nullable=False),
    Column("warned", BigInteger),  # the cap that was warned of
)

usage_caps = Table(
    "usage_caps",
    metadata,
    Column("organisation", Text, primary_key=True),
    Column("scope", Text, primary_key=True),
    Column("subject", Text, primary_key=True),
    Column("currency", Text, nullable=False),
    Column("day", BigInteger),  # null: that of the settings
    Column("month", BigInteger),
    Column("updated_at", Double, nullable=False),
    Column("updated_by", Text, nullable=False),
)

# MCP servers that administrators have added, beside those of the settings.
mcp_servers = Table(
    "mcp_servers",
    metadata,
    Column("name", Text, primary_key=True),
    Column("content", Text, nullable=False),  # JSON
    Column("secrets", LargeBinary, nullable=False),  # JSON, sealed
    Column("added_at", Double, nullable=False),
    Column("added_by", Text, nullable=False),
)

# What was accepted of each tool of an MCP server, and what it is today.
mcp_pins = Table(
    "mcp_pins",
    metadata,
    Column("server", Text, primary_key=True),
    Column("tool", Text, primary_key=True),
    Column("status", Text, nullable=False),  # accepted, quarantined, rejected
    Column("reason", Text, nullable=False),
    Column("accepted", Text),  # JSON; null: never
    Column("seen", Text, nullable=False),  # JSON
    Column("digest", Text, nullable=False),  # of what is seen
    Column("first_seen_at", Double, nullable=False),
    Column("changed_at", Double, nullable=False),
    Column("decided_at", Double),
    Column("decided_by", Text),
)

# Tokens of users for MCP servers, and what this house is registered as with their authorization
# servers.
mcp_credentials = Table(
    "mcp_credentials",
    metadata,
    Column("id", Text, primary_key=True),  # server, kind and user
    Column("server", Text, nullable=False),
    Column("kind", Text, nullable=False),  # tokens, client
    Column("user", Text, nullable=False),  # '' for a client
    Column("value", LargeBinary, nullable=False),  # JSON, sealed
    Column("updated_at", Double, nullable=False),
    Index("mcp_credentials_server", "server", "kind"),
)


# Where Alembic keeps what it has done, as it would make it.
_versions = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32)),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)


def create_tables(connection: Connection, revision: str) -> None:
    """Make all tables in an empty database, in the open transaction, as the migrations up to that
    revision would have left them."""
    for statement in _definitions(connection.dialect.name):
        connection.exec_driver_sql(statement)
    # The one row that every writer locks, updates and never adds to.
    connection.execute(insert(audit_head).values(id=1, seq=0, hash="0" * 64))
    connection.execute(insert(_versions).values(version_num=revision))


@cache
def _definitions(dialect: str) -> tuple[str, ...]:
    """The statements that make the tables. Compiling them takes three times as long as they do."""
    form = make_url(f"{dialect}://").get_dialect()()
    found: list[ExecutableDDLElement] = []
    for table in (*metadata.sorted_tables, _versions):
        found += (CreateTable(table), *map(CreateIndex, table.indexes))
    return tuple(str(each.compile(dialect=form)) for each in found)


def inserting(dialect: str, table: Table) -> postgresql.Insert | sqlite.Insert:
    """An INSERT statement that may be given an ON CONFLICT clause."""
    if dialect == "postgresql":
        return postgresql.insert(table)
    return sqlite.insert(table)
