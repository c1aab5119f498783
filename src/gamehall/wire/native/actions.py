"""What the native door does for each action: one short function each, and the table of them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import asdict

from gamehall import __version__
from gamehall.errors import BadRequest
from gamehall.games.game import Game
from gamehall.hall.beat.known_table import KnownTable
from gamehall.hall.hall import Hall
from gamehall.hall.people.notices import TableView
from gamehall.hall.people.online import Online
from gamehall.hall.records.reading import HistoryFilter
from gamehall.hall.seats.new_tables import Opened
from gamehall.hall.visitors.entrance import Welcome
from gamehall.store.lists import TableInfo
from gamehall.table_log import house
from gamehall.wire.native import messages as m
from gamehall.wire.native.action import Action, Asked
from gamehall.wire.native.sicbo import SICBO_ACTIONS
from gamehall.wire.native.tournaments import TOURNAMENT_ACTIONS
from gamehall.wire.net.refusing import read_command

if TYPE_CHECKING:
    from gamehall.wire.native.dialect import NativeLink

# Who


def _welcome(link: NativeLink, welcome: Welcome) -> m.Welcomed:
    link.channel.hello_done()
    player = welcome.player
    online, seating = link.online, link.hall.seating
    seats = () if online is None else tuple((t, seating.seat_at(online, t)) for t in online.seated)
    return m.Welcomed(
        m.PlayerInfo(player.id, player.name, player.kind == "guest", player.balance),
        welcome.token,
        m.ServerInfo(__version__, m.PROTOCOL),
        tuple(m.SeatAt(table, seat) for table, seat in seats),
    )


async def hello(link: NativeLink, payload: m.Hello, _: Asked) -> m.Welcomed:
    if link.online is not None:
        raise BadRequest("You have said hello on this connection. Log out to be someone else.")
    return _welcome(link, await link.hall.people.hello(link, payload.name, payload.token))


async def register(link: NativeLink, payload: m.Credentials, _: Asked) -> m.Welcomed:
    return _welcome(link, await link.hall.people.register(link, payload.name, payload.password))


async def login(link: NativeLink, payload: m.Credentials, _: Asked) -> m.Welcomed:
    return _welcome(link, await link.hall.people.login(link, payload.name, payload.password))


async def logout(link: NativeLink, _: m.Empty, __: Asked) -> m.Empty:
    await link.hall.people.logout(link)
    return m.Empty()


# Lists


def game_list(link: NativeLink, _: m.Empty, __: Asked) -> m.GameList:
    return m.GameList(tuple(game_infos(link.hall)))


def game_infos(hall: Hall) -> list[m.GameInfo]:
    # A game is there under each of its names.
    return [_game_info(hall, game) for game in dict.fromkeys(hall.games.values())]


def _game_info(hall: Hall, game: Game[Any]) -> m.GameInfo:
    defaults = hall.reading.usual_options(game.name)
    seats = game.seats(defaults)
    return m.GameInfo(
        game.name,
        game.title,
        seats.least,
        seats.most,
        not seats.kept,
        tuple(hall.bots.levels(game.name)),
        tuple(str(command.__struct_config__.tag) for command in game.commands),
        msgspec.to_builtins(defaults),
    )


async def list_tables(link: NativeLink, payload: m.ListTables, _: Asked) -> m.TableList:
    tables = await link.hall.reading.tables(
        _name(link, payload.game), payload.status, payload.after, payload.limit
    )
    return table_list(link.hall, tables, payload.limit)


def table_list(hall: Hall, page: list[TableInfo], limit: int) -> m.TableList:
    tables = [_listed(hall, table) for table in page]
    return m.TableList(tables, tables[-1].id if len(tables) == limit else None)


def _listed(hall: Hall, info: TableInfo) -> m.ListedTable:
    table = hall.reading.loaded(info.id)
    if table is None:
        return m.ListedTable(**asdict(info), options=None, most=None)
    state, game = table.state, table.kind.game
    most = game.seats(state.options).most
    return m.ListedTable(**asdict(info), options=state.opened.options, most=most)


def list_players(link: NativeLink, payload: m.ListPlayers, _: Asked) -> m.PlayerList:
    players = link.hall.lobby.list_players(payload.free, payload.after, payload.limit)
    return m.PlayerList(players, players[-1].id if len(players) == payload.limit else None)


def _name(link: NativeLink, game: str | None) -> str | None:
    """The game's own name, for a list of only one game."""
    return None if game is None else link.hall.game_named(game).name


# Tables


async def open_table(link: NativeLink, payload: m.OpenTable, asked: Asked) -> Opened:
    bots = payload.bots
    if isinstance(bots, int):
        bots = [link.hall.bots.usual(link.hall.game_named(payload.game).name)] * bots
    return await link.hall.new_tables.open_table(
        link.me,
        payload.game,
        payload.options,
        private=payload.private,
        bots=bots,
        request=asked.request(link.me.player.id),
    )


async def sit(link: NativeLink, payload: m.Sit, asked: Asked) -> None:
    await link.hall.seating.sit(
        link,
        link.me,
        payload.table,
        payload.seat,
        payload.key,
        asked.request(link.me.player.id),
        link.settle(asked, lambda done: m.SeatAt(done.table, done.seat)),
    )


async def claim_match(link: NativeLink, payload: m.ClaimMatch, asked: Asked) -> None:
    await link.hall.matches.claim(
        link,
        link.me,
        payload.uid,
        payload.key,
        asked.request(link.me.player.id),
        link.settle(asked, lambda done: m.SeatAt(done.table, done.seat)),
    )


def leave(link: NativeLink, payload: m.AtTable, asked: Asked) -> None:
    request = asked.request(link.me.player.id)
    link.hall.seating.leave(link, link.me, payload.table, request, partial(link.acted, asked))


def rematch(link: NativeLink, payload: m.AtTable, asked: Asked) -> None:
    me, reply = link.me, partial(link.acted, asked)
    link.hall.seating.act(me, payload.table, house.Rematch(), asked.request(me.player.id), reply)


async def watch(link: NativeLink, payload: m.Watch, asked: Asked) -> None:
    seat, view = await link.hall.seating.watch_and_see(link, payload.table, payload.key)
    link.answer(asked, m.SeatAt(payload.table, seat))
    link.tell(view)


def unwatch(link: NativeLink, payload: m.AtTable, _: Asked) -> m.AtTable:
    link.hall.seating.unwatch(link, payload.table)
    return payload


async def resume(link: NativeLink, payload: m.Resume, asked: Asked) -> None:
    missed = await link.hall.seating.resume(link, payload.table, payload.after)
    if isinstance(missed, TableView):
        link.answer(asked, m.Resumed(payload.table, None))
        link.tell(missed)
        return
    link.answer(asked, m.Resumed(payload.table, len(missed)))
    seat = link.online.seated.get(payload.table) if link.online is not None else None
    for told in missed:
        link.tell_table(told, seat)


def say(link: NativeLink, payload: m.Say, asked: Asked) -> None:
    me = link.me

    def accepted() -> None:
        answer = m.AtTable(payload.table)
        link.answer(asked, answer)
        me.remember(asked.request(me.player.id), answer)

    link.hall.seating.say(link, me, payload.table, payload.text, accepted)


async def report(link: NativeLink, payload: m.Report, _: Asked) -> m.ReportId:
    me = link.me.player
    return m.ReportId(await link.hall.reports.take(me, payload.player, payload.table, payload.text))


# Playing


def act(link: NativeLink, payload: m.Act, asked: Asked) -> Any:
    table = link.hall.reading.loaded(payload.table)
    if table is None:
        return _act_when_loaded(link, link.me, payload, asked)
    _act_at(table, link, link.me, payload, asked)
    return None


async def _act_when_loaded(link: NativeLink, me: Online, payload: m.Act, asked: Asked) -> None:
    """`me`: who asked, also if the connection is nobody's, or another's, by then."""
    _act_at(await link.hall.reading.load(payload.table), link, me, payload, asked)


def _act_at(table: KnownTable, link: NativeLink, me: Online, payload: m.Act, asked: Asked) -> None:
    command, reply = read_command(table.kind.game, payload.command), partial(link.acted, asked)
    link.hall.seating.act_at(table, me, command, asked.request(me.player.id), reply)


async def act_by_name(link: NativeLink, payload: m.AtTable, asked: Asked) -> None:
    """The action is a command of the game, where it has one of that name."""
    fields = asdict(payload)
    table = fields.pop("table")
    command = msgspec.json.encode({"type": asked.action, **fields})
    await _act_when_loaded(link, link.me, m.Act(table, msgspec.Raw(command)), asked)


# The lobby


async def seek(link: NativeLink, payload: m.Seek, asked: Asked) -> None:
    accepted = partial(link.answer, asked, m.Empty())
    await link.hall.game_finder.seek(link, payload.game, payload.options, payload.rated, accepted)


async def cancel_seek(link: NativeLink, payload: m.CancelSeek, _: Asked) -> m.Empty:
    await link.hall.lobby.cancel_seeks(link.me, payload.game)
    return m.Empty()


async def challenge(link: NativeLink, payload: m.Challenge, _: Asked) -> m.ChallengeId:
    challenges = link.hall.challenges
    id = await challenges.challenge(link.me, payload.player, payload.game, payload.options)
    return m.ChallengeId(id)


async def accept(link: NativeLink, payload: m.AnswerChallenge, _: Asked) -> m.Accepted:
    table = await link.hall.challenges.accept(link.me, payload.challenge)
    return m.Accepted(payload.challenge, table)


async def refuse(link: NativeLink, payload: m.AnswerChallenge, _: Asked) -> m.ChallengeId:
    await link.hall.challenges.refuse(link.me, payload.challenge)
    return m.ChallengeId(payload.challenge)


async def withdraw(link: NativeLink, payload: m.AnswerChallenge, _: Asked) -> m.ChallengeId:
    await link.hall.challenges.withdraw(link.me, payload.challenge)
    return m.ChallengeId(payload.challenge)


def challenges(link: NativeLink, _: m.Empty, __: Asked) -> m.ChallengeList:
    me, now_ms = link.me, link.hall.clock.now_ms()
    found = m.ChallengeList([], [])
    for each in link.hall.challenges.of(me):
        theirs = each.sender.id != me.player.id
        other = each.sender if theirs else each.target
        seconds = max(0, each.due_ms - now_ms) / 1000
        shown = m.OpenChallenge(each.id, other.id, other.name, each.game, each.options, seconds)
        (found.received if theirs else found.sent).append(shown)
    return found


def watch_lobby(link: NativeLink, _: m.Empty, __: Asked) -> m.Empty:
    link.hall.lobby.watch(link)
    return m.Empty()


def unwatch_lobby(link: NativeLink, _: m.Empty, __: Asked) -> m.Empty:
    link.hall.lobby.unwatch(link)
    return m.Empty()


# Records


async def history(link: NativeLink, payload: m.History, _: Asked) -> m.HistoryList:
    wanted = HistoryFilter(
        _name(link, payload.game),
        payload.player,
        payload.result,
        payload.since_ms,
        payload.until_ms,
    )
    return m.HistoryList(*await link.hall.reading.history(wanted, payload.before, payload.limit))


async def journal(link: NativeLink, payload: m.ReadJournal, _: Asked) -> m.JournalPage:
    page = await link.hall.reading.journal(
        payload.table, payload.key, payload.after, payload.limit, payload.round
    )
    rows = [msgspec.Raw(line) for line in page.lines]
    return m.JournalPage(payload.table, rows, page.next, page.head, page.hash)


async def standings(link: NativeLink, payload: m.ReadStandings, _: Asked) -> m.StandingsList:
    return m.StandingsList(
        await link.hall.reading.standings(game=_name(link, payload.game), limit=payload.limit)
    )


async def balance(link: NativeLink, _: m.Empty, __: Asked) -> m.BalanceInfo:
    return m.BalanceInfo(await link.hall.reading.balance(link.me.player.id))


async def refill(link: NativeLink, _: m.Empty, __: Asked) -> m.BalanceInfo:
    return m.BalanceInfo(await link.hall.people.refill(link.me))


async def statement(link: NativeLink, payload: m.ReadStatement, _: Asked) -> m.StatementList:
    items = await link.hall.reading.statement(
        link.me.player.id, before=payload.before, limit=payload.limit
    )
    return m.StatementList(list(items), items[-1].id if len(items) == payload.limit else None)


def ping(_: NativeLink, __: m.Empty, ___: Asked) -> m.Empty:
    return m.Empty()


ACTIONS: dict[str, Action] = {
    "hello": Action(m.Hello, m.Welcomed, hello, login=False),
    "register": Action(m.Credentials, m.Welcomed, register, login=False),
    "login": Action(m.Credentials, m.Welcomed, login, login=False),
    "logout": Action(m.Empty, m.Empty, logout),
    "list_games": Action(m.Empty, m.GameList, game_list, login=False),
    "list_tables": Action(m.ListTables, m.TableList, list_tables, login=False),
    "list_players": Action(m.ListPlayers, m.PlayerList, list_players, login=False),
    "open_table": Action(m.OpenTable, Opened, open_table),
    "sit": Action(m.Sit, m.SeatAt, sit),
    "claim_match": Action(m.ClaimMatch, m.SeatAt, claim_match),
    "leave": Action(m.AtTable, m.Acted, leave),
    "watch": Action(m.Watch, m.SeatAt, watch),
    "unwatch": Action(m.AtTable, m.AtTable, unwatch),
    "seek": Action(m.Seek, m.Empty, seek),
    "cancel_seek": Action(m.CancelSeek, m.Empty, cancel_seek),
    "challenge": Action(m.Challenge, m.ChallengeId, challenge, once=True),
    "accept": Action(m.AnswerChallenge, m.Accepted, accept, once=True),
    "refuse": Action(m.AnswerChallenge, m.ChallengeId, refuse, once=True),
    "withdraw": Action(m.AnswerChallenge, m.ChallengeId, withdraw, once=True),
    "challenges": Action(m.Empty, m.ChallengeList, challenges),
    "act": Action(m.Act, m.Acted, act),
    "rematch": Action(m.AtTable, m.Acted, rematch),
    "offer_draw": Action(m.AtTable, m.Acted, act_by_name),
    "answer_draw": Action(m.AnswerDraw, m.Acted, act_by_name),
    "watch_lobby": Action(m.Empty, m.Empty, watch_lobby),
    "unwatch_lobby": Action(m.Empty, m.Empty, unwatch_lobby),
    "resume": Action(m.Resume, m.Resumed, resume),
    "history": Action(m.History, m.HistoryList, history, login=False),
    "journal": Action(m.ReadJournal, m.JournalPage, journal, login=False),
    "standings": Action(m.ReadStandings, m.StandingsList, standings, login=False),
    "balance": Action(m.Empty, m.BalanceInfo, balance),
    "refill": Action(m.Empty, m.BalanceInfo, refill, once=True),
    "statement": Action(m.ReadStatement, m.StatementList, statement),
    "say": Action(m.Say, m.AtTable, say, once=True),
    "report": Action(m.Report, m.ReportId, report, once=True),
    **SICBO_ACTIONS,
    **TOURNAMENT_ACTIONS,
    "ping": Action(m.Empty, m.Empty, ping, login=False),
}
