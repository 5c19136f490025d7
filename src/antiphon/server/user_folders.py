"""User folders in the data folder: where people's own files go, and which are unusable."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, Field

from antiphon.app import Application


class LeftOut(BaseModel):
    file: str = Field(description="A file in `folder` that cannot be used.", examples=["x.md"])
    reason: str = Field(description="What is wrong with it.")


def own_folder(application: Application, name: str) -> Path:
    data: Path = application.settings.data
    return data.resolve() / name


def shown(left_out: list[tuple[Path, str]]) -> list[LeftOut]:
    return [LeftOut(file=file.name, reason=reason) for file, reason in left_out]
