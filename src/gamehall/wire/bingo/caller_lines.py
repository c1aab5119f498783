"""What the `caller` door says: lines of an action and a body, with one `|` between them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from gamehall.games.bingo import Called, CardsDealt, columns
from gamehall.games.game import Outcome
from gamehall.hall.beat.requests import Scene
from gamehall.table_log import house

BODY_CHARACTERS_MAX = 500
"""Of a message: it may quote a reason that someone else has written."""
CAN_START = "A new round can be started with /start."
WAIT = "A round is on. You are dealt in at the next one."

_encode = msgspec.json.Encoder().encode


def message(text: str) -> bytes:
    """To be shown to the player. Clients break on a second `|`, and names may have one."""
    body = " ".join(text.replace("|", "/").splitlines())
    return b"MSG|%b\n" % body[:BODY_CHARACTERS_MAX].encode()


def new_card(card: Sequence[Sequence[int]]) -> bytes:
    """Five columns of five; 0 is a free centre."""
    return b"NEW_CARD|%b\n" % _encode(card)


def check_number(number: int) -> bytes:
    return b"CHECK_NUMBER|%d\n" % number


def told(scenes: Iterable[Scene], player: int | None, has_card: bool) -> bytes:
    """What a player is told of these scenes; numbers only if it has a card."""
    lines: list[bytes] = []
    for scene in scenes:
        for event in scene.seen_by(player):
            match event:
                case CardsDealt(cards=cards):
                    for card in cards.values():  # Its own, if it was dealt in.
                        lines.append(new_card(columns(card)))
                        has_card = True
                case Called(number=number) if has_card:
                    lines.append(check_number(number))
                case house.RoundEnded(outcome=outcome):
                    lines.append(message(_ending(outcome, scene.state.chairs)))
                case house.RoundVoided(reason=reason):
                    lines.append(message(f"The round has been called off: {reason}"))
                case house.Opened():
                    lines.append(message(CAN_START))
    return b"".join(lines)


def _ending(outcome: Outcome, chairs: Mapping[int, house.Person]) -> str:
    for winner in outcome.winners:
        return f"{chairs[winner].name} has a bingo and wins the round."
    if outcome.reason == "all_called":
        return "All numbers have been called. Nobody wins the round."
    return "Nobody is left in the round."
