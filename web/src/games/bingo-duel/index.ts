import type { PageGame } from "../game.ts";
import { Board } from "./Board.tsx";
import { Emblem } from "./Emblem.tsx";
import { reduce } from "./reduce.ts";
import { words } from "./words.ts";

export const bingoDuel: PageGame<"bingo-duel"> = { name: "bingo-duel", words, Emblem, Board, reduce };
