import { type Hooks, HooksError } from '@hooks/core';
import { attachAdapter } from '@hooks/core/adapter';
import { type CreateAgentParams, createAgent } from 'langchain';
import { asksPeople, DECIDES_BY_NAME, hookedHumanInTheLoop } from './approval/human-in-the-loop.ts';
import {
  type InnerForm,
  innerMiddleware,
  isHooks,
  isOurs,
  type MiddlewareSeat,
  seatedMiddleware,
} from './middleware.ts';
import { modelGate } from './model/call.ts';
import { gateModel } from './model/gate.ts';
import { type AgentLike, hookAgent } from './run/agent.ts';
import { type MakeAgent, WRAPPED } from './run/forms.ts';
import { supports } from './supports.ts';
import type { FindTool } from './tool/call.ts';
import { calledBy, type HookableTool } from './tool/tool.ts';
import { namedModel } from './translate.ts';
import type { CreateHookedAgent } from './types.ts';

/**
 * `createAgent`, hooked: takes its parameters, returns its agent. Every prompt, model call and tool call of the agent
 * goes through the hooks, and so does how each run ends, in `invoke`, `stream` and `streamEvents`.
 *
 * @example
 * ```ts
 * const agent = createHookedAgent({ model, tools: [search] }, hooks);
 * await agent.invoke({ messages: 'What is new?' });
 * ```
 * @throws HooksError `UNSUPPORTED_EVENT`, see `supports`
 */
export const createHookedAgent: CreateHookedAgent = (params, hooks, options = {}) => {
  const { allowUnsupported, approval } = options;
  if (approval === 'native' && !params.checkpointer)
    throw new HooksError(
      'CONFIG_INVALID',
      "createHookedAgent: approval 'native' pauses the graph, which needs a `checkpointer` among createAgent's parameters.",
    );
  const theirs = (params.middleware ?? []).filter((one) => !isOurs(one, hooks));
  const tools = [...(params.tools ?? []), ...theirs.flatMap((one) => one.tools ?? [])] as HookableTool[];
  attachAdapter(hooks, {
    supports,
    tools: tools.map(({ name }) => name),
    ...(allowUnsupported && { allowUnsupported }),
  });
  const wrapped = theirs.some((one) => one.wrapToolCall !== undefined);
  const wrapping = theirs.filter((one) => one.wrapModelCall !== undefined);
  const seat: MiddlewareSeat = {
    hooks,
    options,
    owner: {},
    fatal: wrapped,
    between: wrapped,
    find: findIn(hooks, tools, theirs),
    asksBefore: theirs.some(asksPeople),
    lastCalls: wrapping.length > 0 ? new WeakMap() : undefined,
    asksLast: !wrapping.every(isHooks),
  };
  const middleware = theirs.map((one) => (asksPeople(one) ? hookedHumanInTheLoop(one, seat, tools) : one));
  const { checkpointer, responseFormat, ...forgetful } = params;
  const memory = typeof checkpointer === 'object' ? checkpointer : undefined;
  const alone = theirs.length === 0;
  // A middleware may change the model of a call, and an answer in the model's place may not fit a response format.
  const gated = alone && responseFormat === undefined ? gateModel(params.model, modelGate(seat)) : undefined;
  const agentWith = (changed: Partial<CreateAgentParams>): AgentLike => makeAgent({ ...params, ...changed });
  const make: MakeAgent = (form) => {
    if (form === 'bare') return agentWith({ middleware });
    const wraps = form.model || gated === undefined;
    const ours = seatedMiddleware(seat, { ...form, model: wraps });
    const inner: InnerForm = { model: wraps ? seat.lastCalls : undefined, tools: seat.between };
    const last = inner.model || inner.tools ? [innerMiddleware(seat, inner)] : [];
    return agentWith({ model: wraps ? params.model : gated, middleware: [ours, ...middleware, ...last] });
  };
  const makeRefusing = (): AgentLike =>
    makeAgent({ ...forgetful, middleware: [seatedMiddleware(seat, WRAPPED)] });
  return hookAgent(make, {
    seat,
    name: params.name,
    memory,
    model: namedModel(params.model),
    alone,
    makeRefusing,
  }) as never; // the agent that `createAgent` makes of these parameters, which is more than we can tell here
};

/** `createAgent` without its types, which its caller's own stand for. */
const makeAgent = createAgent as (params: object) => AgentLike;

function findIn(
  hooks: Hooks,
  tools: readonly HookableTool[],
  middleware: readonly { readonly name: string }[],
): FindTool {
  const byName = middleware.some(asksPeople);
  return (name) => {
    if (byName) return DECIDES_BY_NAME;
    const target = tools.find((tool) => tool.name === name);
    return target === undefined ? `the agent has no tool "${name}"` : calledBy(hooks, target);
  };
}
