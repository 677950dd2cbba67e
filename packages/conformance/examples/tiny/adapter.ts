import type { Approver, Attached, Hooks } from '@hooks/core';
import {
  type AgentRun,
  attachAdapter,
  BlockedError,
  blockReasonWith,
  noteBlocked,
  openRun,
  type PendingApproval,
  type PrincipalOption,
  principalFor,
} from '@hooks/core/adapter';
import {
  type Agent,
  Final,
  type Layer,
  type RunOptions,
  type Tool,
} from './agent.ts';
import { supports } from './supports.ts';

export interface Options extends PrincipalOption<RunOptions> {
  readonly approval?: 'deny' | 'native' | Approver;
  readonly allowUnsupported?: readonly string[];
}

/** A registry, and how it learns for whom a run is. */
interface Member extends Attached, PrincipalOption<RunOptions> {}

/** What hooked layers and tools were made of; the registry attached last is the first. */
const hooked = new WeakMap<
  object,
  { registries: readonly Member[]; bare?: Tool }
>();

/** Hooks an agent: one layer around its calls, however many registries are attached. */
export function attach(
  agent: Agent,
  hooks: Hooks,
  options: Options = {},
): Agent {
  const before = agent.layers.flatMap(
    (layer) => hooked.get(layer)?.registries ?? [],
  );
  const names = agent.tools.map(({ name }) => name);
  const registries = [attached(hooks, options, names), ...before];
  const layer = (run: RunOptions) => layerOf(registries, run);
  hooked.set(layer, { registries });
  const others = agent.layers.filter((other) => !hooked.has(other));
  return { ...agent, layers: [layer, ...others] };
}

function layerOf(registries: readonly Member[], options: RunOptions): Layer {
  const run = openRun(registries, {
    sessionId: options.thread,
    signal: options.signal,
    principal: principalFor(registries, options),
  });
  return {
    async system() {
      await run.open();
      return run.takeContext();
    },
    async call({ id, tool, input }, next) {
      const { bare = tool, registries: inner = [] } = hooked.get(tool) ?? {};
      const execute = (used: unknown) => next({ id, tool: bare, input: used });
      const call = { callId: id, input };
      const outcome = await callTool(run, bare, call, execute, inner);
      if (run.stop !== undefined) throw ended(run.stop.reason);
      // A refused call has no output; the model reads the hook's words in its place.
      return outcome.status === 'ok' ? outcome.output : outcome.message;
    },
    end: () => run.end({ kind: 'done' }),
  };
}

/** Hooks a tool by itself. Called outside of a hooked agent, each call has a session of its own. */
export function hookTool(
  tool: Tool,
  hooks: Hooks,
  options: Options = {},
): Tool {
  const { bare = tool, registries: before = [] } = hooked.get(tool) ?? {};
  const registries = [attached(hooks, options, [tool.name]), ...before];
  const execute: Tool['execute'] = async (input, given) => {
    const principal = principalFor(registries, given);
    const run = openRun(registries, { signal: given.signal, principal });
    await run.begin();
    try {
      const running = async (used: unknown) =>
        bare.execute(used as never, given);
      const outcome = await callTool(run, bare, { input }, running);
      if (outcome.status !== 'ok') throw new BlockedError(outcome);
      return outcome.output;
    } finally {
      await run.end({ kind: 'done' });
    }
  };
  const copy = { ...bare, execute };
  hooked.set(copy, { registries, bare });
  return copy;
}

/** Takes a call through the hooks. A tool that fails, fails as without them. */
async function callTool(
  run: AgentRun,
  tool: Tool,
  call: { readonly callId?: string; readonly input: unknown },
  execute: (input: unknown) => Promise<unknown>,
  inner: readonly Attached[] = [],
) {
  const { name: toolName, schema } = tool;
  const described = { kind: 'function', ref: tool } as const;
  const outcome = await run.callTool(
    { ...call, toolName, tool: described },
    execute,
    {
      inner,
      check(input) {
        const { error } = schema.safeParse(input);
        return error && { message: error.message, error };
      },
      isControlFlow: (error) => error instanceof Final,
    },
  );
  if (outcome.status === 'error') throw outcome.error;
  return outcome;
}

function attached(
  hooks: Hooks,
  { approval, allowUnsupported = [], principal }: Options,
  tools: readonly string[],
): Member {
  if (approval === 'native')
    throw new Error('Tiny agents cannot pause; give an approver.');
  attachAdapter(hooks, { supports, tools, allowUnsupported });
  return { hooks, approval, ...(principal && { principal }) };
}

/** What a run ends with that a hook has ended. */
function ended(reason: string): Final {
  const final = new Final(reason);
  noteBlocked(final, reason);
  return final;
}

/** Why a hook refused: of what a run returned, or of what a hooked tool threw. */
export const blockReason: (thrownOrReturned: unknown) => string | undefined =
  blockReasonWith((result) =>
    'final' in result ? blockReason(result.final) : undefined,
  );

/** Runs of this framework do not pause. */
export async function pendingApprovals(): Promise<readonly PendingApproval[]> {
  return [];
}
