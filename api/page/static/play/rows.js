/** A review: where each seat's score comes from, as a table and as a graph; the worst moves, and all of them. */
import { html } from "../core/html.js";
import { go } from "../core/session.js";
import { table } from "../core/table.js";
import { figure, percent, say } from "../core/words.js";
import { deckOf } from "../cards/faces.js";
import { Move, cardsOf, deedOf, spokenMove } from "../cards/moves.js";
import { signed } from "../table/marks.js";
import { isMistake, isTold } from "./looked.js";

/** @typedef {(seat: number) => string} Who */

/** What is thought of moves, by their verdicts. @type {Record<string, import("../table/marks.js").Tone>} */
export const TONES = { best: "good", equal: "fair", worse: "bad", unknown: "" };

/** The least loss that matters. @type {Record<string, number>} */
export const LEAST = { points: 0.05, lead: 0.05, chance: 0.005 };
/** Within a narrower margin of error, little is known to be little. @type {Record<string, number>} */
export const WIDE = { points: 0.5, lead: 0.5, chance: 0.05 };
const [WIDTH, HEIGHT] = [320, 122]; // of a graph
const [LEFT, FOOT] = [34, HEIGHT - 16]; // where its axes are
const NEAR = 12; // between the numbers below it
const END = 26; // between the last of them and the word for the end
const DIGIT = 5; // what another digit needs

/**
 * An amount in the unit of the review; points with the same digits, so that they stand below each other and add up.
 *
 * @param {number} value @param {string} unit
 */
export function amount(value, unit) {
  return unit === "chance" ? percent(value) : figure(value, 2, Number.isInteger(value) ? 0 : 2);
}

/** An amount with its unit. @param {number} value @param {string} unit */
export function inUnit(value, unit) {
  return say(`review.unit.${unit}`, { value: amount(value, unit), n: value });
}

/**
 * What a move was worth, as it is shown: less than the best one by as much as is shown to be lost.
 *
 * @param {{expected: number, expected_loss: number}} move @param {string} unit
 */
export function worthOf({ expected, expected_loss: lost }, unit) {
  const parts = unit === "chance" ? 1000 : 100;
  return (Math.round(parts * expected) - Math.round(parts * lost)) / parts;
}

/**
 * A seat's expected score, move by move: luck and the others' part between its moves, what it gave away at them. A
 * click shows the nearest move.
 *
 * @param {{moves: any[], seat: any, unit: string, onShow: (move: any) => void}} props the moves of one seat in one
 *   round
 */
export function Walk({ moves, seat, unit, onShow }) {
  const whole = moves.filter((move) => isTold(move.value_before) && isTold(move.value_after));
  if (!whole.length) return null;
  const { expected } = whole[0];
  const end = seat.finished ? seat.result : null;
  // Estimates may leave what a chance can be.
  const drawn = (/** @type {number} */ level) => (unit === "chance" ? Math.min(1, Math.max(0, level)) : level);
  const all = [expected, end, ...whole.flatMap((move) => [move.value_before, fallen(move)])];
  const levels = all.filter(isTold).map(drawn);
  const [low, high] = [Math.min(...levels), Math.max(...levels)];
  const places = placesOf(whole);
  const last = Math.floor(places[places.length - 1]) + 1;
  const rest = whole.reduce((sum, move) => sum - (move.others ?? 0), seat.others ?? 0);
  const x = (/** @type {number} */ place) => LEFT + ((WIDTH - LEFT - 4) * place) / last;
  const under = (/** @type {number} */ place) => Math.min(x(place), WIDTH - 10); // whole at the edge
  const y = (/** @type {number} */ level) => 6 + (FOOT - 10) * (1 - (drawn(level) - low) / (high - low || 1));
  const line = (/** @type {string} */ kind, /** @type {number[]} */ [x1, y1, x2, y2]) =>
    html`<line class=${kind} x1=${x1} y1=${y1} x2=${x2} y2=${y2} />`;
  const label = graphOf(seat, unit);
  const near = (/** @type {MouseEvent} */ event) => {
    const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    const at = (WIDTH * (event.clientX - box.left)) / box.width;
    const far = places.map((place) => Math.abs(x(place) - at));
    onShow(whole[far.indexOf(Math.min(...far))]);
  };
  return html`<svg class="walk" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${label} onClick=${near}>
    ${line("axis", [LEFT, 2, LEFT, FOOT])}${line("axis", [LEFT, FOOT, WIDTH, FOOT])}
    ${ticks(low, high).map(
      (level) => html`${line("axis", [LEFT - 3, y(level), LEFT, y(level)])}
      <text x=${LEFT - 5} y=${y(level) + 3} text-anchor="end">
        ${unit === "chance" ? percent(level, 0) : figure(level, 2)}</text>`,
    )}
    <text x="0" y=${HEIGHT - 3}>${say(`review.axis.${hasTricks(whole) ? "trick" : "move"}`)}</text>
    ${spread(whole, places, under).map(
      (place) => html`${(end === null || x(last) - x(place) >= END) &&
      html`<text x=${under(place)} y=${HEIGHT - 3} text-anchor="middle">${place}</text>`}`,
    )}
    ${end !== null && html`<text x=${WIDTH} y=${HEIGHT - 3} text-anchor="end">${say("review.axis.end")}</text>`}
    ${line("luck", [x(0), y(expected), x(places[0]), y(whole[0].value_before)])}
    ${whole.map((move, at) => {
      const [here, after] = [x(places[at]), whole[at + 1]];
      const mistake = line("mistake", [here, y(move.value_before), here, y(fallen(move))]);
      const others = after ? after.others : Math.abs(rest) > 1e-6;
      const [to, level] = after ? [x(places[at + 1]), y(after.value_before)] : [x(last), end === null ? null : y(end)];
      const dot = isMistake(move) && html`<circle cx=${here} cy=${y(fallen(move))} r="4" />`;
      return [mistake, dot, level !== null && line(others ? "others" : "luck", [here, y(fallen(move)), to, level])];
    })}
  </svg>`;
}

/** Round numbers from one to another, at most five. @param {number} low @param {number} high */
function ticks(low, high) {
  const least = (high - low) / 4 || 1;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * (/** @type {number} */ ([1, 2, 5, 10].find((n) => n * power >= least)));
  const first = Math.ceil(low / step);
  const found = Array.from({ length: Math.floor(high / step) - first + 1 }, (_, at) => (first + at) * step);
  return found.length ? found : [low];
}

/** @param {any[]} moves */
function hasTricks(moves) {
  return moves.some(({ trick }) => isTold(trick));
}

/**
 * Where moves are in a graph: at their numbers or, in games with tricks, at and after the number of their trick; what
 * comes before the first trick is before it.
 *
 * @param {any[]} moves @returns {number[]}
 */
function placesOf(moves) {
  if (!hasTricks(moves)) return moves.map(numberOf);
  return moves.map(({ trick }, at) => {
    const together = moves.filter((other) => other.trick === trick);
    return (trick ?? 0) + (trick ? 0 : 0.5) + (0.5 * together.indexOf(moves[at])) / together.length;
  });
}

/**
 * The numbers below a graph, as far as there is room: of the moves, or of all tricks.
 *
 * @param {any[]} moves @param {number[]} places @param {(place: number) => number} x of a number's middle
 */
function spread(moves, places, x) {
  const end = Math.floor(places[places.length - 1]);
  const found = /** @type {number[]} */ ([]);
  for (const place of hasTricks(moves) ? Array.from({ length: end }, (_, at) => at + 1) : places) {
    const last = found.at(-1);
    const least = NEAR + DIGIT * (String(place).length - 1);
    if (last === undefined || x(place) - x(last) >= least) found.push(place);
  }
  return found;
}

/**
 * The expected score after a move by what its player knew: lower by what was given away. What the hidden cards made of
 * it counts as luck.
 *
 * @param {any} move
 */
function fallen({ value_before: before, expected_loss: lost }) {
  return before - Math.max(0, lost ?? 0);
}

/** What a seat's graph shows. @param {any} seat @param {string} unit */
export function graphOf({ actual }, unit) {
  return say(`review.graph.${unit}`, { how: say(`review.graph.${actual ? "actual" : "seen"}`) });
}

/** The legend of the lines that the graphs have. @param {{answer: any, seats: any[]}} props */
export function Legend({ answer: { moves, unit }, seats }) {
  const isSeen = (/** @type {any} */ { value_before: before, expected_loss: lost }) =>
    isTold(before) && lost > WIDE[unit];
  const kinds = [
    ...(moves.some((/** @type {any} */ move) => isMistake(move) || isSeen(move)) ? ["mistake"] : []),
    "luck",
    ...(seats.some(({ others }) => others) ? ["others"] : []),
  ];
  return html`<p class="hinted legend">${kinds.map(
    (kind) => html`<span class=${`walk-key ${kind}`}>${say(`review.${kind}`)}</span> `,
  )}</p>`;
}

/**
 * Why the best move is better than the one made; empty if only what they are worth shows it, which is said anyway.
 *
 * @param {any} move
 */
export function whyOf({ causes, reason, ...move }) {
  const isShown = causes.length > 0 && !(isMistake(move) && causes[0].code === "close");
  return isShown ? reason : "";
}

/** A move's trick or, in games without tricks, its number. @param {any} move */
function placed({ trick, ...move }) {
  return isTold(trick) ? say("zone.past", { at: trick }) : say("review.move", { at: numberOf(move) });
}

/** A move's number in its round, or its step at a table that is followed. @param {any} move @returns {number} */
function numberOf({ step, number }) {
  return step || number;
}

/**
 * Which of a seat's moves in a trick one is, in words: what it does beside playing a card, or the how-manieth it is;
 * empty for the only one.
 *
 * @param {any} move @param {any[]} all
 */
function turnOf(move, all) {
  const { deed } = deedOf(move.move);
  if (deed !== "play") return say(`hint.${deed}`);
  const plays = all.filter((one) => deedOf(one.move).deed === deed);
  return plays.length > 1 && say("review.turn", { at: plays.indexOf(move) + 1 });
}

/**
 * Where a move was made: its trick and, if its seat moved in it several times, which of these it is, or in games
 * without tricks, its number; its round and seat where there are several.
 *
 * @param {any} answer @param {any} move @param {Who} who
 */
export function titleOf({ moves }, move, who) {
  const { round, trick, seat } = move;
  const several = (/** @type {string} */ name) => new Set(moves.map((/** @type {any} */ one) => one[name])).size > 1;
  const alike = (/** @type {any} */ one) => one.round === round && one.trick === trick && one.seat === seat;
  const parts = [
    several("round") && say("play.round", { round }),
    placed(move),
    isTold(trick) && turnOf(move, moves.filter(alike)),
    several("seat") && who(seat),
  ];
  return parts.filter(Boolean).join(" · ");
}

/**
 * A move of a review, drawn, or in words if it has no cards. A pass of who has drawn exchanges nothing.
 *
 * @param {{deck: import("../cards/faces.js").Deck, move: string, view: string | null}} props what its player saw
 */
export function Made({ deck, move, view }) {
  if (move === "pass" && view?.includes(" drawn=")) return say("move.keep");
  return cardsOf(deck, move).length ? html`<${Move} deck=${deck} move=${move} />` : spokenMove(deck, move);
}

/** Whether too little is known of what a move cost to show its figure. @param {any} move */
export function isUnsure(move) {
  return move.unclear.includes("expected_loss");
}

/**
 * Each move, trick by trick.
 *
 * @param {object} props
 * @param {any[]} props.moves
 * @param {string} props.unit
 * @param {Who} props.who
 * @param {boolean} props.mine whether all moves are one seat's
 * @param {(move: any) => number | null} props.won the winner of a move's trick; null if unknown
 * @param {(move: any) => void} props.onShow
 */
export function Rows({ moves, unit, who, mine, won, onShow }) {
  const deck = deckOf(table.value.position);
  const isByTricks = hasTricks(moves);
  const first = say(isByTricks ? "play.player" : "play.at");
  const heads = [first, say("col.move"), say("play.lost"), say("play.better"), say("play.truth")];
  return html`<div class="scroll">
    <table class="moves">
      <thead>
        <tr>
          ${heads.map((head) => html`<th>${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${moves.map((move, at) => [
          beginsTrick(move, moves[at - 1]) && html`<${TrickHead} move=${move} winner=${won(move)} who=${who} />`,
          html`<tr
            key=${move.number}
            class=${move.verdict === "worse" ? "opens is-worse" : "opens"}
            onClick=${() => onShow(move)}
          >
            <td class="number at">
              <${Where} name=${isByTricks ? who(move.seat) : numberOf(move)} />
              ${!mine && !isByTricks && html`<span class="slot-seat"> ${who(move.seat)}</span>`}
            </td>
            <td><${Made} deck=${deck} move=${move.move} view=${move.view} /></td>
            <td class="number">${lost(move, unit)}</td>
            <td>
              <${Grade} move=${move} />
              ${
                move.verdict === "worse" &&
                move.best &&
                html`<div class="hinted">
                  ${say("look.better")} <${Made} deck=${deck} move=${move.best} view=${move.view} />
                </div>`
              }
            </td>
            <td class="number">${truth(move, unit)}</td>
          </tr>`,
        ])}
      </tbody>
    </table>
  </div>`;
}

/** What is thought of a move, in a word with a sign. @param {{move: any}} props */
export function Grade({ move }) {
  const tone = TONES[move.verdict];
  return html`<span class=${`grade is-${tone}`}>
    ${signed(tone, move.bad ? "play.bad" : `play.${move.verdict}`)}</span>`;
}

/** Whether a move is the first one listed of its trick. @param {any} move @param {any} [before] */
function beginsTrick(move, before) {
  return isTold(move.trick) && !(before?.trick === move.trick && before.round === move.round);
}

/**
 * The heading of a trick, with its winner if known.
 *
 * @param {{move: any, winner: number | null, who: Who}} props
 */
function TrickHead({ move, winner, who }) {
  return html`<tr class="trick-head"><th colspan="5" scope="colgroup">
    ${say("zone.past", { at: move.trick })} ${winner !== null && html`· ${say("play.won", { who: who(winner) })}`}
  </th></tr>`;
}

/**
 * A button for a move: its whole row shows the move as its player saw it.
 *
 * @param {{name: string | number}} props who made it or, in games without tricks, its number
 */
function Where({ name }) {
  const title = say("play.show");
  return html`<button type="button" class="quiet small" title=${title}
    aria-label=${say("labelled", { label: name, text: title })}>
    ${name}</button>`;
}

/** Put a move's position on the table with all cards. @param {any} move */
export function openAll(move) {
  go({ text: move.text, keys: { tab: "analysis", moves: "", at: "", seat: "" } });
}

/** What a move gave away by what its player knew; the verdict has its error. @param {any} move @param {string} unit */
function lost(move, unit) {
  const isKnown = isTold(move.expected_loss) && !isUnsure(move);
  return isKnown ? amount(Math.max(0, move.expected_loss), unit) : say("play.unknown");
}

/**
 * What a move gave away with every card known; with ≈ if it is an estimate.
 *
 * @param {any} move @param {string} unit
 */
function truth(move, unit) {
  if (!isTold(move.true_loss)) return "–";
  if (move.unclear.includes("true_loss")) return say("play.unknown");
  const proved = move.true_bounds && move.true_bounds[0] === move.true_bounds[1];
  return `${proved ? "" : "≈ "}${amount(move.true_loss, unit)}`;
}
