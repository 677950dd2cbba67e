import { Stop, UserInputRequired } from '@hooks/core';
import { forgetRun, isIdle } from '@hooks/core/adapter';
import { turnEndOf } from '@hooks/core/tool-call';
import type { Session } from '@openai/agents';
import { checkRecipients, noteRecipients } from '../approval/mcp-binding.ts';
import {
  approveMalformed,
  cancelPending,
  pendingApprovals,
  recall,
  rehydrated,
  remember,
  settleRejections,
} from '../approval/pending.ts';
import {
  isState,
  type SdkAgent,
  type SdkInput,
  type SdkResult,
  type SdkRun,
  type SdkRunOptions,
  type SdkState,
} from '../internals.ts';
import { hookModels, type ModelConfig } from '../model/hooked-model.ts';
import type { Attached } from '../options.ts';
import { reach } from '../tool/agents.ts';
import { allowInput } from './added-input.ts';
import { blockReason, noteBlocked } from './blocked.ts';
import { giveUp } from './cancel.ts';
import { hookCompaction } from './compaction.ts';
import { finalText, goOn, type Next } from './continue.ts';
import { announceFailure, announceHandled, isLimit } from './failure.ts';
import { promptsOf } from './prompts.ts';
import { common, concerns, currentScopes, inScope, openScope, type Scope, scopeOf } from './scope.ts';
import { followed } from './stream.ts';
import { submit, submitAdded } from './submit.ts';
import { endTurn } from './turn.ts';

/** The runs of one hooked runner. */
export class HookedRuns {
  readonly #attached: Attached;
  readonly #run: SdkRun;
  readonly #config: ModelConfig;

  constructor(attached: Attached, run: SdkRun, config: ModelConfig) {
    this.#attached = attached;
    this.#run = run;
    this.#config = config;
    hookModels(config);
  }

  /** Runs an agent, as `Runner.run` does. */
  run(agent: SdkAgent, input: SdkInput, options: SdkRunOptions = {}): Promise<SdkResult> {
    reach(agent);
    if (isIdle(this.#attached.hooks)) return this.#run(agent, input, options);
    hookModels(this.#config);
    return options.session === undefined
      ? this.#hooked(agent, input, options)
      : this.#stored(options.session, agent, input, options);
  }

  async #stored(
    session: Session,
    agent: SdkAgent,
    input: SdkInput,
    options: SdkRunOptions,
  ): Promise<SdkResult> {
    hookCompaction(session);
    return this.#hooked(agent, input, options, await session.getSessionId());
  }

  #hooked(agent: SdkAgent, input: SdkInput, options: SdkRunOptions, stored?: string): Promise<SdkResult> {
    const opened = this.#open(input, options, stored);
    return inScope(opened.scope, () => this.#begin(opened, agent, input, options));
  }

  async #begin(opened: Opened, agent: SdkAgent, input: SdkInput, options: SdkRunOptions): Promise<SdkResult> {
    const { scope } = opened;
    let result: SdkResult;
    try {
      const first = isState(input)
        ? this.#resume(scope, agent, input)
        : submit(scope, agent, input, this.#config);
      result = await this.#call(scope, agent, first instanceof Promise ? await first : first, options);
      opened.result = result;
      if (options.stream === true) return this.#followed(opened, agent, result, options);
      for (;;) {
        const next = this.#next(opened, agent, result, options);
        const more = next && (await next);
        if (more === undefined) break;
        result = await this.#call(scope, more.agent, more.input, more.options);
      }
    } catch (cause) {
      await this.#over(opened, options, { cause });
      throw cause;
    }
    await this.#over(opened, options);
    return result;
  }

  /** Calls the SDK, whose run has a context of its own. */
  #call(scope: Scope, agent: SdkAgent, input: SdkInput, options: SdkRunOptions): Promise<SdkResult> {
    enter(scope, agent, input);
    return this.#run(agent, input, options);
  }

  /** A streamed run, which is over only when it is read to its end: what follows happens in its scope again. */
  #followed(opened: Opened, agent: SdkAgent, result: SdkResult, options: SdkRunOptions): SdkResult {
    const { scope } = opened;
    return followed(result, {
      next: (finished) =>
        inScope(scope, async () => {
          const more = await this.#next(opened, agent, finished, options);
          return more && this.#call(scope, more.agent, more.input, more.options);
        }),
      over: (error) => inScope(scope, () => this.#over(opened, options, error)),
    });
  }

  #open(input: SdkInput, options: SdkRunOptions, stored: string | undefined): Opened {
    const state = isState(input) ? input : undefined;
    const known = state && recall(state, this.#attached.hooks);
    // One whose session was closed meanwhile is taken up as another process would.
    if (known !== undefined && known.scope.session.state !== 'closed') {
      known.scope.signal = options.signal;
      return { ...known, paused: false, continuations: 0 };
    }
    const { hooks } = this.#attached;
    const id = stored || options.conversationId || state?._conversationId || undefined;
    const outer = scopeOf(this.#attached);
    const session = hooks.session(id, {
      source: state === undefined ? 'startup' : 'resume',
      ...(outer?.over === false && { parent: outer.session }),
    });
    const minted = id === undefined;
    const scope = openScope(this.#attached, session, minted ? session.id : crypto.randomUUID());
    scope.signal = options.signal;
    return { scope, minted, paused: false, continuations: 0 };
  }

  async #resume(scope: Scope, agent: SdkAgent, state: SdkState): Promise<SdkState> {
    enter(scope, agent, state);
    const hooked = await rehydrated(agent, state, this.#attached.hooks);
    scope.lastUserMessage ??= promptsOf(hooked.history).at(-1);
    checkRecipients(hooked);
    await settleRejections(scope, hooked);
    await submitAdded(scope, hooked, this.#config);
    return hooked;
  }

  /** What a run that came to a result goes on with, if it does. */
  #next(
    opened: Opened,
    agent: SdkAgent,
    result: SdkResult,
    options: SdkRunOptions,
  ): undefined | Promise<Next | undefined> {
    const { scope } = opened;
    opened.result = result;
    if (result.cancelled === true) return undefined;
    scope.stop ??= stopOfOthers(scope, result);
    if (result.interruptions.length > 0) return this.#pause(opened, agent, result, options);
    if (result.state._finalOutputSource === 'error_handler') return this.#handled(scope, result);
    if (scope.stop !== undefined || !concerns(scope, Stop)) return undefined;
    return this.#askStop(opened, agent, result, options);
  }

  /** An error handler has answered, not the model: there is no `Stop` to ask about. */
  async #handled(scope: Scope, { state }: SdkResult): Promise<undefined> {
    await announceHandled(scope, state);
  }

  async #pause(
    opened: Opened,
    agent: SdkAgent,
    { state }: SdkResult,
    options: SdkRunOptions,
  ): Promise<Next | undefined> {
    const { hooks } = this.#attached;
    if ((await cancelPending(opened.scope, state)) || approveMalformed(state, hooks))
      return { agent, input: state, options };
    opened.paused = true;
    allowInput(state);
    noteRecipients(state);
    remember(state, hooks, opened);
    for (const { reason: message } of await pendingApprovals(state))
      await hooks.dispatch(UserInputRequired, { ...common(opened.scope), message });
    return undefined;
  }

  async #askStop(
    opened: Opened,
    agent: SdkAgent,
    result: SdkResult,
    options: SdkRunOptions,
  ): Promise<Next | undefined> {
    const { scope, continuations } = opened;
    const { hooks, options: own } = this.#attached;
    const event = {
      ...common(scope),
      response: finalText(result),
      continuations,
      ...(scope.lastUserMessage !== undefined && { lastUserMessage: scope.lastUserMessage }),
    };
    const decision = await hooks.dispatch(Stop, event, { signal: scope.signal });
    if (decision.kind !== 'retry' || continuations >= (own.maxContinuations ?? 3)) return undefined;
    opened.continuations++;
    scope.lastUserMessage = decision.reason;
    return goOn(result, agent, decision.reason, options);
  }

  /** Everything that is to be told when a run is over, however it ended, or has paused. */
  async #over(opened: Opened, options: SdkRunOptions, error?: { readonly cause: unknown }): Promise<void> {
    const { scope, minted, paused, result } = opened;
    const aborted = options.signal?.aborted === true || result?.cancelled === true;
    if (error !== undefined && !aborted && scope.stop === undefined)
      await announceFailure(scope, error.cause);
    if (scope.pending.length > 0) await Promise.all(scope.pending.splice(0));
    if (scope.stop !== undefined)
      for (const told of [result?.state, error?.cause])
        if (told instanceof Object) noteBlocked(told, scope.stop);
    if (paused) return;
    if (scope.begun ?? scope.children) await giveUp(scope);
    scope.over = true;
    const failed = error === undefined ? 'normal' : isLimit(error.cause) ? 'continue' : 'error';
    await endTurn(scope, aborted ? 'canceled' : scope.stop !== undefined ? turnEndOf(scope.stopBy) : failed);
    forgetRun(scope.session, scope.run);
    if (minted) await scope.session.close();
  }
}

/** Notes with which agent a run begins or is taken up, and in which context, where that is known beforehand. */
function enter(scope: Scope, agent: SdkAgent, input: SdkInput): void {
  scope.context = isState(input) ? input._context : undefined;
  scope.agent = (isState(input) ? input._currentAgent : agent).name;
}

/** Why hooks of another registry have ended the run: of one further out, or of one further in, which has noted it. */
function stopOfOthers(scope: Scope, { state }: SdkResult): string | undefined {
  const outer = currentScopes().filter(({ context }) => context === scope.context);
  return outer.find(({ stop }) => stop !== undefined)?.stop ?? blockReason(state);
}

/** A run of a hooked runner, between its calls of the SDK. */
export interface Opened {
  readonly scope: Scope;
  /** Whether its session was made for it and closes with it. */
  readonly minted: boolean;
  paused: boolean;
  continuations: number;
  result?: SdkResult;
}
