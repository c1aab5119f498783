import type { PageGame } from "../game.ts";
import { Board } from "./Board.tsx";
import { Emblem } from "./Emblem.tsx";
import { reduce } from "./reduce.ts";
import { words } from "./texts.ts";

export const fourStone: PageGame<"four-stone"> = { name: "four-stone", words, Emblem, Board, reduce };
