/** What games have of their own in the middle of the table, by their names. */
import { ALCHEMY } from "./alchemy.js";
import { Line } from "./alchemy-middle.js";
import { AQUA_REGIA } from "./aqua-regia.js";
import { Fields } from "./aqua-regia-middle.js";
import { KING } from "./king.js";
import { Led } from "./king-middle.js";
import { KIRIN } from "./kirin.js";
import { Direction } from "./kirin-middle.js";

/** What is in force. @type {Record<string, any>} */
export const IN_FORCE = { [KIRIN.name]: Direction, [KING.name]: Led, [AQUA_REGIA.name]: Fields };
/** What lies in place of a trick. @type {Record<string, any>} */
export const LYING = { [ALCHEMY.name]: Line };
