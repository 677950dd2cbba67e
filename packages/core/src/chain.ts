import type { EventPayload, EventSpec } from './event.ts';
import { type NamePattern, type NameTest, originalTool, type ToolMatcher } from './match.ts';
import type { HookVerb } from './trace.ts';

/** A handler as the dispatcher calls it; the types of the verbs have checked it. */
export type AnyHandler = (event: never, second: never, third: never) => unknown;

/** A registered hook. */
export interface Registration {
  /** `provider/id`. */
  readonly id: string;
  readonly provider: string | undefined;
  readonly verb: HookVerb;
  readonly spec: EventSpec;
  readonly matcher: ToolMatcher | undefined;
  /** Whether the matcher's name test meets a canonical tool name. */
  readonly meets: NameTest;
  readonly agents: NameTest;
  readonly agentPattern: NamePattern | undefined;
  readonly priority: number;
  /** Milliseconds for a handler's promise; Infinity is no limit. */
  readonly timeoutMs: number;
  readonly onFailure: 'block' | 'proceed' | undefined;
  readonly handler: AnyHandler;
}

/** The hooks that apply to one event and tool, in the order in which they are asked. */
export interface Chain {
  readonly spec: EventSpec;
  readonly interceptors: readonly Registration[];
  readonly guards: readonly Registration[];
  readonly observers: readonly Registration[];
  /** Interceptors and guards: those whose answers count. */
  readonly deciders: readonly Registration[];
  readonly empty: boolean;
  /** Whether it has observers. */
  readonly watched: boolean;
  /** Whether its hooks are given the run's signal; those that run to completion on an abort are not. */
  readonly abortable: boolean;
  /** Whether some hook asks for an agent or a tool object, so that the event itself has to be looked at. */
  readonly sensitive: boolean;
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
  const applying = all.filter((hook) => spec.lineage.includes(hook.spec.type) && meetsName(hook, toolName));
  // Array.prototype.sort is stable: equal priorities stay in order of registration.
  const ordered = applying.sort((a, b) => b.priority - a.priority);
  if (spec.order === 'reverse') ordered.reverse();
  return chainOf(spec, ordered);
}

/** The chain of these hooks, which are in order. */
export function chainOf(spec: EventSpec, hooks: readonly Registration[]): Chain {
  const of = (verb: HookVerb): readonly Registration[] => hooks.filter((hook) => hook.verb === verb);
  const interceptors = of('on');
  const guards = of('guard');
  const observers = of('observe');
  return {
    spec,
    interceptors,
    guards,
    observers,
    deciders: [...interceptors, ...guards],
    empty: hooks.length === 0,
    watched: observers.length > 0,
    abortable: !TO_COMPLETION.test(spec.lineage.join()),
    sensitive: hooks.some((hook) => hook.agentPattern !== undefined || hook.matcher?.kind === 'tool'),
  };
}

/** Among an event's types, those whose hooks run to completion. */
const TO_COMPLETION = /\b(turn_end|session_end|after_tool_call)\b/;

/** What is left of a sensitive chain for one event: its agent and its tool object are looked at. */
export function narrowChain(chain: Chain, event: EventPayload): Chain {
  const { spec, deciders, observers } = chain;
  const left = [...deciders, ...observers].filter(
    (hook) => hook.agents(event.agent) && meetsTool(hook, event),
  );
  return { ...chainOf(spec, left), sensitive: false };
}

/** The name of the tool that an event is about, where it is about one. */
export function toolNameOf(event: EventPayload): string | undefined {
  return (event as { readonly toolName?: string }).toolName;
}

function meetsName(hook: Registration, toolName: string | undefined): boolean {
  // A tool that is known by its object may run under any name; narrowChain looks at the object.
  return hook.matcher?.kind === 'tool' || hook.meets(toolName);
}

function meetsTool(hook: Registration, event: EventPayload): boolean {
  if (hook.matcher?.kind !== 'tool') return true;
  const { tool } = event as { readonly tool?: { readonly ref?: object } };
  return tool?.ref === undefined
    ? hook.meets(toolNameOf(event))
    : originalTool(tool.ref) === originalTool(hook.matcher.tool);
}
