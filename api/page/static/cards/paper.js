/** Cards on paper, where nothing can be clicked or enlarged: they show their codes and all details. */
import { html, signal } from "../core/html.js";
import { lookOf } from "../games/index.js";
import { codeOf, faceOf, nameOf } from "./faces.js";
import { Art, isArt } from "./art.js";
import { Icon } from "./signs.js";

/** Whether the page is drawn for paper. */
export const onPaper = signal(false);

/** @typedef {{deck: import("./faces.js").Deck, card: string}} Shown */

/** A card that brings points, provides an ingredient or carries a recipe, in words. @param {Shown} props */
export function Tile({ deck, card }) {
  const { ink, picture, points, art } = lookOf(deck, card);
  const { name, rank, details } = faceOf(deck, card);
  const { provides, makes, of, bonus } = details;
  return html`<span class=${`tile ink-${ink}`} role="img" aria-label=${nameOf(deck, card)}>
    <span class="tile-head"><b>${card}</b>${codeOf(card).endsWith(rank) ? null : html` <small>(${rank})</small>`}
      <${Icon} name=${picture} />${
        isArt(art) && html`<svg class="tile-art" viewBox="0 0 100 100" aria-hidden="true">
        <${Art} name=${art} x=${0} y=${0} size=${100} /></svg>`
      }<span class="tile-points">${points}<${Icon} name="crown" /></span></span>
    ${provides !== name && html`<span class="tile-name">${name}</span>`}
    ${provides && html`<span class="tile-name">▸ ${provides}</span>`}
    ${
      makes &&
      html`<span class="tile-line">${of.replaceAll(", ", " + ")} → <b>${makes}</b> <b>+${bonus}</b></span>`
    }
  </span>`;
}

/** A card within text: its sign and its code. @param {Shown} props */
export function Named({ deck, card }) {
  const { ink, suit, picture } = lookOf(deck, card);
  const sign = suit ?? picture;
  return html`<span class=${`card-word ink-${ink}`}>${sign && html`<${Icon} name=${sign} />`}${card}</span>`;
}
