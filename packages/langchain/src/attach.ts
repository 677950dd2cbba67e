import { HooksError } from '@hooks/core';
import { attachAdapter } from '@hooks/core/adapter';
import { type CreateAgentParams, createAgent } from 'langchain';
import { isReviewed, reviewsAny } from './approval/review.ts';
import {
  type InnerForm,
  innerMiddleware,
  type MiddlewareSeat,
  memberOf,
  seatedMiddleware,
} from './middleware.ts';
import { modelGate } from './model/call.ts';
import { gateModel } from './model/gate.ts';
import type { AgentHookOptions } from './options.ts';
import { type AgentLike, hookAgent } from './run/agent.ts';
import { type MakeAgent, WRAPPED } from './run/forms.ts';
import { supports } from './supports.ts';
import { membersOf } from './tool/call.ts';
import { type HookableTool, type Member, unhooked } from './tool/tool.ts';
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
  const { allowUnsupported, approval, interruptOn } = options;
  if (
    (approval === 'native' || (typeof approval !== 'function' && reviewsAny(options))) &&
    !params.checkpointer
  )
    throw new HooksError(
      'CONFIG_INVALID',
      `createHookedAgent: ${approval === 'native' ? "approval 'native'" : 'interruptOn'} pauses the graph, which needs a \`checkpointer\` among createAgent's parameters.`,
    );
  const middleware = (params.middleware ?? []).filter((one) => memberOf(one)?.hooks !== hooks);
  const members = membersOf(
    [{ hooks, options }],
    middleware.flatMap((one) => memberOf(one) ?? []),
  );
  const tools = [...(params.tools ?? []), ...middleware.flatMap((one) => one.tools ?? [])] as HookableTool[];
  attachAdapter(hooks, {
    supports,
    tools: tools.map(({ name }) => name),
    ...(allowUnsupported && { allowUnsupported }),
  });
  const others = middleware.filter((one) => memberOf(one) === undefined);
  const wrapped = others.some((one) => one.wrapToolCall !== undefined);
  const wrapping = middleware.filter((one) => one.wrapModelCall !== undefined);
  const seat: MiddlewareSeat = {
    hooks,
    members,
    options,
    owner: {},
    fatal: wrapped,
    between: wrapped,
    find: (name) => findTool(name, tools, members, interruptOn),
    lastCalls: wrapping.length > 0 ? new WeakMap() : undefined,
    asksLast: others.some((one) => one.wrapModelCall !== undefined),
  };
  const { checkpointer, responseFormat, ...forgetful } = params;
  const memory = typeof checkpointer === 'object' ? checkpointer : undefined;
  const alone = middleware.length === 0;
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

/** The tool that a hook wants called in the place of another. */
function findTool(
  name: string,
  tools: readonly HookableTool[],
  members: readonly Member[],
  interruptOn: AgentHookOptions['interruptOn'],
): HookableTool | string {
  if (isReviewed({ interruptOn }, name)) return `interruptOn has a person asked about "${name}"`;
  const target = tools.find((tool) => tool.name === name);
  return target === undefined ? `the agent has no tool "${name}"` : unhooked(target, members);
}
