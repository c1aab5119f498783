"""The port to what is kept: journals, requests, ledger, accounts and read models, in one place."""

from __future__ import annotations

from abc import abstractmethod
from contextlib import AbstractAsyncContextManager

from gamehall.store.audit import Audit
from gamehall.store.facts import Facts
from gamehall.store.journals import Journals
from gamehall.store.lists import Lists
from gamehall.store.nodes import Nodes
from gamehall.store.people import People


class CannotOpen(ValueError):
    """What was named cannot serve as the hall's store; its text tells the operator why."""


def check_version(what: str, kind: str, version: int, newest: int) -> None:
    """Raises CannotOpen if a `kind` of store was written by a later release."""
    if version > newest:
        raise CannotOpen(
            f"{what} was written by a newer Gamehall: its version is {version}, and this one knows "
            f"versions up to {newest}. Start the newer one, or name another {kind}."
        )


def check_newest(what: str, version: int, newest: int) -> None:
    """Raises CannotOpen if the store was written by an earlier release."""
    if version < newest:
        raise CannotOpen(
            f"{what} was written by an older Gamehall. Start the hall once, which brings it up to "
            "date."
        )


class StoreAway(CannotOpen):
    """Nobody answers there right now: it is worth trying again."""


class Store(Journals, Lists, People, Facts, Nodes):
    """Reads and account changes raise errors.Unavailable when the store cannot answer."""

    @abstractmethod
    async def start(self) -> None:
        """Raises CannotOpen if what was named cannot be used; StoreAway if it may be used later."""

    @abstractmethod
    async def stop(self) -> None:
        """Writes what was accepted, then closes."""

    @abstractmethod
    async def ping(self) -> None:
        """Returns if reading *and* writing work."""

    @abstractmethod
    async def exists(self) -> bool:
        """Whether there is a hall's data, before it is started. Raises CannotOpen."""

    @abstractmethod
    def audit(self) -> AbstractAsyncContextManager[Audit]:
        """Everything as it stands at this moment, to be read for however long; also of a store that
        has not started. Raises CannotOpen on entering."""
