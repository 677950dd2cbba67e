import { AsyncLocalStorage } from 'node:async_hooks';
import { AgentRun, type AgentRunOptions } from '@hooks/core/adapter';
import type { Model, ModelRequest } from '@openai/agents';
import type { SdkCall } from '../approval/decision.ts';
import type { SdkContext } from '../internals.ts';
import type { Registries } from '../options.ts';

/** How a run is opened. */
export interface HookedRunOptions extends AgentRunOptions {
  readonly single?: boolean;
}

/** One run of an agent under hooks, with what the SDK tells about it. */
export class HookedRun extends AgentRun {
  readonly hookedBy: Registries;
  /** Whether it is a single call in a runner that is not hooked, or what an agent as a tool does in one. */
  readonly single: boolean;
  /** The calls in progress, by their ids, with what people say about them. */
  readonly calls: Map<string, SdkCall> = new Map();
  /** The SDK's context of the run, once it is known. */
  context: SdkContext | undefined;
  /** For an agent as a tool: the context of the outer run. */
  outerContext: SdkContext | undefined;
  /** Whether the session is open, and the parent of a sub-agent was told. */
  begun = false;
  /** Whether its events reach the user through us, so that they can be held back there. */
  isReadByUs = false;
  /** What identifies the pause from which it has resumed, the same in each process. */
  pausedAs: string | undefined;
  /** How an agent as a tool has ended: it gave its final output, or a call failed with which the SDK rejects. */
  ended: 'normal' | 'error' | undefined;
  /** The model that a `BeforeRun` hook chose. */
  chosenModel: Model | undefined;
  /** The input of the request that has no answer yet. If it comes again, the SDK repeats the request, in the same turn. */
  unanswered: ModelRequest['input'] | undefined;
  /** Runs of agents as tools that go on or have paused, by call id. */
  readonly agentTools: Map<string, HookedRun> = new Map();

  readonly #refused: Set<string> = new Set();

  constructor(hookedBy: Registries, options: HookedRunOptions) {
    super(hookedBy.attached(), options);
    this.hookedBy = hookedBy;
    this.single = options.single ?? false;
  }

  /**
   * Whether it is this run in which an agent is asked for its tools, and not one without hooks that a tool or a guardrail of it has
   * begun, which has a context of its own. A run begins with the agent that it was called with; the copy of its context with which it
   * resumes shares its usage, and so does the run of an agent as a tool with the run around it, unless the tool was given a context.
   */
  owns(context: SdkContext | undefined, agent: string): boolean {
    if (context === undefined || context === this.context) return true;
    const begins = this.context === undefined && (this.outerContext !== undefined || agent === this.agent);
    const known = this.outerContext ?? this.context;
    if (!begins && context.usage !== known?.usage) return false;
    this.context = context;
    return true;
  }

  /** Opens its session, and tells the parent of a sub-agent, when it is known which agent it is. */
  beginOnce(agent: string): undefined | Promise<void> {
    if (this.begun) return undefined;
    this.begun = true;
    return this.begin(agent);
  }

  /** Notes that hooks refused a call. */
  refuse(toolName: string, callId: string): void {
    this.#refused.add(`${toolName} ${callId}`);
  }

  hasRefused(toolName: string, callId: string): boolean {
    return this.#refused.has(`${toolName} ${callId}`);
  }

  /** This run, and those of agents as tools inside it. */
  get all(): readonly HookedRun[] {
    return [this, ...[...this.agentTools.values()].flatMap((child) => child.all)];
  }
}

// Model calls and agents as tools are not told by the SDK to which run they belong, so the async context tells it.
const storage: AsyncLocalStorage<HookedRun> = new AsyncLocalStorage();

/** The run that goes on here. */
export function currentRun(): HookedRun | undefined {
  return storage.getStore();
}

/** Does something in a run. */
export function inRun<T>(run: HookedRun, act: () => T): T {
  return storage.run(run, act);
}
