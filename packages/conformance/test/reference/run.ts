import { type ApprovalAnswer, type Attached, createHooks, type Hooks } from '@hooks/core';
import {
  type AgentRun,
  type AgentRunOptions,
  Attachment,
  type AttachOptions,
  openRun,
  sharedOptions,
} from '@hooks/core/adapter';
import type { AgentSpec, AttachSpec, RunOptions } from '../../src/index.ts';
import { approverOf } from './approver.ts';
import type { Fault } from './faults.ts';
import { FaultyRun } from './faulty-run.ts';
import type { Message } from './model.ts';
import { supports } from './supports.ts';
import type { Tool } from './tool.ts';

/** The state of a run: core's run, and the framework's own part. */
export interface Running {
  readonly run: AgentRun;
  /** The agent in control. A handoff changes it. */
  spec: AgentSpec;
  readonly options: RunOptions;
  /** The session's messages. Pushed messages are stored. */
  readonly history: Message[];
  /** Shows something to the framework's user. */
  readonly show: (kind: string, value: unknown) => void;
  readonly faults: ReadonlySet<Fault>;
  /** Runs the loop to its answer. Sub-agents use the same function. */
  readonly loop: (running: Running) => Promise<string>;
  /** Tools of MCP servers. */
  readonly mcpTools: readonly Tool[];
  /** A person's answers, by call. */
  readonly answers: Map<string, Answered>;
  /** The results of this turn's finished calls, for the model. */
  readonly results: Map<string, string>;
  /** The ids of the calls that hooks have decided on. */
  readonly decided: Set<string>;
  /** The tokens of the answers so far. */
  readonly spent: { inputTokens: number; outputTokens: number };
  /** Paused sub-agents, by the call that runs them. */
  readonly waiting: Map<string, Running>;
}

/** A person's answer, with the hash of the answered input. */
export interface Answered extends ApprovalAnswer {
  readonly hash: string | undefined;
}

/** A hook ended the run. */
export class Stopped extends Error {}

/** The framework's own control flow: the run waits for a person. */
export class Paused extends Error {}

/** The run reached its limit of model calls. */
export class LimitReached extends Error {}

/** The registries that hook an agent or a tool. The reference framework's context is a user's id. */
export type Registries = Attachment<string | undefined>;

/** Attaches registries in the given order: the last is outermost. */
export function attachAll(
  hooks: readonly Hooks[],
  tools: readonly string[],
  { attach, attachEach = [] }: Pick<AgentSpec, 'attach' | 'attachEach'>,
  faults: ReadonlySet<Fault>,
): Registries {
  const last = hooks.length - 1;
  const declaration = {
    of: 'attach',
    takes: sharedOptions,
    supports,
    tools: faults.has('does not report its tools') ? [] : tools,
  };
  const attachments = hooks.map((each, nth) => {
    const at = faults.has('gives all registries the options of the outermost') ? last : nth;
    return Attachment.of<string | undefined, AttachOptions<string | undefined>>(
      each,
      optionsOf(attachEach[at] ?? attach, faults),
      declaration,
    );
  });
  const ordered = faults.has('attaches the later registry innermost')
    ? attachments
    : attachments.toReversed();
  const heard = faults.has('runs only the outermost registry') ? ordered.slice(0, 1) : ordered;
  return heard.reduceRight<Registries>((inner, one) => one.around(inner), Attachment.none);
}

function optionsOf(
  { principal: id, ...options }: AttachSpec,
  faults: ReadonlySet<Fault>,
): AttachOptions<string | undefined> {
  const same = faults.has('gives all runs the same principal');
  const known = Object.entries(options).filter(
    ([name]) => name in sharedOptions || !faults.has('drops unknown options'),
  );
  return {
    ...Object.fromEntries(known),
    principal(user) {
      if (faults.has('does not report the principal')) return undefined;
      const found = id ?? (user !== undefined && same ? 'ann' : user);
      return found === undefined ? undefined : { id: found };
    },
  };
}

/** The registries as core takes them. */
export function inCore(
  registries: Registries,
  faults: ReadonlySet<Fault>,
  isApproved?: boolean,
): readonly Attached[] {
  return registries.attached((approval) => approverOf(approval, faults, isApproved));
}

/** Opens a run. Without registries it gets an empty one. */
export function open(
  registries: readonly Attached[],
  options: AgentRunOptions,
  faults: ReadonlySet<Fault>,
): AgentRun {
  const attached = registries.length > 0 ? registries : [{ hooks: createHooks() }];
  return faults.size === 0 ? openRun(attached, options) : new FaultyRun(attached, options, faults);
}

/** The model fields of events. */
export function modelOf({ model = 'scripted' }: AgentRun): {
  readonly model: string;
  readonly provider: string;
} {
  return { model, provider: 'openai' };
}
