import { AsyncLocalStorage } from 'node:async_hooks';
import type { ModelSettings, PointData, Session, ToolCallOutcome } from '@hooks/core';
import { hears, decides as mayDecide } from '@hooks/core/adapter';
import type { Model, ModelRequest } from '@openai/agents';
import type { BegunCall } from '../approval/pending-calls.ts';
import type { SdkContext } from '../internals.ts';
import type { Attached } from '../options.ts';

/** One run of an agent under one registry of hooks. */
export interface Scope {
  readonly attached: Attached;
  readonly session: Session;
  readonly run: string;
  /** Of a run of an agent as a tool: where it goes on. */
  readonly inside?: Inside | undefined;
  /** Whether it goes on in a runner that is not hooked, which tells of no model call. */
  readonly bare: boolean;
  /** The name of the agent as a tool, once `SubagentStart` was fired. */
  subagent: string | undefined;
  /** The name of the agent that runs, as far as it is known. */
  agent: string | undefined;
  /** How many model calls there were; the number of the turn. */
  iteration: number;
  lastUserMessage: string | undefined;
  /** The turn whose end was not told yet. */
  turn: { readonly agent: string | undefined } | undefined;
  /** The model that a hook chose for the run. */
  model: Model | undefined;
  /** The settings that hooks chose for the run. */
  settings: ModelSettings | undefined;
  /** What hooks made of the newest request, by its input: the SDK repeats failed ones. */
  prepared: { readonly input: object; readonly changes: Partial<ModelRequest> } | undefined;
  /** Why a hook ended the run. */
  stop: string | undefined;
  /** The hook that did. */
  stopBy: string | undefined;
  /** How the run has ended: an agent gave its final output, or a call has failed with which the SDK rejects. */
  ended: 'normal' | 'error' | undefined;
  /** Everything was told of the run: what begins in its async context now, by something that it left behind, is no part of it. */
  over: boolean;
  /** Calls that were begun when the SDK asked whether they need approval, by call id; made at first use. */
  begun: Map<string, BegunCall> | undefined;
  /** The SDK's context of the run, once it is known. */
  context: SdkContext | undefined;
  /** Fires when the run is aborted. */
  signal: AbortSignal | undefined;
  /** What the SDK does not wait for, and the end of the run does: dispatches of listeners, calls that have timed out. */
  readonly pending: Promise<unknown>[];
  /** Runs of agents as tools, by call id; one that was interrupted goes on in its own. Made at first use. */
  children: Map<string, Scope> | undefined;
}

/** The run inside which a run of an agent as a tool goes on. */
interface Inside {
  readonly scope: Scope;
  /** The call of the tool. */
  readonly callId: string;
  /** The SDK's context of that run. */
  context: SdkContext | undefined;
}

// A run's model calls and nested runs know nothing of the run that the SDK would hand on, so the async context does.
const storage: AsyncLocalStorage<readonly Scope[]> = new AsyncLocalStorage();

const NONE: readonly Scope[] = [];

/** The scopes of the run that goes on, the outermost registry last; empty outside of hooked runs. */
export function currentScopes(): readonly Scope[] {
  return storage.getStore() ?? NONE;
}

/** The scope of the run that goes on, for one registry. */
export function scopeOf({ hooks }: Attached): Scope | undefined {
  return currentScopes().find((scope) => scope.attached.hooks === hooks);
}

/** Runs something in a scope; one of the same registry is hidden by it. */
export function inScope<T>(scope: Scope, run: () => T): T {
  const { hooks } = scope.attached;
  const others = currentScopes().filter(({ attached, over }) => attached.hooks !== hooks && !over);
  return storage.run([scope, ...others], run);
}

/**
 * Whether it is a scope's own run in which an agent is asked for its tools, and not a bare run that a tool or a guardrail
 * of it has begun, which has a context of its own. A run begins with the agent that it was called with; the copy of its context
 * with which it is taken up shares its usage, and so does the run of an agent as a tool with the run around it, unless the tool
 * was given a context.
 */
export function isOf(scope: Scope, context: SdkContext | undefined, agent: string): boolean {
  const { inside } = scope;
  if (context === undefined || context === scope.context) return true;
  const begins = scope.context === undefined && (inside !== undefined || agent === scope.agent);
  const known = inside?.context ?? scope.context;
  if (!begins && context.usage !== known?.usage) return false;
  scope.context = context;
  return true;
}

/**
 * A scope for a run that begins.
 *
 * @param run its id; without one it is that of a single call in a runner that is not hooked
 */
export function openScope(
  attached: Attached,
  session: Session,
  run?: string,
  inside?: Scope['inside'],
): Scope {
  return {
    attached,
    session,
    run: run ?? session.id,
    inside,
    bare: inside?.scope.bare ?? run === undefined,
    subagent: undefined,
    agent: undefined,
    iteration: 0,
    turn: undefined,
    model: undefined,
    settings: undefined,
    prepared: undefined,
    lastUserMessage: undefined,
    stop: undefined,
    stopBy: undefined,
    ended: undefined,
    over: false,
    begun: undefined,
    context: undefined,
    signal: undefined,
    pending: [],
    children: undefined,
  };
}

/** Notes that a hook of a call wants the run to end. */
export function noteStop(scope: Scope, { stop, reason = '', by }: ToolCallOutcome): void {
  if (!stop || scope.stop !== undefined) return;
  scope.stop = reason;
  scope.stopBy = by;
}

/** The fields that every event of the run carries. */
export function common(scope: Scope): {
  readonly session: Session;
  readonly run: string;
  readonly turn?: string;
  readonly agent?: string;
} {
  const { session, run, agent } = scope;
  const turn = turnOf(scope);
  return {
    session,
    run,
    ...(turn !== undefined && { turn }),
    ...(agent !== undefined && { agent }),
  };
}

/** The id of the turn that goes on, if one does. */
export function turnOf({ run, iteration }: Scope): string | undefined {
  return iteration > 0 ? `${run}:${iteration}` : undefined;
}

/** Whether any hook would be asked about an event; with none, the event need not even be made. */
export function concerns({ attached }: Scope, event: PointData): boolean {
  return hears(attached.hooks, event);
}

/** Whether any hook may change or refuse what an event is about. */
export function decides({ attached }: Scope, event: PointData): boolean {
  return mayDecide(attached.hooks, event);
}
