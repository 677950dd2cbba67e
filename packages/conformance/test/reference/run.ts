import { type ApprovalAnswer, type Attached, createHooks, type Hooks } from '@hooks/core';
import { type AgentRun, type AgentRunOptions, openRun } from '@hooks/core/adapter';
import type { AgentSpec, AttachSpec, RunOptions } from '../../src/index.ts';
import { approverOf } from './approver.ts';
import type { Fault } from './faults.ts';
import { FaultyRun } from './faulty-run.ts';
import type { Message } from './model.ts';
import type { Tool } from './tool.ts';

/** A run on its way: core's run, and what is the framework's own. */
export interface Running {
  readonly run: AgentRun;
  /** The agent that has control; a handoff changes it. */
  spec: AgentSpec;
  readonly options: RunOptions;
  /** The session's messages; what is pushed is kept. */
  readonly history: Message[];
  /** Shows something to the framework's user. */
  readonly show: (kind: string, value: unknown) => void;
  readonly faults: ReadonlySet<Fault>;
  /** Runs it on to its answer: what a sub-agent is run by, too. */
  readonly loop: (running: Running) => Promise<string>;
  /** Tools of MCP servers. */
  readonly mcpTools: readonly Tool[];
  /** What a person has said, by call. */
  readonly answers: ReadonlyMap<string, Answered>;
  /** What the model will read of the calls of this turn that are over. */
  readonly results: Map<string, string>;
  /** Sub-agents that wait for a person, by the call that runs them. */
  readonly waiting: Map<string, Running>;
}

/** A person's answer, and the hash of the input that it is about. */
export interface Answered extends ApprovalAnswer {
  readonly hash: string | undefined;
}

/** A hook ended the run. */
export class Stopped extends Error {}

/** The framework's own control flow: the run waits for a person. */
export class Paused extends Error {}

/** The model was asked as often as it may be. */
export class LimitReached extends Error {}

/** The registries in the order in which they were attached, as core wants them: the last is outermost. */
export function attachedOf(
  hooks: readonly Hooks[],
  { approval }: AttachSpec,
  faults: ReadonlySet<Fault>,
): readonly Attached[] {
  const approver = approverOf(approval, faults);
  const ordered = faults.has('attaches the later registry inside') ? hooks : hooks.toReversed();
  const heard = faults.has('asks only the outermost registry') ? ordered.slice(0, 1) : ordered;
  return heard.map((each) => ({ hooks: each, approval: approver }));
}

/** Opens a run; without registries it has one that nobody else knows. */
export function open(
  registries: readonly Attached[],
  options: AgentRunOptions,
  faults: ReadonlySet<Fault>,
): AgentRun {
  const attached = registries.length > 0 ? registries : [{ hooks: createHooks() }];
  return faults.size === 0 ? openRun(attached, options) : new FaultyRun(attached, options, faults);
}

/** The model as events tell it. */
export function modelOf({ model = 'scripted' }: AgentRun): {
  readonly model: string;
  readonly provider: string;
} {
  return { model, provider: 'openai' };
}
