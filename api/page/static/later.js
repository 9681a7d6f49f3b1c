/** What the page loads when it is first drawn, and not with the page: see `core/later.js`. */
import { DeckChoice } from "./parts/deck.js";
import { Brewed, Compounding } from "./parts/brews.js";
import { Unpacking } from "./parts/sending.js";
import { Analysis } from "./tabs/analysis.js";
import { Rules } from "./tabs/rules.js";
import { Tree } from "./tabs/tree.js";
import { Race } from "./play/race.js";
import { Told } from "./play/told.js";
import { Showing } from "./play/showing.js";
import { Start } from "./play/start.js";

Object.assign(globalThis, {
  later: { Analysis, Brewed, Compounding, DeckChoice, Unpacking, Race, Told, Showing, Start, Rules, Tree },
});
