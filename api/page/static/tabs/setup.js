/** The tab in which a position is chosen: dealt, set up card by card, or typed. */
import { html, useState } from "../core/html.js";
import { ask } from "../core/ask.js";
import { dropped } from "../core/decks.js";
import { open } from "../core/session.js";
import { table } from "../core/table.js";
import { say } from "../core/words.js";
import { begin, draft, drop, useDraft, whole, wrong } from "../board/draft.js";
import { Faults } from "../board/faults.js";
import { Palette } from "../board/palette.js";
import { refused, takeFiles, takeText } from "../board/taking.js";
import { TableOptions, agreedAtFirst, sent } from "../parts/options.js";
import { GAMES, gameOf } from "../games/index.js";
import { seatName } from "../games/shared.js";

export function Setup() {
  return draft.value ? html`<${Placing} />` : html`<${Choosing} key=${dropped.value} />`;
}

/** Cards are put into place. */
function Placing() {
  const ready = Boolean(whole.value.text);
  return html`<div class="stack">
    <p>${say(`guide.${draft.value.game}.${startOf(draft.value)}`)}</p>
    <p class=${ready ? "good" : "hinted"} role="status">${say(ready ? "setup.ready" : "setup.open", { n: wrong.value?.faults.length ?? 0 })}</p>
    <div class="row">
      <button type="button" class="primary" disabled=${!ready} onClick=${() => useDraft("hint")}>${say("setup.use")}</button>
      <button type="button" onClick=${drop}>${say("setup.drop")}</button>
    </div>
    <${Palette} />
  </div>`;
}

/** What kind of position is set up, to say how. @param {any} position */
function startOf(position) {
  if (position.game === "alchemy") return position.variant === "duel" || position.variant === "free" ? position.variant : "solitaire";
  if (position.stage === "pick") return "pick";
  return "hands" in position ? "known" : "seen";
}

function Choosing() {
  const [name, setName] = useState(dropped.value?.game ?? table.value.position?.game ?? GAMES[0].name);
  const game = /** @type {import("../games/index.js").Drawn} */ (gameOf(name));
  return html`<div class="stack">
    ${dropped.value && html`<p class="good" role="status">${say("deck.taken", { title: dropped.value.title, game: say(`game.${dropped.value.game}`) })}</p>`}
    <div class="chips" role="radiogroup" aria-label=${say("setup.game")}>
      ${GAMES.map((one) => html`<button type="button" role="radio" aria-checked=${one.name === name} class="chip" onClick=${() => setName(one.name)}>${say(`game.${one.name}`)}</button>`)}
    </div>
    <${Starts} key=${`start-${name}`} game=${game} />
    <${Deal} key=${`deal-${name}`} game=${game} />
    <${Text} />
    ${table.value.position && html`<section class="box"><h3>${say("setup.present")}</h3>
      <button type="button" onClick=${() => begin(table.value.seen ?? table.value.position)}>${say("setup.change")}</button></section>`}
  </div>`;
}

/** @param {{game: import("../games/index.js").Drawn}} props */
function Starts({ game }) {
  const [players, setPlayers] = useState(game.usual);
  const [agreed, setAgreed] = useState(agreedAtFirst(game.name));
  const [least, most] = game.starts[0].players;
  return html`<section class="box"><h3>${say("setup.byHand")}</h3>
    <p class="hinted">${say("setup.byHandWhy")}</p>
    ${least < most && html`<${Count} label=${say("setup.players")} value=${players} least=${least} most=${most} onChange=${setPlayers} />`}
    <div class="row">${game.starts.map((start, at) => html`<button type="button" class=${at ? "" : "primary"} onClick=${() => begin({ ...start.draft(players), ...sent(agreed) })}>${start.title}</button>`)}</div>
    <${TableOptions} game=${game.name} agreed=${agreed} onChange=${setAgreed} withRules=${false} />
  </section>`;
}

/** @param {{game: import("../games/index.js").Drawn}} props */
function Deal({ game }) {
  const [least, most] = game.starts[0].players;
  const kinds = game.name === "alchemy" ? ["solo", "alternative", "duel"] : [];
  const [seed, setSeed] = useState("");
  const [players, setPlayers] = useState(game.usual);
  const [variant, setVariant] = useState(kinds[0] ?? "");
  const [seat, setSeat] = useState("0");
  const [agreed, setAgreed] = useState(agreedAtFirst(game.name));
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  /** @param {Event} event */
  const deal = async (event) => {
    event.preventDefault();
    setProblem(null);
    const body = {
      game: game.name,
      ...(seed.trim() ? { seed: Number(seed) } : {}),
      ...(variant ? { variant } : { players }),
      ...sent(agreed),
      ...(seat !== "" && variant !== "duel" ? { seat: Number(seat) } : {}),
    };
    try {
      open((await ask("v1/deal", body)).text, { tab: seat === "" ? "analysis" : "hint" });
    } catch (error) {
      setProblem(error);
    }
  };
  const seats = variant ? 1 : players;
  return html`<section class="box"><h3>${say("setup.deal")}</h3>
    <form class="row" onSubmit=${deal}>
      ${kinds.length ? html`<label>${say("setup.kind")} <select value=${variant} onChange=${(/** @type {any} */ event) => setVariant(event.target.value)}>
        ${kinds.map((kind) => html`<option value=${kind}>${say(`variant.${kind}`)}</option>`)}</select></label>` : null}
      ${least < most && !kinds.length ? html`<${Count} label=${say("setup.players")} value=${players} least=${least} most=${most} onChange=${setPlayers} />` : null}
      <label>${say("setup.sees")} <select value=${seat} onChange=${(/** @type {any} */ event) => setSeat(event.target.value)}>
        <option value="">${say("mode.all")}</option>
        ${Array.from({ length: seats }, (_, at) => html`<option value=${at}>${seats === 1 ? say("mode.hidden") : say("mode.seat", { seat: seatName(at) })}</option>`)}
      </select></label>
      <label>${say("setup.seed")} <input inputmode="numeric" pattern="[0-9]*" size="8" placeholder=${say("setup.anySeed")} value=${seed} onInput=${(/** @type {any} */ event) => setSeed(event.target.value)} /></label>
      <${TableOptions} game=${game.name} agreed=${agreed} onChange=${setAgreed} />
      <button class="primary">${say("setup.dealNow")}</button>
    </form>
    <${Faults} found=${problem} />
  </section>`;
}

/** A position as text, or in a file. */
function Text() {
  const [text, setText] = useState("");
  return html`<section class="box"><h3>${say("setup.text")}</h3>
    <form class="stack" onSubmit=${(/** @type {Event} */ event) => {
      event.preventDefault();
      takeText(text, "hint");
    }}>
      <label class="wide">${say("setup.textLabel")}
        <textarea rows="3" spellcheck="false" autocapitalize="off" value=${text} placeholder="kirin seat=2 hand=S1,S4,BT declared=B+ leader=0" onInput=${(/** @type {any} */ event) => setText(event.target.value)}></textarea></label>
      <div class="row"><button>${say("setup.read")}</button>
        <label class="file">${say("setup.file")} <input type="file" multiple onChange=${(/** @type {any} */ event) => takeFiles(event.target.files, "hint")} /></label></div>
    </form>
    <${Faults} found=${refused.value} />
  </section>`;
}

/** @param {{label: string, value: number, least: number, most: number, onChange: (value: number) => void}} props */
function Count({ label, value, least, most, onChange }) {
  const counts = Array.from({ length: most - least + 1 }, (_, at) => least + at);
  return html`<label>${label} <select value=${value} onChange=${(/** @type {any} */ event) => onChange(Number(event.target.value))}>
    ${counts.map((count) => html`<option value=${count}>${count}</option>`)}</select></label>`;
}
