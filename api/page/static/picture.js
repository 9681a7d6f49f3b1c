/** The cards of a shared picture: draws them as SVG, for `api/page/picture.py`. */
import { signs } from "./core/alone.js";
import { html } from "./core/html.js";
import { markup } from "./core/markup.js";
import { deckWith } from "./cards/faces.js";
import { Drawn } from "./cards/card.js";
import { lookOf } from "./games/index.js";

/**
 * Draw a card of a game with the signs and illustrations in `drawings`.
 *
 * @param {string} game @param {string} face as JSON @param {string} drawings
 * @returns {string[]} the name of its ink, and the drawing
 */
function draw(game, face, drawings) {
  signs.text = drawings;
  const one = JSON.parse(face);
  const look = lookOf(deckWith(game, [one]), one.card);
  return [look.ink, markup(html`<${Drawn} look=${look} />`)];
}

/** @type {any} */ (globalThis).draw = (/** @type {string[]} */ ...given) =>
  JSON.stringify(draw(.../** @type {[string, string, string]} */ (given)));
