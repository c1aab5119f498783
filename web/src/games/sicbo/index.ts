import type { PageGame } from "../game.ts";
import { Board } from "./Board.tsx";
import { Emblem } from "./Emblem.tsx";
import { reduce } from "./reduce.ts";
import { words } from "./words.ts";

export const sicBo: PageGame<"sicbo"> = { name: "sicbo", words, Emblem, Board, reduce };
