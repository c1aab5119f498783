import type { PageGame } from "../game.ts";
import { Board } from "./Board.tsx";
import { Emblem } from "./Emblem.tsx";
import { reduce } from "./reduce.ts";
import { words } from "./texts.ts";

export const connectFour: PageGame<"connect-four"> = { name: "connect-four", words, Emblem, Board, reduce };
