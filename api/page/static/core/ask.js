/** Requests to the service. While it is unreachable, starting or busy, they wait and retry. */
import { notice, pause, untilAgain, untilBack } from "./connection.js";
import { untracked } from "./html.js";
import { anotherToken, tokenHeader } from "./token.js";
import { isSaid, language, say } from "./words.js";

/** @typedef {{code: string, path: string, message: string}} FaultData */

/** The players' names by seat, for sentences of the service: "" for the reader; empty where seats have numbers. */
let named = () => /** @type {string[]} */ ([]);

/** Set how to find these names when a question is asked. @param {() => string[]} find */
export function nameBy(find) {
  named = find;
}

/** The names now. */
export function names() {
  return untracked(named);
}

/** What `run` asks for is about a text, in which seats have numbers. @template T @param {() => T} run @returns {T} */
export function numbered(run) {
  const before = named;
  named = () => [];
  const asked = run();
  named = before;
  return asked;
}

const LONGEST_PAUSE = 5; // seconds between two attempts, whatever the service says
// In place of 503 and 429, which a browser would show on its console for every attempt.
const LATER = 202;
const SERVERS = 500; // statuses from here on are of failures of the server
const WRONG = 422; // the status of a request whose body is at fault
const STARTING_PAUSE = 1; // seconds between two attempts while a game compiles, which takes an unknown time

/** A request that the service refused, with all faults. */
export class Refused extends Error {
  /** @param {FaultData & {faults?: FaultData[]}} error @param {number} [status] that of the answer */
  constructor(error, status) {
    super(error.message);
    this.status = status;
    this.code = error.code;
    /** @type {FaultData[]} */
    this.faults = (error.faults ?? [error]).map(({ code, path, message }) => ({
      code,
      path: within(path),
      message,
    }));
    this.path = this.faults[0].path;
  }
}

/** A path relative to the position, which is what people see. @param {string} path */
function within(path) {
  return path.replace(/^position(\.|$)/, "");
}

/** Whether an error only means that the request was aborted. @param {unknown} error */
export function isAborted(error) {
  return error instanceof DOMException && error.name === "AbortError";
}

/**
 * POST `body`, or GET if there is none, and return the answer.
 *
 * @param {string} path such as "v1/moves"; relative, so that the page works at any address
 * @param {object | string | null} [body] an object is sent as JSON, a text as TOML, a `Blob` as its bytes
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function ask(path, body = null, signal) {
  return (await answered(path, body, "application/json", signal)).json();
}

/**
 * As `ask`, for what the page shows without being asked: if it is refused, the page says so and tries again. Throws
 * only what is wrong with `body`.
 *
 * @param {string} path @param {object | null} [body] @returns {Promise<any>}
 */
export async function load(path, body = null) {
  for (;;) {
    try {
      return await ask(path, body);
    } catch (error) {
      if (!(error instanceof Refused) || (body && error.status === WRONG)) throw error;
      await untilAgain(error.message);
    }
  }
}

/**
 * Check a position and the moves that follow. Throws the faults, as other requests do, but an incomplete position is
 * not logged as a failed request. Returns what is `after` the moves and the `next_moves`, if that is asked for.
 *
 * @param {{position: any, moves: string[], after?: boolean}} body @param {AbortSignal} [signal]
 */
export async function verify(body, signal) {
  const { faults, ...found } = await ask("v1/check", body, signal);
  if (faults.length) throw new Refused({ ...faults[0], faults });
  return found;
}

/**
 * Call `take` with each line of a streamed answer as it arrives.
 *
 * @param {string} path
 * @param {object | string} body
 * @param {(line: any) => void} take
 * @param {AbortSignal} [signal] aborting ends the search
 */
export async function stream(path, body, take, signal) {
  const answer = await answered(path, body, "application/x-ndjson", signal);
  const reader = /** @type {ReadableStream<Uint8Array>} */ (answer.body).getReader();
  const decoder = new TextDecoder();
  let left = "";
  for (;;) {
    const { done, value } = await reader.read();
    left += decoder.decode(value, { stream: !done });
    const lines = left.split("\n");
    left = lines.pop() ?? "";
    for (const line of lines.filter(Boolean)) {
      const found = JSON.parse(line);
      if (found.error && Object.keys(found).length === 1) throw new Refused(found.error);
      take(found);
    }
    if (done) return;
  }
}

/** What is wrong, and what to do, in words, where an answer is not the service's, but such as a proxy's before it. */
export function messageOf(/** @type {number} */ status) {
  const key = `http.${status}`;
  return say(isSaid(key) ? key : `http.${status < SERVERS ? "refused" : "failed"}`, { status });
}

/**
 * @param {string} path @param {object | string | null} body @param {string} accept @param {AbortSignal} [signal]
 * @returns {Promise<Response>}
 */
async function answered(path, body, accept, signal) {
  const isFile = body instanceof Blob;
  const text = typeof body === "string" ? "application/toml" : "application/json";
  const type = isFile ? "application/octet-stream" : text;
  const sent = isFile || typeof body === "string" ? body : JSON.stringify(body);
  /** @type {RequestInit} */
  const request = body === null ? { signal } : { method: "POST", body: sent, signal };
  const called = names();
  /** @type {Record<string, string>} */
  const headers = {
    Accept: accept,
    "Accept-Language": language,
    Prefer: "respond-async",
    ...(body === null ? {} : { "Content-Type": type }),
    ...(called.length ? { "X-Names": called.map(encodeURIComponent).join(",") } : {}),
  };
  for (;;) {
    let answer;
    const token = tokenHeader();
    try {
      answer = await fetch(path, { ...request, headers: { ...headers, ...token } });
    } catch (error) {
      if (isAborted(error)) throw error;
      await untilBack();
      signal?.throwIfAborted();
      continue;
    }
    if (answer.ok && answer.status !== LATER) {
      notice.value = "";
      return answer;
    }
    const { status } = answer;
    const byProxy = () => ({ error: { code: "proxy", path: "", message: messageOf(status) } });
    const { error } = status === SERVERS ? byProxy() : await answer.json().catch(byProxy); // its own is for operators
    if (status === 401 && anotherToken(token, error.message)) continue;
    const isLater = [LATER, 429, 502, 503, 504].includes(status);
    if (!isLater || error.code === "share_full") throw new Refused(error, status);
    const isStarting = error.code === "starting"; // else it is busy
    notice.value = isStarting ? error.message : say("board.loading");
    const longest = isStarting ? STARTING_PAUSE : LONGEST_PAUSE;
    await pause(1000 * Math.min(longest, Number(answer.headers.get("Retry-After")) || 1), signal);
  }
}
