"""Names may repeat; whose a name is elsewhere is not given away by it."""

from __future__ import annotations

import asyncio
import re

from tests.doors.four.clients import Four
from tests.doors.four.halls import Visitors, new_name
from tests.doors.four.natives import Native
from tests.doors.four.playing import WON_BY_FIRST, play, start, whole_game


async def shown_as(at: Visitors, player: Four) -> str:
    other = await at.four("other")
    (name,) = [each["name"] for each in await other.players() if each["id"] == player.id]
    await other.leave()
    shown: str = name
    return shown


async def test_a_name_in_use_gets_a_number_behind_it(at: Visitors) -> None:
    name = new_name("bob")
    several = [await (await at.stranger()).register(name) for _ in range(4)]
    assert len({player.id for player in several}) == 4
    names = [await shown_as(at, player) for player in several]
    assert names[0] == name
    assert len(set(names)) == 4
    for shown in names[1:]:
        assert re.fullmatch(rf"{name}\d+", shown)
    # Everywhere the same name is shown.
    first, second = several[1:3]
    first.challenge(second)
    await second.take("CHALLENGE_RECEIVED", challenger_name=names[1])
    second.accept(first)
    for player, shown in ((first, names[1]), (second, names[2])):
        await player.take("GAME_START", player1=names[1], player2=names[2], your_name=shown)
        await player.take("GAME_UPDATE")
    await play(first, second, WON_BY_FIRST)
    for player in (first, second):
        await player.take("GAME_OVER", winner=names[1], winner_id=first.id)


async def test_the_name_of_an_account_is_not_taken(at: Visitors) -> None:
    native = await at.native()
    name = new_name("member")
    await native.ask("register", name=name, password="a long passphrase")
    anna = await at.four("anna")
    guest = await (await at.stranger()).register(name)
    guest.name = await shown_as(at, guest)
    assert re.fullmatch(rf"{name}\d+", guest.name)
    game = await start(guest, anna)
    # By the name as it was said one comes back, whatever is shown.
    await guest.reset()
    again = await (await at.stranger()).register(name)
    assert again.id == guest.id
    await again.take("GAME_START", game_id=game, your_name=guest.name)


async def test_nobody_takes_the_seat_of_a_native_player(at: Visitors) -> None:
    anna, nora = await at.four("anna"), Native(await at.native("nora"))
    await nora.meets(anna, first=True)
    nora.client.reset()
    thief = await (await at.stranger()).register(nora.name)
    assert thief.id not in (nora.id, anna.id)
    await thief.quiet()
    thief.play(3)
    assert await thief.error()
    back = await at.native_again(nora.client.token)
    assert back.id == nora.client.id
    await back.ask("act", table=nora.table, command={"type": "drop", "column": 3})
    await anna.take("GAME_UPDATE")


async def test_a_name_becomes_free_again(at: Visitors) -> None:
    name = new_name("carl")
    ids = set()
    for _ in range(3):
        player = await (await at.stranger()).register(name)
        assert await shown_as(at, player) == name
        ids.add(player.id)
        await player.leave()
    assert len(ids) == 3


async def test_only_so_many_challenges(at: Visitors) -> None:
    bob = await at.four("bob")
    many = [await at.four("challenger") for _ in range(17)]
    for challenger in many[:16]:
        challenger.challenge(bob)
        await bob.take("CHALLENGE_RECEIVED", challenger_id=challenger.id)
    many[16].challenge(bob)
    assert await many[16].error()
    # They do not keep it from challenging others.
    bob.challenge(many[16])
    await many[16].take("CHALLENGE_RECEIVED", challenger_id=bob.id)
    many[16].refuse(bob)
    await bob.refused()
    bob.refuse(many[0])
    await many[0].refused()
    many[16].challenge(bob)
    await bob.take("CHALLENGE_RECEIVED", challenger_id=many[16].id)
    await bob.leave()
    for challenger in many[1:]:
        await challenger.refused()


async def test_fields_that_nobody_knows_are_ignored(at: Visitors) -> None:
    anna = await at.stranger()
    bob = await at.four("bob")
    name = new_name("anna")
    anna.write(f'{{"id": 7, "type": "REGISTER", "data": {{"name": "{name}", "v": 1}}}}\n'.encode())
    anna.name, anna.id = name, (await anna.take("REGISTER_OK"))["player_id"]
    anna.send("CHALLENGE", {"opponent_id": bob.id, "game": "chess"})
    await bob.take("CHALLENGE_RECEIVED")
    bob.send("CHALLENGE_REFUSED", {"challenger_id": anna.id, "reason": "tired"})
    await anna.refused()
    anna.send("LIST_PLAYERS", {"page": 2})
    await anna.take("LIST_PLAYERS")
    await asyncio.gather(anna.quiet(), bob.quiet())
    await whole_game(anna, bob)
