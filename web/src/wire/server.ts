/* Made by `make types` from the server. */

/**
 * What a bet has brought: nothing, or its stake and the odds.
 *
 * @minItems 2
 */
export type Paid = [number, number];
export type ErrorCode =
  | "already_picked"
  | "bad_name"
  | "bad_options"
  | "bad_password"
  | "bad_request"
  | "bad_token"
  | "bet_window_closed"
  | "column_full"
  | "conflict"
  | "forgotten"
  | "hall_unreachable"
  | "illegal_command"
  | "internal"
  | "invalid_amount"
  | "login_failed"
  | "method_not_allowed"
  | "name_taken"
  | "no_bets"
  | "no_bingo"
  | "no_card"
  | "no_funds"
  | "no_offer"
  | "no_round"
  | "no_such_bot"
  | "no_such_challenge"
  | "no_such_column"
  | "no_such_game"
  | "no_such_match"
  | "no_such_number"
  | "no_such_pairing"
  | "no_such_path"
  | "no_such_place"
  | "no_such_player"
  | "no_such_round"
  | "no_such_server"
  | "no_such_table"
  | "no_such_tournament"
  | "not_adjacent"
  | "not_allowed"
  | "not_analysed"
  | "not_broke"
  | "not_entered"
  | "not_free"
  | "not_logged_in"
  | "not_operator"
  | "not_organiser"
  | "not_seated"
  | "not_started"
  | "not_your_stone"
  | "not_your_turn"
  | "offer_pending"
  | "place_taken"
  | "rate_limited"
  | "refilled_today"
  | "refused"
  | "registration_closed"
  | "result_known"
  | "round_not_found"
  | "round_over"
  | "round_running"
  | "seat_taken"
  | "seats_drawn"
  | "server_refused"
  | "server_unreachable"
  | "table_closed"
  | "table_full"
  | "time_not_up"
  | "too_large"
  | "too_many"
  | "tournament_begun"
  | "unavailable"
  | "unknown_action"
  | "wrong_key";

export interface Messages {
  actions: {
    hello: {
      ask: Hello;
      answer: Welcomed;
    };
    register: {
      ask: Credentials;
      answer: Welcomed;
    };
    login: {
      ask: Credentials;
      answer: Welcomed;
    };
    logout: {
      ask: Empty;
      answer: Empty;
    };
    list_games: {
      ask: Empty;
      answer: GameList;
    };
    list_tables: {
      ask: ListTables;
      answer: TableList;
    };
    list_players: {
      ask: ListPlayers;
      answer: PlayerList;
    };
    open_table: {
      ask: OpenTable;
      answer: Opened;
    };
    sit: {
      ask: Sit;
      answer: SeatAt;
    };
    claim_match: {
      ask: ClaimMatch;
      answer: SeatAt;
    };
    leave: {
      ask: AtTable;
      answer: Acted;
    };
    watch: {
      ask: Watch;
      answer: SeatAt;
    };
    unwatch: {
      ask: AtTable;
      answer: AtTable;
    };
    seek: {
      ask: Seek;
      answer: Empty;
    };
    cancel_seek: {
      ask: CancelSeek;
      answer: Empty;
    };
    challenge: {
      ask: Challenge;
      answer: ChallengeId;
    };
    accept: {
      ask: AnswerChallenge;
      answer: Accepted;
    };
    refuse: {
      ask: AnswerChallenge;
      answer: ChallengeId;
    };
    withdraw: {
      ask: AnswerChallenge;
      answer: ChallengeId;
    };
    challenges: {
      ask: Empty;
      answer: ChallengeList;
    };
    act: {
      ask: Act;
      answer: Acted;
    };
    rematch: {
      ask: AtTable;
      answer: Acted;
    };
    offer_draw: {
      ask: AtTable;
      answer: Acted;
    };
    answer_draw: {
      ask: AnswerDraw1;
      answer: Acted;
    };
    watch_lobby: {
      ask: Empty;
      answer: Empty;
    };
    unwatch_lobby: {
      ask: Empty;
      answer: Empty;
    };
    resume: {
      ask: Resume;
      answer: Resumed;
    };
    history: {
      ask: History;
      answer: HistoryList;
    };
    journal: {
      ask: ReadJournal;
      answer: JournalPage;
    };
    standings: {
      ask: ReadStandings;
      answer: StandingsList;
    };
    balance: {
      ask: Empty;
      answer: BalanceInfo;
    };
    refill: {
      ask: Empty;
      answer: BalanceInfo;
    };
    statement: {
      ask: ReadStatement;
      answer: StatementList;
    };
    say: {
      ask: Say;
      answer: AtTable;
    };
    report: {
      ask: Report1;
      answer: ReportId;
    };
    rebet: {
      ask: Rebet;
      answer: Acted;
    };
    bet_history_for_table: {
      ask: AtTable;
      answer: BetHistory;
    };
    deposit: {
      ask: Deposit;
      answer: BalanceInfo;
    };
    set_mode: {
      ask: SetMode;
      answer: Empty;
    };
    open_tournament: {
      ask: OpenTournament;
      answer: TournamentId;
    };
    begin_tournament: {
      ask: AtTournament;
      answer: TournamentId;
    };
    enter_tournament: {
      ask: EnterTournament;
      answer: EnteredAs;
    };
    leave_tournament: {
      ask: AtTournament;
      answer: TournamentId;
    };
    list_tournaments: {
      ask: ListTournaments;
      answer: TournamentList;
    };
    tournament: {
      ask: AtTournament;
      answer: TournamentShown;
    };
    ratings: {
      ask: ReadRatings;
      answer: RatingList;
    };
    ping: {
      ask: Empty;
      answer: Empty;
    };
  };
  notices: {
    table_events: TableEvents;
    table_view: TableView;
    seated: Seated1;
    watching: Watching;
    player_dropped: PlayerDropped;
    player_back: PlayerBack;
    player_left: PlayerLeft;
    glance: Glance;
    table_over: TableOver;
    challenged: Challenged;
    challenge_refused: ChallengeRefused;
    challenge_expired: ChallengeExpired;
    challenge_withdrawn: ChallengeWithdrawn;
    not_begun: NotBegun;
    lobby: Lobby;
    said: Said;
    going_away: GoingAway;
  };
  answers: {
    listGames: GamesPage;
    listTables: TableList;
    getTable: TableInfo;
    getPlayer: PlayerRecord;
    getStandings: StandingsPage;
    getHistory: HistoryList;
    getReplay: Replay;
    getAnalysis: Analysis;
    voidRound: VoidedRound;
    listReports: ReportsPage;
    listArenaServers: ServersPage;
    listArenaMatches: MatchesPage;
    makeArenaMatch: MadeMatch;
    getArenaScores: ScoresPage;
    listAwayTournaments: AwayList;
    followTournament: AwayId;
    getAwayTournament: AwayShown;
    forgetAwayTournament: AwayId;
    listTournaments: TournamentList;
    getTournament: TournamentShown;
    openTournament: TournamentId;
    beginTournament: TournamentId;
    getRatings: RatingList;
  };
  views: {
    "connect-four": View1;
    bingo: View2;
    "bingo-duel": View3;
    sicbo: View4;
    "four-stone": View5;
    tournament: View;
  };
  options: {
    "connect-four": ConnectFourOptions;
    bingo: BingoOptions;
    "bingo-duel": BingoDuelOptions;
    sicbo: SicBoOptions;
    "four-stone": FourStoneOptions;
    tournament: TournamentOptions;
  };
  commands: {
    "connect-four": Drop | Resign | OfferDraw | AnswerDraw;
    bingo: Ready | Claim | Deal;
    "bingo-duel": Pick | Resign;
    sicbo: Bet | PlaceBets;
    "four-stone": Move | Resign;
    tournament: Enter | Withdraw;
  };
  events: {
    "connect-four": Dropped | Resigned | DrawOffered | DrawAnswered | TimedOut | Abandoned;
    bingo: Joined | Parted | CardsDealt | Called | BingoClaimed | AllCalled;
    "bingo-duel": BoardsDealt | Picked | Resigned | Abandoned;
    sicbo: BetPlaced | BetsPlaced | BettingClosed | Rolled | Settled;
    "four-stone": Moved | Resigned | TimedOut | Abandoned;
    tournament: Joined1 | Entered | Withdrew | Begun | Paired | Bye | Grouped | Reported | PairingEnded | Finished;
  };
  houseEvents:
    | Opened1
    | Seated
    | SeatsDrawn
    | Started
    | Left
    | RematchWanted
    | ReservationsLapsed
    | OptionsSet
    | RoundEnded
    | RoundVoided
    | Closed;
  row: Row;
  trailer: Trailer;
  error: ErrorPayload;
}
export interface Hello {
  name?: string | null;
  token?: string | null;
  lang?: string | null;
}
export interface Welcomed {
  player: PlayerInfo;
  token: string;
  server: ServerInfo;
  tables: SeatAt[];
}
export interface PlayerInfo {
  id: number;
  name: string;
  guest: boolean;
  balance: number;
}
export interface ServerInfo {
  version: string;
  protocol: number;
}
export interface SeatAt {
  table: number;
  seat: number | null;
}
export interface Credentials {
  name: string;
  password: string;
}
export interface Empty {}
export interface GameList {
  games: GameInfo[];
}
export interface GameInfo {
  name: string;
  title: string;
  least: number;
  most: number;
  walk_in: boolean;
  bots: string[];
  commands: string[];
  options: {};
}
export interface ListTables {
  game?: string | null;
  status?: ("closed" | "over" | "playing" | "waiting") | null;
  after?: number;
  limit?: number;
}
export interface TableList {
  tables: ListedTable[];
  next: number | null;
}
/**
 * A table, and what is known of it while it is in memory: null while nobody is there.
 */
export interface ListedTable {
  id: number;
  game: string;
  status: "closed" | "over" | "playing" | "waiting";
  round: number;
  round_seq: number;
  head: number;
  hash: string;
  names: string[];
  count: number;
  private: boolean;
  rated: boolean;
  opened_at_ms: number;
  changed_at_ms: number;
  options: {} | null;
  most: number | null;
}
export interface ListPlayers {
  free?: boolean | null;
  after?: number;
  limit?: number;
}
export interface PlayerList {
  players: LobbyPlayer[];
  next: number | null;
}
export interface LobbyPlayer {
  id: number;
  name: string;
  status: string;
}
export interface OpenTable {
  game: string;
  options?: {};
  private?: boolean;
  bots?: number | string[];
}
export interface Opened {
  table: number;
  key?: string | null;
}
export interface Sit {
  table: number;
  seat?: number | null;
  key?: string | null;
}
export interface ClaimMatch {
  uid: number;
  key: string;
}
export interface AtTable {
  table: number;
}
export interface Acted {
  table: number;
  seq: number;
}
export interface Watch {
  table: number;
  key?: string | null;
}
export interface Seek {
  game: string;
  options?: {};
  rated?: boolean;
}
export interface CancelSeek {
  game?: string | null;
}
export interface Challenge {
  player: number;
  game: string;
  options?: {};
}
export interface ChallengeId {
  challenge: number;
}
export interface AnswerChallenge {
  challenge: number;
}
export interface Accepted {
  challenge: number;
  table: number;
}
export interface ChallengeList {
  received: OpenChallenge[];
  sent: OpenChallenge[];
}
/**
 * A challenge that is not answered yet; the player is the one at its other end.
 */
export interface OpenChallenge {
  challenge: number;
  player: number;
  name: string;
  game: string;
  options: {};
  seconds: number;
}
export interface Act {
  table: number;
  command:
    Drop | Resign | OfferDraw | AnswerDraw | Ready | Claim | Deal | Pick | Bet | PlaceBets | Move | Enter | Withdraw;
}
export interface Drop {
  type: "drop";
  column: number;
}
export interface Resign {
  type: "resign";
}
export interface OfferDraw {
  type: "offer_draw";
}
export interface AnswerDraw {
  type: "answer_draw";
  accept: boolean;
}
/**
 * Done with the last number.
 */
export interface Ready {
  type: "ready";
}
export interface Claim {
  type: "claim";
}
/**
 * Starts a round.
 */
export interface Deal {
  type: "start";
}
export interface Pick {
  type: "pick";
  number: number;
}
export interface Bet {
  type: "bet";
  side:
    | "ANY_LEO"
    | "BIG"
    | "DICE12"
    | "DICE13"
    | "DICE14"
    | "DICE15"
    | "DICE16"
    | "DICE1DB"
    | "DICE1SG"
    | "DICE23"
    | "DICE24"
    | "DICE25"
    | "DICE26"
    | "DICE2DB"
    | "DICE2SG"
    | "DICE34"
    | "DICE35"
    | "DICE36"
    | "DICE3DB"
    | "DICE3SG"
    | "DICE45"
    | "DICE46"
    | "DICE4DB"
    | "DICE4SG"
    | "DICE56"
    | "DICE5DB"
    | "DICE5SG"
    | "DICE6DB"
    | "DICE6SG"
    | "EVEN"
    | "LEO1"
    | "LEO2"
    | "LEO3"
    | "LEO4"
    | "LEO5"
    | "LEO6"
    | "ODD"
    | "SMALL"
    | "SUM10"
    | "SUM11"
    | "SUM12"
    | "SUM13"
    | "SUM14"
    | "SUM15"
    | "SUM16"
    | "SUM17"
    | "SUM4"
    | "SUM5"
    | "SUM6"
    | "SUM7"
    | "SUM8"
    | "SUM9";
  amount: number;
  round?: number | null;
}
/**
 * Several bets, all or none of them.
 */
export interface PlaceBets {
  type: "place_bets";
  bets: OneBet[];
  round?: number | null;
}
export interface OneBet {
  side:
    | "ANY_LEO"
    | "BIG"
    | "DICE12"
    | "DICE13"
    | "DICE14"
    | "DICE15"
    | "DICE16"
    | "DICE1DB"
    | "DICE1SG"
    | "DICE23"
    | "DICE24"
    | "DICE25"
    | "DICE26"
    | "DICE2DB"
    | "DICE2SG"
    | "DICE34"
    | "DICE35"
    | "DICE36"
    | "DICE3DB"
    | "DICE3SG"
    | "DICE45"
    | "DICE46"
    | "DICE4DB"
    | "DICE4SG"
    | "DICE56"
    | "DICE5DB"
    | "DICE5SG"
    | "DICE6DB"
    | "DICE6SG"
    | "EVEN"
    | "LEO1"
    | "LEO2"
    | "LEO3"
    | "LEO4"
    | "LEO5"
    | "LEO6"
    | "ODD"
    | "SMALL"
    | "SUM10"
    | "SUM11"
    | "SUM12"
    | "SUM13"
    | "SUM14"
    | "SUM15"
    | "SUM16"
    | "SUM17"
    | "SUM4"
    | "SUM5"
    | "SUM6"
    | "SUM7"
    | "SUM8"
    | "SUM9";
  amount: number;
}
export interface Move {
  type: "move";
  /**
   * @minItems 2
   * @maxItems 2
   */
  from: [number, number];
  /**
   * @minItems 2
   * @maxItems 2
   */
  to: [number, number];
}
/**
 * Enters, if one has not, and names the machine one plays for; empty is none.
 */
export interface Enter {
  type: "enter";
  club?: string;
}
export interface Withdraw {
  type: "withdraw";
}
export interface AnswerDraw1 {
  table: number;
  accept: boolean;
}
export interface Resume {
  table: number;
  after?: number | null;
}
export interface Resumed {
  table: number;
  missed: number | null;
}
export interface History {
  game?: string | null;
  player?: number | null;
  result?: ("draw" | "loss" | "win") | null;
  since_ms?: number | null;
  until_ms?: number | null;
  before?: number | null;
  limit?: number;
}
export interface HistoryList {
  rounds: HistoryItem[];
  next: number | null;
}
export interface HistoryItem {
  table: number;
  game: string;
  round: number;
  first_seq: number;
  last_seq: number;
  hash: string;
  ended_at_ms: number;
  reason: string;
  rated: boolean;
  results: SeatResult[];
}
export interface SeatResult {
  seat: number;
  player: number;
  name: string;
  result: "draw" | "loss" | "win";
  score?: number | null;
}
export interface ReadJournal {
  table: number;
  key?: string | null;
  after?: number;
  limit?: number;
  round?: number | null;
}
export interface JournalPage {
  table: number;
  rows: (Row | SeenRow)[];
  next: number | null;
  head: number;
  hash: string;
}
/**
 * One accepted command and what it caused. `seat` is None for the hall and for timers.
 */
export interface Row {
  table: number;
  seq: number;
  round: number;
  at_ms: number;
  seat: number | null;
  command:
    | Open
    | Sit1
    | Leave
    | Rematch
    | NextRound
    | Expire
    | SetOptions
    | Void
    | Close
    | Drop
    | Resign
    | OfferDraw
    | AnswerDraw
    | Ready
    | Claim
    | Deal
    | Pick
    | Bet
    | PlaceBets
    | Move
    | Enter
    | Withdraw
    | TimeUp
    | Call
    | CloseBetting
    | Reveal
    | Begin
    | Report
    | TimeUp1;
  events: (
    | Opened1
    | Seated
    | SeatsDrawn
    | Started
    | Left
    | RematchWanted
    | ReservationsLapsed
    | OptionsSet
    | RoundEnded
    | RoundVoided
    | Closed
    | Dropped
    | Resigned
    | DrawOffered
    | DrawAnswered
    | TimedOut
    | Abandoned
    | Joined
    | Parted
    | CardsDealt
    | Called
    | BingoClaimed
    | AllCalled
    | BoardsDealt
    | Picked
    | BetPlaced
    | BetsPlaced
    | BettingClosed
    | Rolled
    | Settled
    | Moved
    | Joined1
    | Entered
    | Withdrew
    | Begun
    | Paired
    | Bye
    | Grouped
    | Reported
    | PairingEnded
    | Finished
  )[];
}
/**
 * Opens the table; the first row of its log.
 */
export interface Open {
  type: "open";
  game: string;
  options: {};
  nonce: string;
  drawn?: boolean;
  private?: boolean;
  rated?: boolean;
  reserved?: Person[];
  reserved_until_ms?: number;
  by_invitation?: boolean;
}
/**
 * Someone who sits or may sit. `bot` is the level, if it is a program of the hall.
 */
export interface Person {
  player: number;
  name: string;
  bot?: string | null;
}
export interface Sit1 {
  type: "sit";
  person: Person;
  seat?: number | null;
}
/**
 * Gives up the seat. `reason`: left, dropped (did not come back), kicked or no_funds.
 */
export interface Leave {
  type: "leave";
  reason?: string;
}
/**
 * Wants another round; it opens when all seats want it.
 */
export interface Rematch {
  type: "rematch";
}
/**
 * The pause is over.
 */
export interface NextRound {
  type: "next_round";
}
/**
 * The time to claim reserved seats is over.
 */
export interface Expire {
  type: "expire";
}
/**
 * How the next rounds are played.
 */
export interface SetOptions {
  type: "set_options";
  options: {};
}
/**
 * Calls the running round off: every stake goes back. The table stays open.
 */
export interface Void {
  type: "void";
  reason: string;
}
/**
 * Ends the table; a running round is void and every stake goes back.
 */
export interface Close {
  type: "close";
  reason: string;
}
/**
 * Sent by the move clock.
 */
export interface TimeUp {
  type: "time_up";
}
/**
 * The next number is due.
 */
export interface Call {
  type: "call";
}
/**
 * The betting time is over.
 */
export interface CloseBetting {
  type: "close_betting";
}
/**
 * The dice are rolled, and everyone is paid.
 */
export interface Reveal {
  type: "reveal";
}
/**
 * By the organiser, or because it is time.
 */
export interface Begin {
  type: "begin";
}
/**
 * How a game ended: without a winner it is a draw, or with `no_show` lost by both.
 */
export interface Report {
  type: "report";
  game: number;
  winner?: number | null;
  reason?: string;
  scores?: [number, number] | null;
  table?: number;
}
/**
 * The time of an arena is over.
 */
export interface TimeUp1 {
  type: "time_up";
}
/**
 * A round begins; it holds all that is carried over, so that loading can start here.
 */
export interface Opened1 {
  type: "opened";
  game: string;
  options: {};
  round: number;
  commitment: string;
  nonce: string;
  previous: string;
  drawn?: boolean;
  private?: boolean;
  rated?: boolean;
  reserved?: Person[];
  reserved_until_ms?: number;
  chairs?: Chair[];
  carry?: {
    [k: string]: unknown;
  };
  by_invitation?: boolean;
}
export interface Chair {
  seat: number;
  person: Person;
}
export interface Seated {
  type: "seated";
  seat: number;
  person: Person;
}
/**
 * Whoever sat on seat i now sits on seat `order[i]`.
 */
export interface SeatsDrawn {
  type: "seats_drawn";
  order: number[];
}
export interface Started {
  type: "started";
  at_ms: number;
}
export interface Left {
  type: "left";
  seat: number;
  reason: string;
}
export interface RematchWanted {
  type: "rematch_wanted";
  seat: number;
}
export interface ReservationsLapsed {
  type: "reservations_lapsed";
}
/**
 * The next rounds are played so.
 */
export interface OptionsSet {
  type: "options_set";
  options: {};
}
export interface RoundEnded {
  type: "round_ended";
  outcome: Outcome;
  secret: string;
  at_ms: number;
}
/**
 * How a round ended. No winner is a draw; `scores` by seat, where the game has points.
 */
export interface Outcome {
  winners: number[];
  reason: string;
  scores?: {
    [k: string]: number;
  } | null;
  again_ms?: number | null;
}
/**
 * The round does not count; every stake has gone back.
 */
export interface RoundVoided {
  type: "round_voided";
  reason: string;
  secret: string;
  at_ms: number;
  again_ms?: number | null;
}
export interface Closed {
  type: "closed";
  reason: string;
}
export interface Dropped {
  type: "dropped";
  seat: number;
  column: number;
  at_ms: number;
}
export interface Resigned {
  type: "resigned";
  seat: number;
}
export interface DrawOffered {
  type: "draw_offered";
  seat: number;
}
export interface DrawAnswered {
  type: "draw_answered";
  seat: number;
  accepted: boolean;
}
export interface TimedOut {
  type: "timed_out";
  seat: number;
}
/**
 * The seat was given up while the game ran.
 */
export interface Abandoned {
  type: "abandoned";
  seat: number;
}
export interface Joined {
  type: "joined";
  seat: number;
}
export interface Parted {
  type: "parted";
  seat: number;
}
/**
 * Each seat sees its own card; `count` is how many were dealt.
 */
export interface CardsDealt {
  type: "cards_dealt";
  at_ms: number;
  count: number;
  cards: {
    [k: string]: number[];
  };
}
export interface Called {
  type: "called";
  number: number;
  at_ms: number;
}
/**
 * It is true: the round is won.
 */
export interface BingoClaimed {
  type: "bingo_claimed";
  seat: number;
}
/**
 * Nobody has said anything; the round ends without a winner.
 */
export interface AllCalled {
  type: "all_called";
}
/**
 * Each seat sees its own board; the other is empty then.
 */
export interface BoardsDealt {
  type: "boards_dealt";
  /**
   * @minItems 2
   * @maxItems 2
   */
  boards: [number[], number[]];
  hidden?: boolean;
}
export interface Picked {
  type: "picked";
  seat: number;
  number: number;
}
export interface BetPlaced {
  type: "bet_placed";
  seat: number;
  bet: number;
  side:
    | "ANY_LEO"
    | "BIG"
    | "DICE12"
    | "DICE13"
    | "DICE14"
    | "DICE15"
    | "DICE16"
    | "DICE1DB"
    | "DICE1SG"
    | "DICE23"
    | "DICE24"
    | "DICE25"
    | "DICE26"
    | "DICE2DB"
    | "DICE2SG"
    | "DICE34"
    | "DICE35"
    | "DICE36"
    | "DICE3DB"
    | "DICE3SG"
    | "DICE45"
    | "DICE46"
    | "DICE4DB"
    | "DICE4SG"
    | "DICE56"
    | "DICE5DB"
    | "DICE5SG"
    | "DICE6DB"
    | "DICE6SG"
    | "EVEN"
    | "LEO1"
    | "LEO2"
    | "LEO3"
    | "LEO4"
    | "LEO5"
    | "LEO6"
    | "ODD"
    | "SMALL"
    | "SUM10"
    | "SUM11"
    | "SUM12"
    | "SUM13"
    | "SUM14"
    | "SUM15"
    | "SUM16"
    | "SUM17"
    | "SUM4"
    | "SUM5"
    | "SUM6"
    | "SUM7"
    | "SUM8"
    | "SUM9";
  amount: number;
  stake: Stake;
  tally: Tally;
}
/**
 * What one seat has on each side.
 */
export interface Stake {
  big: number;
  small: number;
  sides?: {
    [k: string]: number;
  };
}
/**
 * Who has bet how much, all in all; one who is on several sides counts once in `players`.
 */
export interface Tally {
  big: number;
  small: number;
  players: number;
  players_big: number;
  players_small: number;
  others?: number;
}
/**
 * Several bets at once, numbered from `bet` on.
 */
export interface BetsPlaced {
  type: "bets_placed";
  seat: number;
  bet: number;
  bets: OneBet[];
  stake: Stake;
  tally: Tally;
}
export interface BettingClosed {
  type: "betting_closed";
  at_ms: number;
  tally: Tally;
  sides?: {
    [k: string]: OnSide;
  };
}
/**
 * What everyone has on one side.
 */
export interface OnSide {
  total: number;
  players: number;
}
export interface Rolled {
  type: "rolled";
  /**
   * @minItems 3
   * @maxItems 3
   */
  dice: [number, number, number];
  sum: number;
  result: "BIG" | "NONE" | "SMALL";
}
/**
 * Every bet is paid. Each seat sees its own alone.
 */
export interface Settled {
  type: "settled";
  payouts: {
    [k: string]: Paid[];
  };
}
export interface Moved {
  type: "moved";
  seat: number;
  /**
   * @minItems 2
   * @maxItems 2
   */
  from: [number, number];
  /**
   * @minItems 2
   * @maxItems 2
   */
  to: [number, number];
  taken: [number, number][];
  at_ms: number;
}
export interface Joined1 {
  type: "joined";
  seat: number;
}
export interface Entered {
  type: "entered";
  seat: number;
  club?: string;
}
export interface Withdrew {
  type: "withdrew";
  seat: number;
}
/**
 * `order` is the seeding, the best first.
 */
export interface Begun {
  type: "begun";
  at_ms: number;
  order: number[];
}
/**
 * A game is to be played, and `first` has its first seat, which in most games begins. Rounds
 *     count from 1; an arena has none (0).
 */
export interface Paired {
  type: "paired";
  game: number;
  first: number;
  second: number;
  round?: number;
  stage?: string;
  slot?: number;
}
/**
 * Someone goes on without a game.
 */
export interface Bye {
  type: "bye";
  seat: number;
  round: number;
  stage?: string;
  slot?: number;
}
/**
 * Who plays for the same places from now on, the best places first.
 */
export interface Grouped {
  type: "grouped";
  groups: number[][];
}
export interface Reported {
  type: "reported";
  game: number;
  winner?: number | null;
  reason?: string;
  scores?: [number, number] | null;
  table?: number;
}
/**
 * The time is up: what is being played is the last.
 */
export interface PairingEnded {
  type: "pairing_ended";
}
/**
 * `ranking` has all entrants, the best first; those who share the first rank have won.
 */
export interface Finished {
  type: "finished";
  reason: string;
  winners: number[];
  ranking: number[];
}
/**
 * A row of a round that is still played, as a spectator may see it. It proves nothing.
 */
export interface SeenRow {
  table: number;
  seq: number;
  round: number;
  at_ms: number;
  seat: number | null;
  events: (
    | Opened1
    | Seated
    | SeatsDrawn
    | Started
    | Left
    | RematchWanted
    | ReservationsLapsed
    | OptionsSet
    | RoundEnded
    | RoundVoided
    | Closed
    | Dropped
    | Resigned
    | DrawOffered
    | DrawAnswered
    | TimedOut
    | Abandoned
    | Joined
    | Parted
    | CardsDealt
    | Called
    | BingoClaimed
    | AllCalled
    | BoardsDealt
    | Picked
    | BetPlaced
    | BetsPlaced
    | BettingClosed
    | Rolled
    | Settled
    | Moved
    | Joined1
    | Entered
    | Withdrew
    | Begun
    | Paired
    | Bye
    | Grouped
    | Reported
    | PairingEnded
    | Finished
  )[];
  filtered?: true;
}
export interface ReadStandings {
  game?: string | null;
  limit?: number;
}
export interface StandingsList {
  standings: WinRecord[];
}
export interface WinRecord {
  player: number;
  name: string;
  played: number;
  won: number;
  drawn: number;
  lost: number;
}
export interface BalanceInfo {
  balance: number;
}
export interface ReadStatement {
  before?: number | null;
  limit?: number;
}
export interface StatementList {
  items: StatementItem[];
  next: number | null;
}
/**
 * A transfer as its player sees it: `chips` is negative when paid.
 */
export interface StatementItem {
  id: number;
  table: number;
  seq: number;
  n: number;
  chips: number;
  other: string;
  at_ms: number;
}
export interface Say {
  table: number;
  text: string;
}
export interface Report1 {
  player: number;
  text: string;
  table?: number | null;
}
export interface ReportId {
  report: number;
}
export interface Rebet {
  table: number;
  round?: number | null;
}
export interface BetHistory {
  histories: BetRound[];
}
/**
 * A finished round, with one's own bets in it.
 */
export interface BetRound {
  round: number;
  dice: number[];
  sum: number;
  result: ("BIG" | "NONE" | "SMALL") | null;
  bets: PlacedBet[];
}
export interface PlacedBet {
  bet: number;
  side:
    | "ANY_LEO"
    | "BIG"
    | "DICE12"
    | "DICE13"
    | "DICE14"
    | "DICE15"
    | "DICE16"
    | "DICE1DB"
    | "DICE1SG"
    | "DICE23"
    | "DICE24"
    | "DICE25"
    | "DICE26"
    | "DICE2DB"
    | "DICE2SG"
    | "DICE34"
    | "DICE35"
    | "DICE36"
    | "DICE3DB"
    | "DICE3SG"
    | "DICE45"
    | "DICE46"
    | "DICE4DB"
    | "DICE4SG"
    | "DICE56"
    | "DICE5DB"
    | "DICE5SG"
    | "DICE6DB"
    | "DICE6SG"
    | "EVEN"
    | "LEO1"
    | "LEO2"
    | "LEO3"
    | "LEO4"
    | "LEO5"
    | "LEO6"
    | "ODD"
    | "SMALL"
    | "SUM10"
    | "SUM11"
    | "SUM12"
    | "SUM13"
    | "SUM14"
    | "SUM15"
    | "SUM16"
    | "SUM17"
    | "SUM4"
    | "SUM5"
    | "SUM6"
    | "SUM7"
    | "SUM8"
    | "SUM9";
  amount: number;
  paid?: number | null;
}
export interface Deposit {
  amount: number;
}
/**
 * Whatever it asks for: it is refused.
 */
export interface SetMode {}
export interface OpenTournament {
  game: string;
  format?: string;
  title?: string;
  game_options?: {};
  rated?: boolean;
  rounds?: number;
  minutes?: number;
  starts_at_ms?: number;
  players_most?: number;
}
export interface TournamentId {
  tournament: number;
}
export interface AtTournament {
  tournament: number;
}
export interface EnterTournament {
  tournament: number;
  /**
   * The machine that one plays for.
   */
  club?: string;
}
export interface EnteredAs {
  tournament: number;
  seat: number | null;
}
export interface ListTournaments {
  status?: ("closed" | "over" | "playing" | "waiting") | null;
  after?: number;
  limit?: number;
}
export interface TournamentList {
  tournaments: TableInfo[];
  next: number | null;
}
export interface TableInfo {
  id: number;
  game: string;
  status: "closed" | "over" | "playing" | "waiting";
  round: number;
  round_seq: number;
  head: number;
  hash: string;
  names: string[];
  count: number;
  private: boolean;
  rated: boolean;
  opened_at_ms: number;
  changed_at_ms: number;
}
export interface TournamentShown {
  tournament: number;
  names: {
    [k: string]: string;
  };
  tables: {
    [k: string]: number;
  };
  view: View;
}
export interface View {
  title: string;
  format: string;
  game: string;
  status: "open" | "over" | "running";
  starts_at_ms: number;
  ends_at_ms: number;
  rated: boolean;
  winners: number[];
  entrants: Entrant[];
  standings: Standing[];
  games: Match[];
  games_count: number;
  byes: Rest[];
  bracket: {
    [k: string]: number[][];
  };
  groups: number[][];
}
export interface Entrant {
  seat: number;
  club: string;
  withdrawn: boolean;
}
export interface Standing {
  rank: number;
  seat: number;
  points: number;
  played: number;
  won: number;
  drawn: number;
  lost: number;
  byes: number;
  tie_breaks?: {
    [k: string]: number;
  };
}
/**
 * A pairing as it stands. Numbers count from 1.
 */
export interface Match {
  first: number;
  second: number;
  round: number;
  stage?: string;
  slot?: number;
  number: number;
  state?: "over" | "playing";
  winner?: number | null;
  reason?: string;
  scores?: [number, number] | null;
  table?: number;
}
/**
 * Someone has no opponent, and goes on as after a win: a bye.
 */
export interface Rest {
  seat: number;
  round: number;
  stage?: string;
  slot?: number;
}
export interface ReadRatings {
  game: string;
  bots?: boolean;
  limit?: number;
}
/**
 * The best first, by what they are with near certainty: `mu` less three times `sigma`.
 */
export interface RatingList {
  ratings: Rating[];
}
/**
 * How strong a player probably is at a game: around `mu`, give or take `sigma`.
 */
export interface Rating {
  player: number;
  name: string;
  game: string;
  bot: boolean;
  mu: number;
  sigma: number;
  rounds: number;
}
/**
 * What happened at a table, as this seat may see it.
 */
export interface TableEvents {
  table: number;
  seq: number;
  after: number;
  events: (
    | Opened1
    | Seated
    | SeatsDrawn
    | Started
    | Left
    | RematchWanted
    | ReservationsLapsed
    | OptionsSet
    | RoundEnded
    | RoundVoided
    | Closed
    | Dropped
    | Resigned
    | DrawOffered
    | DrawAnswered
    | TimedOut
    | Abandoned
    | Joined
    | Parted
    | CardsDealt
    | Called
    | BingoClaimed
    | AllCalled
    | BoardsDealt
    | Picked
    | BetPlaced
    | BetsPlaced
    | BettingClosed
    | Rolled
    | Settled
    | Moved
    | Joined1
    | Entered
    | Withdrew
    | Begun
    | Paired
    | Bye
    | Grouped
    | Reported
    | PairingEnded
    | Finished
  )[];
}
/**
 * A table as one seat, or a spectator, may see it.
 */
export interface TableView {
  table: number;
  seq: number;
  game: string;
  options: {};
  seat: number | null;
  status: string;
  round: number;
  commitment: string;
  view: unknown;
  legal: (
    Drop | Resign | OfferDraw | AnswerDraw | Ready | Claim | Deal | Pick | Bet | PlaceBets | Move | Enter | Withdraw
  )[];
  picture: Picture | null;
  players: SeatInfo[];
  count: number;
  clock: ClockInfo | null;
  outcome: Outcome | null;
  rematch: number[];
  watching: number;
  key: string | null;
}
/**
 * A generic drawing, so that a game can be played before anyone draws it by hand.
 */
export interface Picture {
  rows: Cell[][];
  caption?: string;
}
/**
 * One place of a picture: what it shows, in which tone, and what a click on it sends.
 */
export interface Cell {
  label?: string;
  tone?: string;
  command?: {
    [k: string]: unknown;
  };
}
export interface SeatInfo {
  seat: number;
  id: number;
  name: string;
  bot?: string | null;
  here?: boolean;
  left?: boolean;
}
/**
 * When something happens by itself, and for whom the table waits till then.
 */
export interface ClockInfo {
  due_ms: number;
  seat: number | null;
  now_ms: number;
}
export interface Seated1 {
  table: number;
  game: string;
  seat: number | null;
}
/**
 * How many watch has changed.
 */
export interface Watching {
  table: number;
  count: number;
}
export interface PlayerDropped {
  table: number;
  player: number;
  name: string;
  seconds: number;
}
export interface PlayerBack {
  table: number;
  player: number;
  name: string;
}
export interface PlayerLeft {
  table: number;
  player: number;
  name: string;
  seat: number;
  reason: string;
}
/**
 * Fields of the table's `view` as they are by now, where not everyone is told every event.
 */
export interface Glance {
  table: number;
  view: {};
}
/**
 * A round has ended; `outcome` is null if it was void.
 */
export interface TableOver {
  table: number;
  seq: number;
  after: number;
  round: number;
  outcome: Outcome | null;
  secret: string;
  hash: string;
}
export interface Challenged {
  challenge: number;
  player: number;
  name: string;
  game: string;
  options: {};
  seconds: number;
}
export interface ChallengeRefused {
  challenge: number;
  player: number;
  reason: string;
}
export interface ChallengeExpired {
  challenge: number;
}
export interface ChallengeWithdrawn {
  challenge: number;
  reason: string;
}
/**
 * A game that was agreed on has not begun: the hall could not save it in time.
 */
export interface NotBegun {
  table: number;
}
/**
 * What has changed since the last one.
 */
export interface Lobby {
  tables: LobbyTable[];
  players: LobbyPlayer[];
}
export interface LobbyTable {
  id: number;
  game: string;
  status: string;
  names: string[];
  count: number;
  rated: boolean;
  options: {};
  most: number;
}
export interface Said {
  table: number;
  player: number;
  name: string;
  text: string;
}
export interface GoingAway {
  seconds: number;
}
export interface GamesPage {
  games: GameInfo[];
  next: number | null;
}
/**
 * Who a player is, and the finished rounds at public tables, newest first.
 */
export interface PlayerRecord {
  id: number;
  name: string;
  kind: "bot" | "guest" | "member";
  results: HistoryItem[];
  next: number | null;
}
export interface StandingsPage {
  standings: WinRecord[];
  next: number | null;
}
export interface Replay {
  round: ReplayedRound;
  frames: Frame[];
  next: number | null;
}
export interface ReplayedRound {
  table: number;
  round: number;
  rounds: number;
  game: string;
  options: {};
  rated: boolean;
  players: SeatInfo[];
  commitment: string;
  secret: string;
  outcome: Outcome | null;
  voided: string | null;
  first_seq: number;
  last_seq: number;
}
/**
 * The table after one row of its journal.
 */
export interface Frame {
  seq: number;
  at_ms: number;
  seat: number | null;
  events: (
    | Opened1
    | Seated
    | SeatsDrawn
    | Started
    | Left
    | RematchWanted
    | ReservationsLapsed
    | OptionsSet
    | RoundEnded
    | RoundVoided
    | Closed
    | Dropped
    | Resigned
    | DrawOffered
    | DrawAnswered
    | TimedOut
    | Abandoned
    | Joined
    | Parted
    | CardsDealt
    | Called
    | BingoClaimed
    | AllCalled
    | BoardsDealt
    | Picked
    | BetPlaced
    | BetsPlaced
    | BettingClosed
    | Rolled
    | Settled
    | Moved
    | Joined1
    | Entered
    | Withdrew
    | Begun
    | Paired
    | Bye
    | Grouped
    | Reported
    | PairingEnded
    | Finished
  )[];
  view: unknown;
  picture: Picture | null;
  outcome: Outcome | null;
}
export interface Analysis {
  table: number;
  round: number;
  moves: JudgedMove[];
}
export interface JudgedMove {
  seq: number;
  seat: number;
  column: number;
  columns: (Worth | null)[];
  verdict: "draw_thrown_away" | "kept" | "win_thrown_away";
}
/**
 * What a drop is worth to whoever makes it, if nobody errs from there on.
 */
export interface Worth {
  result: "draw" | "loss" | "win";
  plies: number;
}
export interface VoidedRound {
  table: number;
  round: number;
}
/**
 * The newest first.
 */
export interface ReportsPage {
  reports: Report2[];
  next: number | null;
}
export interface Report2 {
  id: number;
  at_ms: number;
  reporter: Named;
  reported: Named;
  table: number | null;
  text: string;
  chat: ChatLine[];
}
export interface Named {
  id: number;
  name: string;
}
export interface ChatLine {
  player: number;
  name: string;
  text: string;
}
export interface ServersPage {
  servers: ServerInfo1[];
  next: number | null;
}
export interface ServerInfo1 {
  id: number;
  name: string;
  address: string;
  port: number;
  rule: string;
  author: string;
  reachable: boolean;
}
export interface MatchesPage {
  matches: MatchInfo[];
  next: number | null;
}
/**
 * Its key is told to nobody but who made it.
 */
export interface MatchInfo {
  id: number;
  server: number;
  uid1: number;
  uid2: number;
  status: "asked" | "failed" | "over" | "running" | "waiting";
  score1: number | null;
  score2: number | null;
  made_at_ms: number;
  ended_at_ms: number | null;
}
/**
 * What both users have to know to play it.
 */
export interface MadeMatch {
  matchId: number;
  address: string;
  port: number;
  keymatch: string;
}
export interface ScoresPage {
  scores: ScoreInfo[];
  next: number | null;
}
export interface ScoreInfo {
  uid: number;
  played: number;
  won: number;
  drawn: number;
  lost: number;
  points_for: number;
  points_against: number;
}
export interface AwayList {
  tournaments: AwayInfo[];
  next: number | null;
}
export interface AwayInfo {
  away: number;
  url: string;
  tournament: number;
  seen_at_ms: number;
  reachable: boolean;
  title: string;
  format: string;
  game: string;
  status: "open" | "over" | "running";
  entrants: number;
}
export interface AwayId {
  away: number;
}
export interface AwayShown {
  away: number;
  url: string;
  tournament: number;
  seen_at_ms: number;
  reachable: boolean;
  shown: TournamentShown;
}
export interface View1 {
  board: number[][];
  length: number;
  turn: number | null;
  last: Spot | null;
  line: Spot[];
  offer: number | null;
  deadline_ms: number | null;
}
/**
 * A place on the board; row 0 is the topmost.
 */
export interface Spot {
  column: number;
  row: number;
}
export interface View2 {
  playing: boolean;
  card: number[][] | null;
  called: number[];
  players: number;
  ready: number;
  winner: number | null;
}
export interface View3 {
  size: number;
  turn: number | null;
  picked: number[];
  /**
   * @minItems 2
   * @maxItems 2
   */
  sides: [Side, Side];
  seat: number | null;
}
/**
 * One board, as the viewer may see it.
 */
export interface Side {
  board: number[][];
  lines: number | null;
}
export interface View4 {
  round: number;
  status: "BETTING_CLOSE" | "BETTING_OPEN" | "FINISH";
  open_ms: number;
  close_ms: number;
  tally: Tally;
  sides: {
    [k: string]: OnSide;
  };
  dice: number[];
  sum: number;
  result: ("BIG" | "NONE" | "SMALL") | null;
  bet_max: number;
  chips: number[];
  odds: {
    [k: string]: number[];
  };
  stake: Stake;
  bets: PlacedBet[];
  history: PastRound[];
}
export interface PastRound {
  round: number;
  open_ms: number;
  close_ms: number;
  tally: Tally;
  /**
   * @minItems 3
   * @maxItems 3
   */
  dice: [number, number, number];
  sum: number;
  result: "BIG" | "NONE" | "SMALL";
}
export interface View5 {
  board: number[][];
  turn: number | null;
  last: LastMove | null;
  times: number;
  deadline_ms: number | null;
}
export interface LastMove {
  /**
   * @minItems 2
   * @maxItems 2
   */
  from: [number, number];
  /**
   * @minItems 2
   * @maxItems 2
   */
  to: [number, number];
  taken: [number, number][];
}
export interface ConnectFourOptions {
  columns?: number;
  rows?: number;
  length?: number;
  move_seconds?: number;
}
export interface BingoOptions {
  pause_seconds?: number;
  ready_seconds?: number;
  free_centre?: boolean;
}
export interface BingoDuelOptions {
  size?: number;
}
export interface SicBoOptions {
  betting_seconds?: number;
  reveal_seconds?: number;
  pause_seconds?: number;
  bet_max?: number;
}
export interface FourStoneOptions {
  move_seconds?: number;
}
export interface TournamentOptions {
  title?: string;
  format?: "arena" | "derby" | "double-elimination" | "round-robin" | "single-elimination" | "swiss";
  game?: string;
  game_options?: {};
  rated?: boolean;
  rounds?: number;
  minutes?: number;
  starts_at_ms?: number;
  players_most?: number;
  organiser?: number;
}
/**
 * The last line of an exported log.
 */
export interface Trailer {
  head: number;
  hash: string;
}
export interface ErrorPayload {
  code: ErrorCode;
  message: string;
  requestId?: string | null;
}
