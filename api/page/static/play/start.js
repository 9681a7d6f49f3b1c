/** The form that begins a game. */
import { html, useState } from "../core/html.js";
import { table } from "../core/table.js";
import { say } from "../core/words.js";
import { Faults } from "../board/faults.js";
import { refused, takeFiles } from "../board/taking.js";
import { GAMES, gameOf } from "../games/index.js";
import { seatName } from "../games/shared.js";
import { TableOptions, agreedAtFirst } from "../parts/options.js";
import { readOptions } from "./codec.js";
import { begin, goOn, lastGame } from "./match.js";
import { TableGame } from "./written.js";

const SECONDS = [0.1, 0.3, 1, 3];
const KINDS = ["solo", "alternative", "duel"];
const SEEDS = 2 ** 32;

export function Start() {
  const [name, setName] = useState(table.value.position?.game ?? GAMES[0].name);
  const game = gameOf(name) ?? GAMES[0];
  const last = lastGame();
  return html`<div class="stack">
    <${TableGame} />
    <p>${say("play.intro")}</p>
    ${last && html`<section class="box row"><button type="button" class="primary" onClick=${goOn}>${say("play.goOn")}</button>
      <span class="hinted">${say("play.goOnOf", { game: say(`game.${readOptions(last.game)?.game}`), n: last.count })}</span></section>`}
    <div class="chips" role="radiogroup" aria-label=${say("setup.game")}>
      ${GAMES.map((one) => html`<button type="button" role="radio" aria-checked=${one.name === name} class="chip" onClick=${() => setName(one.name)}>${say(`game.${one.name}`)}</button>`)}
    </div>
    <${Form} key=${name} game=${game} />
    <label class="file">${say("play.file")} <input type="file" accept=".json,.txt" onChange=${(/** @type {any} */ event) => takeFiles(event.target.files, "play")} /></label>
    <${Faults} found=${refused.value} />
  </div>`;
}

/** @param {{game: import("../games/index.js").Drawn}} props */
function Form({ game }) {
  const alchemy = game.name === "alchemy";
  const [least, most] = game.starts[0].players;
  const [variant, setVariant] = useState(KINDS[0]);
  const [players, setPlayers] = useState(game.usual);
  const [seat, setSeat] = useState(0);
  const [seconds, setSeconds] = useState(0.3);
  const [one, setOne] = useState(false);
  const [forMatch, setForMatch] = useState(false);
  const [seed, setSeed] = useState("");
  const [agreed, setAgreed] = useState(agreedAtFirst(game.name));
  const seats = alchemy ? (variant === "duel" ? 2 : 1) : players;
  const matches = alchemy ? variant === "duel" : game.name !== "aqua-regia";
  const canForMatch = matches && !alchemy && !one; // a duel of Alchemy always goes by its race
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    begin({
      game: game.name,
      ...(alchemy ? { variant } : least < most ? { players } : {}),
      seed: seed.trim() ? Number(seed) : crypto.getRandomValues(new Uint32Array(1))[0] % SEEDS,
      ...(seat && seat < seats ? { seat } : {}),
      ...(one && matches ? { rounds: 1 } : {}),
      ...(forMatch && canForMatch ? { for_match: 1 } : {}),
      ...(agreed.deck ? { deck: agreed.deck } : {}),
      ...(agreed.rules.length ? { rules: agreed.rules.join(" ") } : {}),
      seconds,
    });
  };
  return html`<form class="box" onSubmit=${submit}>
    <div class="row">
      ${alchemy && html`<${Choice} label=${say("play.kind")} value=${variant} onChange=${setVariant} of=${KINDS.map((kind) => [kind, say(`variant.${kind}`)])} />`}
      ${!alchemy && least < most && html`<${Choice} label=${say("setup.players")} value=${players} onChange=${(/** @type {string} */ text) => setPlayers(Number(text))} of=${range(least, most).map((count) => [count, count])} />`}
      ${seats > 1 && html`<${Choice} label=${say("play.seat")} value=${seat} onChange=${(/** @type {string} */ text) => setSeat(Number(text))} of=${range(0, seats - 1).map((at) => [at, seatName(at)])} />`}
      ${seats > 1 && html`<${Choice} label=${say("play.seconds")} value=${seconds} onChange=${(/** @type {string} */ text) => setSeconds(Number(text))} of=${SECONDS.map((long) => [long, say("seconds", { seconds: long })])} />`}
      ${matches && html`<${Choice} label=${say("play.length")} value=${one ? "1" : ""} onChange=${(/** @type {string} */ text) => setOne(text === "1")} of=${[["", say("play.match")], ["1", say("play.one")]]} />`}
      <label>${say("setup.seed")} <input inputmode="numeric" pattern="[0-9]{0,15}" size="8" placeholder=${say("setup.anySeed")} value=${seed} onInput=${(/** @type {any} */ event) => setSeed(event.target.value)} /></label>
      ${canForMatch && html`<label class="tick"><input type="checkbox" checked=${forMatch} onChange=${(/** @type {any} */ event) => setForMatch(event.target.checked)} /> ${say("play.forMatch")}</label>`}
    </div>
    <${TableOptions} game=${game.name} agreed=${agreed} onChange=${setAgreed} />
    <div class="row"><button class="primary">${say("play.start")}</button></div>
  </form>`;
}

/** @param {number} from @param {number} to */
function range(from, to) {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

/** @param {{label: string, value: string | number, of: any[][], onChange: (text: string) => void}} props */
function Choice({ label, value, of, onChange }) {
  return html`<label>${label} <select value=${value} onChange=${(/** @type {any} */ event) => onChange(event.target.value)}>
    ${of.map(([one, words]) => html`<option value=${one}>${words}</option>`)}</select></label>`;
}
