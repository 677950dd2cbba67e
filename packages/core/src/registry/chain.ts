import type { HandlerContext } from '../dispatch/context.ts';
import type { HookVerb } from '../dispatch/trace.ts';
import type { EventPayload, EventSpec } from '../event/event.ts';
import type { NameTest } from '../match.ts';
import type { HookInfo } from './hooks.ts';

/** A handler as the dispatcher calls it; the types of the verbs have checked it. */
export type AnyHandler = (event: never, second: never, third: never) => unknown;

/** The handler of an interceptor or a guard, of whatever point. */
export type Decider = (event: EventPayload, context: HandlerContext) => unknown;

/** A registered hook. */
export interface Registration {
  /** What is shown of it. */
  readonly info: HookInfo;
  readonly spec: EventSpec;
  /** Whether it is for the tool of a canonical name. */
  readonly meets: NameTest;
  /** Whether it is for the agent and the tool object of an event; where not, its handler answers Proceed unasked. */
  readonly suits: (event: EventPayload) => boolean;
  /** Whether it is for a tool that is known by its object, which may run under any name. */
  readonly byObject: boolean;
  /** Milliseconds for a handler's promise; Infinity is no limit. */
  readonly timeoutMs: number;
  readonly onFailure: 'block' | 'proceed' | undefined;
  readonly handler: AnyHandler;
}

/** The hooks that apply to one event and tool, in the order in which they are asked. */
export interface Chain {
  readonly spec: EventSpec;
  readonly observers: readonly Registration[];
  /** Interceptors and guards: those whose answers count. */
  readonly deciders: readonly Registration[];
  /** The deciders' handlers: a dispatch that finds nothing but Proceed looks at no more. */
  readonly handlers: readonly Decider[];
  readonly empty: boolean;
  /** Whether no hook has a limit of time. */
  readonly patient: boolean;
}

/**
 * Which of all registered hooks apply to an event and tool name, and in what order: interceptors, guards, observers;
 * within each the higher priority first, then the earlier registered; all reversed for events that come after something.
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
  if (spec.order === 'reverse') ordered.reverse();
  return chainOf(spec, ordered);
}

/** The chain of these hooks, which are in order. */
export function chainOf(spec: EventSpec, hooks: readonly Registration[]): Chain {
  const of = (verb: HookVerb): readonly Registration[] => hooks.filter(({ info }) => info.verb === verb);
  const deciders = [...of('on'), ...of('guard')];
  return {
    spec,
    observers: of('observe'),
    deciders,
    handlers: deciders.map(({ handler }) => handler as Decider),
    empty: hooks.length === 0,
    patient: hooks.every(({ timeoutMs }) => timeoutMs === Infinity),
  };
}

/** The name of the tool that an event is about, where it is about one. */
export function toolNameOf(event: EventPayload): string | undefined {
  return (event as { readonly toolName?: string }).toolName;
}
