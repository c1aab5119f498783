"""Tells a hall that starts for the first time from one that has lost a part of what it kept."""

from __future__ import annotations

from gamehall.data_folder import DataFolder, StartError
from gamehall.hall.beat.draws import DrawKey
from gamehall.store.store import Store

DRAW_KEY_FACT = "draw-key"
"""What the store knows of the key: enough to tell another one, and nothing that it draws."""


def refuse_lost_file(folder: DataFolder, place: str) -> None:
    """Called where there is no database at that place. Raises StartError if there was one: a volume
    that is not mounted looks like a hall that is new, and nobody should play there."""
    if folder.has_draw_key():
        raise StartError(
            f"{place} is missing or empty, but {folder.draw_key_path} says that there was a hall. "
            "Mount its volume, name its database with store.url, or put it back from your backup. "
            "To begin anew, without players and chips, move the file draw-key away."
        )


def refuse_other_key(folder: DataFolder, known: bytes | None) -> None:
    """Called before the database is opened, which empties its log: where the key does not fit, that
    log may be all that is left of the right one. `known`: the fact of the key, if there is one.
    Raises StartError."""
    if known is not None and folder.draw_key(fresh=False).fingerprint != known:
        raise _does_not_fit(folder)


async def draw_key_of(folder: DataFolder, store: Store) -> DrawKey:
    """The key that the tables in this store are drawn from; made when nothing depends on one, as
    after a first start that was interrupted. Raises StartError."""
    known = await store.fact(DRAW_KEY_FACT)
    fresh = known is None and not await store.tables(
        game=None, status=None, private=True, after=0, limit=1
    )
    key = folder.draw_key(fresh=fresh)
    if not await store.put_fact(DRAW_KEY_FACT, key.fingerprint, None):
        raise _does_not_fit(folder)
    return key


def _does_not_fit(folder: DataFolder) -> StartError:
    return StartError(
        f"{folder.draw_key_path} is not the one that the tables in the database depend on. "
        "Copy it from another node, or put it back from your backup."
    )
