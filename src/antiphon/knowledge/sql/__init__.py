"""SQL layer of knowledge: records and edges on SQLite and PostgreSQL, in SQLAlchemy Core."""
