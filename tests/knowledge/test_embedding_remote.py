"""Embedders that ask a service, against a real server on loopback."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy
import pytest

from antiphon.contracts import ErrorType
from antiphon.knowledge.embedding import EmbeddingError, GeminiEmbedder, OpenAIEmbedder

KEY = "sk-secret-0123456789"
DIMS = 8


def vector_of(text: str) -> list[float]:
    """Not of length 1, as services need not normalise."""
    return [3.0 * (len(text) + n) for n in range(DIMS)]


def expected(texts: list[str]) -> numpy.ndarray:
    vectors = numpy.array([vector_of(text) for text in texts])
    return vectors / numpy.linalg.norm(vectors, axis=1, keepdims=True)


class Request:
    def __init__(self, handler: BaseHTTPRequestHandler) -> None:
        self.path = handler.path
        self.headers = {name.lower(): value for name, value in handler.headers.items()}
        self.client = handler.client_address
        self.body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))


class Answer:
    """What the server says: a status, headers, and JSON or bytes; then perhaps it hangs up."""

    def __init__(
        self,
        body: Any,
        status: int = 200,
        headers: dict[str, str] | None = None,
        *,
        hang_up: bool = False,
    ) -> None:
        self.content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.status = status
        self.headers = headers or {}
        self.hang_up = hang_up


def openai_answer(request: Request) -> Answer:
    rows = [
        {"object": "embedding", "index": n, "embedding": vector_of(text)}
        for n, text in enumerate(request.body["input"])
    ]
    return Answer({"object": "list", "data": rows[::-1], "model": request.body["model"]})


def gemini_answer(request: Request) -> Answer:
    texts = [asked["content"]["parts"][0]["text"] for asked in request.body["requests"]]
    return Answer({"embeddings": [{"values": vector_of(text)} for text in texts]})


class Service:
    """A server whose answers are given in advance; after those it answers as it should."""

    def __init__(self, usual: Callable[[Request], Answer], context: ssl.SSLContext | None = None):
        self.requests: list[Request] = []
        self.planned: list[Answer | Callable[[BaseHTTPRequestHandler], None]] = []
        self.over = threading.Event()
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                request = Request(self)
                service.requests.append(request)
                answer = service.planned.pop(0) if service.planned else usual(request)
                if not isinstance(answer, Answer):
                    answer(self)
                    self.close_connection = True
                    return
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(answer.content)))
                self.end_headers()
                self.wfile.write(answer.content)
                self.close_connection = answer.hang_up

            def do_CONNECT(self) -> None:
                service.requests.append(self.path)  # type: ignore[arg-type]
                self.send_error(403)
                self.close_connection = True

            def log_message(self, *_: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            def handle_error(self, *_: object) -> None:
                """A client that goes away in the middle is what some tests are about."""

        self.server = Server(("127.0.0.1", 0), Handler)
        if context is not None:
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.url = f"http{'s' * bool(context)}://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,))
        self.thread.start()

    def stop(self) -> None:
        self.over.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture
def service() -> Iterator[Service]:
    running = Service(openai_answer)
    yield running
    running.stop()


@pytest.fixture
def openai(service: Service) -> Iterator[OpenAIEmbedder]:
    embedder = make(service)
    yield embedder
    embedder.close()


def make(service: Service, **options: Any) -> OpenAIEmbedder:
    settings = {"model": "m", "dims": DIMS, "api_key": KEY, "backoff": 0, **options}
    return OpenAIEmbedder(base_url=f"{service.url}/v1", **settings)


def failure(embedder: OpenAIEmbedder | GeminiEmbedder) -> EmbeddingError:
    with pytest.raises(EmbeddingError) as caught:
        embedder.embed(["text"])
    assert KEY not in str(caught.value)
    return caught.value


# -- what is asked and what comes out


def test_openai_is_asked_in_its_own_words(service: Service, openai: OpenAIEmbedder) -> None:
    texts = ["one", "three", "fifteen"]
    assert openai.embed(texts) == pytest.approx(expected(texts), abs=1e-6)
    (request,) = service.requests
    assert request.path == "/v1/embeddings"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body == {"model": "m", "input": texts, "encoding_format": "float"}


def test_gemini_is_asked_in_its_own_words() -> None:
    service = Service(gemini_answer)
    embedder = GeminiEmbedder(api_key=KEY, base_url=service.url, dims=DIMS, task="CLUSTERING")
    vectors = embedder.embed(["one", "three"])
    embedder.close()
    service.stop()
    assert vectors.dtype == numpy.float32
    assert vectors == pytest.approx(expected(["one", "three"]), abs=1e-6)
    (request,) = service.requests
    assert request.path == "/v1beta/models/gemini-embedding-001:batchEmbedContents"
    assert request.headers["x-goog-api-key"] == KEY
    assert request.body["requests"][1] == {
        "model": "models/gemini-embedding-001",
        "content": {"parts": [{"text": "three"}]},
        "outputDimensionality": DIMS,
        "taskType": "CLUSTERING",
    }


def test_shorter_vectors_are_asked_for_where_the_model_can(service: Service) -> None:
    embedder = make(service, model="text-embedding-3-large")
    embedder.embed(["text"])
    embedder.close()
    assert service.requests[0].body["dimensions"] == DIMS


def test_a_local_server_needs_neither_key_nor_version_in_its_address(service: Service) -> None:
    embedder = OpenAIEmbedder(base_url=service.url, model="m")
    embedder.embed(["text"])
    embedder.close()
    assert service.requests[0].path == "/v1/embeddings"
    assert "authorization" not in service.requests[0].headers


def test_dimensions_that_nobody_gave_are_learned_once(service: Service) -> None:
    embedder = make(service, dims=None)
    assert (embedder.dims, embedder.dims) == (DIMS, DIMS)
    embedder.close()
    assert len(service.requests) == 1


def test_many_texts_go_in_batches_and_come_back_in_order(service: Service) -> None:
    embedder = make(service, batch=10)
    texts = ["x" * n for n in range(1, 36)]
    assert embedder.embed(texts) == pytest.approx(expected(texts), abs=1e-6)
    embedder.close()
    assert [len(request.body["input"]) for request in service.requests] == [10, 10, 10, 5]


def test_a_request_stays_below_what_a_service_takes(service: Service) -> None:
    embedder = make(service)
    embedder.embed(["y" * 8000] * 40)
    embedder.close()
    sizes = [sum(map(len, request.body["input"])) for request in service.requests]
    assert sizes == [31 * 8000, 9 * 8000]


def test_a_long_text_is_cut_between_characters(service: Service) -> None:
    embedder = make(service, text_bytes=16)
    embedder.embed(["日本語" * 100, "\ud800x"])
    embedder.close()
    assert service.requests[0].body["input"] == ["日本語日本", "?x"]


def test_empty_texts_are_not_sent(service: Service, openai: OpenAIEmbedder) -> None:
    vectors = openai.embed(["", "word", " \n"])
    assert service.requests[0].body["input"] == ["word"]
    assert vectors[0].tolist() == vectors[2].tolist() == [1.0] + [0.0] * (DIMS - 1)
    assert openai.embed([]).shape == (0, DIMS)


def test_threads_share_an_embedder(service: Service, openai: OpenAIEmbedder) -> None:
    asked = [["x" * n, "y" * (n + 1)] for n in range(1, 30)]
    with ThreadPoolExecutor(6) as pool:
        results = list(pool.map(openai.embed, asked))
    for texts, vectors in zip(asked, results, strict=True):
        assert vectors == pytest.approx(expected(texts), abs=1e-6)


def test_a_connection_is_used_again(service: Service, openai: OpenAIEmbedder) -> None:
    openai.embed(["a"])
    openai.embed(["b"])
    assert service.requests[0].client == service.requests[1].client


def test_a_connection_that_was_closed_while_it_waited_is_no_failure(service: Service) -> None:
    embedder = make(service, retries=0)
    rows = {"data": [{"embedding": vector_of("a"), "index": 0}]}
    service.planned = [Answer(rows, hang_up=True)] * 3
    for _ in range(4):
        embedder.embed(["a"])
    embedder.close()
    assert len(service.requests) == 4


# -- patience


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 529])
def test_what_may_pass_is_tried_again(
    service: Service, openai: OpenAIEmbedder, status: int
) -> None:
    service.planned = [Answer({"error": {"message": "busy"}}, status)] * 2
    openai.embed(["text"])
    assert len(service.requests) == 3


def test_patience_ends(service: Service) -> None:
    embedder = make(service, retries=2)
    service.planned = [Answer({"error": {"message": "the machine is on fire"}}, 500)] * 9
    error = failure(embedder)
    embedder.close()
    assert error.type is ErrorType.TRANSIENT
    assert "the machine is on fire" in str(error)
    assert len(service.requests) == 3


def test_the_service_says_how_long_to_wait(service: Service) -> None:
    past = (datetime.now(UTC) - timedelta(hours=1)).strftime("%a, %d %b %Y %H:%M:%S GMT")
    # With this backoff the test would run into its time limit.
    embedder = make(service, backoff=60, longest_wait=600)
    service.planned = [Answer({}, 429, {"Retry-After": value}) for value in ("0", "0.01", past)]
    embedder.embed(["text"])
    embedder.close()
    assert len(service.requests) == 4


def test_a_wait_that_is_too_long_is_told_at_once(service: Service) -> None:
    embedder = make(service, longest_wait=5)
    service.planned = [Answer({}, 429, {"Retry-After": "120"})]
    error = failure(embedder)
    embedder.close()
    assert error.type is ErrorType.RATE_LIMIT
    assert "asks to wait 120 seconds" in str(error)
    assert len(service.requests) == 1


def test_an_account_without_money_is_not_asked_again(
    service: Service, openai: OpenAIEmbedder
) -> None:
    said = {"error": {"message": "You exceeded your quota.", "code": "insufficient_quota"}}
    service.planned = [Answer(said, 429)] * 2
    assert "You exceeded your quota" in str(failure(openai))
    assert len(service.requests) == 1


def test_a_service_that_never_answers_is_given_up(service: Service) -> None:
    embedder = make(service, timeout=0.1, retries=1)
    service.planned = [lambda _: service.over.wait(30)] * 2  # type: ignore[list-item, return-value]
    error = failure(embedder)
    embedder.close()
    assert error.type is ErrorType.TRANSIENT
    assert "did not answer within 0.1 seconds" in str(error)
    assert len(service.requests) == 2


@pytest.mark.parametrize("start", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 90000\r\n\r\n"])
def test_a_service_that_answers_too_slowly_is_given_up(service: Service, start: bytes) -> None:
    def trickle(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(start or b"HTTP/1.1 200 OK\r\nX: ")
        while not service.over.wait(0.01):
            handler.wfile.write(b"x")

    embedder = make(service, timeout=0.3, retries=0)
    service.planned = [trickle]
    assert "did not answer within 0.3 seconds" in str(failure(embedder))
    embedder.close()


def test_a_service_that_is_not_there_is_said(service: Service) -> None:
    embedder = make(service, retries=0)
    service.server.server_close()
    error = failure(embedder)
    embedder.close()
    assert error.type is ErrorType.TRANSIENT
    assert "cannot be reached" in str(error)


def test_an_answer_that_breaks_off_is_tried_again(service: Service, openai: OpenAIEmbedder) -> None:
    def break_off(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"data"')

    service.planned = [break_off]
    openai.embed(["text"])
    assert len(service.requests) == 2


# -- refusals and answers that cannot be used


@pytest.mark.parametrize("status", [401, 403])
def test_a_wrong_key_is_answered_with_the_variable_to_check(
    service: Service, openai: OpenAIEmbedder, status: int
) -> None:
    service.planned = [Answer({"error": {"message": f"Incorrect API key: {KEY}"}}, status)]
    error = failure(openai)
    assert error.type is ErrorType.AUTH
    assert "Incorrect API key: ********" in str(error)
    assert "check OPENAI_API_KEY" in str(error)
    assert len(service.requests) == 1


def test_the_way_gemini_refuses_a_key_is_understood() -> None:
    service = Service(gemini_answer)
    said = {"message": "API key not valid.", "details": [{"reason": "API_KEY_INVALID"}]}
    service.planned = [Answer({"error": said}, 400)]
    embedder = GeminiEmbedder(api_key=KEY, base_url=service.url, dims=DIMS)
    error = failure(embedder)
    embedder.close()
    service.stop()
    assert error.type is ErrorType.AUTH
    assert "check GEMINI_API_KEY" in str(error)


def test_a_redirect_is_refused_so_that_the_key_stays_here(service: Service) -> None:
    elsewhere = Service(openai_answer)
    embedder = make(service)
    service.planned = [Answer({}, 307, {"Location": f"{elsewhere.url}/v1/embeddings"})]
    error = failure(embedder)
    embedder.close()
    elsewhere.stop()
    assert "another address" in str(error)
    assert elsewhere.requests == []


def test_an_unknown_model_is_said_in_the_words_of_the_service(
    service: Service, openai: OpenAIEmbedder
) -> None:
    service.planned = [Answer({"error": {"message": "The model `m` does not exist"}}, 404)]
    error = failure(openai)
    assert error.type is ErrorType.PERMANENT
    assert "404: The model `m` does not exist" in str(error)
    assert len(service.requests) == 1


GOOD = vector_of("text")
UNUSABLE = [
    (b"<html>", "did not answer in JSON"),
    (b"", "did not answer in JSON"),
    (b'{"data": [{"embedding": [NaN, 1]}]}', "did not answer in JSON"),
    ([], "without vectors"),
    ({"data": None}, "without vectors"),
    ({"data": [1]}, "without vectors"),
    ({"data": []}, "0 vectors for 1 texts"),
    ({"data": [{"embedding": GOOD}, {"embedding": GOOD}]}, "2 vectors for 1 texts"),
    ({"data": [{"embedding": GOOD, "index": 7}]}, "without vectors"),
    ({"data": [{"embedding": GOOD[:-1]}]}, "a vector of 7 numbers where 8 were expected"),
    ({"data": [{"embedding": []}]}, "a vector of 0 numbers where 8 were expected"),
    ({"data": [{"embedding": "AAAA"}]}, "not a list of numbers"),
    ({"data": [{"embedding": [None] * DIMS}]}, "not a list of numbers"),
    ({"data": [{"embedding": [True] * DIMS}]}, "not a list of numbers"),
    ({"data": [{"embedding": [0.0] * DIMS}]}, "a vector of zeros"),
]


@pytest.mark.parametrize(("body", "words"), UNUSABLE)
def test_an_answer_that_cannot_be_used_is_refused(
    service: Service, openai: OpenAIEmbedder, body: Any, words: str
) -> None:
    service.planned = [Answer(body)]
    error = failure(openai)
    assert error.type is ErrorType.PERMANENT
    assert words in str(error)
    assert len(service.requests) == 1


def test_numbers_of_any_size_make_a_direction(service: Service, openai: OpenAIEmbedder) -> None:
    service.planned = [
        Answer({"data": [{"embedding": [size] * DIMS}]}) for size in (1e300, 1e-300, 10**18)
    ]
    for _ in range(3):
        assert openai.embed(["text"])[0] == pytest.approx([DIMS**-0.5] * DIMS)


# -- options


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"base_url": "ftp://host/v1"}, "must look like https://host/v1"),
        ({"base_url": "host/v1"}, "must look like"),
        ({"base_url": "https://user:pw@host/v1"}, "must look like"),
        ({"base_url": "https://host/v1?x=1"}, "must look like"),
        ({"base_url": "https://host:99999/v1"}, "must look like"),
        ({"base_url": "https://host/v1\r\nX: y"}, "must look like"),
        ({"api_key": "sk\r\nX-Other: y"}, "OPENAI_API_KEY has characters"),
        ({"api_key": "“sk”"}, "OPENAI_API_KEY has characters"),
        ({"model": " "}, "name of the embedding model is empty"),
        ({"dims": 0}, "dims must be a whole number"),
        ({"batch": 5000}, "batch must be a whole number"),
        ({"timeout": float("nan")}, "timeout must be from"),
        ({"retries": -1}, "retries must be a whole number"),
        ({"base_url": "https://host/v1", "ca_file": Path("missing.pem")}, "cannot be used"),
    ],
)
def test_options_that_cannot_be_used_are_refused_at_once(
    options: dict[str, Any], words: str
) -> None:
    with pytest.raises(EmbeddingError, match=words):
        OpenAIEmbedder(**{"api_key": KEY, "model": "m", **options})


# -- https


def self_signed(folder: Path) -> tuple[Path, ssl.SSLContext]:
    import ipaddress

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "loopback")])
    address = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([address]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = folder / "certificate.pem"
    pem.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    private = folder / "key.pem"
    private.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem, private)
    return pem, context


def test_a_certificate_is_checked_against_the_authority_that_is_named(tmp_path: Path) -> None:
    pem, context = self_signed(tmp_path)
    service = Service(openai_answer, context)
    stranger = make(service)
    error = failure(stranger)
    stranger.close()
    assert "is not trusted" in str(error)
    assert service.requests == []
    friend = make(service, ca_file=pem)
    assert friend.embed(["a"]) == pytest.approx(expected(["a"]), abs=1e-6)
    friend.close()
    service.stop()


def test_the_proxy_of_the_environment_is_used_for_services_outside(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("no_proxy", "NO_PROXY", "HTTPS_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("https_proxy", service.url)
    embedder = OpenAIEmbedder(api_key=KEY, base_url="https://embeddings.test/v1", retries=0)
    assert "403" in str(failure(embedder))
    embedder.close()
    assert service.requests == ["embeddings.test:443"]
