import type { Hooks, Principal } from '@hooks/core';
import { type AgentRun, isSamePrincipal, openRun } from '@hooks/core/adapter';

/** What `runTools` passes to a callback. */
export interface RunToolsRunner {
  readonly messages: readonly object[];
  readonly controller: AbortController;
  abort(): void;
  on(event: 'end', listener: () => void): unknown;
}

interface ToolCall {
  readonly id: string;
  readonly function?: { readonly name: string; readonly arguments: string };
}

/** A `runTools`, as hooks see it. */
class RunTools {
  readonly #runner: RunToolsRunner;
  readonly #runs: { readonly outermost: Hooks; readonly run: AgentRun }[] = [];
  readonly #claimed: Set<ToolCall> = new Set();

  constructor(runner: RunToolsRunner) {
    this.#runner = runner;
  }

  /**
   * The run of the tools with this outermost registry and principal: its session opens at the first call, and closes with
   * the runner. It has no approver, because each tool brings the options that it was hooked with.
   */
  runOf(outermost: Hooks, principal: Principal | undefined): AgentRun {
    const known = this.#runs.find(
      (one) => one.outermost === outermost && isSamePrincipal(one.run.principal, principal),
    );
    if (known !== undefined) return known.run;
    const run = openRun(outermost, { signal: this.#runner.controller.signal, principal });
    this.#runner.on('end', () => void run.end({ kind: 'done' }));
    this.#runs.push({ outermost, run });
    return run;
  }

  /**
   * The id of a call. A callback is not told its own, so it takes the first call of the newest assistant message with
   * its name and arguments that no other callback took.
   */
  claimId(name: string, raw: string): string | undefined {
    const asked = this.#runner.messages.findLast(
      (message) => 'tool_calls' in message && Array.isArray(message.tool_calls),
    );
    const calls: readonly ToolCall[] = asked === undefined ? [] : Reflect.get(asked, 'tool_calls');
    const own = calls.find(
      (call) => !this.#claimed.has(call) && call.function?.name === name && call.function.arguments === raw,
    );
    if (own !== undefined) this.#claimed.add(own);
    return own?.id;
  }
}

const known: WeakMap<RunToolsRunner, RunTools> = new WeakMap();

/** The state of a runner, created at its first tool call. */
export function runToolsOf(runner: RunToolsRunner): RunTools {
  let found = known.get(runner);
  if (found === undefined) {
    found = new RunTools(runner);
    known.set(runner, found);
  }
  return found;
}
