"""Limits: what users and organisations may use, and who is refused."""
