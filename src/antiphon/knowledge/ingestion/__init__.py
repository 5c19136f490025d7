"""Documents into entities and relations, by rules and, where one is given, by a model."""

from antiphon.knowledge.ingestion.answer_cache import AnswerCache
from antiphon.knowledge.ingestion.documents import KINDS, kind_of
from antiphon.knowledge.ingestion.extractor import Extractor
from antiphon.knowledge.ingestion.model_extractor import ModelExtractor
from antiphon.knowledge.ingestion.pipeline import IngestReport, ingest

__all__ = [
    "KINDS",
    "AnswerCache",
    "Extractor",
    "IngestReport",
    "ModelExtractor",
    "ingest",
    "kind_of",
]
