import { drawn } from "../games/registry.ts";
import { useGameTitle, useGameWords } from "../games/words.ts";
import { link } from "../routes.ts";
import { Title } from "../shell/Title.tsx";
import { useText } from "../text/text.ts";
import { GameCard } from "./GameCard.tsx";
import { useLobby } from "./stores.ts";
import { TableList } from "./TableList.tsx";
import { hallTexts } from "./texts.ts";
import "./hall.css";

/** One game: how it goes, and every way into it. */
export function RulesPage({ game: name }: { game: string }) {
  const t = useText(hallTexts);
  const words = useGameWords(name);
  const title = useGameTitle()(name);
  const { games, tables } = useLobby();
  const game = games.find((each) => each.name === name);
  const here = tables.filter((table) => table.game === name);
  return (
    <div className="stack">
      <Title>{title}</Title>
      {game && <GameCard game={game} />}
      {words && (
        <section className="card stack rules">
          <h2>{t.rules}</h2>
          {words.rules.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </section>
      )}
      {drawn(name) === undefined && !game && <a href={link()}>{t.games}</a>}
      <TableList title={t.running} none={t.noRunning} tables={here} />
    </div>
  );
}
