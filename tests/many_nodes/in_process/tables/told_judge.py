"""What the clients of each door must have heard, in its words, of what stands in the journal.

Each function gives what is to be told of the rows after `seq`, in order, if those came to the
client's node all at once; the tests compare it with what came."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from tests.doors.duel import packets as p
from tests.doors.four.playing import update
from tests.doors.four.shapes import board_of
from tests.doors.practice import shapes
from tests.many_nodes.in_process.tables.told_journal import Happened, Journal, Json, Round, seen

CAN_START = "MSG|A new round can be started with /start."


# rfc and mario


def sicbo(journal: Journal, seq: int, name: str, *, in_room: bool) -> list[Json]:
    """`in_room`: as the `mario` door says it."""
    told: list[Json] = []
    for happened in journal.after(seq):
        round, event = happened.round, happened.event
        match event["type"]:
            case "started":
                payload = {} if in_room else {"payload": {"roundId": round.id}}
                told.append({"action": "new_round", **payload})
                told.append(_round_state(round, "BETTING_OPEN"))
            case "betting_closed":
                told.append(_round_state(round, "BETTING_CLOSE"))
            case "round_ended":
                rolled = {key: round.one("rolled")[key] for key in ("dice", "sum", "result")}
                reveal = {"roundId": round.id, **rolled, "secret": event["secret"]}
                told.append({"action": "reveal_result", "payload": reveal})
                told += _payouts(round, name, in_room)
                told.append(_round_state(round, "FINISH"))
                told.append({"action": "game_over", "payload": {"roundId": round.id}})
            case "round_voided":
                void = {"reason": event["reason"], "secret": event["secret"]}
                told.append(_round_state(round, "FINISH"))
                told.append({"action": "game_over", "payload": {"roundId": round.id, **void}})
    return told


def _round_state(round: Round, status: str) -> Json:
    open_ms = round.one("started")["at_ms"]
    close_ms = open_ms + int(round.opened["options"]["betting_seconds"] * 1000)
    payload = {"roundId": round.id, "status": status, "openAt": open_ms, "closeAt": close_ms}
    if status == "BETTING_OPEN":
        payload["commitment"] = round.opened["commitment"]
    return {"action": "round_state", "payload": payload}


def _payouts(round: Round, name: str, in_room: bool) -> Iterable[Json]:
    paid = [(f"B{bet}", chips) for bet, chips in round.payouts(name)]
    if in_room and paid:
        paid = [("", sum(chips for _, chips in paid))]
    for bet, chips in paid:
        outcome = "WIN" if chips else "LOSS"
        payload = {"roundId": round.id, "betId": bet, "outcome": outcome, "payout": chips}
        yield {"action": "payout", "payload": payload}


def without_time_left(said: Sequence[Json]) -> list[Json]:
    """What was said unasked, without the seconds that were left just then."""
    told = [json.loads(json.dumps(message)) for message in said if "requestId" not in message]
    for message in told:
        message.get("payload", {}).pop("elapsedTime", None)
    return told


# native


def native(journal: Journal, log: Sequence[Json], table: int, seq: int, name: str) -> None:
    """Compares, of all that came, what was told of the rows after `seq`, up to the head."""
    at_table = [
        (message["action"], message["payload"])
        for message in log
        if message.get("payload", {}).get("table") == table
    ]
    told = [payload for action, payload in at_table if action == "table_events"]
    # A row after the head, of someone who goes, say, may come in the same notice as the head.
    told = [payload for payload in told if seq < payload["seq"] and payload["after"] < journal.head]
    events = [event for payload in told for event in payload["events"]]
    happened = journal.after(seq)
    expected = [event for each in happened if (event := seen(each, name)) is not None]
    assert events[: len(expected)] == expected
    assert len(events) == len(expected) or told[-1]["seq"] > journal.head
    for before, payload in zip([{"seq": seq}, *told], told, strict=False):
        assert payload["after"] <= before["seq"], "a gap that is none"
    overs = [payload for action, payload in at_table if action == "table_over"]
    fields = ("round", "secret", "outcome", "hash")
    ended = [
        (each.round.number, each.event["secret"], each.event.get("outcome"), each.round.hash)
        for each in happened
        if _ends(each.event)
    ]
    said = [tuple(over[field] for field in fields) for over in overs if seq < over["seq"]]
    assert said[: len(ended)] == ended
    over_by_then = {each.round.number for each in happened if each.round.hash}
    assert not over_by_then & {number for number, *_ in said[len(ended) :]}, "told twice"


def leavers(journal: Journal, log: Sequence[Json], seq: int) -> None:
    """Compares who is told to have left after `seq`."""
    left = [message["payload"] for message in log if message["action"] == "player_left"]
    assert [(each["name"], each["seat"], each["reason"]) for each in left] == [
        (each.name_on(each.event["seat"]), each.event["seat"], each.event["reason"])
        for each in journal.after(seq)
        if each.event["type"] == "left"
    ]


# caller


def caller(journal: Journal, seq: int, name: str, has_card: bool) -> list[str]:
    lines: list[str] = []
    for happened in journal.after(seq):
        event = happened.event
        match event["type"]:
            case "opened":
                lines.append(CAN_START)
            case "cards_dealt":
                card = event["cards"].get(str(happened.seats.get(name)))
                if card is not None:
                    columns = [card[n : n + 5] for n in range(0, 25, 5)]
                    lines.append(f"NEW_CARD|{json.dumps(columns, separators=(',', ':'))}")
                    has_card = True
            case "called" if has_card:
                lines.append(f"CHECK_NUMBER|{event['number']}")
            case "round_ended":
                lines.append(f"MSG|{_bingo_end(happened)}")
    return lines


def _bingo_end(happened: Happened) -> str:
    outcome = happened.event["outcome"]
    for winner in outcome["winners"]:
        return f"{happened.round.names[winner]} has a bingo and wins the round."
    assert outcome["reason"] == "all_called"
    return "All numbers have been called. Nobody wins the round."


# duel and four: one game, whatever is played at its table afterwards


def duel(round: Round, after: int, name: str) -> list[p.Packet]:
    """Of the picks of a round after so many, and its end."""
    seat = round.seat_of(name)
    assert seat is not None
    picks = round.all("picked")
    told = [p.Packet(p.PICKED, pick["number"]) for pick in picks[after:] if pick["seat"] != seat]
    if not round.hash:
        return told + ([p.Packet(p.YOURS)] if len(picks) % 2 != seat else [])
    winners = round.one("round_ended")["outcome"]["winners"]
    told.append(p.Packet(p.DRAWN if not winners else p.WON if seat in winners else p.LOST))
    board = round.boards[1 - seat]
    return [*told, p.Packet(p.OTHER_BOARD, (board, marks(round, 1 - seat)))]


def marks(round: Round, seat: int) -> dict[str, list[int]]:
    """Where each pick lies on the board of that seat."""
    board = round.boards[seat]
    place = {n: [column, row] for row, line in enumerate(board) for column, n in enumerate(line)}
    return {str(pick["number"]): place[pick["number"]] for pick in round.all("picked")}


def four(round: Round, after: int, ids: tuple[str, str]) -> list[Json]:
    """Every board of a round after so many drops, as GAME_UPDATE has them."""
    columns = [drop["column"] for drop in round.all("dropped")]
    return [update(columns[:n], *ids) for n in range(after + 1, len(columns) + 1)]


# practice


def practice(journal: Journal, seq: int, name: str, rounds: Sequence[Round]) -> list[Any]:
    """Of these rounds, as `in_brief` has what came."""
    told: list[Any] = []
    for round in rounds:
        happened = [each for each in journal.after(seq) if each.round is round]
        if any(each.event["type"] == "started" for each in happened):
            told.append((shapes.START, _shown(round, [])))
        played = [seen(each, name) for each in happened if each.event["type"] in GAME_EVENTS]
        events = [event for event in played if event is not None]
        told += [(shapes.ROOM, event) for event in events]
        if events:
            told.append((shapes.ROOM, _shown(round, round.events)))
        told += [(shapes.OVER, _over(each, name)) for each in happened if _ends(each.event)]
    return told


GAME_EVENTS = (
    *("dropped", "bet_placed", "betting_closed", "rolled", "settled"),
    *("joined", "parted", "cards_dealt", "called", "bingo_claimed"),
)


def _ends(event: Json) -> bool:
    return event["type"] in ("round_ended", "round_voided")


def _over(ended: Happened, name: str) -> Json:
    outcome = ended.event.get("outcome", {"winners": [], "reason": "void"})
    winners, seat = outcome["winners"], ended.seats.get(name)
    winner = seat if seat in winners else winners[0] if winners else None
    return {"winner": winner, "reason": outcome["reason"]}


def _shown(round: Round, events: Sequence[Json]) -> Any:
    """What a view shows of a round after these events."""
    if round.opened["game"] == "sicbo":
        dice = [event["dice"] for event in events if event["type"] == "rolled"]
        return round.number, dice[0] if dice else []
    if round.opened["game"] == "bingo":
        return [event["number"] for event in events if event["type"] == "called"]
    return board_of([event["column"] for event in events if event["type"] == "dropped"])


def in_brief(messages: Sequence[Json]) -> list[Any]:
    """What was told of a room; of a view, what `_shown` knows."""

    def brief(view: Json) -> Any:
        if "called" in view:
            return view["called"]
        return (view["round"], view["dice"]) if "dice" in view else view["board"]

    told: list[Any] = []
    for message in messages:
        code, info = message["code"], message["info"]
        if code == shapes.START:
            told.append((code, brief(info["content"]["view"])))
        elif code == shapes.OVER:
            told.append((code, info["result"]))
        elif info["action"] == "view":
            told.append((code, brief(info["view"])))
        else:
            fields = {key: info[key] for key in info if key not in ("room", "action")}
            told.append((code, {"type": info["action"], **fields}))
    return told
