"""Games as players at several nodes play them."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from random import Random

from tests.support.people.listeners import limit
from tests.support.people.players import Player
from tests.system.e2e.clients import Json, Refused

MOVES_MAX = 400
"""Far more than a game takes; one that goes on is no game."""
TOO_LATE = ("bet_window_closed", "round_not_found", "round_over")


async def challenged(first: Player, second: Player, game: str, **options: object) -> int:
    """A table at which both sit and the game has begun; `first` has seat 0."""
    await know_of(first, second)
    start = second.now()
    await first.ask("challenge", player=second.id, game=game, options=options)
    notice = await second.notice("challenged", start=start, player=first.id)
    table: int = (await second.ask("accept", challenge=notice["challenge"]))["table"]
    await begun(table, first, second)
    return table


async def know_of(player: Player, *others: Player) -> None:
    """Waits until these are known at the player's node, which hears of them a moment later."""
    async with limit(f"{player.name} hears of {[other.name for other in others]}"):
        while True:
            listed = (await player.ask("list_players", limit=200))["players"]
            if {other.id for other in others} <= {each["id"] for each in listed}:
                return
            await asyncio.sleep(0.02)


async def opened(first: Player, *others: Player, game: str, **options: object) -> int:
    """A table that `first` has opened, at which all sit and the game has begun."""
    table: int = (await first.ask("open_table", game=game, options=options))["table"]
    for player in (first, *others):
        await player.ask("sit", table=table)
    await begun(table, first, *others)
    return table


async def in_seats(table: int, *players: Player) -> list[Player]:
    """Those who sit there, by their seats."""
    seats = {await seat_of(player, table): player for player in players}
    return [seats[seat] for seat in sorted(seats)]


async def begun(table: int, *players: Player) -> None:
    for player in players:
        await player.notice("seated", table=table)
        await player.notice("table_view", table=table, status="playing")


async def seat_of(player: Player, table: int) -> int:
    seat: int = (await player.view(table))["seat"]
    return seat


async def play_legally(player: Player, table: int, rng: Random) -> Json:
    """Plays whatever is legal until the round is over; the last view."""
    for _ in range(MOVES_MAX):
        view = await player.view(table)
        if view["status"] != "playing":
            return view
        legal = [command for command in view["legal"] if command["type"] != "resign"]
        if legal:
            with suppress(Refused):  # The view may be older than the other's move.
                await player.ask("act", table=table, command=rng.choice(legal))
        else:
            await heard_more(player, table, view["seq"])
    raise AssertionError(f"{player.name} plays for ever")


async def heard_more(player: Player, table: int, after: int) -> None:
    await player.until(lambda: player.seen(table) > after, f"more of table {table} than {after}")


async def all_heard(table: int, seq: int, *players: Player) -> None:
    """Everyone was told of that row."""
    for player in players:
        await player.until(
            lambda player=player: player.seen(table) >= seq,  # type: ignore[misc]
            f"row {seq} of table {table}",
        )


async def drop_all(columns: tuple[int, ...], table: int, *seats: Player) -> int:
    """They drop stones in turn, each after the other was told; the last row."""
    seq = 0
    for turn, column in enumerate(columns):
        mover, other = seats[turn % 2], seats[1 - turn % 2]
        answer = await mover.ask("act", table=table, command={"type": "drop", "column": column})
        seq = answer["seq"]
        await all_heard(table, seq, other)
    return seq


async def play_called_bingo(player: Player, table: int) -> None:
    """Marks its card, says that it is ready, and claims: until somebody has won."""
    view = await player.view(table)
    while view["status"] == "playing" and view["view"]["playing"]:
        claims = [command for command in view["legal"] if command["type"] == "claim"]
        command = claims[0] if claims else {"type": "ready"}
        with suppress(Refused):  # Another was quicker.
            await player.ask("act", table=table, command=command)
        await heard_more(player, table, view["seq"])
        view = await player.view(table)


async def bet(player: Player, table: int, side: str, amount: int) -> int | None:
    """The round of a bet, which is the one that is open, or the next; None if it came too late."""
    while True:
        view = await player.view(table)
        if view["status"] == "playing" and view["view"]["status"] == "BETTING_OPEN":
            break
        await heard_more(player, table, view["seq"])
    round: int = view["round"]
    command = {"type": "bet", "side": side, "amount": amount, "round": round}
    try:
        await player.ask("act", table=table, command=command)
    except Refused as refusal:
        if refusal.code not in TOO_LATE:
            raise
        return None
    return round


async def bet_in_time(player: Player, table: int, side: str, amount: int) -> int:
    """The round in which the bet was taken: another one, if it came too late."""
    async with limit(f"a bet of {player.name}"):
        while (round := await bet(player, table, side, amount)) is None:
            pass
    return round


async def at_the_halls_table(game: str, *players: Player) -> int:
    """The hall's own table of that game, to which all were brought."""
    tables: set[int] = set()
    for player in players:
        start = player.now()
        await player.ask("seek", game=game)
        view = await player.notice("table_view", start=start, game=game)
        if game == "sicbo":
            player.watches(view["table"])
        tables.add(view["table"])
    assert len(tables) == 1, f"the hall has several tables of its own: {tables}"
    return tables.pop()


async def together(*plays: object) -> None:
    """All of them at once; the first that fails ends the others."""
    async with asyncio.TaskGroup() as group:
        for play in plays:
            group.create_task(play)  # type: ignore[arg-type]
