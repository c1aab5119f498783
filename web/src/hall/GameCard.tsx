import { useState } from "react";
import { drawn } from "../games/registry.ts";
import { useGameTitle, useGameWords } from "../games/words.ts";
import { link } from "../routes.ts";
import { Action } from "../shell/Action.tsx";
import { useText } from "../text/text.ts";
import type { GameInfo } from "../wire/messages.ts";
import { comeIn, needsOpponent, openTable, seeking } from "./play.ts";
import { hallTexts } from "./texts.ts";

export function GameCard({ game }: { game: GameInfo }) {
  const t = useText(hallTexts);
  const title = useGameTitle()(game.name);
  const words = useGameWords(game.name);
  const Emblem = drawn(game.name)?.Emblem;
  const duel = needsOpponent(game);
  return (
    <article className="card game-card" data-game={game.name} aria-label={title}>
      <div className="game-emblem" aria-hidden="true">
        {Emblem ? <Emblem /> : <span className="game-letter">{title.slice(0, 1)}</span>}
      </div>
      <div className="stack game-words">
        <h3>{title}</h3>
        {words && <p className="small soft">{words.summary}</p>}
      </div>
      <div className="stack game-ways">
        <div className="row">
          <Action className="button primary" run={() => (duel ? seeking.start(game.name) : comeIn(game.name))}>
            {duel ? t.play : t.enter}
          </Action>
          {duel && <Action run={() => openTable(game.name, { private: true })}>{t.friend}</Action>}
          {duel && <Action run={() => openTable(game.name)}>{t.openTable}</Action>}
          <a className="button small" href={link("games", game.name)}>
            {t.rules}
          </a>
        </div>
        {duel && game.bots.length > 0 && <AgainstBot game={game} title={title} />}
      </div>
    </article>
  );
}

function AgainstBot({ game, title }: { game: GameInfo; title: string }) {
  const t = useText(hallTexts);
  const [level, setLevel] = useState(game.bots.find((each) => each === "sensible") ?? game.bots.at(-1) ?? "");
  const names: Readonly<Record<string, string>> = t.levels;
  return (
    <div className="row">
      <Action run={() => openTable(game.name, { bots: [level] })}>{t.bot}</Action>
      <select aria-label={t.level(title)} value={level} onChange={(event) => setLevel(event.target.value)}>
        {game.bots.map((each) => (
          <option key={each} value={each}>
            {names[each] ?? each}
          </option>
        ))}
      </select>
    </div>
  );
}
