/** The form to start a game, and games to resume or review. */
import { html, useState } from "../core/html.js";
import { aboutOf, gameTitle, levelsOf, roundsOf } from "../core/catalogue.js";
import { go, key } from "../core/session.js";
import { table } from "../core/table.js";
import { SEED, numberOf } from "../core/typed.js";
import { say, sentences } from "../core/words.js";
import { Faults } from "../table/faults.js";
import { refused, takeFiles } from "../table/taking.js";
import { GAMES, chosen, gameOf } from "../games/index.js";
import { Chips } from "../parts/chips.js";
import { Fan, Games } from "../parts/games.js";
import { DeckChoice, Disputed, RuleOptions, agreedAtFirst, undisputedOf } from "../parts/options.js";
import { Pasting } from "../parts/pasting.js";
import { readOptions } from "./codec.js";
import { begin, enter } from "./keeping.js";
import { lastGames, wordsOf } from "./last.js";
import { Pace } from "./pace.js";
import { lastTables, wordsOf as tableWords } from "./tables.js";
import { TableGame, WRITTEN, example, isLaidOut, looking } from "./written.js";

const USUAL = 2; // index of the default level
/** The others' strength, and the thinking time, in seconds, of those that follow hints. */
const LEVELS = [
  { others: "beginner", seconds: 0.3 },
  { others: "club", seconds: 0.3 },
  { seconds: 0.3 },
  { seconds: 3 },
];
const SEEDS = 2 ** 32;
/** Who grabs first in a duel: each in turn, or whoever is quicker, with how fast the opponent is. */
const RACES = ["", "slow", "even", "fast", "two"];

/** Whether the form is for reviewing a game instead of starting one. */
const reviewing = key("review");

export function Start() {
  const [name, setName] = useState(table.value.position?.game ?? chosen.value);
  const game = gameOf(name) ?? GAMES[0];
  if (looking.value) return html`<div class="stack"><${TableGame} /></div>`;
  return html`<div class="stack">
    ${isLaidOut.value && html`<${TableGame} />`}
    ${
      reviewing.value
        ? html`<${ToReview} />`
        : html`<h2 class="play-title">${say("play.new")}</h2>
      <${Last} />
      <${Games} value=${name} onChange=${setName} />
      <p class="hinted">${aboutOf(name)}</p>
      <${Form} key=${name} game=${game} />
      <${Faults} found=${refused.value} />`
    }
    ${!isLaidOut.value && html`<${TableGame} />`}
  </div>`;
}

/** Ways to a game that can be reviewed: play one, see an example, or enter one from a real table. */
function ToReview() {
  return html`<h2 class="play-title">${say("job.review")}</h2>
    <p>${say("review.how")}</p>
    <${Last} />
    <div class="row">
      <button type="button" class=${lastGames().length ? "" : "primary"}
        onClick=${() => go({ keys: { review: "" } })}>${say("review.play")}</button>
      <button type="button" onClick=${example}>${say("review.example", { game: gameTitle(WRITTEN.name) })}</button>
    </div>
    <${Pasting} title=${say("written.title")} label=${say("review.label")} example=${WRITTEN.written} />`;
}

const FEW = 4; // last games that are shown without a click

/** The ways to the last games, the latest first, and before them those that are not over. */
function Last() {
  const games = lastGames().sort((one, other) => Number(one.over) - Number(other.over));
  const ways = [
    ...games.map(
      (one) => html`<${Way} game=${readOptions(one.game)?.game} run=${() => enter(one)}>${wordsOf(one)}<//>`,
    ),
    ...lastTables().map(
      (one) => html`<${Way} game=${one.game} run=${() => (location.hash = one.address)}>${tableWords(one)}<//>`,
    ),
  ];
  return html`<div class="past-games">${ways.slice(0, FEW)}</div>
    ${
      ways.length > FEW &&
      html`<details><summary>${say("play.earlier")}</summary><div class="past-games">${ways.slice(FEW)}</div></details>`
    }`;
}

/** A way to a game, with some of its cards. @param {{game?: string, run: () => void, children: any}} props */
function Way({ game = "", run, children }) {
  return html`<button type="button" class="past-game" onClick=${run}>
    <${Fan} name=${game} /><span>${children}</span></button>`;
}

/** The level of a game; the usual one for a game of none. @param {{others?: string, seconds: number}} last */
function levelOf(last) {
  const found = LEVELS.findIndex(({ others, seconds }) => others === last.others && seconds === last.seconds);
  return found < 0 ? USUAL : found;
}

/** @param {{game: import("../games/index.js").Drawn}} props the form begins as the last game of its kind did */
function Form({ game }) {
  const alone = game.usual === 1; // some of its kinds are solitaires, and all are played to points
  const kinds = game.variants ?? [];
  const [least, most] = game.starts[0].players;
  const last = lastGames().map((one) => readOptions(one.game)).find((one) => one?.game === game.name);
  const [variant, setVariant] = useState((kinds.find(([one]) => one === last?.variant) ?? kinds[0])?.[0]);
  const [players, setPlayers] = useState(last?.players ?? game.usual);
  const [seat, setSeat] = useState(0);
  const [level, setLevel] = useState(last ? levelOf(last) : USUAL);
  const [raced, setRace] = useState(last?.race ?? "");
  const race = variant === "duel" ? raced : "";
  const [one, setOne] = useState(last?.rounds === 1);
  const [forMatch, setForMatch] = useState(Boolean(last?.for_match));
  const [seed, setSeed] = useState("");
  const [agreed, setAgreed] = useState(
    agreedAtFirst(game.name, { rules: last?.rules?.split(" ") ?? [], deck: last?.deck ?? "" }),
  );
  const seats = alone ? 1 + Number(variant === "duel") : players;
  const matches = alone ? variant === "duel" : roundsOf(game.name) !== 1;
  const canForMatch = matches && !alone && !game.own && !one; // hints in a duel always aim to win the match
  const counted = least < most ? { players } : {};
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    begin({
      game: game.name,
      ...(variant ? { variant } : {}),
      ...(alone ? {} : counted),
      seed: seed.trim() ? numberOf(seed) : crypto.getRandomValues(new Uint32Array(1))[0] % SEEDS,
      ...(seat && seat < seats ? { seat } : {}),
      ...(one && matches ? { rounds: 1 } : {}),
      ...(race ? { race } : {}),
      ...(forMatch && canForMatch ? { for_match: 1 } : {}),
      ...(agreed.deck ? { deck: agreed.deck } : {}),
      ...(agreed.rules.length ? { rules: agreed.rules.join(" ") } : {}),
      ...LEVELS[level],
    });
  };
  const weaker = levelsOf(game.name);
  const levels = [...LEVELS.keys()].filter((at) => !LEVELS[at].others || weaker.includes(LEVELS[at].others ?? ""));
  const lengths = /** @type {[boolean, string][]} */ ([
    [false, alone ? say("play.match.points") : say("play.match", { n: roundsOf(game.name) ?? 0 })],
    [true, say("play.single")],
  ]);
  return html`<form class="new-game" onSubmit=${submit}>
    ${
      kinds.length > 0 &&
      html`<${Chips} label=${say("play.kind")} value=${variant} onChange=${setVariant} options=${kinds} />`
    }
    <div class="game-settings">
    ${
      seats > 1 &&
      html`<${Seating} seats=${seats} seat=${seat < seats ? seat : 0} onChange=${setSeat}>
        ${
          !alone &&
          least < most &&
          html`<${Chips} labelled label=${say("setup.players")} value=${players} onChange=${setPlayers}
            options=${range(least, most).map((count) => [count, count])} />`
        }
      <//>
      ${!race && html`<${Levels} levels=${levels} value=${level} onChange=${setLevel} />`}`
    }
    </div>
    <div class="lengths">
      ${
        variant === "duel" &&
        html`<${Chips} labelled label=${say("race.label")} value=${race} onChange=${setRace}
          options=${RACES.map((is) => [is, say(`race.${is}`)])} />`
      }
      ${
        matches &&
        html`<${Chips} labelled label=${say("play.length")} value=${one} onChange=${setOne} options=${lengths} />`
      }
      ${seats > 1 && !race && html`<${Pace} />`}
    </div>
    <div class="begin"><button class="primary">${say("play.start")}</button></div>
    <p class="hinted">${sentences(seats > 1 ? say("play.intro") : "", say("play.stays"))}</p>
    <${Disputed} game=${game.name} agreed=${agreed} onChange=${setAgreed} />
    <${DeckChoice} game=${game.name} agreed=${agreed} onChange=${setAgreed} />
    <details class="wide">
    <summary>${say("play.more")}</summary>
    <div class="row">
      <label>
        ${say("setup.seed")}
        <input
          inputmode="numeric"
          pattern=${SEED}
          size="8"
          placeholder=${say("setup.anySeed")}
          value=${seed}
          onInput=${(/** @type {any} */ event) => setSeed(event.target.value)}
        />
      </label>
      ${
        canForMatch &&
        html`<label class="tick">
        <input
          type="checkbox"
          checked=${forMatch}
          onChange=${(/** @type {any} */ event) => setForMatch(event.target.checked)}
        />
        ${say("play.forMatch")}
      </label>`
      }
    </div>
    <${RuleOptions} game=${game.name} agreed=${agreed} onChange=${setAgreed} names=${undisputedOf(game.name)} />
    <label class="file">
      ${say("play.file")}
      <input type="file" accept=".json,.txt"
        onChange=${(/** @type {any} */ event) => takeFiles(event.target.files)} />
    </label>
    </details>
  </form>`;
}

/** @param {number} from @param {number} to */
function range(from, to) {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

/**
 * The seats round a table, in turn order from its lower end: a click makes one the player's. What stands in its middle
 * are the `children`.
 *
 * @param {{seats: number, seat: number, onChange: (seat: number) => void, children: any}} props
 */
function Seating({ seats, seat, onChange, children }) {
  const placed = (/** @type {number} */ at) => {
    const angle = (at / seats) * 2 * Math.PI;
    return { left: `${50 - 36 * Math.sin(angle)}%`, top: `${50 + 31 * Math.cos(angle)}%` };
  };
  return html`<div class="seating">
    <div role="radiogroup" aria-label=${say("play.seat")}>
      ${range(0, seats - 1).map((at) => {
        const name = say(at === seat ? "seat.you" : `player.${at}`);
        return html`<button type="button" role="radio" class="chair" key=${at} aria-checked=${at === seat}
          aria-label=${say("labelled", { label: at + 1, text: name })} style=${placed(at)}
          onClick=${() => onChange(at)}><b>${at + 1}</b> ${name}</button>`;
      })}
    </div>
    ${children}
  </div>`;
}

/**
 * How strong the others are: more dots for stronger ones.
 *
 * @param {{levels: number[], value: number, onChange: (level: number) => void}} props indices of `LEVELS`
 */
function Levels({ levels, value, onChange }) {
  return html`<div class="levels" role="radiogroup" aria-label=${say("play.level")}>
    ${levels.map(
      (at) => html`<button type="button" role="radio" class="level-card" key=${at} aria-checked=${at === value}
        onClick=${() => onChange(at)}>
        <span class="pips" aria-hidden="true">${"●".repeat(at + 1)}<i>${"●".repeat(LEVELS.length - at - 1)}</i></span>
        <strong>${say(`level.${at}`)}</strong> <span>${say(`level.${at}.who`)}</span></button>`,
    )}
  </div>`;
}
