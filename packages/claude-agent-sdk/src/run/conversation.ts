import type { Options, PermissionResult } from '@anthropic-ai/claude-agent-sdk';
import { HooksError, type Principal } from '@hooks/core';
import {
  AgentRun,
  type NamedModel,
  type PendingApproval,
  type RunEnd,
  type RunStop,
} from '@hooks/core/adapter';
import type { Begun } from '@hooks/core/tool-call';
import { pausedRuns, pauseKey } from '../approval/deferral.ts';
import type { ApprovalResponse } from '../options.ts';
import type { Registries } from '../registries.ts';

/** What all conversations of a query share. */
export interface Setting {
  readonly registries: Registries;
  /** What the user gave. */
  readonly options: Options;
  /** Fires when the user aborts the query. */
  readonly signal: AbortSignal | undefined;
  readonly answers: readonly ApprovalResponse[];
  /** Whether prompts are submitted before Claude Code gets them, so that hooks can rewrite them. */
  readonly seesPrompts: boolean;
}

/** A prompt that hooks let through, or refused, before Claude Code got it. */
export interface Expected {
  readonly text: string;
  readonly run: AgentRun;
  /** Whether the run begins with it. */
  readonly begins: boolean;
  /** Why Claude Code must refuse it. */
  readonly stop?: RunStop | undefined;
}

/** A call of a tool that Claude Code runs, between its two callbacks. */
export type BegunCall = Extract<Begun, { readonly kind: 'run' }>;

/** Why sessions cannot go on: their histories have what hooks replaced. By session id. */
const closedHistories: Map<string, string> = new Map();

/** A session of Claude Code: its runs, one for each prompt, and those of its sub-agents. */
export class Conversation {
  readonly sessionId: string;
  readonly setting: Setting;
  /** The run of the latest prompt. */
  main: AgentRun | undefined;
  /** The runs of sub-agents by their ids. */
  readonly agents: Map<string, AgentRun> = new Map();
  /** Calls that run in Claude Code, by their ids. */
  readonly begun: Map<string, BegunCall> = new Map();
  /** Those that a person has approved, by agent and id. */
  readonly allowed: Set<string> = new Set();
  /** What was decided on calls of a resumed session that no other callback has announced, until they are over. */
  readonly late: Map<string, Promise<PermissionResult>> = new Map();
  /** The ids of those whose results hooks have replaced. */
  readonly replaced: Set<string> = new Set();
  /** Why those are not shown whose results or errors Claude Code does not let hooks replace, by their ids. */
  readonly withheld: Map<string, string> = new Map();
  readonly expected: Expected[] = [];
  /** The call that waits for a person. Claude Code keeps one. */
  deferred: PendingApproval | undefined;
  /** The answers of people that were used. */
  readonly answered: Set<ApprovalResponse> = new Set();
  /** The final answer, once `Stop` hooks let it stand. */
  answer: string | undefined;
  /** The input of `StructuredOutput`, which is the answer. */
  structured: string | undefined;
  /** The runs whose results have not been read, oldest first: Claude Code sends one for each. */
  readonly unread: AgentRun[] = [];
  /** What was added to the history. Claude Code keeps it, so it is added once. */
  readonly #added: WeakMap<object, Set<string>> = new WeakMap();

  constructor(sessionId: string, setting: Setting) {
    this.sessionId = sessionId;
    this.setting = setting;
  }

  /** The run of a sub-agent or, without an id, of the latest prompt. A call that nobody announced gets one, too. */
  async runOf(agentId: string | undefined): Promise<AgentRun> {
    const agent = agentId === undefined ? undefined : this.agents.get(agentId);
    return agent ?? this.main ?? this.open();
  }

  /** Opens the run of a new prompt. */
  async open(): Promise<AgentRun> {
    await this.settle();
    const { registries, options, signal } = this.setting;
    const { sessionId } = this;
    const run = new AgentRun(registries.attached(), {
      sessionId,
      signal,
      agent: options.agent,
      ...(options.resume !== undefined && { source: 'resume' as const }),
      maxContinuations: registries.maxContinuations,
      principal: this.principal,
    });
    // Claude Code reads this prompt first.
    const waiting = this.#waits ? this.unread.indexOf(this.main as AgentRun) : -1;
    this.unread.splice(waiting === -1 ? this.unread.length : waiting, 0, run);
    this.main = run;
    this.answer = undefined;
    this.structured = undefined;
    await run.begin();
    const { closed } = this;
    if (closed !== undefined) {
      run.endBy({ reason: closed });
      this.closeHistory(closed);
    }
    return run;
  }

  /** Why no later prompt may send the history to the model, if it may not. */
  get closed(): string | undefined {
    return closedHistories.get(this.sessionId) ?? closedHistories.get(this.setting.options.resume ?? '');
  }

  /** Claude Code keeps an original that hooks replaced, so no later prompt may send the history to the model. */
  closeHistory(reason: string): void {
    closedHistories.set(this.sessionId, reason);
  }

  /** Who the session is for, as the options tell. */
  get principal(): Principal | undefined {
    const { registries, options } = this.setting;
    return registries.principal({ options, sessionId: this.sessionId });
  }

  /** Takes up the run that waits for one of these calls in this process, if it has the same hooks. */
  resume(callIds: readonly string[]): void {
    const from = { sessionId: this.sessionId, principal: this.principal, parent: undefined };
    const { registries, options } = this.setting;
    // It is kept by its session, too.
    if (pausedRuns.peek(options.resume ?? '')?.isFor(this.principal) === false)
      throw new HooksError(
        'INVALID_INPUT',
        `hookedQuery: the session ${options.resume ?? ''} cannot be resumed here: its run belongs to another principal. Resume it for the principal that it was started for.`,
      );
    const keys = callIds.map((callId) => pauseKey(this.sessionId, callId));
    const waiting = pausedRuns.find(keys, from);
    if (waiting?.registries.length !== registries.hooks.length) return;
    if (!waiting.registries.every(({ hooks }, nth) => hooks === registries.hooks[nth])) return;
    const run = pausedRuns.take(keys, from);
    run?.resume(this.setting.signal);
    this.main = run;
    if (run !== undefined) this.unread.push(run);
  }

  /** Ends the run of the previous prompt, if its answer stands. Its result may not have been read yet. */
  async settle(): Promise<void> {
    if (this.answer !== undefined) await this.main?.end({ kind: 'done', response: this.answer });
  }

  /** The run that goes on, or goes on as soon as Claude Code reads its prompt. */
  get ongoing(): AgentRun | undefined {
    const { main } = this;
    return main === undefined || main.over || this.answer !== undefined ? undefined : main;
  }

  /** The run that goes on in Claude Code. */
  get running(): AgentRun | undefined {
    return this.#waits ? undefined : this.ongoing;
  }

  /** Whether Claude Code has not read the prompt with which the run begins. */
  get #waits(): boolean {
    return this.expected.some(({ run, begins }) => begins && run === this.main);
  }

  /** Claude Code has read the prompt of a run. */
  async goOn(run: AgentRun): Promise<void> {
    if (run === this.main) return;
    await this.settle();
    this.main = run;
    this.answer = undefined;
    this.structured = undefined;
  }

  /** Ends the run of a sub-agent. Returns why a hook has ended it, if one has. */
  async endAgent(id: string, end: RunEnd): Promise<string | undefined> {
    const child = this.agents.get(id);
    this.agents.delete(id);
    await child?.end(end);
    return child?.stop?.reason;
  }

  /** Ends the runs of this conversation, as Claude Code is gone. */
  async end(end: RunEnd): Promise<void> {
    const main = this.main === undefined ? [] : [this.main];
    for (const run of new Set([...this.agents.values(), ...this.unread, ...main])) await run.end(end);
    this.agents.clear();
  }

  /** The context from hooks that the model has not read yet, as a field of a callback's answer. */
  contextOf(run: AgentRun): { readonly additionalContext?: string } {
    // The history of a sub-agent is its own. That of the main agent goes on over all prompts.
    const key = run.parent === undefined ? this : run;
    const added = this.#added.get(key) ?? new Set();
    this.#added.set(key, added);
    const fresh = run.takeContext().filter((text) => !added.has(text));
    for (const text of fresh) added.add(text);
    return fresh.length === 0 ? {} : { additionalContext: fresh.join('\n\n') };
  }

  /** The model as hooks see it. */
  get model(): NamedModel {
    const { model } = this.setting.options;
    return model === undefined ? {} : { provider: 'anthropic', model };
  }

  async close(): Promise<void> {
    for (const hooks of this.setting.registries.hooks) await hooks.session(this.sessionId).close();
  }
}
