"""The kinds of tables that this node can have: one for each game it knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gamehall.errors import NoSuchGame
from gamehall.games.game import Game
from gamehall.hall.beat.steps import Kind
from gamehall.table_log.journal import codec_of
from gamehall.table_log.rules import TableRules


class Kinds:
    def __init__(
        self,
        games: Mapping[str, Game[Any]],
        rematch_ms: int,
        options: Mapping[str, Mapping[str, Any]],
    ) -> None:
        """`options`: by game, those that hold where none are given."""
        self._kinds = {
            name: Kind(game, TableRules(game, rematch_ms, options.get(game.name)), codec_of(game))
            for name, game in games.items()
        }

    def kind(self, game: str) -> Kind:
        """Raises NoSuchGame."""
        kind = self._kinds.get(game)
        if kind is None:
            raise NoSuchGame
        return kind

    def public_kind(self, game: str) -> Kind:
        """Of a game that people may open tables of. Raises NoSuchGame."""
        kind = self.kind(game)
        if not kind.game.public:
            raise NoSuchGame
        return kind

    def public_kinds(self) -> list[Kind]:
        """Of all games that people may open tables of."""
        return [kind for kind in self._kinds.values() if kind.game.public]
