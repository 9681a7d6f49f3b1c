/** A move of a review: the table as its player saw it, the move made beside the better one, and why. */
import { html, useEffect, useRef } from "../core/html.js";
import { toTop } from "../core/panel.js";
import { go, goTo, path, tab } from "../core/session.js";
import { table } from "../core/table.js";
import { say } from "../core/words.js";
import { codeOf, deckOf } from "../cards/faces.js";
import { cardsOf, spokenMove } from "../cards/moves.js";
import { Told } from "../cards/told.js";
import { advise, keysOf, mark, signed } from "../table/marks.js";
import { Typical } from "../parts/typical.js";
import { isMistake, isTold, mistakesOf, placeOf } from "./looked.js";
import { Made, TONES, inUnit, isUnsure, openAll, titleOf, whyOf, worthOf } from "./rows.js";

/** What is said of what a move lost where it was no mistake. @type {Record<string, string>} */
const LOST = { equal: "look.equal", unknown: "look.unclear" };

/**
 * @param {object} props
 * @param {any} props.answer the review
 * @param {any} props.move
 * @param {(seat: number) => string} props.who
 * @param {(move: any) => void} props.onShow
 */
export function Place({ answer, move, who, onShow }) {
  const here = deckOf(table.value.position);
  const deck = useRef(here);
  if (here.cards.length) deck.current = here; // while a table loads there is none
  const place = useRef({ move: /** @type {any} */ (null), path: /** @type {number[]} */ ([]) });
  if (place.current.move !== move) place.current = { move, path: path.value };
  const tried = path.value.length > place.current.path.length;
  useEffect(toTop, [move]);
  useEffect(() => {
    const best = move.best ?? move.move;
    const named = (/** @type {string} */ one, /** @type {any} */ said) =>
      keysOf(cardsOf(deck.current, one).map(codeOf)).map((card) => /** @type {[string, any]} */ ([card, said]));
    if (!tried) {
      advise(deck.current, [best]);
      mark(
        new Map([...named(best, signed("good", better)), ...named(move.move, signed(tone, "look.made"))]),
        new Map([...named(best, "good"), ...named(move.move, tone)]),
      );
    }
    return () => {
      advise(deck.current, []);
      mark(new Map());
    };
  }, [move, deck.current, tried]);
  const { moves, unit } = answer;
  const tone = TONES[move.verdict];
  const at = moves.indexOf(move);
  const mistakes = mistakesOf(moves);
  const isLast = mistakes.length > 1 && move === mistakes.at(-1);
  const next = isLast ? mistakes[0] : mistakes[mistakes.indexOf(move) + 1]; // the next in their list
  const isBest = move.best === null || move.best === move.move;
  const known = isTold(move.expected) && isTold(move.expected_loss);
  const better = isMistake(move) ? "look.better" : "hint.best";
  const lost = say(LOST[move.verdict] ?? "play.lost");
  const card = (/** @type {string} */ one) =>
    html`<${Made} deck=${deck.current} move=${one} view=${move.view} />
    ${cardsOf(deck.current, one).length === 1 && spokenMove(deck.current, one)}`;
  const step = (/** @type {string} */ name, /** @type {string} */ sign, /** @type {any} */ other) =>
    html`<button type="button" aria-label=${say(`look.${name}`)} disabled=${!other}
      onClick=${() => onShow(other)}>${sign}</button>`;
  return html`<section class="stack" aria-label=${say("look.title")}>
    <div class="row look-head">
      ${step("previous", "‹", moves[at - 1])}
      <h3>${titleOf(answer, move, who)}</h3>
      ${step("next", "›", moves[at + 1])}
      <button type="button" class="quiet" onClick=${() => go({ keys: { look: "" } })}>${say("look.back")}</button>
    </div>
    <dl class="look-moves">
      <${Fact} name=${signed(tone, isBest ? "look.best" : "look.made")} drawn=${card(move.move)}
        worth=${known ? inUnit(worthOf(move, unit), unit) : ""} />
      ${
        !isBest &&
        html`<${Fact} name=${signed("good", better)} drawn=${card(move.best)}
          worth=${known ? inUnit(move.expected, unit) : ""} />
        ${isTold(move.expected_loss) && html`<${Fact} name=${lost}
          worth=${isUnsure(move) ? say("play.unknown") : inUnit(Math.max(0, move.expected_loss), unit)} />`}`
      }
    </dl>
    ${
      tried &&
      html`<p class="row">${say("look.tried")}
        <button type="button" onClick=${() => goTo(place.current.path)}>${say("look.untry")}</button></p>`
    }
    ${
      whyOf(move)
        ? html`<p class="reason"><${Told} deck=${deck.current} text=${whyOf(move)} /></p>`
        : isMistake(move) && html`<div class="row"><${Typical} key=${placeOf(move)} move=${move.best} /></div>`
    }
    ${isMistake(move) && move.stderr > 0 && html`<p class="hinted">${say("look.anew")}</p>`}
    <div class="row">
      ${isLast && html`<span class="hinted">${say("look.last")}</span>`}
      ${
        next &&
        html`<button type="button" onClick=${() => onShow(next)}>
        ${say(isLast ? "look.first" : "look.mistake")}</button>`
      }
      ${move.view && html`<button type="button" onClick=${toHint}>${say("look.moves")}</button>`}
      ${move.text && html`<button type="button" onClick=${() => openAll(move)}>${say("look.all")}</button>`}
    </div>
  </section>`;
}

/** @param {{name: string, drawn?: any, worth: string}} props a move with its worth, or a worth alone */
function Fact({ name, drawn, worth }) {
  return html`<div><dt>${name}</dt><dd>${drawn} <span class="number">${worth}</span></dd></div>`;
}

function toHint() {
  // At a table that is followed, that is where the table is.
  go({ keys: tab.value === "hint" ? { look: "", end: "" } : { tab: "hint" } });
}
