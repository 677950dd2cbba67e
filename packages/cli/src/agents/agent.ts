import type { EventData, EventType } from '@hooks/config';
import type { Approval } from '@hooks/core';
import type { Able } from './carries.ts';

/** What the hooks of a policy came to on one event of an agent. */
export interface Outcome {
  /** Refused: what the model reads. */
  readonly block?: { readonly reason: string; readonly stop: boolean };
  /** Do it again; on a stop, work on. */
  readonly retry?: string;
  /** The fields that were changed, by core's names. */
  readonly patch: Patch;
}

/** The fields of core's patches that an agent may be able to carry out. */
export interface Patch {
  readonly input?: unknown;
  readonly output?: unknown;
  readonly errorMessage?: string;
  readonly approval?: Approval;
  readonly context?: readonly string[];
  readonly prompt?: string;
  readonly summary?: string;
}

/** What a hook process says and how it ends. */
export interface Reply {
  readonly stdout?: object;
  readonly stderr?: string;
  readonly exitCode: number;
}

/** What an agent tells its hook of. */
export interface AgentEvent {
  /** The agent's name of it. */
  readonly name: string;
  readonly data: EventData;
  /** The events of core that it stands for, in order. */
  readonly as: readonly EventType[];
  /** A failure refuses. */
  readonly gate: boolean;
  /** What can be decided at this moment, but on another event of the agent. */
  readonly lacks?: readonly string[];
}

/** A command-line agent that runs commands as hooks: its protocol, both ways, and what it can carry out. */
export interface Agent extends Able {
  /**
   * Throws where the JSON is no event; answers nothing for an event that no policy knows, and a remark for one that the
   * agent does not have.
   */
  readonly read: (json: unknown) => AgentEvent | string | undefined;
  /** Puts the outcome in the agent's words. What it cannot carry out is refused. */
  readonly write: (event: AgentEvent, outcome: Outcome) => Reply;
}

/** The events of core that an event stands for: a result is transformed before it is looked at. */
export function eventsOf(type: EventType): readonly EventType[] {
  if (type === 'after_tool_call') return ['transform_tool_result', 'after_tool_call'];
  return type === 'user_prompt_submit' ? ['user_prompt_submit', 'before_run'] : [type];
}

/** Events whose failure refuses. */
export function isGate(type: EventType): boolean {
  return ['before_tool_call', 'after_tool_call', 'user_prompt_submit', 'before_model_call'].includes(type);
}

/**
 * The remark on an event that an agent does not have.
 *
 * @throws Error for one that is a gate by its name: nobody would judge it
 */
export function passOver(agent: string, name: string): string {
  const unknown = `${agent} has no event ${JSON.stringify(name)}`;
  if (/^(?:pre|before)|permission|guard|submit/i.test(name))
    throw new Error(`${unknown}, so no hook can judge it; is --as the agent that runs this?`);
  return `hooks run: ${unknown}; it is passed over`;
}

/** What an event of most agents is called. An event without a name is none, and its gate stays closed. */
export function eventName(json: unknown): string {
  const name: unknown = Object(json).hook_event_name;
  if (typeof name === 'string') return name;
  throw new Error('the event on stdin has no hook_event_name');
}
