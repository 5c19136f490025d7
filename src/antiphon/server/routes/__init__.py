"""Routes of the HTTP application: one module for each group."""
