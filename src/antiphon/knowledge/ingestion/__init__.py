"""Documents into entities and relations, by rules and, where one is given, by a model."""

from antiphon.knowledge.ingestion.ingesting import IngestReport, ingest
from antiphon.knowledge.ingestion.model import Extractor
from antiphon.knowledge.ingestion.reading import KINDS

__all__ = ["KINDS", "Extractor", "IngestReport", "ingest"]
