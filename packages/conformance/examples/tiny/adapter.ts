import type {
  Approver,
  Hooks,
  InputCheck,
  ToolCall,
  ToolCallOutcome,
} from '@hooks/core';
import {
  attachAdapter,
  concerns,
  forgetRun,
  takeContext,
} from '@hooks/core/adapter';
import { callTool } from '@hooks/core/tool-call';
import {
  type Agent,
  Final,
  type Layer,
  type RunOptions,
  type Tool,
} from './agent.ts';
import { supports } from './supports.ts';

export interface Options {
  readonly approval?: 'deny' | 'native' | Approver;
  readonly allowUnsupported?: readonly string[];
}

/** Hooks an agent: a layer around its calls, the later attached outermost, once for each registry. */
export function attach(
  agent: Agent,
  hooks: Hooks,
  options: Options = {},
): Agent {
  const { allowUnsupported = [] } = options;
  const tools = agent.tools.map(({ name }) => name);
  attachAdapter(hooks, { supports, tools, allowUnsupported });
  if (agent.layers.some((layer) => attached.get(layer) === hooks)) return agent;
  const layer = (run: RunOptions) => layerOf(hooks, options, run);
  attached.set(layer, hooks);
  return { ...agent, layers: [layer, ...agent.layers] };
}

const attached = new WeakMap<object, Hooks>();

function layerOf(
  hooks: Hooks,
  options: Options,
  { thread, signal }: RunOptions,
): Layer {
  const session = hooks.session(thread);
  const run = crypto.randomUUID();
  return {
    async system() {
      await session.open();
      return takeContext(hooks, session, run);
    },
    async call({ id, tool, input }, next) {
      if (!concerns(hooks, tool.name)) return next(input);
      const call = { session, run, callId: id, input, signal };
      const outcome = await take(hooks, options, tool, call, next);
      if (outcome.stop) throw new Blocked(outcome.reason);
      // A refused call has no output; the model reads the hook's words in its place.
      return outcome.status === 'ok' ? outcome.output : outcome.message;
    },
    async end() {
      forgetRun(session, run);
      if (thread === undefined) await session.close();
    },
  };
}

/** Hooks a tool that stands for itself; each call has a session of its own. */
export function hookTool(
  tool: Tool,
  hooks: Hooks,
  options: Options = {},
): Tool {
  if (attached.get(tool) === hooks) return tool;
  const execute: Tool['execute'] = async (input, { signal }) => {
    await using session = hooks.session();
    const run = async (used: unknown) =>
      tool.execute(used as never, { signal });
    const outcome = await take(
      hooks,
      options,
      tool,
      { session, input, signal },
      run,
    );
    if (outcome.status !== 'ok') throw new Blocked(outcome.reason);
    return outcome.output;
  };
  const copy = { ...tool, execute };
  attached.set(copy, hooks);
  return copy;
}

/** Takes a call through the pipeline of core. A tool that fails, fails as without hooks. */
async function take(
  hooks: Hooks,
  options: Options,
  tool: Tool,
  call: Omit<ToolCall, 'toolName' | 'tool'>,
  run: (input: unknown) => Promise<unknown>,
): Promise<ToolCallOutcome> {
  const described = {
    toolName: tool.name,
    tool: { kind: 'function', ref: tool },
  } as const;
  const outcome = await callTool(hooks, { ...call, ...described }, run, {
    check: checkOf(tool),
    approval: approverOf(options),
    isControlFlow: (error) => error instanceof Final,
  });
  if (outcome.status === 'error') throw outcome.error;
  return outcome;
}

function approverOf({ approval }: Options): Approver | 'deny' {
  if (approval === 'native')
    throw new Error('Tiny agents cannot pause; give an approver.');
  return approval ?? 'deny';
}

function checkOf({ schema }: Tool): InputCheck {
  return (input) => {
    const { error } = schema.safeParse(input);
    return error && { message: error.message, error };
  };
}

/** A hook ended the run, or refused the call of a bare tool. */
class Blocked extends Final {}

/** Why a hook did: of what a run ended with, or of what a hooked tool threw. */
export function blockReason(thrown: unknown): string | undefined {
  return thrown instanceof Blocked ? thrown.message : undefined;
}
