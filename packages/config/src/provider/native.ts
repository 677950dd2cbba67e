import {
  BeforeExecute,
  BeforeToolCall,
  type EventPayload,
  type HookOptions,
  type HookProvider,
  type HookRegistrar,
  type Interceptor,
  type PointData,
  proceed,
  type ToolEvent,
} from '@hooks/core';
import { openclawTools } from '@hooks/core/presets';
import type { Dialect } from '../dialects/dialect.ts';
import { anchored } from '../dialects/matcher.ts';
import type { HookEntry } from '../entry.ts';
import type { EventType } from '../events.ts';
import type { Part } from '../parts/part.ts';
import { allowedBy, expandNames, meantBy } from '../protocol/tool-names.ts';
import { mcpNamesOf } from '../protocol/tools.ts';
import { concerned } from './ask.ts';
import { viewEvent } from './event.ts';
import { type Failures, nativeFailure } from './failure.ts';
import { TOKENS } from './tokens.ts';

/** A provider in this process, and the file's entries that name it. */
export interface NativeHooks {
  readonly provider: Part;
  readonly entries: readonly HookEntry[];
}

/**
 * Registers the hooks of a built-in or module for the events in the file, limited by their matchers. Its
 * observers, which change nothing, see everything.
 */
export function registerNativeHooks(
  { provider, entries }: NativeHooks,
  hooks: HookRegistrar,
  dialect: Dialect,
  cwd: string,
  failures: Failures,
  prefix: string,
): readonly Disposable[] {
  const narrow = <E, A>(point: PointData, handler: Interceptor<E, A>): Interceptor<E, A> | undefined => {
    const event = eventOf(point);
    const own = entries.filter((entry) => TOKENS[entry.event].spec.type === event);
    if (own.length === 0) return undefined;
    return (payload, context) =>
      concernsAny(own, payload, dialect, cwd) ? handler(payload, context) : (carryOn as A);
  };
  // The entries of one event differ only in their matchers.
  const settled = (point: PointData, options: HookOptions): HookOptions => {
    const event = eventOf(point);
    const own = entries.find((entry) => TOKENS[entry.event].spec.type === event);
    if (own === undefined) return options;
    const onFailure = nativeFailure(dialect, own, event as EventType, point.spec, failures);
    return { ...options, timeoutMs: own.handler.timeoutMs, ...(onFailure && { onFailure }) };
  };
  /** A module names the tools of its own program; in a built-in, a file names those of any agent. */
  const isBuiltin = entries.some(({ handler }) => handler.type === 'builtin');
  const meant = <P extends PointData, E, Rest extends unknown[], A>(
    point: P,
    handler: Handler<E, Rest, A>,
  ): [P, Handler<E, Rest, A>] => (isBuiltin ? inEveryAgent(point, handler) : [point, handler]);
  const nothing: Disposable = { [Symbol.dispose]: () => {} };
  const registered: Disposable[] = [];
  const keep = (disposable: Disposable): Disposable => {
    registered.push(disposable);
    return disposable;
  };
  const limiting = (inner: HookProvider): HookProvider => {
    const { name, once, version } = inner;
    const about = { name, ...(once !== undefined && { once }), ...(version !== undefined && { version }) };
    return { ...about, register: (hooks) => inner.register(limited(hooks)) };
  };
  /** Limits what registers through it, also the providers that a provider uses. Those have names of their own. */
  const limited = (within: HookRegistrar, own = ''): HookRegistrar => {
    const named = (options: HookOptions = {}): HookOptions => ({
      ...options,
      ...(options.id !== undefined && { id: `${own}${options.id}` }),
    });
    return {
      use: (inner, options) =>
        keep(within.use(limiting(inner), { name: `${own}${options?.name ?? inner.name}` })),
      trace: (listener) => keep(within.trace(listener)),
      list: within.list,
      session: within.session,
      dispatch: within.dispatch,
      on: (point, handler, options) => {
        const gated = narrow(point, handler);
        return gated ? keep(within.on(...meant(point, gated), settled(point, named(options)))) : nothing;
      },
      guard: (point, handler, options) => {
        const gated = narrow(point, handler);
        return gated ? keep(within.guard(...meant(point, gated), settled(point, named(options)))) : nothing;
      },
      observe: (point, handler, options) => keep(within.observe(...meant(point, handler), named(options))),
    };
  };
  provider.register(limited(hooks, `${prefix}/`));
  return registered;
}

/** The event of a file under which hooks on a point stand. A hook that decides before a tool call also counts the call when it runs. */
export function eventOf({ spec }: PointData): string {
  return spec.type === BeforeExecute.type ? BeforeToolCall.type : spec.type;
}

type Handler<E, Rest extends unknown[], A> = (event: E, ...rest: Rest) => A;

/**
 * A point whose tools are named as in any agent, and its handler. Which server a tool is of is said by each call, not by the
 * tool's name, so a hook on MCP tools gets all calls and handles its own.
 */
function inEveryAgent<P extends PointData, E, Rest extends unknown[], A>(
  point: P,
  handler: Handler<E, Rest, A>,
): [P, Handler<E, Rest, A>] {
  const { pattern, ...tools } = point.tools ?? {};
  if (typeof pattern !== 'string' || isUnknownGroup(pattern)) return [point, handler];
  const { allows = false } = tools;
  const expanded = expandNames(pattern, allows ? allowedBy : meantBy);
  if (!MAY_MEAN_SERVER.test(pattern))
    return [{ ...point, tools: { ...tools, pattern: expanded, otherNames: () => [] } }, handler];
  const concerns = ({ toolName, tool }: Partial<ToolEvent>): boolean => {
    if (toolName === undefined) return false;
    const others = mcpNamesOf(toolName, tool, pattern, allows ? 'allow' : 'restrict');
    return [toolName, ...others].some((name) => anchored(expanded, name));
  };
  return [
    { ...point, tools },
    (event, ...rest) => (concerns(event as Partial<ToolEvent>) ? handler(event, ...rest) : (carryOn as A)),
  ];
}

/** An expression with an alternative that may begin like the names of MCP tools: `.*github.*`, `mcp__…`, not `web_.*`. */
const MAY_MEAN_SERVER =
  /(?:^|[|(])(?:\?(?::|<\w+>))?\^?(?![\^?]|[A-Za-ln-z\d_-](?![?*{])|m[A-Zabd-z\d_-](?![?*{]))/;

/** A group of the program's own, which its registry knows. */
function isUnknownGroup(pattern: string): boolean {
  const groups = pattern.match(/group:[\w-]+/g) ?? [];
  return groups.some((group) => !Object.hasOwn(openclawTools.groups, group));
}

/** Every event permits Proceed, but the type of an unknown event cannot express that. */
const carryOn: unknown = proceed();

function concernsAny(entries: readonly HookEntry[], event: unknown, dialect: Dialect, cwd: string): boolean {
  const payload = event as EventPayload;
  const [first] = entries;
  if (!first) return false;
  return concerned(entries, payload, viewEvent(dialect, first.event, payload, cwd), { dialect }).length > 0;
}
