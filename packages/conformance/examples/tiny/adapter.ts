import { AsyncLocalStorage } from 'node:async_hooks';
import type {
  Approver,
  ExecuteOptions,
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
import { type AskOuter, callTool, runNested } from '@hooks/core/tool-call';
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
  const innermost = !agent.layers.some((layer) => attached.has(layer));
  const layer = (run: RunOptions) => layerOf(hooks, options, run, innermost);
  attached.set(layer, hooks);
  return { ...agent, layers: [layer, ...agent.layers] };
}

const attached = new WeakMap<object, Hooks>();

function layerOf(
  hooks: Hooks,
  options: Options,
  { thread, signal }: RunOptions,
  innermost: boolean,
): Layer {
  const session = hooks.session(thread);
  const run = crypto.randomUUID();
  return {
    async system() {
      await session.open();
      return takeContext(hooks, session, run);
    },
    async call({ id, tool, input }, next) {
      const last = innermost && !attached.has(tool);
      if (!concerns(hooks, tool.name))
        return goIn(last, furtherOut.getStore(), () => next(input));
      const call = { session, run, callId: id, input, signal };
      const outcome = await take(hooks, options, tool, call, next, last);
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

/** Hooks a tool by itself; each call has a session of its own. */
export function hookTool(
  tool: Tool,
  hooks: Hooks,
  options: Options = {},
): Tool {
  if (attached.get(tool) === hooks) return tool;
  const execute: Tool['execute'] = async (input, { signal }) => {
    const outer = furtherOut.getStore();
    const last = !attached.has(tool);
    if (outer?.asked.includes(hooks))
      return goIn(last, outer, () => tool.execute(input, { signal }));
    await using session = hooks.session();
    const run = async (used: unknown) =>
      tool.execute(used as never, { signal });
    const call = { session, input, signal };
    const outcome = await take(hooks, options, tool, call, run, last);
    if (outcome.stop) throw new Blocked(outcome.reason);
    if (outcome.status !== 'ok') throw new Refused(outcome.reason);
    return outcome.output;
  };
  const copy = { ...tool, execute };
  attached.set(copy, hooks);
  return copy;
}

/** Of a call on its way in: the hooks that it has come through, and how to ask them about another input. */
const furtherOut = new AsyncLocalStorage<FurtherOut | undefined>();

interface FurtherOut {
  readonly ask: AskOuter;
  readonly asked: readonly Hooks[];
}

/** Behind the last hooks is the tool, and what it calls is another call. */
function goIn<T>(
  last: boolean,
  outer: FurtherOut | undefined,
  run: () => T,
): T {
  return furtherOut.run(last ? undefined : outer, run);
}

/** Takes a call through the pipeline of core. A tool that fails, fails as without hooks. */
async function take(
  hooks: Hooks,
  options: Options,
  tool: Tool,
  call: Omit<ToolCall, 'toolName' | 'tool'>,
  run: (input: unknown) => Promise<unknown>,
  last: boolean,
): Promise<ToolCallOutcome> {
  const described = {
    toolName: tool.name,
    tool: { kind: 'function', ref: tool },
  } as const;
  const approving = {
    approval: approverOf(options),
    isControlFlow: (error: unknown) => error instanceof Final,
  };
  const outer = furtherOut.getStore();
  const asked = [...(outer?.asked ?? []), hooks];
  const execute = (input: unknown, running: ExecuteOptions) =>
    runNested(
      { running, outer: outer?.ask, ...approving },
      input === call.input ? undefined : { input },
      (changed, ask) =>
        goIn(last, { ask, asked }, () =>
          run(changed === undefined ? input : changed.input),
        ),
    );
  const outcome = await callTool(hooks, { ...call, ...described }, execute, {
    check: checkOf(tool),
    ...approving,
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

/** A hook ended the run. */
class Blocked extends Final {}

/** A hook refused the call of a tool that is hooked by itself. */
class Refused extends Error {}

/** Why a hook did: of what a run ended with, or of what a hooked tool threw. */
export function blockReason(thrown: unknown): string | undefined {
  const byHook = thrown instanceof Blocked || thrown instanceof Refused;
  return byHook ? thrown.message : undefined;
}
