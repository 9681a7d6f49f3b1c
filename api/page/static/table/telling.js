/**
 * Moves that need further input: in a view, the cards turned up after the player's move, the others' simultaneous
 * picks, or the card that a pass draws. The input is collected until the service has everything it needs.
 */
import { computed, effect, signal, untracked } from "../core/html.js";
import { Refused, verify } from "../core/ask.js";
import { address, go, key, moves, path, play, tab, tree } from "../core/session.js";
import { foretell, instead, isHinted, line, table } from "../core/table.js";
import { say } from "../core/words.js";
import { codeOf, deckOf } from "../cards/faces.js";
import { cardsOf, deedOf } from "../cards/moves.js";
import { gameOf } from "../games/index.js";
import { TOGETHER, along, writePath } from "../core/tree.js";

const DRAWS = "draws"; // the service's words for a drawn card, and for a move against the rules
const ANYWAY = "anyway";

/** The same empty list always: what shows a list is drawn anew only if it was not empty. @type {string[]} */
const NONE = [];
/** The input for a move so far, starting with the move; empty if none is waiting. */
export const told = signal(NONE);
/** The place of the input that is given anew; 0 for none, as the move itself is undone. */
export const again = signal(0);
/** What is still to be said about that move, as a question. */
export const question = signal("");
/** What was wrong with the last card, in the service's words. */
export const wanted = signal("");
/** The refused move that can be entered all the same, if it stood at the table; empty if there is none. */
export const stood = signal("");
/** Whether the card drawn must be given before the waiting move. */
const drawing = signal(false);

/** The same in the address, which a reload and a way back lead to: it is of the table that the address has. */
const kept = key("told");

/** Whether what is told was gone back to: then not even the only card that can follow is told by itself. */
export const isBack = signal(false);

/** Whether what the address has is being told, so that nothing else is asked. */
export const isTelling = signal(false);

effect(() => {
  if (line.value === null) return;
  clear();
  untracked(() => {
    if (kept.value && !instead.value && table.value.from === address.value.text) tell(kept.value.split(TOGETHER));
  });
});

function clear() {
  told.value = NONE;
  again.value = 0;
  question.value = "";
  wanted.value = "";
  stood.value = "";
  drawing.value = false;
}

/** Drop a move whose input is incomplete. */
export function forget() {
  clear();
  keep(NONE);
}

/** @param {string[]} given a move and the input so far */
function keep(given) {
  go({ keys: { told: given.join(TOGETHER) } }, { replace: true });
}

/** Why a move can't be made now, by the service; null if it can. @param {string} move */
async function refusal(move) {
  try {
    await verify({ position: table.value.text, moves: [move] });
    return null;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return error;
  }
}

/** Why a move can't be made now, in words; empty if it can. @param {string} move */
export async function whyNot(move) {
  return (await refusal(move))?.message ?? "";
}

/** How a trick that is under way is to be followed; empty if there is none. @param {any} position */
export function followed({ game, trick = [] }) {
  return (trick.length && gameOf(game)?.follow?.(trick[0])) || "";
}

/**
 * Say why a card can't be played now. The service would list the cards of the hand that can: on the table they are lit.
 *
 * @param {string} card
 */
export async function explain(card) {
  const { position, moves: legal } = table.value;
  const isPlay = legal.some((move) => position.hand?.includes(move) || position.hands?.flat().includes(move));
  wanted.value = (isPlay && followed(position)) || (await whyNot(card));
  await offer(card);
}

/** Whether a round at a real table is followed: what stands there may be against the rules. */
export const isReal = computed(() => {
  const { position } = table.value;
  return !instead.value && tab.value !== "puzzles" && Boolean(position) && isHinted(position);
});

/** Offer to enter a refused move all the same, if it can have stood at a real table. @param {string} move */
async function offer(move) {
  const shown = table.value;
  const why = isReal.value ? await refusal(`${move} ${ANYWAY}`) : undefined;
  const can = why === null || why?.code === "incomplete_move"; // then the cards turned up after it are asked for
  if (table.value === shown) stood.value = can ? move : "";
}

/** Enter the refused move, which stood at the table. */
export function enterAnyway() {
  return make(`${stood.value} ${ANYWAY}`);
}

/** The last move that is being made. */
let last = Promise.resolve();

/** Make a move on the table, or add input to the one that waits, one after another. @param {string} text */
export function make(text) {
  isBack.value = false;
  const [shown, at] = [table.value, again.value];
  const next = () => makeNow(text, shown, at);
  last = last.then(next, next);
  return last;
}

/**
 * Quick clicks are ahead of the table, so a move is made after those in the address.
 *
 * @param {string} text @param {import("../core/table.js").Table} shown the table where it was clicked
 * @param {number} at the place of the input that it replaces; 0 for none
 */
async function makeNow(text, shown, at) {
  const all = drawing.value ? [`${DRAWS} ${text}`] : told.value.toSpliced(at || told.value.length, 1, text);
  const before = moves.value;
  let declined = "";
  try {
    let answer = await following(before, all);
    for (let next = isReal.value && forced(answer); next; next = forced(answer)) {
      all.push(next);
      answer = await following(before, all);
    }
    if (moves.value !== before) return; // undone meanwhile
    foretell(all, answer);
    if (isReal.value) declined = declines(answer);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (moves.value !== before || table.value !== shown) return; // clicked where something else lies by now
    drawing.value = error.code === "draw_first";
    if (error.code === "incomplete_move" || drawing.value) {
      told.value = all;
      keep(all);
      if (again.value === at) again.value = 0;
      question.value = drawing.value ? say("turned.drawn") : error.message;
      wanted.value = "";
    } else {
      wanted.value = error.message;
      await offer(text);
    }
    return;
  }
  play(all.join(TOGETHER));
  if (declined) keep([declined]);
}

/** The service's answer about moves after those made before. @param {string[]} before @param {string[]} made */
function following(before, made) {
  return verify({ position: address.value.text, moves: [...before, ...made], after: true });
}

/**
 * The move that follows by itself, such as to take the only cards that can be taken: nobody has a choice, and all of
 * its cards lie open in the trick, so that it tells nothing. Empty if there is none, or somebody has to say or see it.
 *
 * @param {any} answer of the service about the moves before
 */
function forced({ after: { position }, next_moves: { legal_moves: legal, possible_moves: possible } }) {
  const [move, ...others] = [...legal, ...possible];
  if (!move || others.length || deedOf(move).deed === "play") return "";
  const trick = (position.trick ?? []).map(codeOf);
  return cardsOf(deckOf(position), move).every((card) => trick.includes(codeOf(card))) ? move : "";
}

/**
 * To decline, if it ends an exchange of a duel in which no match is left: a step of its own, after which cards are
 * turned up. Empty if the player might make one.
 *
 * @param {any} answer of the service about the moves before
 */
function declines({ after: { position }, next_moves: { legal_moves: legal, possible_moves: possible } }) {
  const [move, ...others] = [...legal, ...possible];
  return position.grabbed && move === "none" && !others.length ? move : "";
}

/** Whether the waiting move was made by itself: nobody had another one. */
export const isByItself = computed(() => {
  const { position, moves } = table.value;
  return Boolean(position?.grabbed) && told.value[0] === "none" && moves.length === 1;
});

/** Take back the last input, or the move itself, with the one before it if it was made by itself. */
export function takeBack() {
  if (told.value.length === 1 && isByItself.value && path.value.length) stepBack();
  else if (told.value.length > 1) tell(told.value.slice(0, -1));
  else forget();
}

/** Tell a move and the input so far, and ask for what follows. @param {string[]} given */
function tell(given) {
  clear();
  told.value = given.slice(0, -1);
  isTelling.value = true;
  make(given[given.length - 1]).finally(() => (isTelling.value = false));
  isBack.value = true;
}

/** Take back the last step; of cards turned up to their places only the last one, as while they are entered. */
export function stepBack() {
  const [step] = along(tree.value, path.value).slice(-1);
  const hasPlaces = gameOf(table.value.position?.game)?.turned;
  const given = hasPlaces ? step.move.split(TOGETHER).slice(0, -1) : NONE;
  go({ keys: { at: writePath(path.value.slice(0, -1)), told: given.join(TOGETHER) } });
}
