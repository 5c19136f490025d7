"""Embedders that ask a service: OpenAI and what speaks like it, and Gemini."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from antiphon.contracts import ErrorType
from antiphon.knowledge.embedding.endpoint import Endpoint
from antiphon.knowledge.embedding.port import (
    EmbeddingError,
    Vectors,
    blank,
    checked_texts,
    normalised,
    seconds,
    whole_number,
)

OPENAI_URL = "https://api.openai.com/v1"
OPENAI_MODEL = "text-embedding-3-small"
GEMINI_URL = "https://generativelanguage.googleapis.com/v1beta"
GEMINI_MODEL = "gemini-embedding-001"
GEMINI_DIMS = 768

# The models whose vectors can be asked for in a shorter form, and what they give by themselves.
_OPENAI_DIMS = {
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "text-embedding-ada-002": 1536,
}
_SHORTENED_BY_OPENAI = ("text-embedding-3-",)
_MOST_DIMS = 65_536
# A token is a byte or more, so texts of this size fit a model that reads 8191 tokens at most, and
# requests of this size fit a service that takes 300,000 tokens at most.
TEXT_BYTES = 8_000
REQUEST_BYTES = 250_000


class RemoteEmbedder(ABC):
    """Embedder behind a service: batches, checks, and the vector of an empty text."""

    name: str

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        model: str,
        dims: int | None,
        batch: int,
        text_bytes: int,
    ) -> None:
        self._endpoint = endpoint
        self._model = model
        self._dims = dims
        self._batch = whole_number("batch", batch, 1, 2048)
        self._text_bytes = whole_number("text_bytes", text_bytes, 16, 1_000_000)
        self._learning = threading.Lock()

    @property
    def dims(self) -> int:
        """Known, given, or learned from a first vector, which may raise EmbeddingError."""
        if self._dims is None:
            with self._learning:
                if self._dims is None:
                    self._dims = self._vectors(["dimensions"], None).shape[1]
        return self._dims

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See Embedder.embed. Of a long text only the first `text_bytes` bytes count."""
        import numpy

        given = [self._shortened(text) for text in checked_texts(texts)]
        dims = self.dims
        vectors = numpy.empty((len(given), dims), numpy.float32)
        for batch in self._batches(given):
            vectors[batch] = self._vectors([given[position] for position in batch], dims)
        for position, text in enumerate(given):
            if not text:
                vectors[position] = blank(dims)
        return vectors

    def warm(self) -> None:
        """Request one vector, so that a wrong key or address is found now."""
        self.embed(["warm"])

    def close(self) -> None:
        """Close the connections that are kept open."""
        self._endpoint.close()

    @abstractmethod
    def _ask(self, texts: list[str]) -> list[Any]:
        """Request the vectors of some texts: one list of numbers for each."""

    def _shortened(self, text: str) -> str:
        # What cannot be encoded becomes a question mark, and a character that is cut through goes.
        encoded = text.encode("utf-8", "replace")[: self._text_bytes]
        return encoded.decode("utf-8", "ignore").strip()

    def _batches(self, texts: list[str]) -> Iterator[list[int]]:
        batch: list[int] = []
        size = 0
        for position, text in enumerate(texts):
            if not text:
                continue
            more = len(text.encode())
            if batch and (len(batch) == self._batch or size + more > REQUEST_BYTES):
                yield batch
                batch, size = [], 0
            batch.append(position)
            size += more
        if batch:
            yield batch

    def _vectors(self, texts: list[str], dims: int | None) -> Vectors:
        import numpy

        source = f"The embedding service {self._endpoint.where} ({self._model})"
        rows = self._ask(texts)
        if len(rows) != len(texts):
            raise EmbeddingError(f"{source} gave {len(rows)} vectors for {len(texts)} texts.")
        for row in rows:
            if not isinstance(row, list) or not all(type(n) in (float, int) for n in row):
                raise EmbeddingError(f"{source} gave something that is not a list of numbers.")
            wanted = len(rows[0]) if dims is None else dims
            if len(row) != wanted or not row:
                raise EmbeddingError(
                    f"{source} gave a vector of {len(row)} numbers where {wanted} were expected; "
                    "check dims and the model."
                )
        return normalised(numpy.array(rows, numpy.float64), source)

    def _unusable(self) -> EmbeddingError:
        return EmbeddingError(
            f"The embedding service {self._endpoint.where} gave an answer without vectors; check "
            "the base URL and the model."
        )


class OpenAIEmbedder(RemoteEmbedder):
    """The embeddings of OpenAI, or of any server with an OpenAI-compatible `/v1/embeddings`."""

    def __init__(
        self,
        *,
        api_key: str | None = None,
        base_url: str = OPENAI_URL,
        model: str = OPENAI_MODEL,
        dims: int | None = None,
        send_dims: bool | None = None,
        batch: int = 128,
        text_bytes: int = TEXT_BYTES,
        timeout: float = 30.0,
        retries: int = 3,
        backoff: float = 0.5,
        longest_wait: float = 30.0,
        ca_file: Path | None = None,
        key_name: str = "OPENAI_API_KEY",
    ) -> None:
        """`dims` is checked against every answer.

        It is also asked for where the model is known to shorten its vectors; `send_dims` says so
        for other models. Raises EmbeddingError when an option is unusable.
        """
        model = _model(model)
        dims = None if dims is None else whole_number("dims", dims, 1, _MOST_DIMS)
        if send_dims is None:
            send_dims = model.startswith(_SHORTENED_BY_OPENAI)
        self._sent = dims if send_dims else None
        # A local server seldom wants a key; the service itself always does.
        if base_url == OPENAI_URL and not api_key:
            raise _keyless("OpenAI", key_name)
        key = _key(api_key, key_name)
        bare = urlsplit(base_url).path in ("", "/")
        super().__init__(
            Endpoint(
                f"{base_url.rstrip('/')}/v1" if bare else base_url,
                headers={"Authorization": f"Bearer {key}"} if key else {},
                secret=key,
                key_name=key_name,
                ca_file=ca_file,
                **_waits(timeout, retries, backoff, longest_wait),
            ),
            model=model,
            dims=dims or _OPENAI_DIMS.get(model),
            batch=batch,
            text_bytes=text_bytes,
        )
        # Two servers may give the same name to different models.
        host = "" if base_url == OPENAI_URL else f"@{urlsplit(base_url).netloc}"
        self.name = f"openai{host}:{model}" + (f":{dims}" if dims else "")

    def _ask(self, texts: list[str]) -> list[Any]:
        body: dict[str, Any] = {"model": self._model, "input": texts, "encoding_format": "float"}
        if self._sent is not None:
            body["dimensions"] = self._sent
        answer = self._endpoint.post("/embeddings", body)
        rows = answer.get("data") if isinstance(answer, dict) else None
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise self._unusable()
        # The order is only promised by the number that each row carries.
        places = [row.get("index", position) for position, row in enumerate(rows)]
        if sorted(p for p in places if type(p) is int) != list(range(len(rows))):
            raise self._unusable()
        ordered: list[Any] = [None] * len(rows)
        for place, row in zip(places, rows, strict=True):
            ordered[place] = row.get("embedding")
        return ordered


class GeminiEmbedder(RemoteEmbedder):
    """The embeddings of the Gemini API."""

    def __init__(
        self,
        *,
        api_key: str | None = None,
        base_url: str = GEMINI_URL,
        model: str = GEMINI_MODEL,
        dims: int = GEMINI_DIMS,
        task: str | None = None,
        batch: int = 100,
        text_bytes: int = TEXT_BYTES,
        timeout: float = 30.0,
        retries: int = 3,
        backoff: float = 0.5,
        longest_wait: float = 30.0,
        ca_file: Path | None = None,
        key_name: str = "GEMINI_API_KEY",
    ) -> None:
        """`task` is a task type such as SEMANTIC_SIMILARITY, for models that take one.

        Raises EmbeddingError when an option is unusable.
        """
        model = _model(model).removeprefix("models/")
        dims = whole_number("dims", dims, 1, _MOST_DIMS)
        if not api_key:
            raise _keyless("Gemini", key_name)
        key = _key(api_key, key_name)
        bare = urlsplit(base_url).path in ("", "/")
        super().__init__(
            Endpoint(
                f"{base_url.rstrip('/')}/v1beta" if bare else base_url,
                headers={"x-goog-api-key": key},
                secret=key,
                key_name=key_name,
                ca_file=ca_file,
                **_waits(timeout, retries, backoff, longest_wait),
            ),
            model=model,
            dims=dims,
            batch=whole_number("batch", batch, 1, 100),
            text_bytes=text_bytes,
        )
        self._task = task
        self.name = f"gemini:{model}:{dims}" + (f":{task}" if task else "")

    def _ask(self, texts: list[str]) -> list[Any]:
        request: dict[str, Any] = {
            "model": f"models/{self._model}",
            "outputDimensionality": self._dims,
        }
        if self._task:
            request["taskType"] = self._task
        body = {"requests": [{**request, "content": {"parts": [{"text": t}]}} for t in texts]}
        path = f"/models/{quote(self._model, safe='')}:batchEmbedContents"
        answer = self._endpoint.post(path, body)
        rows = answer.get("embeddings") if isinstance(answer, dict) else None
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise self._unusable()
        return [row.get("values") for row in rows]


def _keyless(service: str, key_name: str) -> EmbeddingError:
    return EmbeddingError(
        f"The embeddings of {service} need a key, and none is set; set {key_name}.",
        ErrorType.AUTH,
    )


def _waits(timeout: float, retries: int, backoff: float, longest_wait: float) -> dict[str, Any]:
    """Return the time limits of an endpoint, checked. Raises EmbeddingError."""
    return {
        "timeout": seconds("timeout", timeout, 0.05, 600),
        "retries": whole_number("retries", retries, 0, 10),
        "backoff": seconds("backoff", backoff, 0, 60),
        "longest_wait": seconds("longest_wait", longest_wait, 0, 600),
    }


def _key(api_key: str | None, key_name: str) -> str:
    if api_key is not None and not isinstance(api_key, str):
        raise EmbeddingError(f"The key in {key_name} must be text.", ErrorType.AUTH)
    return (api_key or "").strip()


def _model(model: str) -> str:
    if not isinstance(model, str) or not model.strip() or not model.isprintable():
        raise EmbeddingError("The name of the embedding model is empty.", ErrorType.VALIDATION)
    return model.strip()
