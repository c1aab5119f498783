import { lazy, type ReactNode, Suspense, useEffect, useRef } from "react";
import { AccountPage } from "../account/AccountPage.tsx";
import { HallPage } from "../hall/HallPage.tsx";
import { RulesPage } from "../hall/RulesPage.tsx";
import { link, type Place, usePlace } from "../routes.ts";
import { MatchPage } from "../table/MatchPage.tsx";
import { TablePage } from "../table/TablePage.tsx";
import { useText } from "../text/text.ts";
import { Fallible } from "./Fallible.tsx";
import { Header } from "./Header.tsx";
import { shellTexts } from "./texts.ts";
import { Toasts } from "./Toasts.tsx";
import "../style/base.css";
import "./shell.css";

// What is looked at now and then is loaded then.
const HistoryPage = lazy(async () => ({ default: (await import("../history/HistoryPage.tsx")).HistoryPage }));
const ReplayPage = lazy(async () => ({ default: (await import("../replay/ReplayPage.tsx")).ReplayPage }));
const VerifyPage = lazy(async () => ({ default: (await import("../verify/VerifyPage.tsx")).VerifyPage }));
const PlayerPage = lazy(async () => ({ default: (await import("../players/PlayerPage.tsx")).PlayerPage }));
const StandingsPage = lazy(async () => ({ default: (await import("../players/StandingsPage.tsx")).StandingsPage }));
const TournamentsPage = lazy(async () => ({ default: (await import("../tournaments/TournamentsPage.tsx")).TournamentsPage }));
const TournamentPage = lazy(async () => ({ default: (await import("../tournaments/TournamentPage.tsx")).TournamentPage }));
const AwayPage = lazy(async () => ({ default: (await import("../tournaments/TournamentPage.tsx")).AwayPage }));
const ArenaPage = lazy(async () => ({ default: (await import("../arena/ArenaPage.tsx")).ArenaPage }));

export function App() {
  const t = useText(shellTexts);
  const place = usePlace();
  const where = place.path.join("/");
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
        <Fallible key={where}>
          <Suspense>{page(place) || <NotFound />}</Suspense>
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
  const isNumber = /^\d{1,15}$/.test(first);
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
      return isNumber && <ReplayPage key={`${first}/${second}/${third}`} table={number} round={Number(second) || 1} seq={Number(third) || null} tableKey={key} />;
    case "verify":
      return isNumber && <VerifyPage key={`${first}/${second}`} table={number} round={Number(second) || null} {...(key ? { tableKey: key } : {})} />;
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
      <h1>{t.notFound}</h1>
      <p>
        <a className="button" href={link()}>
          {t.toHall}
        </a>
      </p>
    </div>
  );
}
