"""Request and response bodies of the routes, as pydantic models."""
