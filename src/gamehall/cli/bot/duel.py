"""`gamehall bot duel`: one match of two-player Bingo, through the `duel` door."""

from __future__ import annotations

from gamehall.cli.bot.at_hall import chosen_level, finish, until_stopped
from gamehall.cli.options import Secret
from gamehall.cli.output import fail, say
from gamehall.client.duel_client import DuelPlayer, hellos_of
from gamehall.games.bingo_duel import BingoDuel


def duel(
    *,
    uid: int,
    key: Secret,
    opponent: int | None = None,
    match: int | None = None,
    level: str | None = None,
    seed: int | None = None,
    host: str = "127.0.0.1",
    port: int = 27004,
    fast: bool = False,
) -> int:
    """Have a bot play a match of two-player Bingo through the `duel` door.

    The hall says there which of both players it is.

    Example: gamehall bot duel --uid 7 --opponent 8 --match 21 --key secret

    Parameters
    ----------
    uid
        The number of the player.
    key
        The key of the match.
    opponent
        The number of the other player, in a match that no arena has made.
    match
        The number of such a match.
    level
        How well it plays; the strongest if not given.
    seed
        Makes its choices the same each time, as far as its opponent's are.
    host
        Where the hall is.
    port
        The door's port there.
    fast
        Whether the hall may send packets without a gap between them.
    """
    try:
        bot = chosen_level(BingoDuel(), level)[1]
        hellos = hellos_of(uid, key, opponent, match, fast)
    except ValueError as error:
        return fail(str(error), 2)
    player = DuelPlayer(host, port, hellos, bot, seed, say)
    return finish(until_stopped(player.play()), f"{host}:{port}")
