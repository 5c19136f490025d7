"""Training of the built-in model: nothing of the product imports it."""
