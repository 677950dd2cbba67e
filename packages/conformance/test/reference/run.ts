import type { ApprovalAnswer, Hooks, ModelSettings, Session } from '@hooks/core';
import type { AgentSpec, PendingCall, RunOptions } from '../../src/index.ts';
import type { Fault } from './faults.ts';
import type { Message } from './model.ts';
import type { Tool } from './tool.ts';

/** A registry with its session of this run. */
export interface Gate {
  readonly hooks: Hooks;
  readonly session: Session;
}

/** One run on its way. */
export interface Run {
  readonly id: string;
  /** The turn that is open. */
  turn: string | undefined;
  /** Its number. */
  iteration: number;
  /** The call by which another agent runs it. */
  readonly parentCallId?: string;
  /** The agent that has control; a handoff changes it. */
  spec: AgentSpec;
  readonly options: RunOptions;
  /** Outermost first. */
  readonly gates: readonly Gate[];
  /** The session's messages; what is pushed is kept. */
  readonly history: Message[];
  /** Shows something to the framework's user. */
  readonly show: (kind: string, value: unknown) => void;
  readonly faults: ReadonlySet<Fault>;
  /** Tools of MCP servers, which every agent of the run has. */
  readonly mcpTools: readonly Tool[];
  /** What BeforeRun's hooks chose. */
  model: string;
  settings: ModelSettings;
  /** What a person has said, by call. */
  readonly answers: Map<string, Answered>;
  /** What a person had said when the run paused once more. */
  readonly given: readonly (readonly [callId: string, Answered])[];
  /** Results of calls of a turn that paused. */
  readonly done: Map<string, string>;
  /** How a run goes on until it answers: what a sub-agent is run by. */
  readonly loop: (run: Run) => Promise<string>;
  /** Calls that wait for a person. */
  readonly pending: PendingCall[];
}

/** A person's answer, and the hash of the input that it is about. */
export interface Answered extends ApprovalAnswer {
  readonly hash: string | undefined;
}

/** A hook ended the run. */
export class Stopped extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(`The run was stopped: ${reason}`);
    this.reason = reason;
  }
}

/** The framework's own control flow: the run waits for a person. */
export class Paused extends Error {}

/** Registries in the order in which they are asked before a call. */
export function outermostFirst(hooks: readonly Hooks[], faults: ReadonlySet<Fault>): readonly Hooks[] {
  const once = faults.has('asks twice where attached twice') ? hooks : [...new Set(hooks)];
  return faults.has('attaches the later registry inside') ? once : once.toReversed();
}

/** The model as events tell it. */
export function modelOf({ model, faults }: Run): { readonly model: string; readonly provider?: string } {
  return { model, ...(!faults.has('does not tell the provider') && { provider: 'openai' }) };
}

/** What the user, or a hook in the user's place, has said last. */
export function lastUser({ history }: Run): { readonly lastUserMessage?: string } {
  const content = history.findLast(({ role }) => role === 'user')?.content;
  return typeof content === 'string' ? { lastUserMessage: content } : {};
}

/** The model was asked as often as it may be. */
export class LimitReached extends Error {}
