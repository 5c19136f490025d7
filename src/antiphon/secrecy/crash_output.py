"""Crash output: log records, tracebacks and last words of the process, without secrets."""

from __future__ import annotations

import logging
import sys
import threading
import traceback
from types import TracebackType
from typing import Any

from antiphon.secrecy.personal_data import PersonalData
from antiphon.secrecy.redaction import clean_log

_lock = threading.Lock()
# What is personal in log records, by its kinds: the log is the process's own, so that what one
# profile masks is masked in all of it.
_personal: dict[frozenset[str], PersonalData] = {}
_installed: list[Any] = []


def install_redaction() -> None:
    """Redact what the process logs and what it says when it fails; once, whoever asks first.

    asyncio reports errors that nobody awaits through logging, so that these are redacted as well.
    faulthandler prints names of files and functions, never values.
    """
    with _lock:
        if _installed:
            return
        made = logging.getLogRecordFactory()

        def factory(*args: Any, **kwargs: Any) -> logging.LogRecord:
            record = made(*args, **kwargs)
            redact_record(record)
            return record

        _installed.append(factory)
        logging.setLogRecordFactory(factory)
        sys.excepthook = _say_last_words
        threading.excepthook = _say_of_thread
        sys.unraisablehook = _say_unraisable


def mask_in_logs(finder: PersonalData) -> None:
    """Mask what is personal in log records from now on."""
    install_redaction()
    _personal.setdefault(finder.kinds, finder)


def _clean(text: str) -> str:
    text = clean_log(text)
    for finder in tuple(_personal.values()):
        text = finder.masked(text)
    return text


def redact_record(record: logging.LogRecord) -> None:
    """Replace message and traceback of a record where they hold a secret; others stay as they
    are."""
    try:
        said = record.getMessage()
    except Exception:  # noqa: BLE001 - logging itself says what is wrong with the arguments
        return
    clean = _clean(said)
    if clean != said:
        record.msg, record.args = clean, ()
    if record.exc_info and record.exc_info[0] is not None:
        said = "".join(traceback.format_exception(*record.exc_info)).rstrip("\n")
        clean = _clean(said)
        if clean != said:
            record.exc_info, record.exc_text = None, clean
    if record.stack_info:
        record.stack_info = _clean(record.stack_info)


def traceback_text(
    kind: type[BaseException] | None,
    error: BaseException | None,
    trace: TracebackType | None,
) -> str:
    """A traceback as text, without secrets."""
    return clean_log("".join(traceback.format_exception(kind, error, trace)))


def _say_last_words(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
        return
    sys.stderr.write(traceback_text(kind, error, trace))


def _say_of_thread(args: threading.ExceptHookArgs) -> None:
    if args.exc_type is SystemExit:
        return
    name = args.thread.name if args.thread is not None else "unknown"
    sys.stderr.write(
        f"Exception in thread {name}:\n"
        + traceback_text(args.exc_type, args.exc_value, args.exc_traceback)
    )


def _say_unraisable(args: sys.UnraisableHookArgs) -> None:
    where = args.err_msg or "Exception ignored in"
    shown = clean_log(f"{where}: {args.object!r}")
    trace = traceback_text(args.exc_type, args.exc_value, args.exc_traceback)
    sys.stderr.write(f"{shown}\n{trace}")
