/** What a player of Kirin or King × Alchemy knows of the match: how it stands, and whether hints go by it. */
import { say } from "../core/words.js";
import { seatName } from "./shared.js";

export const ROUNDS = 3; // of a match
const MOST = 999; // points

/** Whether a position can tell how the match stands: the view of a seat. @param {any} position */
function isView(position) {
  return "seat" in position && !("hands" in position);
}

/**
 * How the match stands, as fields: the points so far are asked for once the round is told.
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
    choices: ["", "1", "2", "3"],
    more: true,
  };
  if (!position.round) return [round];
  return [
    round,
    ...Array.from({ length: players }, (_, seat) => ({
      path: `totals[${seat}]`,
      title: say("field.totals", { seat: seatName(seat, position) }),
      kind: /** @type {const} */ ("number"),
      value: position.totals?.[seat] ?? 0,
      least: 0,
      most: MOST,
      more: true,
    })),
    ...(Number(position.round) < ROUNDS
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

/** A draft with what is told of the match as the service takes it. @param {any} position @param {number} players */
export function withMatch({ round, totals, for_match, ...others }, players) {
  if (!round) return others;
  const points = Array.from({ length: players }, (_, seat) => totals?.[seat] ?? 0);
  return {
    ...others,
    round: Number(round),
    totals: points,
    ...(for_match && Number(round) < ROUNDS ? { for_match } : {}),
  };
}

/** How the match stands, as facts. @param {any} position @returns {[string, string][]} */
export function matchFacts(position) {
  if (!position.round && !position.totals) return [];
  const found = /** @type {[string, string][]} */ ([]);
  if (position.round)
    found.push([say("field.round"), say("match.round", { round: position.round, rounds: ROUNDS })]);
  if (position.totals) found.push([say("match.totals"), position.totals.join(" · ")]);
  if (position.for_match) found.push([say("match.hints"), say("match.forIt")]);
  return found;
}

/**
 * Whether hints could go by the match as well as by points: how it stands is told, and the last round is still to
 * come.
 *
 * @param {any} position
 */
export function isOpenMatch(position) {
  return Boolean(
    position && isView(position) && position.totals && position.round && position.round < ROUNDS,
  );
}
