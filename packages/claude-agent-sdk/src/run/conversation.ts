import type { Options } from '@anthropic-ai/claude-agent-sdk';
import { HooksError, type Principal } from '@hooks/core';
import {
  AgentRun,
  type NamedModel,
  PausedRuns,
  type PendingApproval,
  type RunEnd,
} from '@hooks/core/adapter';
import type { Begun } from '@hooks/core/tool-call';
import type { ApprovalResponse } from '../options.ts';
import type { Registries } from '../registries.ts';

/** What all conversations of a query share. */
export interface Setting {
  readonly registries: Registries;
  /** What the user gave. */
  readonly options: Options;
  readonly answers: readonly ApprovalResponse[];
  /** Whether prompts are submitted before Claude Code gets them, so that hooks can rewrite them. */
  readonly seesPrompts: boolean;
  /** Whether hooks see calls of models, so that context can be added to these and is in no history. */
  readonly seesModels: boolean;
  /** Those that Claude Code has not read. It may read them in another session: after `/clear`. */
  readonly expected: Expected[];
}

/** A prompt that hooks let through, or refused, before Claude Code got it. */
export interface Expected {
  readonly text: string;
  /** The id of its message. The result of its turn names it. */
  readonly uuid: string;
  readonly run: AgentRun;
  /** Whether the run begins with it. */
  readonly begins: boolean;
}

/** A call of a tool that Claude Code runs, between its two callbacks. */
export type BegunCall = Extract<Begun, { readonly kind: 'run' }>;

/** The runs of this process that wait for people. */
export const pausedRuns: PausedRuns<AgentRun> = new PausedRuns();

/** What a run is kept by. Calls of two sessions may have the same id. */
export function pauseKey(sessionId: string, callId: string): string {
  return `${sessionKey(sessionId)}\n${callId}`;
}

/** A session's id in one spelling: where folders do so, Claude Code finds a session by its id in capitals, too. */
export function sessionKey(sessionId = ''): string {
  return sessionId.toLowerCase();
}

/** Why sessions cannot go on: their histories have what hooks replaced. By session id. */
const closedHistories: Map<string, string> = new Map();

/** A session of Claude Code: its runs, one for each prompt, and those of its sub-agents. */
export class Conversation {
  readonly sessionId: string;
  readonly setting: Setting;
  /** The run that Claude Code is in, or was in last. */
  current: AgentRun | undefined;
  /** The run of the prompt that was submitted last. It begins once Claude Code has read a prompt of it. */
  #latest: AgentRun | undefined;
  /** The id that Claude Code gave its turn: what lies between two results. */
  #promptId: string | undefined;
  /** The runs of sub-agents by their ids. */
  readonly agents: Map<string, AgentRun> = new Map();
  /** Calls that run in Claude Code, by their ids. */
  readonly begun: Map<string, BegunCall> = new Map();
  /** The inputs of those about which Claude Code asks nobody else, until they are over. By agent, id and tool. */
  readonly allowed: Map<string, unknown> = new Map();
  /** Those whose results hooks have replaced, by their ids. Why nothing is shown where Claude Code keeps the original. */
  readonly replaced: Map<string, string | undefined> = new Map();
  /** The call that waits for a person. Claude Code keeps one. */
  deferred: PendingApproval | undefined;
  /** The answers of people that were used. */
  readonly answered: Set<ApprovalResponse> = new Set();
  /** The final answers of runs, once `Stop` hooks have decided on them. */
  readonly answers: WeakMap<AgentRun, string> = new WeakMap();
  /** The input of `StructuredOutput`, which is the answer. */
  structured: string | undefined;
  /** The turns of Claude Code whose results have not been read, oldest first, by the runs of their prompts. */
  readonly #unread: AgentRun[][] = [];
  /** The turns whose answers have arrived, by run: a request to a model is not theirs any more. */
  readonly #acted: WeakMap<AgentRun, string | undefined> = new WeakMap();
  /** What was added to the history. Claude Code keeps it, so it is added once. */
  readonly #added: WeakMap<object, Set<string>> = new WeakMap();
  /** Whether Claude Code has left the session, as `/clear` does. Its results may not have been read. */
  left = false;

  constructor(sessionId: string, setting: Setting) {
    this.sessionId = sessionId;
    this.setting = setting;
  }

  /** The run of a sub-agent or, without an id, that of Claude Code. A call that nobody announced gets one, too. */
  async runOf(agentId: string | undefined): Promise<AgentRun> {
    const agent = agentId === undefined ? undefined : this.agents.get(agentId);
    return agent ?? this.current ?? this.enter(await this.open(), undefined);
  }

  /** The run of a compaction. Claude Code does not announce the prompt that is its command. */
  async runOfCompaction(): Promise<AgentRun> {
    const ofCommand = this.#latest?.over === false ? this.#latest : undefined;
    return this.current ?? this.enter(ofCommand ?? (await this.open()), undefined);
  }

  /** A run acts on the answer of its turn. */
  acts(run: AgentRun): void {
    this.#acted.set(run, run.turn);
  }

  /**
   * The run of a call of a model: that of the agent, if it waits for the answer of its turn. What Claude Code asks for
   * itself, while a tool runs for example, has a run of its own in the same session, without a turn.
   */
  runOfModelCall(
    agentId: string | undefined,
    isSummary: boolean,
  ): { readonly run: AgentRun; readonly isAside: boolean } {
    const run = agentId === undefined ? this.current : this.agents.get(agentId);
    const waits =
      run?.turn !== undefined && !run.over && !this.answers.has(run) && this.#acted.get(run) !== run.turn;
    if (run !== undefined && waits && !isSummary) return { run, isAside: false };
    const { registries, options } = this.setting;
    const own = new AgentRun(registries.attached(), {
      sessionId: run?.session.id ?? this.sessionId,
      signal: options.abortController?.signal,
      agent: run?.agent ?? options.agent,
      parent: run?.parent,
      principal: run?.principal ?? this.principal,
    });
    return { run: own, isAside: true };
  }

  /** Opens the run of a new prompt, which Claude Code may read later. */
  async open(): Promise<AgentRun> {
    await this.settle();
    const { registries, options } = this.setting;
    const { sessionId } = this;
    const run = new AgentRun(registries.attached(), {
      sessionId,
      signal: options.abortController?.signal,
      agent: options.agent,
      ...(options.resume !== undefined && { source: 'resume' as const }),
      maxContinuations: registries.maxContinuations,
      principal: this.principal,
    });
    this.#latest = run;
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
    const { resume } = this.setting.options;
    return closedHistories.get(sessionKey(this.sessionId)) ?? closedHistories.get(sessionKey(resume));
  }

  /** Claude Code keeps an original that hooks replaced, so no later prompt may send the history to the model. */
  closeHistory(reason: string): void {
    closedHistories.set(sessionKey(this.sessionId), reason);
  }

  /** Who the session is for, as the options tell. */
  get principal(): Principal | undefined {
    const { registries, options } = this.setting;
    return registries.principal({ options, sessionId: this.sessionId });
  }

  /** Takes up the run that waits for one of these calls in this process, if it has the same hooks. */
  resume(callIds: readonly string[]): void {
    const { sessionId, principal } = this;
    const { registries, options } = this.setting;
    const owner = { sessionId, principal, parent: undefined };
    // It is kept by its session, too: whoever resumes that need not answer a call.
    if (pausedRuns.whyNot([sessionKey(options.resume)], owner) === 'other_principal')
      throw new HooksError(
        'INVALID_INPUT',
        `hookedQuery: the session ${options.resume ?? ''} cannot be resumed here: its run belongs to another principal. Resume it for the principal that it was started for.`,
      );
    const { run } = pausedRuns.resume(
      callIds.map((callId) => pauseKey(sessionId, callId)),
      {
        ...owner,
        hookedBy: registries,
        signal: options.abortController?.signal,
      },
    );
    if (run === undefined) return;
    this.current = run;
    this.#latest = run;
    this.#unread.push([run]);
  }

  /** Ends the run that Claude Code was in last, if it has answered. Its result may not have been read yet. */
  async settle(): Promise<void> {
    const { current } = this;
    const response = current && this.answers.get(current);
    if (response !== undefined) await current?.end({ kind: 'done', response });
  }

  /** The run that a prompt which is submitted now is sent into, if there is one. */
  get steered(): AgentRun | undefined {
    return this.#latest !== undefined && this.#takes(this.#latest) ? this.#latest : undefined;
  }

  /** The run that goes on in a turn of Claude Code, if it takes prompts. */
  running(promptId: string | undefined): AgentRun | undefined {
    const { current } = this;
    return current !== undefined && this.#isTurn(promptId) && this.#takes(current) ? current : undefined;
  }

  /** Whether a run has not ended, and is not about to. */
  #takes(run: AgentRun): boolean {
    return !run.over && run.stop === undefined && !this.answers.has(run);
  }

  #isTurn(promptId: string | undefined): boolean {
    return this.#promptId === undefined || this.#promptId === promptId;
  }

  /** Claude Code has read a prompt of a run. */
  async enter(run: AgentRun, promptId: string | undefined): Promise<AgentRun> {
    const { current: before } = this;
    const turn = this.#isTurn(promptId) && before !== undefined ? this.#unread.at(-1) : undefined;
    this.#promptId = promptId;
    if (run === before) return run;
    await this.settle();
    // Nobody reads the results of a bare query.
    if (!this.setting.seesPrompts) await before?.end({ kind: 'canceled' });
    else if (turn === undefined) this.#unread.push([run]);
    else turn.push(run);
    this.current = run;
    this.structured = undefined;
    return run;
  }

  /**
   * The runs of the turn whose result was read, which names the messages of its prompts. That of a command names one that
   * Claude Code did not announce. Claude Code may have begun its next turn.
   */
  takeTurn(uuids: readonly string[]): readonly AgentRun[] {
    const { expected } = this.setting;
    const unannounced = expected.filter(({ uuid }) => uuids.includes(uuid));
    for (const one of unannounced) expected.splice(expected.indexOf(one), 1);
    const isCommand = unannounced.length > 0 && unannounced.length >= uuids.length;
    if (!isCommand && this.hasUnread) return this.#unread.shift() ?? [];
    const runs = new Set(isCommand ? unannounced.map(({ run }) => run) : [this.#latest]);
    // A compaction has entered its run.
    const entered = this.#unread.findIndex((turn) => turn.every((run) => runs.has(run)));
    if (entered >= 0) this.#unread.splice(entered, 1);
    return [...runs].filter((run) => run !== undefined && !run.over) as AgentRun[];
  }

  /** Whether a turn's result has not been read. */
  get hasUnread(): boolean {
    return this.#unread.length > 0;
  }

  /** The query ends with a call that waits. */
  pause(): void {
    this.current = undefined;
    this.#latest = undefined;
    this.#unread.length = 0;
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
    for (const run of this.agents.values()) await run.end(end);
    this.agents.clear();
    await this.#endMain(end);
  }

  /** Claude Code begins another session. Sub-agents in the background go on. */
  async leave(): Promise<void> {
    this.left = true;
    await this.#endMain({ kind: 'canceled' });
    await this.close();
  }

  async #endMain(end: RunEnd): Promise<void> {
    const waiting = this.setting.expected.map(({ run }) => run);
    for (const run of new Set([...this.#unread.flat(), this.current, ...waiting, this.#latest]))
      await run?.end(end);
  }

  /** The context from hooks that the model has not read yet, as a field of a callback's answer. */
  contextOf(run: AgentRun): { readonly additionalContext?: string } {
    if (this.setting.seesModels) return {};
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
