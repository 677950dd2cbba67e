import type { HandlerContext } from './context.ts';
import type { EventPayload, EventSpec } from './event.ts';
import type { HookInfo } from './hooks.ts';
import { type NameTest, originalTool } from './match.ts';
import type { HookVerb } from './trace.ts';

/** A handler as the dispatcher calls it; the types of the verbs have checked it. */
export type AnyHandler = (event: never, second: never, third: never) => unknown;

/** The handler of an interceptor or a guard, of whatever point. */
export type Decider = (event: EventPayload, context: HandlerContext) => unknown;

/** A registered hook. */
export interface Registration {
  /** What is shown of it. */
  readonly info: HookInfo;
  readonly spec: EventSpec;
  /** The tool that it is narrowed to, where it is one. */
  readonly tool: object | undefined;
  /** Whether it is for the tool of a canonical name. */
  readonly meets: NameTest;
  /** Whether it is for the agent of a name. */
  readonly agents: NameTest;
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
  /** Whether some hook asks for an agent or a tool object, so that the event itself has to be looked at. */
  readonly sensitive: boolean;
  /** Whether its deciders are all there is to ask: nobody observes, and none depends on the event. */
  readonly plain: boolean;
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
    // A tool that is known by its object may run under any name; narrowChain looks at the object.
    (hook) => spec.lineage.includes(hook.spec.type) && (hook.tool !== undefined || hook.meets(toolName)),
  );
  // Array.prototype.sort is stable: equal priorities stay in order of registration.
  const ordered = applying.sort((a, b) => b.info.priority - a.info.priority);
  if (spec.order === 'reverse') ordered.reverse();
  return chainOf(spec, ordered);
}

/** The chain of these hooks, which are in order. */
export function chainOf(
  spec: EventSpec,
  hooks: readonly Registration[],
  sensitive: boolean = hooks.some(({ tool, info }) => tool !== undefined || info.agents !== undefined),
): Chain {
  const of = (verb: HookVerb): readonly Registration[] => hooks.filter(({ info }) => info.verb === verb);
  const observers = of('observe');
  const deciders = [...of('on'), ...of('guard')];
  return {
    spec,
    observers,
    deciders,
    handlers: deciders.map(({ handler }) => handler as Decider),
    empty: hooks.length === 0,
    patient: hooks.every(({ timeoutMs }) => timeoutMs === Infinity),
    sensitive,
    plain: !sensitive && observers.length === 0,
  };
}

/** What is left of a sensitive chain for one event: its agent and its tool object are looked at. */
export function narrowChain(chain: Chain, event: EventPayload): Chain {
  const { spec, deciders, observers } = chain;
  const left = [...deciders, ...observers].filter(
    (hook) => hook.agents(event.agent) && meetsTool(hook, event),
  );
  return chainOf(spec, left, false);
}

/** The name of the tool that an event is about, where it is about one. */
export function toolNameOf(event: EventPayload): string | undefined {
  return (event as { readonly toolName?: string }).toolName;
}

function meetsTool({ tool, meets }: Registration, event: EventPayload): boolean {
  const { ref } = (event as { readonly tool?: { readonly ref?: object } }).tool ?? {};
  return tool === undefined || ref === undefined
    ? meets(toolNameOf(event))
    : originalTool(ref) === originalTool(tool);
}
