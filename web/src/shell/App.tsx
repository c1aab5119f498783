import { type ReactNode, Suspense, useEffect, useRef } from "react";
import { AccountPage } from "../account/AccountPage.tsx";
import { HallPage } from "../hall/HallPage.tsx";
import { RulesPage } from "../hall/RulesPage.tsx";
import { link, type Place, usePlace } from "../routes.ts";
import { MatchPage } from "../table/MatchPage.tsx";
import { TablePage } from "../table/TablePage.tsx";
import { useText } from "../text/text.ts";
import { ChallengeList } from "./ChallengeList.tsx";
import { Fallible } from "./Fallible.tsx";
import { Header } from "./Header.tsx";
import { later } from "./later.ts";
import { Title } from "./Title.tsx";
import { Toasts } from "./Toasts.tsx";
import { shellTexts } from "./texts.ts";
import "../style/base.css";
import "./shell.css";

// What is looked at now and then is loaded then.
const HistoryPage = later(async () => (await import("../history/HistoryPage.tsx")).HistoryPage);
const ReplayPage = later(async () => (await import("../replay/ReplayPage.tsx")).ReplayPage);
const VerifyPage = later(async () => (await import("../verify/VerifyPage.tsx")).VerifyPage);
const PlayerPage = later(async () => (await import("../players/PlayerPage.tsx")).PlayerPage);
const StandingsPage = later(async () => (await import("../players/StandingsPage.tsx")).StandingsPage);
const TournamentsPage = later(async () => (await import("../tournaments/TournamentsPage.tsx")).TournamentsPage);
const TournamentPage = later(async () => (await import("../tournaments/TournamentPage.tsx")).TournamentPage);
const AwayPage = later(async () => (await import("../tournaments/TournamentPage.tsx")).AwayPage);
const ArenaPage = later(async () => (await import("../arena/ArenaPage.tsx")).ArenaPage);

export function App() {
  const t = useText(shellTexts);
  const place = usePlace();
  // Behind the first three parts stands only the moment of a replay.
  const where = place.path.slice(0, 3).join("/");
  // As if a new page had been loaded: screen readers and the scroll begin at its top. The browser
  // has done so for the first, where the Tab key begins at the skip link.
  const shown = useRef(where);
  useEffect(() => {
    if (shown.current === where) return;
    shown.current = where;
    scrollTo(0, 0);
    document.getElementById("content")?.focus({ preventScroll: true });
  }, [where]);
  return (
    <>
      <Header />
      <main id="content" tabIndex={-1}>
        <ChallengeList />
        <Fallible key={where}>
          <Suspense fallback={<p role="status">{t.oneMoment}</p>}>{page(place) || <NotFound />}</Suspense>
        </Fallible>
      </main>
      <Toasts />
      <footer className="footer soft small">
        {t.footer} <a href="./api/openapi.json">{t.programs}</a>
      </footer>
    </>
  );
}

function page({ path, query }: Place): ReactNode {
  const [name, first = "", second = "", third = ""] = path;
  const key = query.get("key");
  const number = Number(first);
  const isNumber = /^\d{1,10}$/.test(first) && number < 2 ** 31;
  switch (name) {
    case undefined:
      return <HallPage />;
    case "account":
      return <AccountPage />;
    case "games":
      return <RulesPage game={first} />;
    case "table":
      return isNumber && <TablePage key={number} table={number} tableKey={key} />;
    case "match":
      return isNumber && <MatchPage uid={number} matchKey={second} />;
    case "history":
      return <HistoryPage />;
    case "replay":
      return (
        isNumber && (
          <ReplayPage
            key={`${first}/${second}`}
            table={number}
            round={Number(second) || 1}
            seq={Number(third) || null}
            tableKey={key}
          />
        )
      );
    case "verify":
      return (
        isNumber && (
          <VerifyPage
            key={`${first}/${second}`}
            table={number}
            round={Number(second) || null}
            {...(key ? { tableKey: key } : {})}
          />
        )
      );
    case "player":
      return <PlayerPage key={first} name={first} />;
    case "standings":
      return <StandingsPage />;
    case "tournaments":
      return <TournamentsPage />;
    case "tournament":
      return isNumber && <TournamentPage key={number} tournament={number} />;
    case "away":
      return isNumber && <AwayPage key={number} away={number} />;
    case "arena":
      return <ArenaPage />;
    default:
      return null;
  }
}

function NotFound() {
  const t = useText(shellTexts);
  return (
    <div className="stack">
      <Title>{t.notFound}</Title>
      <p>
        <a className="button" href={link()}>
          {t.toHall}
        </a>
      </p>
    </div>
  );
}
