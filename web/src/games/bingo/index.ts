import type { PageGame } from "../game.ts";
import { Board } from "./Board.tsx";
import { Emblem } from "./Emblem.tsx";
import { reduce } from "./reduce.ts";
import { words } from "./words.ts";

export const bingo: PageGame<"bingo"> = { name: "bingo", words, Emblem, Board, reduce };
