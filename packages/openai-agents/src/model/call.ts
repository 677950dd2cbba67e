import { setTimeout as delay } from 'node:timers/promises';
import { AfterModelCall, BeforeModelCall, type HookDecision, proceed, TurnEnd, TurnStart } from '@hooks/core';
import { maxAttempts } from '@hooks/core/adapter';
import type { AgentOutputItem, ModelRequest } from '@openai/agents';
import { RunBlockedError } from '../run/blocked.ts';
import { common, concerns, decides, type Scope } from '../run/scope.ts';
import { beginTurn, endTurn } from '../run/turn.ts';
import {
  messagesOf,
  outputOf,
  responseOf,
  settingsOf,
  spoken,
  type Tokens,
  toolsOf,
  withSettings,
} from '../translate.ts';
import type { NamedModel } from './name.ts';
import { isRepeated, pass, prepare } from './request.ts';

/** What becomes of a request: it is sent, changed perhaps, or answered in the model's place. */
export type BegunCall =
  | { readonly kind: 'ask'; readonly request: ModelRequest }
  | { readonly kind: 'blocked'; readonly output: AgentOutputItem[] };

/** What becomes of an answer: it stands, changed perhaps, or the model is asked again. */
export type EndedCall =
  | { readonly kind: 'done'; readonly output?: AgentOutputItem[] }
  | { readonly kind: 'again' };

/** What a model answered, at once or streamed. */
export interface ModelAnswer {
  readonly output: readonly AgentOutputItem[];
  readonly usage: Tokens;
}

/** One model call on its way through the hooks of one run. */
export class ModelCall {
  readonly #scope: Scope;
  readonly #model: NamedModel;
  #outputType: ModelRequest['outputType'] = 'text';
  #conversation: string | undefined;
  #attempt = 0;

  constructor(scope: Scope, model: NamedModel) {
    this.#scope = scope;
    this.#model = model;
  }

  /** Whether hooks may change or refuse the answer, so that a stream of it is to be held back. */
  get holds(): boolean {
    const scope = this.#scope;
    return scope.attached.options.holdStream !== false && decides(scope, AfterModelCall);
  }

  /** Fires `TurnStart` and `BeforeModelCall`, and adds the context that hooks have given. */
  begin(request: ModelRequest): BegunCall | Promise<BegunCall> {
    const scope = this.#scope;
    this.#outputType = request.outputType;
    this.#conversation = request.conversationId;
    if (scope.stop !== undefined) return this.#blocked(scope.stop);
    if (hearsOfTurns(scope) && !isRepeated(scope, request)) return this.#askBefore(request);
    return { kind: 'ask', request: pass(scope, request) };
  }

  async #askBefore(request: ModelRequest): Promise<BegunCall> {
    const scope = this.#scope;
    await endTurn(scope, 'continue');
    beginTurn(scope);
    const { signal } = request;
    if (concerns(scope, TurnStart))
      await scope.attached.hooks.dispatch(
        TurnStart,
        { ...common(scope), iteration: scope.iteration },
        { signal },
      );
    const decision = concerns(scope, BeforeModelCall) ? await this.#dispatchBefore(request) : proceed();
    // What was aborted while hooks were asked ends as that.
    signal?.throwIfAborted();
    if (decision.kind === 'block') return this.#blocked(decision.reason);
    const patch = decision.kind === 'modify' ? decision.patch : undefined;
    return { kind: 'ask', request: prepare(scope, request, patch) };
  }

  /** Fires `AfterModelCall`; gives the items to put in the place of the answer's, if any. */
  async end(answer: ModelAnswer, signal: AbortSignal | undefined, streamed = false): Promise<EndedCall> {
    const scope = this.#scope;
    const { hooks } = scope.attached;
    this.#attempt++;
    if (!concerns(scope, AfterModelCall)) return { kind: 'done' };
    const { lastUserMessage, iteration } = scope;
    const decision = await hooks.dispatch(
      AfterModelCall,
      {
        ...common(scope),
        iteration,
        response: responseOf(answer.output, answer.usage),
        attempt: this.#attempt,
        ...this.#model,
        ...(lastUserMessage !== undefined && { lastUserMessage }),
        native: answer,
      },
      {
        signal,
        last: this.#attempt >= maxAttempts(hooks),
        refuse: ({ kind }) => (kind === 'retry' ? this.#notAgain(streamed) : undefined),
      },
    );
    signal?.throwIfAborted();
    switch (decision.kind) {
      case 'proceed':
        return { kind: 'done' };
      case 'modify': {
        const { response } = decision.patch;
        return response === undefined
          ? { kind: 'done' }
          : { kind: 'done', output: outputOf(answer.output, response) };
      }
      case 'block':
        return { kind: 'done', output: this.#blocked(decision.reason).output };
      case 'retry':
        if (decision.delayMs) await delay(decision.delayMs, undefined, { signal });
        return { kind: 'again' };
    }
  }

  /** Why the model cannot be asked again. */
  #notAgain(streamed: boolean): string | undefined {
    if (streamed) return 'the answer was streamed already (`holdStream: false`)';
    if (this.#conversation !== undefined)
      return 'the provider has put the answer into its conversation (`conversationId`), and what it answers, too';
    return undefined;
  }

  async #dispatchBefore(request: ModelRequest) {
    const scope = this.#scope;
    const { hooks } = scope.attached;
    return hooks.dispatch(
      BeforeModelCall,
      {
        ...common(scope),
        iteration: scope.iteration,
        ...this.#model,
        ...(request.systemInstructions !== undefined && { instructions: request.systemInstructions }),
        messages: messagesOf(request.input),
        tools: toolsOf(request),
        settings: settingsOf(withSettings(request.modelSettings, scope.settings)),
        native: request,
      },
      { signal: request.signal, refuse: refuseNewTools },
    );
  }

  /** The reason in the model's place; where the run wants structured output, text would not do, so it is thrown. */
  #blocked(reason: string): { readonly kind: 'blocked'; readonly output: AgentOutputItem[] } {
    this.#scope.stop ??= reason;
    if (this.#outputType !== 'text') throw new RunBlockedError(reason);
    return { kind: 'blocked', output: [spoken(reason)] };
  }
}

/** Whether model calls of a run pass by its hooks: none hears of them or of turns, and none has ended the run. */
export function isUnheard(scope: Scope): boolean {
  return scope.stop === undefined && !hearsOfTurns(scope) && !concerns(scope, AfterModelCall);
}

/** Whether hooks are asked or told when a model call begins, which ends the turn before and begins another. */
function hearsOfTurns(scope: Scope): boolean {
  return concerns(scope, TurnEnd) || concerns(scope, TurnStart) || concerns(scope, BeforeModelCall);
}

function refuseNewTools(decision: HookDecision): string | undefined {
  if (decision.kind !== 'modify') return undefined;
  const { tools } = decision.patch as Partial<BeforeModelCall>;
  return tools?.some(({ native }) => native === undefined)
    ? 'a model call can be told of fewer tools than the agent has, not of others'
    : undefined;
}
