/** What a tab writes on the cards of the board. */
import { signal } from "../core/html.js";

/** Words below the cards: what each move is worth, by the move. */
export const marks = signal(/** @type {Map<string, string>} */ (new Map()));
/** The cards of the move that is advised, which stand out. */
export const advised = signal(/** @type {string[]} */ ([]));
