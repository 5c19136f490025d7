"""Trained understanding: the tool an utterance means, the words that fill its parameters, and the
part of a record that answers a question. The weights ship inside; weights/CARD.md describes them."""
