"""Trained understanding of what people say: the tool, its arguments, and answers in records.

The weights ship inside; weights/CARD.md describes them.
"""
