/** Lists in which some may be alike. */

/**
 * The cards of a list without some of them, each as often as it is named.
 *
 * @param {string[]} cards @param {string[]} gone @returns {string[]}
 */
export function without(cards, gone) {
  const rest = [...cards];
  for (const card of gone) if (rest.includes(card)) rest.splice(rest.indexOf(card), 1);
  return rest;
}
