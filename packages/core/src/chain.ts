import type { EventPayload, EventSpec } from './event.ts';
import { type NamePattern, originalTool, type ToolMatcher } from './match.ts';
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
  /** Whether the matcher's name test meets a canonical tool name; absent where every tool is met. */
  readonly meets: ((toolName: string) => boolean) | undefined;
  readonly agents: ((agent: string) => boolean) | undefined;
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
  readonly empty: boolean;
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

function chainOf(spec: EventSpec, hooks: readonly Registration[]): Chain {
  const of = (verb: HookVerb): readonly Registration[] => hooks.filter((hook) => hook.verb === verb);
  return {
    spec,
    interceptors: of('on'),
    guards: of('guard'),
    observers: of('observe'),
    empty: hooks.length === 0,
    sensitive: hooks.some((hook) => hook.agents !== undefined || hook.matcher?.kind === 'tool'),
  };
}

/** What is left of a sensitive chain for one event: its agent and its tool object are looked at. */
export function narrowChain(chain: Chain, event: EventPayload): Chain {
  const hooks = [...chain.interceptors, ...chain.guards, ...chain.observers];
  return chainOf(
    chain.spec,
    hooks.filter((hook) => meetsAgent(hook, event.agent) && meetsTool(hook, event)),
  );
}

function meetsName(hook: Registration, toolName: string | undefined): boolean {
  if (hook.matcher === undefined) return true;
  // A tool that is known by its object may run under any name; narrowChain looks at the object.
  if (hook.matcher.kind === 'tool') return true;
  return toolName !== undefined && hook.meets?.(toolName) === true;
}

function meetsAgent(hook: Registration, agent: string | undefined): boolean {
  return hook.agents === undefined || (agent !== undefined && hook.agents(agent));
}

function meetsTool(hook: Registration, event: EventPayload): boolean {
  if (hook.matcher?.kind !== 'tool') return true;
  const { tool, toolName } = event as {
    readonly tool?: { readonly ref?: object };
    readonly toolName?: string;
  };
  if (tool?.ref !== undefined) return originalTool(tool.ref) === originalTool(hook.matcher.tool);
  return toolName !== undefined && hook.meets?.(toolName) === true;
}
