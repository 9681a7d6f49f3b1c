/** The state of a match, and whether hints aim to win it. */
import { canBeAlone, roundsOf } from "../core/catalogue.js";
import { say } from "../core/words.js";
import { isView, seatName } from "./shared.js";

const MOST = 999; // points

/** Whether a game or a position is a solitaire. @param {{game?: string, variant?: string} | null} one */
export function isAlone(one) {
  return canBeAlone(one?.game) && one?.variant !== "duel";
}

/** Whether rounds follow the one that a position is of. @param {any} position */
function isEarly({ game, round }) {
  return Number(round) < (roundsOf(game) ?? 0);
}

/** The points of each seat so far, as fields. @param {any} position @param {number} players */
export function totalFields(position, players) {
  return Array.from({ length: players }, (_, seat) => ({
    path: `totals[${seat}]`,
    title: say("field.totals", { seat: seatName(seat, position) }),
    kind: /** @type {const} */ ("number"),
    value: position.totals?.[seat] ?? 0,
    least: 0,
    most: MOST,
    more: true,
  }));
}

/**
 * The state of the match, as fields of a view: the points so far are asked for once the round is entered.
 *
 * @param {any} position @param {number} players @returns {import("./index.js").Field[]}
 */
export function matchFields(position, players) {
  if (!isView(position)) return [];
  const round = {
    path: "round",
    title: say("field.round"),
    kind: /** @type {const} */ ("choice"),
    value: String(position.round ?? ""),
    options: ["", ...Array.from({ length: roundsOf(position.game) ?? 0 }, (_, at) => String(at + 1))].map((is) => ({
      is,
      word: is || say("field.round.unknown"),
    })),
    more: true,
  };
  if (!position.round) return [round];
  return [
    round,
    ...totalFields(position, players),
    ...(isEarly(position)
      ? [
          {
            path: "for_match",
            title: say("match.for"),
            kind: /** @type {const} */ ("flag"),
            value: Boolean(position.for_match),
            more: true,
          },
        ]
      : []),
  ];
}

/** A draft with the state of the match, in the service's form. @param {any} position @param {number} players */
export function withMatch(position, players) {
  const { round, totals, for_match, ...others } = position;
  if (!round) return others;
  const points = Array.from({ length: players }, (_, seat) => totals?.[seat] ?? 0);
  return {
    ...others,
    round: Number(round),
    totals: points,
    ...(for_match && isEarly(position) ? { for_match } : {}),
  };
}

/** The state of the match without its points, as facts. @param {any} position @returns {[string, string][]} */
export function matchState({ game, round, for_match }) {
  const found = /** @type {[string, string][]} */ ([]);
  if (round) found.push([say("field.round"), say("match.round", { round, rounds: roundsOf(game) ?? "" })]);
  if (for_match) found.push([say("match.hints"), say("match.forIt")]);
  return found;
}

/** The state of the match, as facts. @param {any} position @returns {[string, string][]} */
export function matchFacts(position) {
  const found = matchState(position);
  if (position.totals) found.push([say("match.totals"), position.totals.join(" · ")]);
  return found;
}

/**
 * Whether hints could aim to win the match instead of points: the state of the match is known, and it is not the
 * last round.
 *
 * @param {any} position
 */
export function isOpenMatch(position) {
  return Boolean(
    position && isView(position) && position.totals && position.round && isEarly(position),
  );
}
