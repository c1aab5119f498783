"""The folder of what is kept: one hall at a time, and files that only its owner may read."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from gamehall.hall.beat.draws import DrawKey
from gamehall.store.file_lock import FileLock, InUse, NotWritable


class StartError(Exception):
    """Why the hall does not start, and what to do about it."""


class DataFolder:
    """Made if need be; where the hall is `alone`, ours until `close`. Raises StartError."""

    def __init__(self, path: Path, *, alone: bool = True) -> None:
        self._path = path
        self.draw_key_path = path / "draw-key"
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StartError(f"The data folder {path} cannot be made: {error.strerror}.") from None
        self._lock = self._take() if alone else None

    def close(self) -> None:
        if self._lock is not None:
            self._lock.close()

    def has_draw_key(self) -> bool:
        """Whether a hall has been here before."""
        return os.path.lexists(self.draw_key_path)

    def draw_key(self, *, fresh: bool) -> DrawKey:
        """The key of all draws; made only for a `fresh` hall, since tables depend on it."""
        path = self.draw_key_path
        if not fresh and not self.has_draw_key():
            raise StartError(
                f"{path} is missing, and the tables in the database need it: their secrets follow "
                "from it. Put it back from your backup."
            )
        text = self._secret(path, secrets.token_hex(32))
        try:
            return DrawKey(bytes.fromhex(text))
        except ValueError:
            raise StartError(
                f"{path} is damaged: it has 64 digits from 0 to f. Put it back from your backup."
            ) from None

    def operator_token(self) -> str:
        return self._secret(self._path / "operator-token", secrets.token_urlsafe(32))

    def _take(self) -> FileLock:
        try:
            return FileLock(self._path / "in-use")
        except InUse:
            raise StartError(
                f"The data folder {self._path} is in use by another hall. Stop it, or name another "
                "folder with --data."
            ) from None
        except NotWritable as error:
            raise StartError(
                f"The data folder {self._path} cannot be used: {error}. Let the user who runs the "
                "hall write there, or name another folder with --data."
            ) from None

    def _secret(self, path: Path, new: str) -> str:
        """What the file holds; made with `new` at the first start, for its owner's eyes only."""
        if os.path.lexists(path):
            return _read(path)
        # Written whole before it has its name: another node may read it in the same moment.
        draft = path.with_name(f".{path.name}-{secrets.token_hex(4)}")
        try:
            handle = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            try:
                with os.fdopen(handle, "w") as file:
                    file.write(new + "\n")
                    file.flush()
                    os.fsync(file.fileno())
                os.link(draft, path)
                self._sync()
            finally:
                draft.unlink()
        except FileExistsError:
            return _read(path)
        except OSError as error:
            raise StartError(f"{path} cannot be written: {error.strerror}.") from None
        return new

    def _sync(self) -> None:
        """Has the folder itself remember a new file, where folders can be synced."""
        if not hasattr(os, "O_DIRECTORY"):
            return
        for folder in (self._path, self._path.absolute().parent):
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)


def _read(path: Path) -> str:
    try:
        text = path.read_text().strip()
    except OSError as error:
        raise StartError(f"{path} cannot be read: {error.strerror}.") from None
    if not text:
        raise StartError(f"{path} is empty. Put it back from your backup.")
    return text
