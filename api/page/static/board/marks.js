/** Words below the cards of the board: what each move is worth, by the move. A tab sets them. */
import { signal } from "../core/html.js";

export const marks = signal(/** @type {Map<string, string>} */ (new Map()));
