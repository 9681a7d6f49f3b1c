/** Feedback when a card is played: a quiet tick if wanted, and a vibration on phones. */
import { keptSignal } from "./kept.js";

export const sound = keptSignal("sound", false);

const LOUD = 0.04; // volume, from 0 to 1
const LONG = 0.06; // seconds
const TAP = 8; // milliseconds

/** @type {AudioContext | null} */
let audio = null;

/** Give feedback for a played card. */
export function laid() {
  if (sound.value) tick();
  // Browsers log a warning if the user has not touched the page yet.
  if (navigator.userActivation?.hasBeenActive && matchMedia("(pointer: coarse)").matches) navigator.vibrate?.(TAP);
}

/** Play a short wooden sound. */
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
