"""Sic Bo as a player can check it: the order of what is told, the dice, and one's own money."""

from __future__ import annotations

import hashlib
import hmac
import struct
import time
from dataclasses import dataclass, field

from tests.system.e2e.clients import Json
from tests.system.e2e.sicbo_shapes import result_of

START_CHIPS = 1_000_000


def below(secret: bytes, label: str, *sizes: int) -> list[int]:
    """A number below each size, drawn as docs/fairness.md says."""
    drawn: list[int] = []
    block = 0
    while True:
        message = label.encode() + b"\0" + struct.pack(">I", block)
        digest = hmac.new(secret, message, hashlib.sha256).digest()
        for (word,) in struct.iter_unpack(">I", digest):
            size = sizes[len(drawn)]
            if word < 2**32 - 2**32 % size:
                drawn.append(word % size)
                if len(drawn) == len(sizes):
                    return drawn
        block += 1


def dice_of(secret: bytes) -> list[int]:
    """The roll that a round's secret gives."""
    return [number + 1 for number in below(secret, "dice", 6, 6, 6)]


def number_of(id: str) -> int:
    """17 for round R17, or bet B17."""
    return int(id[1:])


@dataclass(frozen=True)
class Bet:
    round: str
    side: str
    amount: int


@dataclass
class Book:
    """What one player has bet and won, by its own reckoning, on all of its connections."""

    bets: dict[str, Bet] = field(default_factory=dict)
    results: dict[str, str] = field(default_factory=dict)

    def of_round(self, round: str) -> dict[str, Bet]:
        return {id: bet for id, bet in self.bets.items() if bet.round == round}

    def won(self, id: str) -> int:
        bet = self.bets[id]
        return 2 * bet.amount if self.results.get(bet.round) == bet.side else 0

    def stakes(self, round: str) -> Json:
        bets = self.of_round(round).values()
        big, small = (sum(b.amount for b in bets if b.side == side) for side in ("BIG", "SMALL"))
        sides = {side: chips for side, chips in (("BIG", big), ("SMALL", small)) if chips}
        return {"amountBig": big, "amountSmall": small, "sides": sides}

    @property
    def balance(self) -> int:
        return START_CHIPS + sum(self.won(id) - bet.amount for id, bet in self.bets.items())


@dataclass
class Round:
    """A round as it was told, step by step."""

    id: str
    open_at: int
    close_at: int
    commitment: str | None = None
    status: str = "BETTING_OPEN"
    dice: list[int] = field(default_factory=list)
    secret: str = ""


NEXT = {
    "": ("new_round", "BETTING_OPEN", "BETTING_CLOSE", "FINISH"),
    "new_round": ("BETTING_OPEN",),
    "BETTING_OPEN": ("BETTING_CLOSE",),
    "BETTING_CLOSE": ("reveal_result",),
    "reveal_result": ("payout", "FINISH"),
    "payout": ("payout", "FINISH"),
    "FINISH": ("game_over",),
    "game_over": ("new_round",),
}
"""What may follow what, for one who hears of everything."""


class Follower:
    """Takes the messages of one connection in order. Raises AssertionError at what cannot be."""

    def __init__(self, door: str, book: Book) -> None:
        self.rounds: dict[str, Round] = {}
        self.ended: list[str] = []
        """The rounds whose `game_over` came."""
        self.step = ""
        self._door = door
        self._book = book
        self._subscribed = False
        self._last: Round | None = None
        self._paid: set[tuple[str, str]] = set()

    def subscribe(self) -> None:
        """From now on every round is told."""
        self._subscribed = True

    def unsubscribe(self) -> None:
        self._subscribed = False
        self.step = ""

    def take(self, message: Json, *, again: bool = False) -> None:
        """`again`: it answers a request that was sent before, perhaps on another connection."""
        payload = message.get("payload") or {}
        match message["action"]:
            case "new_round":
                self._go("new_round", message)
                self._new(payload.get("roundId"))
            case "round_state":
                self._state(message)
            case "reveal_result":
                self._go("reveal_result", message)
                self._reveal(payload)
            case "bet_accepted":
                self._accept(payload, again)
            case "payout":
                if self._subscribed:
                    self._go("payout", message)
                self._pay(payload)
            case "game_over":
                self._go("game_over", message)
                assert self._last is not None
                assert payload["roundId"] == self._last.id, message
                self.ended.append(self._last.id)

    def _go(self, step: str, message: Json) -> None:
        assert self._subscribed, f"nobody asked for {message}"
        assert step in NEXT[self.step], f"{message} came after {self.step}"
        self.step = step

    def _new(self, round: str | None) -> None:
        assert round is None or self._last is None or _is_later(round, self._last), round

    def _state(self, message: Json) -> None:
        state = message["payload"]
        first = self.step == ""
        self._go(state["status"], message)
        if first and state["status"] == "FINISH":
            self.step = "game_over"  # It came before we did.
        if state["status"] == "BETTING_OPEN" or first:
            self._open(state)
        last = self._last
        assert last is not None
        times = (state["roundId"], state["openAt"], state["closeAt"])
        assert times == (last.id, last.open_at, last.close_at), message
        last.status = state["status"]
        if last.status == "BETTING_OPEN":
            # It was sent before now, when no less time was left.
            left_ms = state["closeAt"] - time.time_ns() // 1_000_000
            assert state["elapsedTime"] >= -(-left_ms // 1000), message
        elif last.status == "FINISH" and not first:
            self._check_paid(last.id)

    def _open(self, state: Json) -> None:
        round = Round(state["roundId"], state["openAt"], state["closeAt"], state.get("commitment"))
        if self._last is not None and self._last.id != round.id:
            assert _is_later(round.id, self._last), state
            assert round.open_at >= self._last.close_at, state
        known = self.rounds.setdefault(round.id, round)
        assert known.commitment in (round.commitment, None), state
        self._last = known

    def _reveal(self, result: Json) -> None:
        round = self._last
        assert round is not None
        assert round.id == result["roundId"], result
        secret = bytes.fromhex(result["secret"])
        if round.commitment is not None:
            assert hashlib.sha256(secret).hexdigest() == round.commitment, result
        assert result["dice"] == dice_of(secret), result
        assert result["sum"] == sum(result["dice"]), result
        assert result["result"] == result_of(result["dice"]), result
        round.dice, round.secret = result["dice"], result["secret"]
        known = self._book.results.setdefault(round.id, result["result"])
        assert known == result["result"], result

    def _accept(self, accepted: Json, again: bool) -> None:
        id, round = accepted["betId"], accepted["roundId"]
        bet = Bet(round, accepted["side"], accepted["amount"])
        known = self._book.bets.get(id)
        assert known in (bet, None), f"{id} is {known} and {bet}"
        self._book.bets[id] = bet
        if known is not None or again:
            return
        if self._subscribed:
            assert self._last is not None
            assert (self.step, self._last.id) == ("BETTING_OPEN", round), accepted
        if self._door == "mario":
            self._check_tally(accepted)

    def _check_tally(self, accepted: Json) -> None:
        assert accepted["betPlayerBIG"] == accepted["betPlayerBig"], accepted
        own = self._book.stakes(accepted["roundId"])
        assert accepted["betInfo"] == own, (accepted, own)
        for side in ("Big", "Small"):
            others = accepted[f"totalBet{side}"] - own[f"amount{side}"]
            other_players = accepted[f"betPlayer{side}"] - (own[f"amount{side}"] > 0)
            assert other_players >= 0, accepted
            assert (others > 0) == (other_players > 0), accepted
            assert others >= other_players, accepted

    def _pay(self, payout: Json) -> None:
        id, round = payout["betId"], payout["roundId"]
        assert (round, id) not in self._paid, f"paid twice: {payout}"
        self._paid.add((round, id))
        assert (payout["outcome"] == "WIN") == (payout["payout"] > 0), payout
        if self._subscribed:
            assert self._last is not None
            assert round == self._last.id, payout
        if self._door == "mario":
            bets = self._book.of_round(round)
            assert bets, f"nothing was bet: {payout}"
            assert payout["payout"] == sum(self._book.won(id) for id in bets), payout
        elif self._subscribed:
            assert self._book.bets[id].round == round, payout
            assert payout["payout"] == self._book.won(id), payout
        else:
            bet = self._book.bets[id]
            assert payout["payout"] in (0, 2 * bet.amount), payout
            self._learn(bet, payout)

    def _learn(self, bet: Bet, payout: Json) -> None:
        """Who hears of nothing else still sees which side has won."""
        if payout["outcome"] == "WIN":
            known = self._book.results.setdefault(bet.round, bet.side)
            assert known == bet.side, payout

    def _check_paid(self, round: str) -> None:
        bets = set(self._book.of_round(round))
        expected = bets if self._door == "rfc" else {""} if bets else set()
        paid = {id for paid_round, id in self._paid if paid_round == round}
        assert paid == expected, (round, paid, expected)


def _is_later(round: str, last: Round) -> bool:
    return number_of(round) > number_of(last.id)
