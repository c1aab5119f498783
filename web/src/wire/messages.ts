/** The server's messages, by the names under which the page uses them. */

import type { ErrorCode, Messages } from "./server.ts";

export type { ErrorCode };
export type Actions = Messages["actions"];
export type Action = keyof Actions;
export type Ask<A extends Action> = Actions[A]["ask"];
export type Answer<A extends Action> = Actions[A]["answer"];
export type Notices = Messages["notices"];
export type NoticeName = keyof Notices;
export type ApiAnswers = Messages["answers"];

/** The games that the page draws by hand; all others it draws by their `picture`. */
export type GameName = Exclude<keyof Messages["views"], "tournament">;
export type Views = Messages["views"];
export type Commands = Messages["commands"];
export type Events = Messages["events"];
export type GameOptions = Messages["options"];
export type HouseEvent = Messages["houseEvents"];
export type Row = Messages["row"];
export type Trailer = Messages["trailer"];

export type TableView = Notices["table_view"];
export type SeatInfo = TableView["players"][number];
export type Picture = NonNullable<TableView["picture"]>;
export type Outcome = NonNullable<TableView["outcome"]>;
export type GameInfo = Answer<"list_games">["games"][number];
