"""Import and export: JSON lines, CSV, Markdown folders and GraphML."""

from antiphon.knowledge.exchange.exporting import ExportReport, export_file
from antiphon.knowledge.exchange.formats import FORMATS
from antiphon.knowledge.exchange.importing import (
    ImportRefused,
    ImportReport,
    Problem,
    import_file,
)

__all__ = [
    "FORMATS",
    "ExportReport",
    "ImportRefused",
    "ImportReport",
    "Problem",
    "export_file",
    "import_file",
]
