/** A review as it is read: the worst moves first, each seat's graph, and all numbers. */
import { html, signal, useLayoutEffect, useRef } from "../core/html.js";
import { scrollBack, scrolled, toPart } from "../core/panel.js";
import { say } from "../core/words.js";
import { isTold, lookedAt } from "./looked.js";
import { Mistakes } from "./mistakes.js";
import { Account, Parts } from "./parts.js";
import { Place } from "./place.js";
import { Legend, Rows, Walk, graphOf } from "./rows.js";
import { Worst } from "./worst.js";

/** Whether all numbers are shown. */
const isOpen = signal(false);

/**
 * A review: what each seat gave away, where, and each move.
 *
 * @param {object} props
 * @param {any} props.answer
 * @param {(seat: number) => string} props.who
 * @param {boolean} props.mine
 * @param {(move: any) => number | null} [props.won]
 * @param {(move: any) => void} props.onShow
 */
export function Told({ answer, who, mine, won = () => null, onShow }) {
  const seats = answer.seats.filter((/** @type {any} */ seat) => seat.decisions);
  const place = useRef(scrolled());
  const move = lookedAt(answer);
  useLayoutEffect(() => {
    if (!move) scrollBack(place.current);
  }, [!move]);
  /** @param {any} chosen */
  const onLook = (chosen) => {
    if (!move) place.current = scrolled();
    onShow(chosen);
  };
  const toggle = (/** @type {any} */ { currentTarget: part }) => {
    if (part.open && !isOpen.value) toPart(part);
    isOpen.value = part.open;
  };
  if (move) return html`<${Place} answer=${answer} move=${move} who=${who} onShow=${onLook} />`;
  return html`<section class="stack" aria-label=${say("play.reviewTitle")}>
    <h3>${say("play.reviewTitle")}</h3>
    <p class="hinted">${say(`play.reviewUnit.${answer.unit}`)}</p>
    ${answer.notes?.map((/** @type {string} */ words) => html`<p class="hinted" key=${words}>${words}</p>`)}
    ${seats.map(
      (/** @type {any} */ seat) => html`${seats.length > 1 && html`<h4>${who(seat.seat)}</h4>`}
        <${Parts} seat=${seat} unit=${answer.unit} title=${say("play.parts", { who: who(seat.seat) })} />`,
    )}
    <${Worst} answer=${answer} who=${who} onShow=${onLook} />
    <${Mistakes} review=${answer} />
    ${
      seats.some((/** @type {any} */ seat) => isTold(seat.mistakes)) &&
      html`<${Legend} answer=${answer} seats=${seats} />`
    }
    ${walksOf(answer, seats, who).map(
      ({ seat, of, moves }) => html`<figure class="graph">
      <figcaption>${[...of, graphOf(seat, answer.unit)].join(" · ")}</figcaption>
      <${Walk} moves=${moves} seat=${seat} unit=${answer.unit} onShow=${onLook} /></figure>`,
    )}
    <details class="numbers" open=${isOpen.value} onToggle=${toggle}>
      <summary>${say("play.reviewAll")}</summary>
      <p class="hinted">${say("play.reviewWhy")}</p>
      <${Account} seats=${seats} unit=${answer.unit} who=${who} />
      <${Rows} moves=${answer.moves} unit=${answer.unit} who=${who} mine=${mine} won=${won} onShow=${onLook} />
    </details>
  </section>`;
}

/**
 * The moves of each seat in each round, and `of` which seat and round they are, where there are several. With several
 * rounds, the result is their total and is not shown.
 *
 * @param {any} answer @param {any[]} seats @param {(seat: number) => string} who
 */
function walksOf(answer, seats, who) {
  const rounds = [...new Set(answer.moves.map((/** @type {any} */ move) => move.round))];
  return rounds.flatMap((round) =>
    seats.map((seat) => ({
      seat: rounds.length > 1 ? { ...seat, finished: false } : seat,
      of: [seats.length > 1 && who(seat.seat), rounds.length > 1 && say("play.round", { round })].filter(Boolean),
      moves: answer.moves.filter((/** @type {any} */ move) => move.round === round && move.seat === seat.seat),
    })),
  );
}
