import { type ModelRequest, toolResults } from '@hooks/conformance';
import { AfterToolCall, type Hooks } from '@hooks/core';

/** How one call ended. In all frameworks it has to be the same. */
export interface Outcome {
  readonly tool: string;
  readonly status: string;
  /** The inputs with which the tool really ran. */
  readonly ran: readonly string[];
  /** What the model read. */
  readonly read: string;
}

/** Collects the outcomes of one agent's run, in the order of its calls. */
export class Outcomes {
  readonly #byCall: Map<string, { tool: string; status: string; ran: string[]; read: string }> = new Map();
  #running: string[] = [];

  constructor(hooks: Hooks) {
    hooks.observe(AfterToolCall, (call, decision) => {
      if (decision.kind === 'retry') return;
      const read = call.status === 'ok' ? textOf(call.output) : (call.reason ?? call.errorMessage ?? '');
      this.#byCall.set(call.callId, { tool: call.toolName, status: call.status, ran: this.#running, read });
      this.#running = [];
    });
  }

  /** A tool really ran. */
  ran(input: object): void {
    this.#running.push(JSON.stringify(input));
  }

  /** Takes what the model read from what it was sent, which is more than hooks can tell. */
  readFrom(requests: readonly ModelRequest[]): void {
    const last = requests.at(-1);
    const texts = Object.values(last === undefined ? {} : toolResults(last));
    // One after the other; behind the MCP proxy they have other ids.
    for (const [nth, outcome] of [...this.#byCall.values()].entries())
      outcome.read = texts[nth] ?? outcome.read;
  }

  get list(): readonly Outcome[] {
    return [...this.#byCall.values()];
  }
}

function textOf(output: unknown): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}
