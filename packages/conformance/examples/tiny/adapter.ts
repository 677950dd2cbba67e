import type { Approver, Attached, Hooks, Principal } from '@hooks/core';
import {
  type AgentRun,
  type AttachedRegistry,
  attachAdapter,
  BlockedError,
  blockReasonWith,
  joinRegistries,
  noteBlocked,
  openRun,
  type PendingApproval,
  type PrincipalOption,
  principalFor,
  principalOfCall,
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

type Registry = AttachedRegistry<Options>;

/** The registries and originals of hooked layers and tools. The registry attached last comes first. */
const hooked = new WeakMap<
  object,
  { registries: readonly Registry[]; bare?: Tool }
>();

/** Hooks an agent. Adds one layer around its calls, however many registries are attached. */
export function attach(
  agent: Agent,
  hooks: Hooks,
  options: Options = {},
): Agent {
  const before = agent.layers.flatMap(
    (layer) => hooked.get(layer)?.registries ?? [],
  );
  const names = agent.tools.map(({ name }) => name);
  const registries = joinRegistries([attached(hooks, options, names)], before);
  const layer = (run: RunOptions) => layerOf(registries, run);
  hooked.set(layer, { registries });
  const others = agent.layers.filter((other) => !hooked.has(other));
  return { ...agent, layers: [layer, ...others] };
}

function layerOf(registries: readonly Registry[], options: RunOptions): Layer {
  const run = open(registries, options, options.thread);
  return {
    async system() {
      await run.open();
      return run.takeContext();
    },
    async call({ id, tool, input }, next) {
      const { bare = tool, registries: inner = [] } = hooked.get(tool) ?? {};
      const execute = (used: unknown) => next({ id, tool: bare, input: used });
      const call = { callId: id, input };
      const principal = principalOfCall(inner, run, options);
      const described = { ...call, ...(principal && { principal }) };
      const outcome = await callTool(run, bare, described, execute, inner);
      if (run.stop !== undefined) throw ended(run.stop.reason);
      // A refused call has no output, so the model reads the reason instead.
      return outcome.status === 'ok' ? outcome.output : outcome.message;
    },
    end: () => run.end({ kind: 'done' }),
  };
}

/** Hooks a bare tool. Outside of a hooked agent, each call has its own session. */
export function hookTool(
  tool: Tool,
  hooks: Hooks,
  options: Options = {},
): Tool {
  const { bare = tool, registries: before = [] } = hooked.get(tool) ?? {};
  const registries = joinRegistries(
    [attached(hooks, options, [tool.name])],
    before,
  );
  const execute: Tool['execute'] = async (input, given) => {
    const run = open(registries, given);
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

/** Runs a call with its hooks. A failed tool throws as it would without them. */
async function callTool(
  run: AgentRun,
  tool: Tool,
  call: {
    readonly callId?: string;
    readonly input: unknown;
    readonly principal?: Principal;
  },
  execute: (input: unknown) => Promise<unknown>,
  inner: readonly Registry[] = [],
) {
  const { name: toolName, schema } = tool;
  const described = { kind: 'function', ref: tool } as const;
  const outcome = await run.callTool(
    { ...call, toolName, tool: described },
    execute,
    {
      inner: inner.map(inCore),
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
  options: Options,
  tools: readonly string[],
): Registry {
  const { approval, allowUnsupported = [] } = options;
  if (approval === 'native')
    throw new Error(
      'Tiny agents cannot pause; pass an approver as the option `approval`.',
    );
  attachAdapter(hooks, { supports, tools, allowUnsupported });
  return { hooks, options };
}

/** A registry in the form of core. */
function inCore({ hooks, options: { approval } }: Registry): Attached {
  return { hooks, approval: approval === 'native' ? undefined : approval };
}

function open(
  registries: readonly Registry[],
  { signal, ...options }: RunOptions,
  sessionId?: string,
): AgentRun {
  const known = registries.map((registry) => registry.options);
  const principal = principalFor(known, { signal, ...options });
  return openRun(registries.map(inCore), { sessionId, signal, principal });
}

/** The end of a run that a hook has stopped. */
function ended(reason: string): Final {
  const final = new Final(reason);
  noteBlocked(final, reason);
  return final;
}

/** Why a hook refused, from the result of a run or the error of a hooked tool. */
export const blockReason: (thrownOrReturned: unknown) => string | undefined =
  blockReasonWith((result) =>
    'final' in result ? blockReason(result.final) : undefined,
  );

/** Always empty, because runs of this framework cannot pause. */
export async function pendingApprovals(): Promise<readonly PendingApproval[]> {
  return [];
}
