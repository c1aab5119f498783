"""The hall as a portal: what it asked game servers for was wanted, what it acknowledged is so, and
each result that it keeps is one that the match's own server has told, and counts once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from gamehall.simulation.checker.doors.arena import Talk
from gamehall.simulation.checker.transcripts import Json, Transcript

PROGRESS = {"asked": 0, "waiting": 1, "running": 2, "over": 3, "failed": 3}
PLAYABLE = ("waiting", "running", "over")
NEVER_ASKED = ("asked", "failed")
"""How a match may stand that was refused, or whose server was out of reach: where it was given up,
and that could not be written, it is `asked`."""
DOUBT = ("unavailable", None)
"""Whoever is told this, or nothing, knows nothing."""


class Made(msgspec.Struct, frozen=True):
    """What the operator was told of a match."""

    match: int
    address: str
    port: int
    key: str


class Asked(msgspec.Struct):
    """What the operator has asked for, and what came of it. No two have the same `uid2`."""

    server: int
    uid1: int
    uid2: int
    made: Made | None = None
    code: str | None = None
    """Of the error; None without an answer, too."""


class Look(msgspec.Struct, frozen=True):
    """How matches and scores were shown at a node."""

    node: str
    began: int
    ended: int
    """When the matches were asked for and shown, by the order of all such moments."""
    matches: Sequence[Json]
    scores: Sequence[Json]
    last: bool
    """Whether all had come to rest."""


class Arena(msgspec.Struct):
    servers: Sequence[Json]
    """As they are kept."""
    matches: Sequence[Json]
    asked: Sequence[Asked]
    looks: Sequence[Look]


def check_arena(transcripts: Sequence[Transcript], arena: Arena) -> None:
    """Raises AssertionError."""
    talks = {transcript.name: Talk(transcript) for transcript in transcripts}
    names = [server["name"] for server in arena.servers]
    assert len(names) == len(set(names)), f"a game server is kept twice: {names}"
    lost = {name for name, talk in talks.items() if talk.offer} - set(names)
    assert not lost, f"game servers were accepted, and are not kept: {lost}"
    at = {server["id"]: talks[server["name"]] for server in arena.servers}
    kept = {match["id"]: match for match in arena.matches}
    for match in kept.values():
        _check_kept(match, at[match["server"]], arena.asked)
    ids = {id(talk): number for number, talk in at.items()}
    for talk in talks.values():
        _check_asked_for(talk, ids.get(id(talk)), kept)
    for asked in arena.asked:
        _check_answer(asked, at, kept)
    for look in arena.looks:
        _check_look(look, at, kept)
    _check_forward(arena.looks)


def _check_kept(match: Json, talk: Talk, all_asked: Sequence[Asked]) -> None:
    number = match["id"]
    asked = [each for each in all_asked if each.uid2 == match["uid2"]]
    wanted = asked and (asked[0].server, asked[0].uid1) == (match["server"], match["uid1"])
    assert wanted, f"match {number} is kept, and nobody has asked for it: {match}"
    if match["status"] in PLAYABLE:
        accepted = number in talk.accepted
        assert accepted, f"match {number} is {match['status']}, and {talk.name} has not accepted it"
    told = talk.results.get(number, set())
    if match["status"] == "over":
        scores = (match["score1"], match["score2"])
        assert scores in told, f"match {number} ended {scores}, and {talk.name} has told {told}"
    elif match["status"] in PLAYABLE:
        assert not told, f"match {number} is {match['status']}, and {talk.name} has told {told}"


def _check_asked_for(talk: Talk, server: int | None, kept: Mapping[int, Json]) -> None:
    for number, about in talk.created.items():
        match = kept.get(number)
        assert match is not None, f"{talk.name} was asked for match {number}, which is not kept"
        same = (match["server"], match["uid1"], match["uid2"])
        wanted = same == (server, about["uid1"], about["uid2"])
        assert wanted, f"{talk.name} was asked for another match than is kept: {about}, {match}"


def _check_answer(asked: Asked, at: Mapping[int, Talk], kept: Mapping[int, Json]) -> None:
    matches = [match for match in kept.values() if match["uid2"] == asked.uid2]
    assert len(matches) <= 1, f"asked for once, there are two matches: {matches}"
    made = asked.made
    if made is not None:
        there = matches and matches[0]["id"] == made.match and matches[0]["status"] in PLAYABLE
        assert there, f"{made} was acknowledged, and kept is {matches}"
        talk = at[asked.server]
        about, offer = talk.created.get(made.match, {}), talk.offer or {}
        told = (about.get("key"), offer.get("address"), offer.get("port"))
        same = told == (made.key, made.address, made.port)
        assert same, f"the operator was told {made}, and {talk.name} {told}"
    elif asked.code not in DOUBT:
        for match in matches:
            fits = match["status"] in NEVER_ASKED
            assert fits, f"the operator was told {asked.code}, and kept is {match}"
            refused = asked.code != "server_refused" or match["id"] in at[asked.server].rejected
            assert refused, f"the operator was told {asked.code}, and nobody refused {match}"


def _check_look(look: Look, at: Mapping[int, Talk], kept: Mapping[int, Json]) -> None:
    for shown in look.matches:
        match = kept.get(shown["id"], {})
        final = PROGRESS[shown["status"]] == 3
        same = all(shown[each] == match.get(each) for each in ("server", "uid1", "uid2"))
        true = shown == match if final else same
        assert true, f"shown was {shown}, and kept is {match}"
        scores = (shown["score1"], shown["score2"])
        if not final and scores != (None, None):
            told = at[shown["server"]].points.get(shown["id"], set())
            assert scores in told, f"shown was {shown}, and told was {told}"
    sums = _sums(kept)
    counted = {each["uid"]: each for each in look.scores}
    if look.last:
        assert counted == sums, f"{look.node} counts {counted}, and it is {sums}"
    for uid, score in counted.items():
        most = sums.get(uid, {})
        too_many = {each for each in score if score[each] > most.get(each, 0)}
        assert not too_many, f"{look.node} counts more than there is: {score}, {most}"


def _sums(kept: Mapping[int, Json]) -> dict[int, Json]:
    sums: dict[int, Json] = {}
    for match in kept.values():
        if match["status"] != "over":
            continue
        scores = (match["score1"], match["score2"])
        sides = ((match["uid1"], *scores), (match["uid2"], *reversed(scores)))
        for uid, own, other in sides:
            sum = sums.setdefault(uid, {"uid": uid})
            news = {
                "played": 1,
                "won": int(own > other),
                "drawn": int(own == other),
                "lost": int(own < other),
                "points_for": own,
                "points_against": other,
            }
            sum.update({name: sum.get(name, 0) + value for name, value in news.items()})
    return sums


def _check_forward(looks: Sequence[Look]) -> None:
    """Who looks later sees all matches, and how they stand by then or later."""
    for before in looks:
        for after in looks:
            if before.ended > after.began:
                continue
            now = {match["id"]: match for match in after.matches}
            for match in before.matches:
                there = now.get(match["id"])
                on = there is not None and PROGRESS[there["status"]] >= PROGRESS[match["status"]]
                assert on, f"shown was {match}, and later {there}"
