"""Import and export: JSON lines, CSV, Markdown folders and GraphML."""

from antiphon.knowledge.exchange.exporter import ExportReport, export_file
from antiphon.knowledge.exchange.formats import FORMATS
from antiphon.knowledge.exchange.importer import (
    ImportRefused,
    KnowledgeImportReport,
    RowProblem,
    import_file,
)

__all__ = [
    "FORMATS",
    "ExportReport",
    "ImportRefused",
    "KnowledgeImportReport",
    "RowProblem",
    "export_file",
    "import_file",
]
