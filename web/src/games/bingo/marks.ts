/** How a player marks: by hand or by itself, and what was marked by hand. */

import { useState } from "react";
import { read, write } from "../../wire/storage.ts";

const AUTO_KEPT = "gamehall.bingo.auto";
const MARKS_KEPT = "gamehall.bingo.marks";

/** Whether numbers are marked as they are called; kept for the next visit. */
export function useAutoMark(): [boolean, (auto: boolean) => void] {
  const [auto, setAuto] = useState(() => read(AUTO_KEPT) !== "no");
  const choose = (chosen: boolean): void => {
    write(AUTO_KEPT, chosen ? "yes" : "no");
    setAuto(chosen);
  };
  return [auto, choose];
}

interface Marks {
  card: string;
  numbers: readonly number[];
}

/** The numbers marked by hand on this card. They survive a reload, and go with the card. */
export function useHandMarks(numbers: readonly number[]): [ReadonlySet<number>, (number: number) => void] {
  const card = numbers.join();
  const [marks, setMarks] = useState<Marks>(keptMarks);
  const own = marks.card === card ? marks.numbers : [];
  const toggle = (number: number): void => {
    const next = { card, numbers: own.includes(number) ? own.filter((each) => each !== number) : [...own, number] };
    sessionStorage.setItem(MARKS_KEPT, JSON.stringify(next));
    setMarks(next);
  };
  return [new Set(own), toggle];
}

function keptMarks(): Marks {
  const kept = sessionStorage.getItem(MARKS_KEPT);
  return kept === null ? { card: "", numbers: [] } : (JSON.parse(kept) as Marks);
}
