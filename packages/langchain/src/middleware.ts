import { BeforeRun, type Hooks, Stop, UserPromptSubmit } from '@hooks/core';
import { Attachment, type NamedModel } from '@hooks/core/adapter';
import { type OptionChecks, optionKinds } from '@hooks/core/options';
import { type AgentMiddleware, createMiddleware } from 'langchain';
import { ambientConfig } from './config.ts';
import { hasCheckpointer, isSentOther, passed, unwrapped } from './internals.ts';
import { callLast, callModel, type LastCalls } from './model/call.ts';
import { storable } from './model/storable.ts';
import { type HookedOptions, OF_AGENTS } from './options.ts';
import type { Registries } from './registries.ts';
import { decidesResults } from './run/client-results.ts';
import type { MiddlewareForm } from './run/forms.ts';
import { unseen } from './run/input.ts';
import { promptNode, stopNode, submitUnseen } from './run/nodes.ts';
import { runFor } from './run/run.ts';
import { supports } from './supports.ts';
import { type ToolSeat, wrapLast, wrapToolCall } from './tool/agent-call.ts';
import type { HookableTool } from './tool/tool.ts';

/** What the middleware needs to know about its agent. */
export interface MiddlewareSeat extends ToolSeat {
  /**
   * Our nodes are named after it, and checkpoints hold the names of nodes. So it is the same in every process, whatever agents
   * that has created before.
   */
  readonly name: string;
  /** The agent's model, as far as it is known before a run. */
  readonly model: NamedModel;
  /** Set if our inner middleware asks hooks about model requests, because other middleware may change them. */
  readonly lastCalls: LastCalls | undefined;
  /** Whether the agent has tools, or user middleware that may run some. */
  readonly hasTools: boolean;
  /** The agent's own tools by name. */
  readonly tools: ReadonlyMap<string, HookableTool>;
}

/** User middleware that gets the model's errors without the wrapping that our inner middleware causes. */
export function withModelErrors<M extends AgentMiddleware>(middleware: M): M {
  const { wrapModelCall } = middleware;
  if (wrapModelCall === undefined) return middleware;
  const wrapped: typeof wrapModelCall = (request, handler) =>
    wrapModelCall(request, (next) =>
      Promise.resolve(handler(next)).catch((error: unknown) => {
        throw unwrapped(error);
      }),
    );
  return { ...middleware, wrapModelCall: wrapped };
}

/** The name of our middleware. */
export const NAME = 'hooks';

/** Options of `hooksMiddleware`, which cannot make a run throw (`refused`). */
export interface MiddlewareOptions<Context = unknown> extends Omit<HookedOptions<Context>, 'refused'> {
  /**
   * The middleware's name. Default: `hooks`. LangChain wants each middleware of an agent to have another one, so give a second
   * `hooksMiddleware` of one agent a name. Checkpoints hold it: a run that goes on in another process needs the same name there.
   */
  readonly name?: string;
}

// `createHookedAgent` takes over the registries of such a middleware, and their `refused`.
const OF_MIDDLEWARE: OptionChecks<MiddlewareOptions & HookedOptions> = {
  ...OF_AGENTS,
  name: optionKinds.text,
};

/**
 * Hooks as a middleware, for an agent that you create yourself. Put it first. Prefer `createHookedAgent`: a
 * middleware does not notice a run that ends with an error, an abort, the recursion limit or a reader that stops, so
 * `TurnEnd`, `AgentError`, `MaxIterations` and `SessionEnd` of such a run do not fire. Register hooks on
 * `UserPromptSubmit`, `BeforeRun` and `Stop`, and those that decide on tool results, first, because they need nodes of the
 * graph. `interruptOn` needs `createHookedAgent`.
 *
 * @example
 * ```ts
 * createAgent({ model, tools, middleware: [hooksMiddleware(hooks), ...others] });
 * ```
 * @throws HooksError `UNSUPPORTED_EVENT`, see `supports`
 */
export function hooksMiddleware(hooks: Hooks, options: MiddlewareOptions = {}): AgentMiddleware {
  const registries: Registries = Attachment.of(hooks, options, {
    of: 'hooksMiddleware',
    takes: OF_MIDDLEWARE,
    supports,
  });
  const seat: MiddlewareSeat = {
    name: options.name ?? NAME,
    registries,
    options,
    owner: {},
    fatal: false,
    between: true,
    find: undefined,
    model: {},
    lastCalls: undefined,
    hasTools: true,
    tools: new Map(),
  };
  const made = seatedMiddleware(seat, {
    prompt: registries.hears(UserPromptSubmit) || registries.hears(BeforeRun) || decidesResults(registries),
    stop: registries.hears(Stop),
  });
  MADE.set(made, registries);
  return made;
}

const MADE: WeakMap<object, Registries> = new WeakMap();

/** What a middleware made by `hooksMiddleware` attached. */
export function registriesOf(middleware: object): Registries | undefined {
  return MADE.get(middleware);
}

/** The outermost middleware of an agent. It runs every tool call and model call through the hooks. */
export function seatedMiddleware(seat: MiddlewareSeat, form: MiddlewareForm): AgentMiddleware {
  const models = { ...seat, asksStop: form.stop };
  return createMiddleware({
    name: seat.name,
    // Without tools, the graph has no tools node.
    ...(seat.hasTools && {
      wrapToolCall: (request, handler) => wrapToolCall(seat, request, handler),
    }),
    wrapModelCall: async (request, handler) => {
      if (isSentOther(ambientConfig(), request.state.messages)) throw unseen();
      const run = runFor(seat, request.runtime, request.messages);
      run.hasAnswered = false;
      const submitted = form.prompt ? await submitUnseen(run, request, seat).catch(passed) : request;
      const response = await callModel(models, run, submitted, handler).catch((error) => {
        run.hasAnswered = true;
        return passed(error);
      });
      return hasCheckpointer(ambientConfig()) ? storable(response) : response;
    },
    ...(form.prompt && { beforeAgent: promptNode(seat) }),
    ...(form.stop && { afterAgent: stopNode(seat) }),
  });
}

/**
 * The innermost middleware. Other middleware may have replaced what hooks decided about, so it asks them about the final
 * model request, holds back the answer of the model that is really called, and asks them about a replaced tool.
 */
export function innerMiddleware(seat: MiddlewareSeat): AgentMiddleware {
  const { lastCalls } = seat;
  return createMiddleware({
    name: `${seat.name}-inner`,
    ...(lastCalls && {
      wrapModelCall: (request, handler) => callLast(seat, lastCalls, request, handler).catch(passed),
    }),
    ...(seat.between && { wrapToolCall: (request, handler) => wrapLast(seat, request, handler) }),
  });
}
