/** What the page loads when it is first needed, and not with the page: see `core/later.js`. */
import { DeckChoice, editOwn } from "./parts/deck.js";
import { Compounding } from "./parts/brews.js";
import { Spoiler } from "./puzzles/spoiler.js";
import { chooseDaily } from "./puzzles/store.js";
import { corrected } from "./table/corrected.js";
import { Turned } from "./table/turned.js";
import { Unpacking } from "./parts/sending.js";
import { Analysis } from "./tabs/analysis.js";
import { Puzzles } from "./tabs/puzzles.js";
import { Rules } from "./tabs/rules.js";
import { Tree } from "./tabs/tree.js";
import { Ended } from "./play/ended.js";
import { Log } from "./play/log.js";
import { Race } from "./play/race.js";
import { Told } from "./play/told.js";
import { Showing } from "./play/showing.js";
import { Start } from "./play/start.js";

Object.assign(globalThis, {
  later: {
    ...{ Analysis, Compounding, DeckChoice, Ended, Log, Puzzles, Race, Rules, Showing, Spoiler, Start, Told, Tree },
    ...{ Turned, Unpacking, chooseDaily, corrected, editOwn },
  },
});
