"""Documents into entities and relations, by rules and, where one is given, by a model."""

from antiphon.knowledge.ingestion.answers import AnswerCache
from antiphon.knowledge.ingestion.by_model import ModelExtractor
from antiphon.knowledge.ingestion.ingesting import IngestReport, ingest
from antiphon.knowledge.ingestion.model import Extractor
from antiphon.knowledge.ingestion.reading import KINDS, kind_of

__all__ = [
    "KINDS",
    "AnswerCache",
    "Extractor",
    "IngestReport",
    "ModelExtractor",
    "ingest",
    "kind_of",
]
