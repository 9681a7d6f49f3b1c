/** The tab for choosing a position: the player's hand, card by card; a deal; a text or a file. */
import { html, useEffect, useRef, useState } from "../core/html.js";
import { ask } from "../core/ask.js";
import { decksOf, gameTitle } from "../core/catalogue.js";
import { dropped, ownTitle } from "../core/decks.js";
import { address, open } from "../core/session.js";
import { isHinted, isKnown, table } from "../core/table.js";
import { SEED, numberOf } from "../core/typed.js";
import { say } from "../core/words.js";
import { advance, begin, beginAs, canUndo, draft, drop, empty, goal, isFilled, lacking, left } from "../table/draft.js";
import { faults, fields, missing, short, sizes, target, trickNow, undo, useDraft } from "../table/draft.js";
import { whole, wrong, zones } from "../table/draft.js";
import { Faults, saidOf } from "../table/faults.js";
import { MORE } from "../table/editor.js";
import { Palette } from "../table/palette.js";
import { Tray } from "../table/tray.js";
import { isWithin, shortTitleOf } from "../table/zone.js";
import { Chips } from "../parts/chips.js";
import { Choice } from "../parts/choice.js";
import { DeckChoice, Disputed, RuleOptions, agreedAtFirst, sent, undisputedOf } from "../parts/options.js";
import { Pasting } from "../parts/pasting.js";
import { EXAMPLE, GAMES, chosen, gameOf, startOf } from "../games/index.js";
import { isYou, seatName } from "../games/shared.js";

export function Setup() {
  return draft.value ? html`<${Placing} />` : html`<${Choosing} key=${dropped.value} />`;
}

/** What is still missing, in a sentence. */
function progress() {
  const position = draft.value;
  if (whole.value.text) {
    if (!isHinted(position)) return say("setup.enough.analysis");
    if (trickNow.value) return say("setup.enough.trick", { at: trickNow.value });
    return say(startOf(position)?.name === "seen" ? "setup.enough" : "setup.ready");
  }
  const [first] = short.value;
  if (first && first.path in (sizes.value ?? {})) {
    return say("setup.missing", { place: first.title, n: lacking(first) });
  }
  if (faults.value.length) return say("setup.open", { n: faults.value.length });
  const [open] = missing.value;
  return open ? say("setup.needs", { place: nameOf(open) }) : (wrong.value?.faults[0]?.message ?? "");
}

/** The name of a place or a field that is missing. @param {string} path */
function nameOf(path) {
  const found = [...zones.value, ...fields.value].find((one) => one.path === path);
  return found ? shortTitleOf(found, draft.value) : "";
}

/** The panel for placing cards. */
function Placing() {
  const [asked, setAsked] = useState(null); // the draft for which it was asked what is missing
  const ready = Boolean(whole.value.text);
  const use = isHinted(draft.value) ? "hint" : "analysis";
  const next = missing.value.find((path) => path !== target.value);
  const isNext = next && !ready && goal.value && !lacking(goal.value);
  const button = useRef(/** @type {HTMLElement | null} */ (null));
  const isDone = ready && goal.value && isFilled(goal.value);
  useEffect(() => {
    // Whoever types has come to the end: Enter would take the last card back.
    if (isDone && document.activeElement?.matches(".palette :focus-visible")) button.current?.focus();
  }, [isDone]);
  return html`<div class="stack placing">
    <div class="row steps-back">
      <p class=${ready ? "good" : "hinted"} role="status">${progress()}</p>
      <${Back} />
      <button type="button" class="quiet" onClick=${drop}>${say("setup.drop")}</button>
      ${
        isNext
          ? html`<button type="button" class="primary" key="next" onClick=${advance}>
          ${say("setup.next", { place: nameOf(next) })}</button>`
          : html`<button type="button" class=${ready ? "primary" : "primary unready"} aria-disabled=${!ready}
          ref=${button} onClick=${() => (ready ? useDraft(use) : setAsked(draft.value))}>
          ${asked === draft.value ? progress() : useWords()}</button>`
      }
    </div>
    <${Leading} />
    <${Elsewhere} />
    ${(sizes.value || goal.value) && html`<${Tray} /><${Palette} />`}
  </div>`;
}

/** A way back from what was entered or, of all cards before any was, to have them dealt. */
function Back() {
  const { game, variant } = draft.value;
  const button = (/** @type {string} */ key, /** @type {() => void} */ run, isOff = false) =>
    html`<button type="button" class="quiet" disabled=${isOff} onClick=${run}>${say(key)}</button>`;
  const isEmpty = !zones.value.some(({ cards }) => cards.length);
  if (isEmpty && isKnown(draft.value) && variant !== "free") {
    const kind = variant ? { variant } : { players: gameOf(game)?.players(draft.value) };
    const deal = async () => open((await ask("v1/deal", { game, ...kind })).text, { tab: "analysis" });
    return button("setup.atRandom", deal);
  }
  return canUndo.value || isEmpty ? button("undo", undo, !canUndo.value) : button("setup.anew", empty);
}

/** What the button leads to: of a view, a hint only if it is the player's turn. */
function useWords() {
  const { toMove, moves } = whole.value;
  if (!isHinted(draft.value)) return say("setup.use.analysis");
  if (toMove === null || moves.length) return say("setup.use.hint");
  return say("setup.use.others", { seat: seatName(toMove, draft.value) });
}

/** Who leads, which is easily overlooked: the player, unless it was changed. */
function Leading() {
  const field = fields.value.find(({ leads }) => leads);
  if (!field) return null;
  const { path, value } = field;
  const isOwn = isYou(value, draft.value);
  return html`<p class="leading">
    ${
      decksOf(draft.value.game).length > 0 &&
      html`<span class="whose"><span>${draft.value.deck ? ownTitle(draft.value.deck) : say("deck.brief")}</span>${" "}
        <button type="button" class="quiet small" popovertarget=${MORE}>
          ${say(draft.value.deck ? "deck.change" : "deck.use")}</button></span>`
    }
    ${isOwn ? say("trick.youLead") : say("trick.leads", { seat: seatName(value, draft.value) })}
    <button type="button" class="quiet small" onClick=${() => (target.value = path)}>${say("setup.leader")}</button>
  </p>`;
}

/** What is wrong first in another place than the one being filled; a tap leads there. */
function Elsewhere() {
  const fault = faults.value.find(({ path }) => !goal.value || !isWithin(path, goal.value.path));
  if (!fault) return null;
  const place = [...zones.value, ...fields.value].find((one) => isWithin(fault.path, one.path));
  const said = saidOf(fault, draft.value);
  return html`<div class="elsewhere" role="alert">
    ${
      place
        ? html`<button type="button" class="quiet fault" onClick=${() => (target.value = place.path)}>${said}</button>`
        : html`<p class="fault">${said}</p>`
    }
  </div>`;
}

function Choosing() {
  const [name, setName] = useState(dropped.value?.game ?? table.value.position?.game ?? chosen.value);
  const game = /** @type {import("../games/index.js").Drawn} */ (gameOf(name));
  const taken = dropped.value;
  return html`<div class="stack">
    ${
      taken &&
      html`<p class="good" role="status">
      ${say("deck.taken", { title: taken.title, game: gameTitle(taken.game) })}
    </p>`
    }
    ${table.value.position && html`<${Present} />`}
    <${Chips} label=${say("setup.game")} options=${GAMES.map((one) => [one.name, gameTitle(one.name)])}
      value=${name} onChange=${setName} />
    <${Beginning} key=${name} game=${game} />
    <${Pasting}
      title=${say("setup.text")}
      label=${say("setup.textLabel")}
      example=${EXAMPLE}
    />
  </div>`;
}

/** A button to edit the position on the table. */
function Present() {
  return html`<section class="box">
    <h2>${say("setup.present")}</h2>
    <button type="button"
      onClick=${() => begin(table.value.seen ?? table.value.position, "setup", address.value.keys.before)}>
      ${say("setup.change")}
    </button>
  </section>`;
}

/** Ways to a position: card by card, or dealt; with the same cards and rules. @param {{game: Drawn}} props */
function Beginning({ game }) {
  const [agreed, setAgreed] = useState(agreedAtFirst(game.name));
  return html`<${Starts} game=${game} agreed=${agreed} onChange=${setAgreed} />
    <${Deal} game=${game} agreed=${agreed} onChange=${setAgreed} />`;
}

/** @typedef {import("../games/index.js").Drawn} Drawn */
/** @typedef {import("../parts/options.js").Agreed} Agreed */

/** @param {{game: Drawn, agreed: Agreed, onChange: (agreed: Agreed) => void}} props */
function Starts({ game, agreed, onChange }) {
  /** @param {import("../games/index.js").Start} start */
  const go = (start) => beginAs(start, { ...start.draft(game.usual), ...sent(agreed) });
  return html`<section class="box">
    <h2>${say("setup.byHand")}</h2>
    <p class="hinted">${say("setup.byHandWhy")}</p>
    <div class="row">
      ${game.starts.map(
        (start, at) => html`<button type="button" class=${at ? "" : "primary"} onClick=${() => go(start)}>
          ${start.title}
        </button>`,
      )}
      ${
        left.value?.game === game.name &&
        html`<button type="button" class="quiet" onClick=${() => begin(left.value)}>${say("job.mine.left")}</button>`
      }
    </div>
    <${Disputed} game=${game.name} agreed=${agreed} onChange=${onChange} />
    <${DeckChoice} game=${game.name} agreed=${agreed} onChange=${onChange} />
  </section>`;
}

/** @param {{game: Drawn, agreed: Agreed, onChange: (agreed: Agreed) => void}} props */
function Deal({ game, agreed, onChange }) {
  const [least, most] = game.starts[0].players;
  const kinds = game.variants ?? [];
  const isAlone = game.usual === 1; // but in a duel
  const [seed, setSeed] = useState("");
  const [players, setPlayers] = useState(game.usual);
  const [variant, setVariant] = useState(kinds[0]?.[0] ?? "");
  const [seat, setSeat] = useState("0");
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  /** @param {Event} event */
  const deal = async (event) => {
    event.preventDefault();
    setProblem(null);
    const body = {
      game: game.name,
      ...(seed.trim() ? { seed: numberOf(seed) } : {}),
      ...(variant ? { variant } : {}),
      ...(isAlone ? {} : { players }),
      ...sent(agreed),
      ...(seat !== "" && variant !== "duel" ? { seat: Number(seat) } : {}),
    };
    try {
      open((await ask("v1/deal", body)).text, { tab: seat === "" ? "analysis" : "hint" });
    } catch (error) {
      setProblem(error);
    }
  };
  const seats = isAlone ? 1 : players;
  return html`<section class="box">
    <h2>${say("setup.deal")}</h2>
    <form class="row" onSubmit=${deal}>
      ${
        kinds.length > 0 &&
        html`<${Choice}
        label=${say("setup.kind")}
        value=${variant}
        of=${kinds}
        onChange=${setVariant}
      />`
      }
      ${
        least < most &&
        !isAlone &&
        html`<${Count} label=${say("setup.players")} value=${players} least=${least} most=${most}
        onChange=${setPlayers} />`
      }
      <${Choice} label=${say("setup.sees")} value=${seat} of=${viewsOf(seats)} onChange=${setSeat} />
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
      <${RuleOptions} game=${game.name} agreed=${agreed} onChange=${onChange} names=${undisputedOf(game.name)} />
      <button>${say("setup.dealNow")}</button>
    </form>
    <${Faults} found=${problem} />
  </section>`;
}

/** The views of a deal that can be shown. @param {number} seats @returns {[string, string][]} */
function viewsOf(seats) {
  const views = Array.from({ length: seats }, (_, at) => {
    const words = seats === 1 ? say("mode.hidden") : say("mode.nth", { n: at + 1 });
    return /** @type {[string, string]} */ ([String(at), words]);
  });
  return [["", say("mode.all")], ...views];
}

/** @param {{label: string, value: number, least: number, most: number, onChange: (value: number) => void}} props */
function Count({ label, value, least, most, onChange }) {
  const counts = Array.from({ length: most - least + 1 }, (_, at) => String(least + at));
  return html`<${Choice}
    label=${label}
    value=${String(value)}
    of=${counts.map((count) => [count, count])}
    onChange=${(/** @type {string} */ chosen) => onChange(Number(chosen))}
  />`;
}
