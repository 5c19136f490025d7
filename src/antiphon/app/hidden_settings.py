"""Hidden settings: what is secret among the settings, made known to the redaction."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from pydantic import BaseModel, SecretStr

from antiphon.config.loaded_settings import is_secret_name
from antiphon.secrecy.redaction import REDACTOR

if TYPE_CHECKING:
    from antiphon.config import Settings


_SECRET_VARIABLE = re.compile(r"(?:PASSWORD|SECRET|TOKEN|API_KEY)$", re.IGNORECASE)


def hide_secrets(settings: Settings) -> None:
    """Mask the secrets of the settings, and of variables for tools, in logs, errors and crash
    output from now on."""
    _hide(settings, secret=False)
    for name, value in os.environ.items():
        if _SECRET_VARIABLE.search(name):
            REDACTOR.hide(value)


def _hide(value: Any, *, secret: bool) -> None:
    if isinstance(value, SecretStr):
        REDACTOR.hide(value.get_secret_value())
    elif isinstance(value, BaseModel):
        for _, each in value:
            _hide(each, secret=False)
    elif isinstance(value, dict):
        for name, each in value.items():
            _hide(each, secret=secret or is_secret_name(str(name)))
    elif isinstance(value, str) and secret:
        REDACTOR.hide(value)
    elif isinstance(value, str) and "://" in value and "@" in value:
        password = urlsplit(value).password
        REDACTOR.hide(password, unquote(password or ""))
