import { HooksError } from '@hooks/core';
import { Attachment } from '@hooks/core/adapter';
import { createAgent } from 'langchain';
import { isReviewed, reviewsAny } from './approval/review.ts';
import {
  innerMiddleware,
  type MiddlewareSeat,
  NAME,
  registriesOf,
  seatedMiddleware,
  withModelErrors,
} from './middleware.ts';
import { type HookedOptions, OF_AGENTS } from './options.ts';
import { hookAgent } from './run/agent.ts';
import type { AgentLike, MakeAgent } from './run/forms.ts';
import { supports } from './supports.ts';
import { sharedNode } from './tool/agent-call.ts';
import { findIn, type HookableTool } from './tool/tool.ts';
import { namedModel, toolName } from './translate.ts';
import type { CreateHookedAgent } from './types.ts';

/**
 * `createAgent` with hooks: takes the same parameters and returns the same agent. Hooks see every prompt, model call
 * and tool call of the agent, and the end of each run, in `invoke`, `stream` and `streamEvents`.
 *
 * @example
 * ```ts
 * const agent = createHookedAgent({ model, tools: [search] }, hooks);
 * await agent.invoke({ messages: 'What is new?' });
 * ```
 * @throws HooksError `UNSUPPORTED_EVENT`, see `supports`
 */
export const createHookedAgent: CreateHookedAgent = (params, hooks, options = {}) => {
  const { interruptOn } = options;
  checkPausing(params, options);
  const given = params.middleware ?? [];
  // The registries of `hooksMiddleware` join the list, so that there is one chain.
  const inner = given.flatMap((one) => registriesOf(one) ?? []);
  const middleware = given.filter((one) => registriesOf(one) === undefined);
  const tools = [...(params.tools ?? []), ...middleware.flatMap((one) => one.tools ?? [])] as HookableTool[];
  const names = tools.map(toolName);
  const registries = [
    Attachment.of(hooks, options, { of: 'createHookedAgent', takes: OF_AGENTS, supports, tools: names }),
    ...inner,
  ].reduce((outer, one) => outer.around(one));
  const find = findIn(tools, registries);
  // Which tools it reviews it tells nobody.
  const reviewing = middleware.some(({ name }) => name === 'HumanInTheLoopMiddleware');
  const wrapsTools = middleware.some((one) => one.wrapToolCall !== undefined);
  const wrapsModels = middleware.some((one) => one.wrapModelCall !== undefined);
  const seat: MiddlewareSeat = {
    name: NAME,
    registries,
    options,
    owner: {},
    fatal: wrapsTools,
    between: wrapsTools,
    find(name) {
      const found = find(name);
      const isLeft = !isReviewed({ interruptOn }, found?.tool.name ?? '') && !reviewing;
      if (found === undefined || isLeft) return found;
      const by = reviewing ? 'humanInTheLoopMiddleware' : 'interruptOn';
      return { ...found, unenforced: `may have to be reviewed by a person (${by}), who would not be asked` };
    },
    model: namedModel(params.model),
    lastCalls: wrapsModels ? new WeakMap() : undefined,
    hasTools: wrapsTools || tools.some((tool) => 'invoke' in tool),
    tools: new Map(tools.map((tool) => [tool.name, tool])),
  };
  const { checkpointer, responseFormat: _, ...forgetful } = params;
  const memory = typeof checkpointer === 'object' ? checkpointer : undefined;
  const alone = middleware.length === 0;
  const behind = wrapsModels || wrapsTools ? [innerMiddleware(seat)] : [];
  const nearest = middleware.findLast((one) => one.wrapModelCall !== undefined);
  const theirs = middleware.map((one) => (one === nearest ? withModelErrors(one) : one));
  const make: MakeAgent = (form) =>
    makeAgent({ ...params, middleware: [seatedMiddleware(seat, form), ...theirs, ...behind] });
  const makeRefusing = (): AgentLike =>
    makeAgent({ ...forgetful, middleware: [seatedMiddleware(seat, { prompt: false, stop: false })] });
  return hookAgent(make, { ...seat, agent: params.name, memory, alone, makeRefusing }) as never; // TypeScript cannot infer the agent's type from parameters that are generic here
};

/** An agent that pauses for approval needs a checkpointer, and a node for each call. */
function checkPausing(
  params: { readonly checkpointer?: unknown; readonly version?: unknown },
  { approval, interruptOn }: HookedOptions,
): void {
  const reviews = typeof approval !== 'function' && reviewsAny({ interruptOn });
  if (approval !== 'native' && !reviews) return;
  const pauses = `createHookedAgent: ${reviews ? 'interruptOn' : "approval 'native'"} pauses the graph`;
  if (!params.checkpointer)
    throw new HooksError(
      'CONFIG_INVALID',
      `${pauses}, which needs a \`checkpointer\` among createAgent's parameters.`,
    );
  if (params.version === 'v1') throw sharedNode(pauses);
}

/** `createAgent` without its types. Those of `createHookedAgent` apply. */
const makeAgent = createAgent as (params: object) => AgentLike;
