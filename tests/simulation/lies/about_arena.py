"""Lies about game servers: what they were asked, what is kept, and what was shown."""

from __future__ import annotations

import json
from typing import Any

from gamehall.simulation.checker.arena import Arena, Asked, Look
from gamehall.simulation.checker.transcripts import Json, Line
from tests.simulation.honest_arena import honest_arena
from tests.simulation.lies.forgery import Forgery, lie


def arena(forged: Forgery) -> Arena:
    assert forged.evidence.arena is not None
    return forged.evidence.arena


def kept(forged: Forgery, match: str) -> Json:
    (found,) = (each for each in arena(forged).matches if each["id"] == forged.tables[match])
    return found


def asked(forged: Forgery, match: str) -> Asked:
    uid2 = kept(forged, match)["uid2"]
    (found,) = (each for each in arena(forged).asked if each.uid2 == uid2)
    return found


def of_match(forged: Forgery, name: str, what: str, action: str, match: str) -> int:
    """Where that server's transcript first has such a packet."""
    places = forged.places(name, what, action)
    return next(n for n in places if forged.told(name, n)["match"] == forged.tables[match])


def answer(forged: Forgery, name: str, match: str) -> int:
    """Where that server has answered that it has the match, or that it does not want it."""
    after = of_match(forged, name, "heard", "create", match)
    lines = enumerate(forged.of(name).lines)
    return next(n for n, line in lines if n > after and line.what == "sent")


def looks(forged: Forgery, *, last: bool = False) -> list[Look]:
    return [look for look in arena(forged).looks if look.last == last]


def shown(forged: Forgery, look: Look, match: str) -> Json:
    (found,) = (each for each in look.matches if each["id"] == forged.tables[match])
    return found


def packet(forged: Forgery, action: str, match: str, **fields: Any) -> Json:
    return {"action": action, "payload": {"match": forged.tables[match], **fields}}


def come_again(forged: Forgery, name: str, message: Json) -> None:
    """The server has another link, and hears this there."""
    lines = forged.of(name).lines
    for n in (
        forged.places(name, "sent", "register")[0],
        forged.places(name, "heard", "accepted")[0],
    ):
        lines.append(lines[n]._replace(connection=99))
    lines.append(Line(99, 0, "heard", json.dumps(message)))


# Links


@lie("before it was registered", honest_arena)
def a_server_is_asked_before_it_is_registered(forged: Forgery) -> None:
    place = forged.places("vera", "heard", "accepted")[0]
    forged.say("vera", place, "heard", packet(forged, "ask_status", "played"))


@lie("was asked for match .* again", honest_arena)
def a_server_is_asked_for_a_match_twice(forged: Forgery) -> None:
    place = of_match(forged, "vera", "heard", "create", "played")
    forged.say(
        "vera",
        answer(forged, "vera", "played") + 1,
        "heard",
        forged.of("vera").lines[place].message,
    )


@lie("was asked for match .* again", honest_arena)
def a_server_is_asked_on_another_link_for_a_match_that_it_is_known_to_have(forged: Forgery) -> None:
    place = of_match(forged, "vera", "heard", "create", "played")
    come_again(forged, "vera", forged.of("vera").lines[place].message)


@lie("was asked for match .* as .* and", honest_arena)
def a_match_has_two_keys(forged: Forgery) -> None:
    place = of_match(forged, "wim", "heard", "create", "refused")
    message = forged.of("wim").lines[place].message
    message["payload"]["key"] = "other"
    come_again(forged, "wim", message)


@lie("which it has not accepted", honest_arena)
def a_server_is_asked_about_a_match_that_it_has_refused(forged: Forgery) -> None:
    forged.say("wim", -1, "heard", packet(forged, "ask_status", "refused"))


@lie("was not answered", honest_arena)
def a_server_is_asked_two_things_at_once(forged: Forgery) -> None:
    place = of_match(forged, "vera", "heard", "ask_status", "played")
    forged.say("vera", place, "heard", packet(forged, "ask_status", "played"))


@lie("was asked, and told", honest_arena)
def an_answer_is_not_expected(forged: Forgery) -> None:
    error = "Nobody has asked how a match stands."
    forged.say("vera", -1, "heard", {"action": "rejected", "payload": {"error": error}})


# What is kept


@lie("is kept twice", honest_arena)
def a_server_is_kept_twice(forged: Forgery) -> None:
    arena(forged).servers = [*arena(forged).servers, {**arena(forged).servers[0], "id": 77}]


@lie("are not kept", honest_arena)
def a_server_is_lost(forged: Forgery) -> None:
    arena(forged).servers = arena(forged).servers[:1]


@lie("nobody has asked for it", honest_arena)
def a_match_is_made_that_nobody_wanted(forged: Forgery) -> None:
    unwanted = asked(forged, "played")
    arena(forged).asked = [each for each in arena(forged).asked if each is not unwanted]


@lie("nobody has asked for it", honest_arena)
def a_match_is_at_another_server(forged: Forgery) -> None:
    kept(forged, "played")["server"] = kept(forged, "running")["server"]


@lie("has not accepted it", honest_arena)
def a_match_is_kept_that_was_refused(forged: Forgery) -> None:
    kept(forged, "refused")["status"] = "waiting"


@lie("which is not kept", honest_arena)
def a_match_is_lost(forged: Forgery) -> None:
    lost = kept(forged, "refused")
    arena(forged).matches = [each for each in arena(forged).matches if each is not lost]


@lie("another match than is kept", honest_arena)
def a_server_is_asked_for_other_users(forged: Forgery) -> None:
    forged.retell("vera", of_match(forged, "vera", "heard", "create", "played"), uid1=55)


@lie("there are two matches", honest_arena)
def a_match_is_made_twice(forged: Forgery) -> None:
    arena(forged).matches = [*arena(forged).matches, {**kept(forged, "refused"), "id": 1999}]


# Results


@lie("ended .*, and vera has told", honest_arena)
def a_match_has_another_result(forged: Forgery) -> None:
    kept(forged, "played")["score1"] = 33


@lie("ended .*, and vera has told", honest_arena)
def a_match_has_a_result_that_another_server_told(forged: Forgery) -> None:
    scores = {"score1": 70, "score2": 80}
    forged.say("wim", -1, "sent", packet(forged, "result", "played", **scores))
    kept(forged, "played").update(scores)


@lie("is running, and vera has told", honest_arena)
def a_result_is_lost(forged: Forgery) -> None:
    kept(forged, "played").update(status="running", score1=None, score2=None)


# What the operator was told


@lie("was acknowledged, and kept is", honest_arena)
def an_acknowledged_match_has_failed(forged: Forgery) -> None:
    kept(forged, "played").update(status="failed", score1=None, score2=None)


@lie("the operator was told Made.*, and vera", honest_arena)
def the_operator_is_told_another_key(forged: Forgery) -> None:
    forged.retell("vera", of_match(forged, "vera", "heard", "create", "played"), key="other")


@lie("told server_refused, and kept is", honest_arena)
def a_match_is_called_refused_and_played(forged: Forgery) -> None:
    asked(forged, "played").made = None
    asked(forged, "played").code = "server_refused"


@lie("nobody refused", honest_arena)
def a_match_is_called_refused_that_was_accepted(forged: Forgery) -> None:
    place = answer(forged, "wim", "refused")
    forged.reword("wim", place, {"action": "accepted", "payload": {}})


# What was shown


@lie("shown was .*, and kept is", honest_arena)
def another_result_is_shown(forged: Forgery) -> None:
    shown(forged, looks(forged, last=True)[0], "played")["score2"] = 0


@lie("shown was .*, and kept is", honest_arena)
def other_users_are_shown(forged: Forgery) -> None:
    shown(forged, looks(forged)[0], "running")["uid1"] = 55


@lie("shown was .*, and told was", honest_arena)
def points_are_shown_that_nobody_told(forged: Forgery) -> None:
    shown(forged, looks(forged)[0], "running").update(score1=44, score2=44)


@lie("counts .*, and it is", honest_arena)
def a_result_does_not_count(forged: Forgery) -> None:
    del looks(forged, last=True)[0].scores[0]  # type: ignore[attr-defined]


@lie("counts .*, and it is", honest_arena)
def a_result_counts_twice(forged: Forgery) -> None:
    looks(forged, last=True)[0].scores[0]["played"] += 1


@lie("counts more than there is", honest_arena)
def a_result_counts_that_there_is_not(forged: Forgery) -> None:
    looks(forged)[0].scores.append({"uid": 55, "played": 1})  # type: ignore[attr-defined]


@lie("shown was .*, and later", honest_arena)
def a_match_is_over_and_goes_on(forged: Forgery) -> None:
    shown(forged, looks(forged)[0], "played").update(kept(forged, "played"))


@lie("shown was .*, and later None", honest_arena)
def a_match_is_shown_no_more(forged: Forgery) -> None:
    del looks(forged)[1].matches[-1]  # type: ignore[attr-defined]
