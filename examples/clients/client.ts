// A small client for a browser: plays a whole match, follows a hint and a job. Copy what you need.
// A page of another site needs ATHANOR_CORS_ORIGINS (see docs/deploying.md) and the service's address.

export interface Fault {
  code: string; // programs can rely on it; the service's /docs/errors lists them
  path: string;
  message: string;
}

export interface Match {
  match: object; // the game so far: it is sent back as it is
  to_move: number | null;
  has_choice: boolean;
  legal_moves: string[];
  ended: { summary: string[]; totals: number[] | null } | null;
}

export interface Progress {
  stage: string;
  done: number | null;
  best: string | null;
}

export interface Hint {
  best: string | null;
  moves: { move: string }[];
  reason: string;
}

export type Result = { text?: string; error?: Fault };

export class Refused extends Error {
  constructor(readonly fault: Fault) {
    super(fault.path ? `${fault.path}: ${fault.message}` : fault.message);
  }
}

export class Athanor {
  constructor(readonly address: string) {}

  /** Send a request, and return its answer. Throws Refused. */
  async ask<T>(path: string, body?: object): Promise<T> {
    return (await this.send(path, body, "application/json")).json() as Promise<T>;
  }

  /** Send a request, and yield the lines of its answer as they arrive. Throws Refused. */
  async *stream<T>(path: string, body?: object): AsyncGenerator<Awaited<T>> {
    const reader = (await this.send(path, body, "application/x-ndjson")).body!.getReader();
    const text = new TextDecoder();
    let rest = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const lines = (rest + text.decode(part.value, { stream: true })).split("\n");
      rest = lines.pop()!;
      for (const line of lines) {
        const found = JSON.parse(line) as Awaited<T> & { error?: Fault };
        if (found.error) throw new Refused(found.error);
        yield found;
      }
    }
  }

  /** Play a match in which the player always makes the first legal move, and return its end. */
  async play(start: { game: string; seed: number; seconds: number; variant?: string }): Promise<Match> {
    let state = await this.ask<Match>("match", { match: start });
    while (state.to_move !== null) {
      const { match, legal_moves: moves } = state;
      if (state.has_choice) state = await this.ask<Match>("match", { match, moves: moves.slice(0, 1) });
      else state = await this.ask<Match>("match/turn", { match });
    }
    return state;
  }

  /** Yield the progress of a hint, and finally the hint. */
  async *hint(position: object | string, seconds: number): AsyncGenerator<Progress | Hint> {
    type Line = { progress: Progress } | Hint;
    for await (const line of this.stream<Line>("hint", { position, limit: { seconds } }))
      yield "progress" in line ? line.progress : line;
  }

  /** Submit a job, and yield its results as they are found: answers, or objects with the key `error`. */
  async *job(kind: string, questions: object[], options: object = {}): AsyncGenerator<Result> {
    const { id } = await this.ask<{ id: string }>("jobs", { kind, questions, ...options });
    for await (const line of this.stream<{ result?: Result }>(`jobs/${id}/results?stream=true`))
      if (line.result) yield line.result;
  }

  private async send(path: string, body: object | undefined, accept: string): Promise<Response> {
    const headers = { Accept: accept, "Content-Type": "application/json" };
    const request = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
    const answer = await fetch(`${this.address}/v1/${path}`, request);
    if (!answer.ok) throw new Refused(((await answer.json()) as { error: Fault }).error);
    return answer;
  }
}
