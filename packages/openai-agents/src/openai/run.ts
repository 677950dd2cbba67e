import type { Hooks, Principal } from '@hooks/core';
import { type AgentRun, isSamePrincipal, openRun } from '@hooks/core/adapter';

/** What `runTools` passes to a callback. */
export interface RunToolsRunner {
  readonly messages: readonly object[];
  readonly controller: AbortController;
  abort(): void;
  on(event: 'end', listener: () => void): unknown;
}

const runs: WeakMap<RunToolsRunner, AgentRun[]> = new WeakMap();

/**
 * The run of a runner's tools with this outermost registry and principal: its session opens at the first call, and closes
 * with the runner. It has no approver, because each tool brings the options that it was hooked with.
 */
export function runOf(runner: RunToolsRunner, outermost: Hooks, principal: Principal | undefined): AgentRun {
  const own = runs.get(runner) ?? [];
  const known = own.find(
    (run) => run.registries[0]?.hooks === outermost && isSamePrincipal(run.principal, principal),
  );
  if (known !== undefined) return known;
  const run = openRun(outermost, { signal: runner.controller.signal, principal });
  runner.on('end', () => void run.end({ kind: 'done' }));
  runs.set(runner, [...own, run]);
  return run;
}

interface ToolCall {
  readonly id: string;
  readonly function?: { readonly name: string; readonly arguments: string };
}

const claimed: WeakSet<ToolCall> = new WeakSet();

/**
 * The id of a call. A callback is not told its own, so it takes the first call of the newest assistant message with
 * its name and arguments that no other callback took.
 */
export function claimId({ messages }: RunToolsRunner, name: string, raw: string): string | undefined {
  const asked = messages.findLast(
    (message): message is { readonly tool_calls: readonly ToolCall[] } =>
      'tool_calls' in message && Array.isArray(message.tool_calls),
  );
  const own = asked?.tool_calls.find(
    (call) => !claimed.has(call) && call.function?.name === name && call.function.arguments === raw,
  );
  if (own !== undefined) claimed.add(own);
  return own?.id;
}
