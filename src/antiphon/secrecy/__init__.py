"""Secrecy: encryption at rest, redaction of secrets, and masking of personal data.

Nothing heavy is imported here: `cryptography` is loaded when something is sealed or opened.
"""
