import { HooksError, type Principal, Stop } from '@hooks/core';
import { isSamePrincipal, noteBlocked, type RunEnd } from '@hooks/core/adapter';
import { nameNewPause, shareUses } from '../approval/decision.ts';
import { bindRecipients, checkRecipients } from '../approval/mcp-binding.ts';
import {
  approveMalformed,
  cancelPending,
  isDecided,
  pausedRuns,
  pendingApprovals,
  settleRejections,
} from '../approval/pending.ts';
import {
  answerInstead,
  isState,
  limitOf,
  pausedSession,
  refusedRun,
  type SdkAgent,
  type SdkInput,
  type SdkResult,
  type SdkRun,
  type SdkRunner,
  type SdkRunOptions,
  type SdkState,
} from '../internals.ts';
import { firstModel, hookModels, type ModelConfig, UNCALLED } from '../model/hooked-model.ts';
import type { Registries } from '../options.ts';
import { hookToolsOf, reach } from '../tool/agent-tools.ts';
import { guardToolUse, unguardToolUse } from '../tool/final-output.ts';
import { decideAdded, decideItems, rememberItems } from './client-items.ts';
import { hookCompaction } from './compaction.ts';
import { currentRun, HookedRun, inRun } from './hooked-run.ts';
import { lastPrompt, type RefusedItems, submitAdded, submitted } from './prompts.ts';
import { type Following, followed } from './stream.ts';
import { giveUp } from './subagent.ts';

/** How a run continues: with an approved state, or with the message of a `Stop` hook. */
interface Next {
  readonly agent: SdkAgent;
  readonly input: SdkInput;
  readonly options: SdkRunOptions;
}

/** The runs of one hooked runner. */
export class HookedRuns {
  readonly #registries: Registries;
  readonly #run: SdkRun;
  readonly #runner: SdkRunner;
  readonly #config: ModelConfig;

  constructor(registries: Registries, run: SdkRun, runner: SdkRunner & { readonly config: ModelConfig }) {
    this.#registries = registries;
    this.#run = run;
    this.#runner = runner;
    this.#config = runner.config;
    hookModels(this.#config);
  }

  /** Runs an agent, as `Runner.run` does. */
  run(agent: SdkAgent, input: SdkInput, options: SdkRunOptions = {}): Promise<SdkResult> {
    reach(agent);
    hookModels(this.#config);
    return this.#hooked(agent, input, options);
  }

  async #hooked(agent: SdkAgent, input: SdkInput, options: SdkRunOptions): Promise<SdkResult> {
    const { session } = options;
    if (session !== undefined) hookCompaction(session);
    const run = this.#open(input, options, session && (await session.getSessionId()));
    return inRun(run, () => this.#begin(run, agent, input, options));
  }

  #open(input: SdkInput, options: SdkRunOptions, stored: string | undefined): HookedRun {
    const { signal } = options;
    const state = isState(input) ? input : undefined;
    const around = currentRun();
    const parent = around?.over === false ? around : undefined;
    // The registries of the outer run also hook what its tools start.
    const registries = parent?.hookedBy.around(this.#registries) ?? this.#registries;
    const principal = principalOf(registries, state, options, parent);
    const given = stored || options.conversationId || undefined;
    if (state !== undefined) checkSession(state, given);
    const sessionId = given ?? (state?._conversationId || undefined);
    if (state !== undefined) {
      const key = { of: state };
      // Whoever resumes a run need not give again what its state knows.
      const known = sessionId ?? pausedRuns.peek(key)?.sessionId;
      const owner = { sessionId: known, principal, parent };
      const { run: resumed } = pausedRuns.resume([key], { ...owner, hookedBy: registries, signal });
      if (resumed !== undefined) return resumed;
    }
    return new HookedRun(registries, {
      parent,
      signal,
      principal,
      sessionId,
      source: state === undefined ? 'startup' : 'resume',
      maxContinuations: registries.maxContinuations,
    });
  }

  async #begin(run: HookedRun, agent: SdkAgent, input: SdkInput, options: SdkRunOptions): Promise<SdkResult> {
    let result: SdkResult | undefined;
    run.isReadByUs = options.stream === true;
    // A streamed run is over only when it is read to its end: what follows happens in its run again.
    const following: Following = {
      next: (finished) =>
        inRun(run, async () => {
          const next = await this.#next(run, agent, finished, options);
          if (next === undefined) run.hookedBy.throwRejection(run);
          return next && this.#call(run, next.agent, next.input, next.options);
        }),
      over: (last, error) => inRun(run, () => this.#over(run, options, last, error)),
    };
    try {
      const begun = await this.#submitted(run, agent, input, options);
      result = await (isRefused(begun)
        ? refusedRun(this.#runner, agent, UNCALLED, begun.kept, options)
        : this.#call(run, agent, begun, options));
      if (options.stream === true) return followed(result, following);
      for (let next: SdkResult | undefined = result; next; next = await following.next(result)) result = next;
    } catch (cause) {
      await following.over(result, { cause });
      throw cause;
    }
    await following.over(result);
    return result;
  }

  /** Calls the SDK, whose run has a context of its own. */
  #call(run: HookedRun, agent: SdkAgent, input: SdkInput, options: SdkRunOptions): Promise<SdkResult> {
    enter(run, agent, input);
    return this.#run(agent, input, options);
  }

  /** What the SDK is to begin with, or to go on with. */
  async #submitted(
    run: HookedRun,
    agent: SdkAgent,
    input: SdkInput,
    { session }: SdkRunOptions,
  ): Promise<SdkInput | RefusedItems> {
    const stored = async () => (await session?.getItems()) ?? [];
    enter(run, agent, input);
    await run.beginOnce(agent.name);
    if (!isState(input)) {
      const prompted = await submitted(run, input, firstModel(agent, this.#config));
      // What the run remembers, and gives back as its history, has been decided on.
      if (isRefused(prompted)) return { kept: await decideItems(run, agent, prompted.kept, stored) };
      const begun = typeof prompted === 'string' ? prompted : await decideItems(run, agent, prompted, stored);
      if (run.model !== undefined) run.chosenModel = await this.#config.modelProvider.getModel(run.model);
      return begun;
    }
    await hookToolsOf(input);
    run.lastUserMessage ??= lastPrompt(input.history);
    guardToolUse(input._currentAgent);
    checkRecipients(input);
    run.pausedAs = await shareUses(input, run.hookedBy.hooks);
    await settleRejections(run, input);
    const refused = await submitAdded(run, input, firstModel(input._currentAgent, this.#config));
    const known = async () => [...input.history, ...(await stored())];
    if (refused !== undefined)
      return { kept: await decideItems(run, input._currentAgent, refused.kept, known) };
    await decideAdded(run, input, known);
    return input;
  }

  /** What a run that came to a result goes on with, if it does. */
  async #next(
    run: HookedRun,
    agent: SdkAgent,
    result: SdkResult,
    options: SdkRunOptions,
  ): Promise<Next | undefined> {
    if (result.cancelled === true) return undefined;
    if (result.interruptions.length > 0) return pause(run, agent, result, options);
    const { state } = result;
    // An error handler has answered, not the model: there is no `Stop` to ask about.
    if (state._finalOutputSource === 'error_handler') return tellHandled(run, state);
    // A hook that ended it before has given its reason as the final output.
    if (run.stop !== undefined || !run.hears(Stop)) return undefined;
    const after = await run.finished(finalText(result));
    if (after.kind === 'continue') return goOn(result, agent, after.prompt, options);
    if (after.kind === 'blocked') answerInstead(state, after.stop.reason);
    return undefined;
  }

  /** Everything that is to be told when a run is over, however it ended, or has paused. */
  async #over(
    run: HookedRun,
    options: SdkRunOptions,
    result: SdkResult | undefined,
    error?: { readonly cause: unknown },
  ): Promise<void> {
    if (run.stop !== undefined)
      for (const told of [result?.state, error?.cause])
        if (told instanceof Object) noteBlocked(told, run.stop.reason);
    if (run.paused && error === undefined) return;
    if (result !== undefined) await rememberItems(run, result.state);
    await giveUp(run);
    const aborted = options.signal?.aborted === true || result?.cancelled === true;
    await run.end(
      aborted
        ? { kind: 'canceled' }
        : error
          ? failure(error.cause)
          : { kind: 'done', response: result && finalText(result) },
    );
  }
}

function isRefused(begun: SdkInput | RefusedItems): begun is RefusedItems {
  return typeof begun === 'object' && 'kept' in begun;
}

/** The user's own context, which may be given as that of a run before. */
function contextOf(context: unknown): unknown {
  return context instanceof Object && 'usage' in context && 'context' in context ? context.context : context;
}

/**
 * The user of a run. The tools of a resumed one get the context of its state, whatever the options say.
 *
 * @throws HooksError `INVALID_INPUT` if the options are of another user
 */
function principalOf(
  registries: Registries,
  state: SdkState | undefined,
  options: SdkRunOptions,
  parent: HookedRun | undefined,
): Principal | undefined {
  const stored = state && registries.principal(contextOf(state._context), parent);
  if (options.context === undefined && state !== undefined) return stored;
  const given = registries.principal(contextOf(options.context), parent);
  if (stored !== undefined && !isSamePrincipal(stored, given))
    throw new HooksError(
      'INVALID_INPUT',
      'The `context` of a run that resumes is of another user, or of none, than its RunState, whose context the tools would get. Resume it without `context`, or for its own user.',
    );
  return stored ?? given;
}

/**
 * Refuses to resume a run in another session: the approvals of its state were asked for in its own.
 *
 * @throws HooksError `INVALID_INPUT`
 */
function checkSession(state: SdkState, given: string | undefined): void {
  const own = pausedSession(state);
  if (given === undefined || own === undefined || given === own) return;
  throw new HooksError(
    'INVALID_INPUT',
    `A RunState of session "${own}" cannot be resumed in session "${given}": its approvals are for its own session. Resume it with the \`session\` or \`conversationId\` that it was started with.`,
  );
}

/** Notes with which agent a run begins or resumes, and in which context, where that is known beforehand. */
function enter(run: HookedRun, agent: SdkAgent, input: SdkInput): void {
  run.context = isState(input) ? input._context : undefined;
  run.agent = (isState(input) ? input._currentAgent : agent).name;
}

async function pause(
  run: HookedRun,
  agent: SdkAgent,
  { state }: SdkResult,
  options: SdkRunOptions,
): Promise<Next | undefined> {
  if ((await cancelPending(run, state)) || approveMalformed(state, run.hookedBy))
    return { agent, input: state, options };
  await rememberItems(run, state);
  if (isDecided(run, state)) await nameNewPause(state, run.pausedAs, run.sessionId);
  unguardToolUse(state._currentAgent);
  bindRecipients(state);
  pausedRuns.keep(run, [{ of: state }]);
  await run.pause(await pendingApprovals(state));
  return undefined;
}

/** Tells of the limit where an error handler of the run has answered in place of the limit's error. */
async function tellHandled(run: HookedRun, state: SdkState): Promise<undefined> {
  const { _currentTurn: turns, _maxTurns: limit, _lastProcessedResponse: last } = state;
  // A refusal, or an output that does not fit, is what a model has answered; at the limit none was asked.
  if (limit === null || turns < limit || last !== undefined) return;
  await run.reachLimit(limit, `Max turns (${limit}) exceeded`);
}

/** How a run failed. At the limit of turns it would have gone on. */
function failure(error: unknown): RunEnd {
  const maxIterations = limitOf(error);
  return maxIterations === undefined
    ? { kind: 'error', error }
    : { kind: 'limit', maxIterations, message: Object(error).message };
}

/** The agent works on at a hook's words: after its history, wherever that is kept. */
function goOn(result: SdkResult, agent: SdkAgent, reason: string, options: SdkRunOptions): Next {
  const { lastAgent = agent, history } = result;
  // Whoever takes a run up need not give again what its state knows.
  const {
    _context: own,
    _maxTurns: maxTurns,
    _conversationId: conversationId,
    _previousResponseId: previousResponseId,
  } = result.state;
  // A context that the SDK has made is that of one run, with what people have decided in it; the user's own goes on.
  const context = options.context === own ? own : own.context;
  const kept = options.session || conversationId || previousResponseId;
  return {
    agent: lastAgent,
    input: [...(kept ? [] : history), { role: 'user', content: reason }],
    options: { ...options, context, maxTurns, conversationId, previousResponseId },
  };
}

/** What an agent has answered, as it was written: the SDK parses it when it is read, and throws where it does not fit. */
function finalText({ state }: SdkResult): string {
  return state._currentStep?.output ?? '';
}
