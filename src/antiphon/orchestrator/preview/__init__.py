"""Confirmation previews: a pending call in words that a person can approve or deny."""
