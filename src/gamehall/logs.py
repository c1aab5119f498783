"""Logs: for people on a terminal, one JSON object a line anywhere else.

Our own code writes through structlog, libraries through `logging`; both end in the same stream and
the same form. No secret gets through by its name, and tracebacks show no local variables.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Literal, TextIO

import msgspec


@contextmanager
def _without(package: str) -> Iterator[None]:
    """What is imported meanwhile does without this package, unless it is loaded already."""
    if package in sys.modules:
        yield
        return
    sys.modules[package] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[package]


# Where it is installed, structlog loads it for tracebacks that show local variables: none of ours
# do, and it takes longer than structlog itself. So `serve` imports this module before any other.
with _without("rich"):
    import structlog
    from structlog.typing import EventDict, Processor, WrappedLogger

Level = Literal["debug", "info", "warning", "error"]

# A name is secret if one of its words is: `token`, `draw_key`, `password_hash`, `X-Api-Key`.
_SECRET = frozenset(
    {"authorization", "cookie", "key", "keymatch", "password", "secret", "token", "tokens"}
)


def configure(stream: TextIO, level: Level = "info") -> None:
    """Sends every log of this process to `stream`, from `level` on. May be called again."""
    for_people = stream.isatty()
    common: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(
            fmt="%H:%M:%S" if for_people else "iso", utc=not for_people
        ),
        drop_secrets,
    ]
    structlog.configure(
        processors=[*common, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.stdlib.LoggerFactory(),
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=common,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *_renderers(for_people),
            ],
        )
    )
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)


def name_worker(number: int) -> None:
    """Every later line says which process of a hall has written it."""
    structlog.contextvars.bind_contextvars(worker=number)


def drop_secrets(_: WrappedLogger, __: str, entry: EventDict) -> EventDict:
    """The entry without anything whose name says that it is secret, however deep."""
    return {name: _cleaned(value) for name, value in entry.items() if not _is_secret(name)}


def _cleaned(value: object) -> object:
    if isinstance(value, Mapping):
        return {name: _cleaned(inner) for name, inner in value.items() if not _is_secret(name)}
    if isinstance(value, msgspec.Struct):
        return _cleaned(msgspec.structs.asdict(value))
    if isinstance(value, list):
        return [_cleaned(inner) for inner in value]
    if isinstance(value, tuple):
        return tuple(_cleaned(inner) for inner in value)
    return value


def _is_secret(name: object) -> bool:
    return not _SECRET.isdisjoint(str(name).lower().replace("-", "_").split("_"))


def _renderers(for_people: bool) -> list[Processor]:
    if not for_people:
        return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    return [
        structlog.dev.ConsoleRenderer(
            colors="NO_COLOR" not in os.environ,
            # What strangers sent is quoted, so that it cannot forge lines or move the cursor.
            repr_native_str=True,
            # The default shows local variables, and with them passwords and keys.
            exception_formatter=structlog.dev.plain_traceback,
        )
    ]
