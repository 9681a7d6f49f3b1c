/** How a finished round ended: the points of each seat, or who went out first. */
import { html, useEffect, useState } from "../core/html.js";
import { Refused, ask } from "../core/ask.js";
import { isRace } from "../core/catalogue.js";
import { say } from "../core/words.js";
import { gameOf } from "../games/index.js";
import { seatName, seatsFrom } from "../games/shared.js";

/** @param {{text: string, position: any}} props the finished position as a line, and as data */
export function Outcome({ text, position }) {
  const [found, setFound] = useState({ of: "", values: /** @type {number[]} */ ([]) });
  useEffect(() => {
    if (gameOf(position.game)?.sums) return;
    ask("v1/analyze", { position: text, model: "maxn" }).then(
      ({ value }) => setFound({ of: text, values: value }),
      (error) => {
        if (!(error instanceof Refused)) throw error;
      },
    );
  }, [text]);
  return found.of === text ? html`<p class="outcome">${wordsOf(found.values, position)}</p>` : null;
}

/** @param {number[]} values by seat @param {any} position */
function wordsOf(values, position) {
  if (isRace(position.game)) {
    return say("outcome.first", { seat: seatName(values.indexOf(Math.max(...values)), position) });
  }
  const parts = seatsFrom(position).map((seat) =>
    say("labelled", { label: seatName(seat, position), text: say("seat.points", { n: values[seat] }) }),
  );
  return parts.join(say("comma"));
}
