"""Knowledge in PostgreSQL with pgvector: the same databases, shared by several nodes."""
