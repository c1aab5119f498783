import { useGameTitle } from "../games/words.ts";
import { useLobby } from "../hall/stores.ts";

interface Props {
  label: string;
  /** What stands for all of them; without it one has to be chosen. */
  all?: string;
  value: string;
  choose: (game: string) => void;
  /** Only games that two play against each other. */
  duels?: boolean;
}

export function GameSelect({ label, all, value, choose, duels = false }: Props) {
  const title = useGameTitle();
  const games = useLobby().games.filter((game) => !duels || game.least === 2);
  return (
    <label className="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => choose(event.target.value)}>
        {all !== undefined && <option value="">{all}</option>}
        {games.map(({ name }) => (
          <option key={name} value={name}>
            {title(name)}
          </option>
        ))}
      </select>
    </label>
  );
}
