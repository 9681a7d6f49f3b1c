/**
 * Moves on the table of which more has to be told: in a view the cards that are turned up after the own move, what the
 * others pick at the same time, or the card that a pass draws. They are collected until the service has all it needs.
 */
import { effect, signal } from "../core/html.js";
import { Refused, ask, verify } from "../core/ask.js";
import { play } from "../core/session.js";
import { foretell, line, table } from "../core/table.js";
import { say } from "../core/words.js";
import { TOGETHER } from "../core/tree.js";

const DRAWS = "draws"; // how the service writes a card that is drawn

/** What has been told of a move so far, the move first; empty where none waits. */
export const told = signal(/** @type {string[]} */ ([]));
/** What is still to be told, or what was wrong with the last card, in the service's words. */
export const wanted = signal("");
/** Whether the move that waits has to be told after the card that it draws. */
const drawing = signal(false);

effect(() => {
  if (line.value !== null) forget();
});

/** Give up a move of which not all is told. */
export function forget() {
  told.value = [];
  wanted.value = "";
  drawing.value = false;
}

/** Ask the service why a card may not be played now. @param {string} card */
export async function explain(card) {
  try {
    await verify({ position: table.value.text, moves: [card] });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    wanted.value = error.message;
  }
}

/** Make a move on the table, or tell one more thing of the one that waits. @param {string} text */
export async function make(text) {
  const all = drawing.value ? [`${DRAWS} ${text}`] : [...told.value, text];
  const body = { position: table.value.text, moves: all };
  try {
    await verify(body);
    foretell(all, await ask("v1/play", body));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    drawing.value = error.code === "draw_first";
    wanted.value = drawing.value ? say("turned.drawn") : error.message;
    if (error.code === "incomplete_move" || drawing.value) told.value = all;
    return;
  }
  play(all.join(TOGETHER));
}
