import type { HooksError } from '../error.ts';
import type { EventPayload, EventSpec } from '../event/event.ts';
import type { NameTest } from '../match.ts';
import type { StandardSchema } from '../schema.ts';
import type { Session } from '../session/session.ts';
import type { KnownSession } from '../session/state.ts';
import type { DispatchTrace, HookVerb, TraceListener } from './trace.ts';

/** A handler as the dispatcher calls it. The types of the verbs have checked it. */
export type AnyHandler = (event: never, second: never, third: never) => unknown;

/** The description of a registered hook. */
export interface HookInfo {
  /** `provider/id`. */
  readonly id: string;
  readonly provider?: string;
  readonly verb: HookVerb;
  /** The type of the event or group. */
  readonly event: string;
  readonly priority: number;
  /** The tools that it is limited to, as written. */
  readonly matcher?: string;
  /** The agents that it is limited to, as written. */
  readonly agents?: string;
  /** The version of its provider. */
  readonly version?: string;
  /** Whether an adapter that never fires the event may leave it out, see `HookOptions.optional`. */
  readonly optional?: true;
  /** Whether it may call other processes, see `HookOptions.external`. */
  readonly external?: true;
  /** What it keeps in memory only, see `HookOptions.inMemory`. */
  readonly inMemory?: string;
}

/** The parts of a hook's registry that a dispatch needs. */
export interface Owner {
  readonly traces: ReadonlySet<TraceListener>;
  /** Calls the listeners of the trace. */
  trace(dispatch: DispatchTrace): void;
  /** Calls the listeners for failures. */
  report(error: HooksError): void;
  /** Keeps an observer's promise for `settled()`. */
  keep(promise: PromiseLike<unknown>): void;
  /** The registry's own session with that id. */
  state(session: Session): KnownSession;
}

/** A registered hook. */
export interface Registration {
  readonly info: HookInfo;
  readonly spec: EventSpec;
  readonly owner: Owner;
  /** Whether it applies to the tool with a canonical name. */
  readonly meets: NameTest;
  /** Whether it applies to the agent with that name. */
  readonly ofAgent: NameTest;
  /** Whether it applies to the agent and the tool object of an event. If not, its handler is not called. */
  readonly suits: (event: EventPayload) => boolean;
  /** Whether it applies to a tool object, which may run under any name. */
  readonly byObject: boolean;
  /** The schema for the input of a tool call. */
  readonly schema: StandardSchema | undefined;
  /** The timeout of a handler's promise in milliseconds. Infinity is no limit. */
  readonly timeoutMs: number;
  readonly onFailure: 'block' | 'proceed' | undefined;
  readonly external: ((event: EventPayload) => string | undefined) | undefined;
  readonly handler: AnyHandler;
}

/** The hooks for an event and tool, in the order in which they run. */
export interface Chain {
  readonly spec: EventSpec;
  /** Interceptors, then guards: the hooks whose answers count. */
  readonly deciders: readonly Registration[];
  readonly observers: readonly Registration[];
  readonly empty: boolean;
  /** The registries that the hooks belong to. */
  readonly owners: readonly Owner[];
}

/**
 * The hooks of a registry for an event and tool name: within each verb by descending priority, then by order of
 * registration. Reversed for events that come after something.
 */
export function compileChain(
  all: readonly Registration[],
  spec: EventSpec,
  toolName: string | undefined,
): Chain {
  const applying = all.filter(
    (hook) => spec.lineage.includes(hook.spec.type) && (hook.byObject || hook.meets(toolName)),
  );
  // Array.prototype.sort is stable: equal priorities stay in order of registration.
  const ordered = applying.sort((a, b) => b.info.priority - a.info.priority);
  return chainOf(spec, spec.order === 'reverse' ? ordered.reverse() : ordered);
}

/**
 * Joins the chains of several registries, outermost first: all interceptors, then all guards, then all observers. For
 * events that come after something, innermost first.
 */
export function mergeChains(spec: EventSpec, chains: readonly Chain[]): Chain {
  const [first] = chains;
  if (first && chains.length === 1) return first;
  const inOrder = spec.order === 'reverse' ? [...chains].reverse() : chains;
  return chainOf(
    spec,
    inOrder.flatMap(({ deciders, observers }) => [...deciders, ...observers]),
  );
}

/** A chain of these hooks, which are sorted within each verb. */
export function chainOf(spec: EventSpec, hooks: readonly Registration[]): Chain {
  const of = (verb: HookVerb): readonly Registration[] => hooks.filter(({ info }) => info.verb === verb);
  return {
    spec,
    deciders: [...of('on'), ...of('guard')],
    observers: of('observe'),
    empty: hooks.length === 0,
    owners: [...new Set(hooks.map(({ owner }) => owner))],
  };
}

/** Whether two chains of an event have the same hooks. */
export function isSameChain(one: Chain, other: Chain): boolean {
  return isSameList(one.deciders, other.deciders) && isSameList(one.observers, other.observers);
}

export function isSameList(one: readonly Registration[], other: readonly Registration[]): boolean {
  return one.length === other.length && one.every((hook, at) => hook === other[at]);
}

/** The name of an event's tool, if it has one. */
export function toolNameOf(event: EventPayload): string | undefined {
  return (event as { readonly toolName?: string }).toolName;
}
