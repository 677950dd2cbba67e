import { BeforeRun, type Hooks, Stop, UserPromptSubmit } from '@hooks/core';
import { attachAdapter, isIdle } from '@hooks/core/adapter';
import { type AgentMiddleware, createMiddleware } from 'langchain';
import { callLast, callModel, type LastCalls, type ModelSeat } from './model/call.ts';
import type { AgentHookOptions } from './options.ts';
import { isHeard } from './run/events.ts';
import { promptNode, stopNode } from './run/nodes.ts';
import { runFor } from './run/run.ts';
import { supports } from './supports.ts';
import { type ToolSeat, wrapLast, wrapToolCall } from './tool/agent-call.ts';
import type { Member } from './tool/tool.ts';

/** What the adapter's own agent tells its middleware. */
export interface MiddlewareSeat extends ToolSeat {
  /** The model calls of which a middleware of ours behind all others has the last. */
  readonly lastCalls: LastCalls | undefined;
  /** Whether that asks hooks about requests, since others may have changed them. */
  readonly asksLast: boolean;
}

/**
 * The hooks as a middleware, for an agent that you make yourself; put it first. Prefer `createHookedAgent`: a middleware
 * never learns of a run that ends by an error, an abort, the recursion limit or a consumer that stops reading, so that
 * `TurnEnd`, `AgentError`, `MaxIterations` and `SessionEnd` of such a run do not fire. Hooks on `UserPromptSubmit`,
 * `BeforeRun` and `Stop` must be registered before it is made, since they are nodes of the graph.
 *
 * @example
 * ```ts
 * createAgent({ model, tools, middleware: [hooksMiddleware(hooks), ...others] });
 * ```
 * @throws HooksError `UNSUPPORTED_EVENT`, see `supports`
 */
export function hooksMiddleware(hooks: Hooks, options: AgentHookOptions = {}): AgentMiddleware {
  const { allowUnsupported } = options;
  attachAdapter(hooks, { supports, ...(allowUnsupported && { allowUnsupported }) });
  const form = {
    prompt: isHeard(hooks, UserPromptSubmit, BeforeRun),
    stop: isHeard(hooks, Stop),
    model: true,
  };
  const seat: MiddlewareSeat = {
    hooks,
    members: [{ hooks, options }],
    options,
    owner: {},
    fatal: false,
    between: true,
    find: undefined,
    lastCalls: undefined,
    asksLast: false,
  };
  return seatedMiddleware(seat, form);
}

/** What the middleware is made of, beside what wraps tool calls. */
export interface MiddlewareForm {
  /** A node for `UserPromptSubmit` and `BeforeRun`, where nobody asks them before the graph is run: a superstep more. */
  readonly prompt: boolean;
  /** A node for `Stop`: a superstep more. */
  readonly stop: boolean;
  /** What wraps model calls. */
  readonly model: boolean;
}

/** The middleware that takes every tool call and model call of an agent to the hooks. */
export function seatedMiddleware(seat: MiddlewareSeat, form: MiddlewareForm): AgentMiddleware {
  const { hooks, owner } = seat;
  const models: ModelSeat = { ...seat, asksStop: form.stop };
  const made = createMiddleware({
    name: nameOf(hooks),
    wrapToolCall: (request, handler) => wrapToolCall(seat, request, handler),
    ...(form.model && {
      wrapModelCall: (request, handler) =>
        isIdle(hooks)
          ? handler(request)
          : callModel(models, runFor(hooks, owner, request.runtime, request.messages), request, handler),
    }),
    ...(form.prompt && { beforeAgent: promptNode(seat) }),
    ...(form.stop && { afterAgent: stopNode(seat) }),
  });
  MADE.set(made, { hooks, options: seat.options });
  return made;
}

/** What the middleware behind all others wraps. */
export interface InnerForm {
  readonly model: LastCalls | undefined;
  readonly tools: boolean;
}

/**
 * The middleware behind all others: it asks hooks about the requests that those have made, holds answers back, whatever model
 * they have put in place, and asks hooks about a call of which they have made one of another tool.
 */
export function innerMiddleware(seat: MiddlewareSeat, form: InnerForm): AgentMiddleware {
  const { hooks } = seat;
  const { model: calls } = form;
  return createMiddleware({
    name: `${nameOf(hooks)}-inner`,
    ...(calls && { wrapModelCall: (request, handler) => callLast(hooks, calls, request, handler) }),
    ...(form.tools && { wrapToolCall: (request, handler) => wrapLast(seat, request, handler) }),
  });
}

const MADE: WeakMap<object, Member> = new WeakMap();

/** The registry of a middleware of ours, with its options. */
export function memberOf(middleware: object): Member | undefined {
  return MADE.get(middleware);
}

const NAMES: WeakMap<Hooks, string> = new WeakMap();
let named = 0;

/** A middleware's name is unique within an agent; two registries may hook the same one. */
function nameOf(hooks: Hooks): string {
  let name = NAMES.get(hooks);
  if (name === undefined) {
    name = named++ === 0 ? 'hooks' : `hooks-${named}`;
    NAMES.set(hooks, name);
  }
  return name;
}
