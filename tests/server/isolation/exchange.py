"""Requests over one connection, many at a time: the answers come in their order."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

BATCH = 24


@dataclass(frozen=True, slots=True)
class Request:
    """One request; `sent` are the values in it that its answer may well repeat."""

    method: str
    path: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    sent: tuple[str, ...]

    def bytes(self) -> bytes:
        lines = [f"{self.method} {self.path} HTTP/1.1", "host: 127.0.0.1:{port}"]
        lines += [f"{name}: {value}" for name, value in self.headers]
        if self.body or self.method not in ("GET", "DELETE"):
            lines.append(f"content-length: {len(self.body)}")
        return "\r\n".join([*lines, "", ""]).encode() + self.body


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


class Connection:
    """A connection that is opened anew where the server has closed it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._socket: socket.socket | None = None
        self._read = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._close()

    def ask(self, requests: Sequence[Request]) -> Iterator[tuple[Request, Answer]]:
        """The answers of requests, in their order."""
        left = list(requests)
        while left:
            batch = left[:BATCH]
            answered = 0
            host = b"127.0.0.1:%d" % self._port
            sent = b"".join(each.bytes().replace(b"127.0.0.1:{port}", host, 1) for each in batch)
            self._opened().sendall(sent)
            for request in batch:
                answer = self._answer()
                answered += 1
                yield request, answer
                if ("connection", "close") in answer.headers:
                    self._close()
                    break
            left = left[answered:]

    def _opened(self) -> socket.socket:
        if self._socket is None:
            self._socket = socket.create_connection(("127.0.0.1", self._port), timeout=120)
            self._read = b""
        return self._socket

    def _close(self) -> None:
        if self._socket is not None:
            self._socket.close()
        self._socket = None

    def _answer(self) -> Answer:
        head = self._until(b"\r\n\r\n").decode("latin-1")
        first, *rest = head.split("\r\n")
        status = int(first.split(" ")[1])
        headers = tuple(
            (name.lower(), value.strip())
            for name, _, value in (line.partition(":") for line in rest)
        )
        fields = dict(headers)
        if status in (204, 304):
            body = b""
        elif "content-length" in fields:
            body = self._exactly(int(fields["content-length"]))
        else:
            assert fields["transfer-encoding"] == "chunked"
            body = b"".join(self._pieces())
        return Answer(status, headers, body)

    def _pieces(self) -> Iterator[bytes]:
        while size := int(self._until(b"\r\n"), 16):
            yield self._exactly(size)
            self._exactly(2)
        self._exactly(2)

    def _until(self, mark: bytes) -> bytes:
        while mark not in self._read:
            self._more()
        found, _, self._read = self._read.partition(mark)
        return found

    def _exactly(self, size: int) -> bytes:
        while len(self._read) < size:
            self._more()
        found, self._read = self._read[:size], self._read[size:]
        return found

    def _more(self) -> None:
        assert self._socket is not None
        more = self._socket.recv(1 << 18)
        assert more, "the server hung up in the middle of an answer"
        self._read += more
