"""Trained understanding: which tool an utterance means, which words fill which parameter, and
where a record answers a question. The weights ship with the package; docs/local.md has their card."""
