"""One plug-in of each kind."""

from pathlib import Path

TOOLS = Path(__file__).parent / "tools"
