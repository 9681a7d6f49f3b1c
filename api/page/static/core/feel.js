/** What is heard and felt when a card is laid: a quiet tick for those who want it, and a tap where phones have one. */
import { keptSignal } from "./kept.js";

export const sound = keptSignal("sound", false);

const LOUD = 0.04; // of 1
const LONG = 0.06; // seconds
const TAP = 8; // milliseconds

/** @type {AudioContext | null} */
let audio = null;

/** A card was laid. */
export function laid() {
  if (sound.value) tick();
  // Browsers complain of a page that nobody has touched.
  if (navigator.userActivation?.hasBeenActive && matchMedia("(pointer: coarse)").matches) navigator.vibrate?.(TAP);
}

/** A short sound like wood, that fades at once. */
function tick() {
  audio ??= new AudioContext();
  const now = audio.currentTime;
  const tone = new OscillatorNode(audio, { type: "triangle", frequency: 320 });
  const gain = new GainNode(audio, { gain: LOUD });
  gain.gain.exponentialRampToValueAtTime(LOUD / 100, now + LONG);
  tone.connect(gain).connect(audio.destination);
  tone.start(now);
  tone.stop(now + LONG);
}
