"""SQLite engine of knowledge: one file per database, with its indexes beside it."""
