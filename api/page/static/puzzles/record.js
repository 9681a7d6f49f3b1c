/**
 * Derived from the answers given: ratings by Glicko-2 (M. E. Glickman, 2013), one in each game; the streak; and the
 * puzzles to repeat.
 * The rules are those of `puzzles/rating.py` and `puzzles/training.py`, and are tested with the same cases.
 */

/** @typedef {{game?: string | null, helped?: boolean}} Circumstances the game; after a hint */
/** @typedef {{at: string, puzzle: string, right: boolean} & Rated & Circumstances} Attempt */
/** @typedef {{at: string, puzzle: string, good: boolean}} Vote */
/** @typedef {{points: number, deviation: number, volatility: number}} Rating */
/** @typedef {{rating: Rating, moved: number, solved: boolean, due: string | null, returns: number}} Asked */
/** @typedef {{rating?: number | null, grade?: string | null, vote_bonus?: number | null}} Rated */
/** @typedef {{liked: Map<string, number>}} Liked by how many points votes bring each puzzle nearer */
/** @typedef {{ratings: Map<string, Rating>, puzzles: Map<string, Asked>} & Liked} Known */
/** @typedef {{streak: number, longest: number} & Known} Standing */

const SCALE = 173.7178; // points of a rating in one unit of the paper's scale
const CENTRE = 1500;
const TAU = 0.5; // how much a volatility may change
const TOLERANCE = 1e-6;
const MOST_DEVIATION = 350; // of a player about whom nothing is known
const VOLATILITY = 0.06;
const NEW = { points: 1350, deviation: MOST_DEVIATION, volatility: VOLATILITY }; // harder puzzles aren't easy
const OFF = 150; // the deviation of a puzzle's rating: half the distance between two grades
const GRADED = /** @type {Record<string, number>} */ ({ easy: 1200, medium: 1500, hard: 1800, expert: 2100 });

const MISSED = 150; // points by which a missed theme brings a puzzle nearer: half the distance between two grades
const LIKED = 300; // points between a puzzle that all like and one that nobody does: as between two grades

const HOUR = 3_600_000; // milliseconds
const DAY = 24 * HOUR;
/** Days until a failed puzzle is repeated, then after each right answer; after the last one it is learned. */
const RETURNS = [1, 3, 7, 21];
const EARLY = 4 * HOUR; // so that a player who trains at the same time each day finds it due
const STEP = 7919; // primes: spreads neighbours in the list far apart
const MODULUS = 10_007;

/** The rating of a puzzle that nobody has tried. @param {string | null | undefined} grade @returns {Rating} */
export function graded(grade) {
  return { points: GRADED[grade ?? ""] ?? CENTRE, deviation: OFF, volatility: VOLATILITY };
}

/** The points of the rating with which a puzzle begins, or began when it was tried. @param {Rated} puzzle */
function pointsOf({ rating, grade }) {
  return rating ?? graded(grade).points;
}

/** The rating in a game, which begins at a beginner's level. @param {Standing} standing @param {string} game */
export function ratingIn({ ratings }, game) {
  return ratings.get(game) ?? NEW;
}

/**
 * The game whose rating an attempt changes; empty if unknown. Older attempts have it in the puzzle's ID.
 *
 * @param {Attempt} attempt
 */
function ratedIn({ game, puzzle }) {
  /** @type {{name: string}[]} */
  const games = /** @type {any} */ (globalThis).games ?? [];
  return game ?? games.find(({ name }) => puzzle.startsWith(`${name}-`))?.name ?? "";
}

/** What an attempt counts as a game against the puzzle: a hint halves a win. @param {Attempt} attempt */
function scoreOf({ right, helped }) {
  return (helped ? 0.5 : 1) * Number(right);
}

/** By how many points votes bring a puzzle nearer: those here, and those that the service has. */
const likedFor = (/** @type {string} */ name, /** @type {Rated} */ puzzle, /** @type {Standing} */ { liked }) =>
  (liked.get(name) ?? 0) + (puzzle.vote_bonus ?? 0);

/**
 * Where a puzzle stands in lists, in points: by its rating and how attempts moved it, sooner if it is liked.
 *
 * @param {string} name @param {Rated} puzzle @param {Standing} standing
 */
export function rankOf(name, puzzle, standing) {
  return pointsOf(puzzle) + (standing.puzzles.get(name)?.moved ?? 0) - likedFor(name, puzzle, standing);
}

/** A rating after this many periods without a game. @param {Rating} rating @param {number} periods @returns {Rating} */
export function rested(rating, periods) {
  const phi = rating.deviation / SCALE;
  const grown = SCALE * Math.sqrt(phi * phi + periods * rating.volatility ** 2);
  return { ...rating, deviation: Math.min(MOST_DEVIATION, grown) };
}

/**
 * A rating after a period of games: each opponent's rating, and 1 for a win or 0 for a loss.
 *
 * @param {Rating} rating @param {[Rating, number][]} games @returns {Rating}
 */
export function rated(rating, games) {
  const mu = (rating.points - CENTRE) / SCALE;
  const before = rating.deviation / SCALE;
  let information = 0;
  let surprise = 0;
  for (const [other, score] of games) {
    const weight = 1 / Math.sqrt(1 + 3 * (other.deviation / SCALE / Math.PI) ** 2);
    const expected = 1 / (1 + Math.exp(-weight * (mu - (other.points - CENTRE) / SCALE)));
    information += weight * weight * expected * (1 - expected);
    surprise += weight * (score - expected);
  }
  const volatility = changed(rating.volatility, before, 1 / information, surprise / information);
  const phi = 1 / Math.sqrt(1 / (before * before + volatility ** 2) + information);
  return { points: CENTRE + SCALE * (mu + phi * phi * surprise), deviation: SCALE * phi, volatility };
}

/** @param {number} was @param {number} phi @param {number} variance @param {number} change */
function changed(was, phi, variance, change) {
  const start = Math.log(was * was);
  /** @param {number} x */
  const slope = (x) => {
    const grown = phi * phi + variance + Math.exp(x);
    return (Math.exp(x) * (change * change - grown)) / (2 * grown * grown) - (x - start) / (TAU * TAU);
  };
  let low = start;
  let high = Math.log(change * change - phi * phi - variance);
  if (change * change <= phi * phi + variance) {
    let steps = 1;
    while (slope(start - steps * TAU) < 0) steps += 1;
    high = start - steps * TAU;
  }
  let atLow = slope(low);
  let atHigh = slope(high);
  while (Math.abs(high - low) > TOLERANCE) {
    const middle = low + ((low - high) * atLow) / (atHigh - atLow);
    const atMiddle = slope(middle);
    if (atMiddle * atHigh <= 0) {
      low = high;
      atLow = atHigh;
    } else atLow /= 2;
    high = middle;
    atHigh = atMiddle;
  }
  return Math.exp(low / 2);
}

/** @param {Attempt} one @param {Attempt} other */
function order(one, other) {
  if (one.at !== other.at) return one.at < other.at ? -1 : 1;
  return one.puzzle < other.puzzle ? -1 : 1;
}

/**
 * By how many points votes bring each puzzle nearer: less than 0 if most find it bad. The share of good votes counts,
 * as if there had been a good one and a bad one before.
 *
 * @param {Vote[]} votes
 */
function likedOf(votes) {
  const counts = /** @type {Map<string, {good: number, all: number}>} */ (new Map());
  for (const { puzzle, good } of votes) {
    const count = counts.get(puzzle) ?? { good: 1, all: 2 };
    counts.set(puzzle, { good: count.good + Number(good), all: count.all + 1 });
  }
  return new Map([...counts].map(([puzzle, { good, all }]) => [puzzle, LIKED * (good / all - 0.5)]));
}

/**
 * A player's standing. Each game has a rating of its own. The first attempt at a puzzle is a game against it and a
 * rating period of its own; days (UTC) without one in the game are periods without games. Repeated puzzles are not
 * rated and count in no row, since the player has seen their solutions.
 *
 * @param {Attempt[]} attempts @param {Vote[]} votes everybody's that are known here @returns {Standing}
 */
export function standingOf(attempts, votes) {
  /** @type {Standing} */
  const found = {
    ratings: new Map(),
    streak: 0,
    longest: 0,
    puzzles: new Map(),
    liked: likedOf(votes),
  };
  const days = new Map();
  for (const attempt of [...attempts].sort(order)) {
    let asked = found.puzzles.get(attempt.puzzle);
    if (!asked) {
      if (!attempt.right) found.streak = 0;
      else if (!attempt.helped) found.streak += 1; // after a hint a row neither grows nor ends
      found.longest = Math.max(found.longest, found.streak);
      const today = Date.parse(attempt.at.slice(0, 10)) / DAY;
      const game = ratedIn(attempt);
      const before = rested(ratingIn(found, game), Math.max(0, today - (days.get(game) ?? today) - 1));
      const puzzle = { ...graded(attempt.grade), points: pointsOf(attempt) };
      days.set(game, today);
      const now = rated(before, [[puzzle, scoreOf(attempt)]]);
      // Half of an expected win is less than expected: a right answer lowers no rating.
      const points = attempt.right ? Math.max(now.points, before.points) : now.points;
      found.ratings.set(game, { ...now, points });
      const rating = rated(puzzle, [[before, 1 - scoreOf(attempt)]]);
      asked = { rating, moved: rating.points - puzzle.points, solved: false, due: null, returns: 0 };
      found.puzzles.set(attempt.puzzle, asked);
    }
    asked.solved = attempt.right;
    if (!attempt.right) Object.assign(asked, { returns: 0, due: returnOf(attempt.at, 0) });
    else if (asked.due !== null && asked.due <= attempt.at) {
      asked.returns += 1; // A puzzle repeated early keeps its due date.
      asked.due = returnOf(attempt.at, asked.returns);
    }
  }
  return found;
}

/** When a puzzle is due again; null if it is learned. @param {string} at @param {number} returns */
function returnOf(at, returns) {
  if (returns === RETURNS.length) return null;
  return new Date(Date.parse(at) + RETURNS[returns] * DAY - EARLY).toISOString();
}

/** Whether a puzzle is due. @param {Standing} standing @param {string} name @param {string} now */
export function isDue(standing, name, now) {
  const due = standing.puzzles.get(name)?.due;
  return Boolean(due && due <= now);
}

/**
 * The next puzzle of those listed; undefined if all are solved or not yet due. Due puzzles come first, then the new one
 * whose rating is nearest to what the player's in its game is at least: a deviation below it. So a newcomer to a game,
 * whose rating says little, begins with easy ones. Good votes bring a puzzle nearer, bad ones move it away; so does a
 * missed theme.
 *
 * @template {{name: string, puzzle: Rated & {game: string, themes?: string[]}}} T
 * @param {T[]} listed @param {Standing} standing @param {string} now
 * @param {Set<string>} [missed] the themes of puzzles that the player missed
 * @returns {T | undefined}
 */
export function nextOf(listed, standing, now, missed = new Set()) {
  const due = listed.filter(({ name }) => isDue(standing, name, now));
  const when = (/** @type {T} */ one) => `${standing.puzzles.get(one.name)?.due} ${one.name}`;
  if (due.length) return due.reduce((one, other) => (when(other) < when(one) ? other : one));
  const gap = (/** @type {T} */ one) => {
    const { points, deviation } = ratingIn(standing, one.puzzle.game);
    return (
      Math.abs(pointsOf(one.puzzle) - points + deviation) -
      likedFor(one.name, one.puzzle, standing) -
      (one.puzzle.themes?.some((theme) => missed.has(theme)) ? MISSED : 0)
    );
  };
  const fresh = listed
    .map((one, at) => ({ one, gap: gap(one), place: (at * STEP) % MODULUS }))
    .filter(({ one }) => !standing.puzzles.has(one.name));
  fresh.sort((one, other) => one.gap - other.gap || one.place - other.place);
  return fresh[0]?.one;
}
