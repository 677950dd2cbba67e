import type { Approver, Hooks, Principal } from '@hooks/core';
import {
  type AgentRun,
  Attachment,
  BlockedError,
  blockReasonWith,
  noteBlocked,
  openRun,
  type PendingApproval,
  type PrincipalOption,
  type RefusedOption,
  sharedOptions,
} from '@hooks/core/adapter';
import type { OptionChecks } from '@hooks/core/options';
import {
  type Agent,
  Final,
  type Layer,
  type RunOptions,
  type Tool,
} from './agent.ts';
import { supports } from './supports.ts';

export interface Options extends PrincipalOption<RunOptions>, RefusedOption {
  readonly approval?: 'deny' | 'native' | Approver;
  readonly allowUnsupported?: readonly string[];
}

const { approval, allowUnsupported, principal, refused } = sharedOptions;
const OPTIONS: OptionChecks<Options> = {
  approval,
  allowUnsupported,
  principal,
  refused,
};

type Attached = Attachment<RunOptions, Options>;

/** What hooks a layer or a tool, and the tool without hooks. */
const hooked = new WeakMap<object, { attached: Attached; bare?: Tool }>();

/** Hooks an agent. Adds one layer around its calls, however many registries are attached. */
export function attach(
  agent: Agent,
  hooks: Hooks,
  options: Options = {},
): Agent {
  const tools = agent.tools.map(({ name }) => name);
  const before = agent.layers.find((layer) => hooked.has(layer));
  const attached = around(attachTo(hooks, options, tools), before);
  const layer = (run: RunOptions) => layerOf(attached, run);
  hooked.set(layer, { attached });
  const others = agent.layers.filter((other) => other !== before);
  return { ...agent, layers: [layer, ...others] };
}

function layerOf(attached: Attached, options: RunOptions): Layer {
  const run = open(attached, options, options.thread);
  return {
    async system() {
      await run.open();
      return run.takeContext();
    },
    async call({ id, tool, input }, next) {
      const { bare = tool, attached: inner = none } = hooked.get(tool) ?? {};
      const execute = (used: unknown) => next({ id, tool: bare, input: used });
      const call = { callId: id, input };
      const principal = inner.principalOfCall(run, options);
      const described = { ...call, ...(principal && { principal }) };
      const outcome = await callTool(run, bare, described, execute, inner);
      if (run.stop !== undefined) throw ended(run.stop.reason);
      // A refused call has no output, so the model reads the reason instead.
      return outcome.status === 'ok' ? outcome.output : outcome.message;
    },
    async end() {
      await run.end({ kind: 'done' });
      const rejection = attached.rejection(run);
      if (rejection !== undefined) throw rejection;
    },
  };
}

/** Hooks a bare tool. Outside of a hooked agent, each call has its own session. */
export function hookTool(
  tool: Tool,
  hooks: Hooks,
  options: Options = {},
): Tool {
  const { bare = tool } = hooked.get(tool) ?? {};
  const attached = around(attachTo(hooks, options, [tool.name]), tool);
  const execute: Tool['execute'] = async (input, given) => {
    const run = open(attached, given);
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
  hooked.set(copy, { attached, bare });
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
  inner: Attached = none,
) {
  const { name: toolName, schema } = tool;
  const described = { kind: 'function', ref: tool } as const;
  const outcome = await run.callTool(
    { ...call, toolName, tool: described },
    execute,
    {
      inner: inner.attached(),
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

const none: Attached = Attachment.none;

function attachTo(
  hooks: Hooks,
  options: Options,
  tools: readonly string[],
): Attached {
  if (options.approval === 'native')
    throw new Error(
      'Tiny agents cannot pause; pass an approver as the option `approval`.',
    );
  const declaration = { of: 'attach', takes: OPTIONS, supports, tools };
  return Attachment.of(hooks, options, declaration);
}

/** The registry attached last comes first. */
function around(attached: Attached, before: object | undefined): Attached {
  const known = before && hooked.get(before);
  return known ? attached.around(known.attached) : attached;
}

function open(
  attached: Attached,
  { signal, ...options }: RunOptions,
  sessionId?: string,
): AgentRun {
  const principal = attached.principal({ signal, ...options });
  const registries = attached.attached();
  return openRun(registries, { sessionId, signal, principal });
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
