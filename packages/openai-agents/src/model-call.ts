import { setTimeout as delay } from 'node:timers/promises';
import {
  AfterModelCall,
  BeforeModelCall,
  type HookDecision,
  proceed,
  TurnEnd,
  type TurnEndReason,
  TurnStart,
} from '@hooks/core';
import { maxAttempts } from '@hooks/core/adapter';
import type { AgentOutputItem, ModelRequest } from '@openai/agents';
import { RunBlockedError } from './blocked.ts';
import { common, concerns, decides, type Scope } from './scope.ts';
import {
  itemsOf,
  messagesOf,
  outputOf,
  requestTools,
  responseOf,
  settingsOf,
  spoken,
  type Tokens,
  toolsOf,
  withSettings,
} from './translate.ts';

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
  readonly #model: string | undefined;
  #outputType: ModelRequest['outputType'] = 'text';
  #attempt = 0;

  constructor(scope: Scope, model: string | undefined) {
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
    if (scope.stop !== undefined) return this.#blocked(scope.stop);
    // The SDK repeats a failed request with the same input: it is the same call, and hooks were asked.
    if (scope.prepared?.input === request.input)
      return { kind: 'ask', request: withChanges(request, scope.prepared.changes) };
    // The end of the turn before is told here, too.
    if (concerns(scope, TurnEnd) || concerns(scope, TurnStart) || concerns(scope, BeforeModelCall))
      return this.#askBefore(request);
    beginTurn(scope);
    return this.#changed(request);
  }

  async #askBefore(request: ModelRequest): Promise<BegunCall> {
    const scope = this.#scope;
    await endTurn(scope, 'continue');
    beginTurn(scope);
    if (concerns(scope, TurnStart))
      await scope.attached.hooks.dispatch(TurnStart, { ...common(scope), iteration: scope.iteration });
    const decision = concerns(scope, BeforeModelCall) ? await this.#dispatchBefore(request) : proceed();
    if (decision.kind === 'block') return this.#blocked(decision.reason);
    return this.#changed(request, decision.kind === 'modify' ? decision.patch : undefined);
  }

  #changed(request: ModelRequest, patch?: ModelPatch): BegunCall {
    const changes = this.#changes(request, patch);
    const { input } = request;
    if (typeof input !== 'string') this.#scope.prepared = { input, changes };
    return { kind: 'ask', request: withChanges(request, changes) };
  }

  /**
   * What hooks have changed of a request, the context that they have given included. An answer that they may yet change
   * or refuse is not put into a trace, which the model itself writes before they are asked.
   */
  #changes(request: ModelRequest, patch: ModelPatch | undefined): Partial<ModelRequest> {
    const { session, run, settings } = this.#scope;
    const changes = patch === undefined ? {} : changesOf(request, patch);
    if (request.tracing === true && decides(this.#scope, AfterModelCall))
      changes.tracing = 'enabled_without_data';
    if (settings !== undefined)
      changes.modelSettings = withSettings(changes.modelSettings ?? request.modelSettings, settings);
    const context = session.takeContext(run);
    if (context.length > 0) {
      const instructions = changes.systemInstructions ?? request.systemInstructions;
      changes.systemInstructions = [instructions, ...context].filter(Boolean).join('\n\n');
    }
    return changes;
  }

  /** Whether any hook wants to know of the answer. */
  get heard(): boolean {
    return concerns(this.#scope, AfterModelCall);
  }

  /** Fires `AfterModelCall`; gives the items to put in the place of the answer's, if any. */
  async end(answer: ModelAnswer, signal: AbortSignal | undefined, streamed = false): Promise<EndedCall> {
    const scope = this.#scope;
    const { hooks } = scope.attached;
    this.#attempt++;
    if (!this.heard) return { kind: 'done' };
    const { lastUserMessage, iteration } = scope;
    const decision = await hooks.dispatch(
      AfterModelCall,
      {
        ...common(scope),
        iteration,
        response: responseOf(answer.output, answer.usage),
        attempt: this.#attempt,
        ...(this.#model !== undefined && { model: this.#model }),
        ...(lastUserMessage !== undefined && { lastUserMessage }),
        native: answer,
      },
      { signal, ...(streamed && { refuse: refuseStreamed }) },
    );
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
        if (this.#attempt >= maxAttempts(hooks)) return { kind: 'done' };
        if (decision.delayMs) await delay(decision.delayMs, undefined, { signal });
        return { kind: 'again' };
    }
  }

  async #dispatchBefore(request: ModelRequest) {
    const scope = this.#scope;
    const { hooks } = scope.attached;
    return hooks.dispatch(
      BeforeModelCall,
      {
        ...common(scope),
        iteration: scope.iteration,
        ...(this.#model !== undefined && { model: this.#model }),
        ...(request.systemInstructions !== undefined && { instructions: request.systemInstructions }),
        messages: messagesOf(request.input),
        tools: toolsOf(request),
        settings: settingsOf(request.modelSettings),
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

function beginTurn(scope: Scope): void {
  scope.iteration++;
  scope.turnOpen = true;
}

type ModelPatch = Partial<Pick<BeforeModelCall, 'instructions' | 'messages' | 'tools' | 'settings'>>;

type Changes = { -readonly [Field in keyof ModelRequest]?: ModelRequest[Field] };

function withChanges(request: ModelRequest, changes: Partial<ModelRequest>): ModelRequest {
  return Object.keys(changes).length === 0 ? request : { ...request, ...changes };
}

function changesOf(request: ModelRequest, patch: ModelPatch): Changes {
  const { instructions, messages, tools, settings } = patch;
  return {
    ...(instructions !== undefined && { systemInstructions: instructions }),
    ...(messages !== undefined && { input: itemsOf(messages) }),
    ...(tools !== undefined && requestTools(request, tools)),
    ...(settings !== undefined && { modelSettings: withSettings(request.modelSettings, settings) }),
  };
}

function refuseNewTools(decision: HookDecision): string | undefined {
  if (decision.kind !== 'modify') return undefined;
  const { tools } = decision.patch as Partial<BeforeModelCall>;
  return tools?.some(({ native }) => native === undefined)
    ? 'a model call can be told of fewer tools than the agent has, not of others'
    : undefined;
}

function refuseStreamed(decision: HookDecision): string | undefined {
  return decision.kind === 'retry' ? 'the answer was streamed already (`holdStream: false`)' : undefined;
}

/** Fires `TurnEnd` for the turn that goes on, if one does. */
export function endTurn(scope: Scope, reason: TurnEndReason): undefined | Promise<unknown> {
  if (!scope.turnOpen) return undefined;
  scope.turnOpen = false;
  if (!concerns(scope, TurnEnd)) return undefined;
  const event = { ...common(scope), iteration: scope.iteration, reason };
  return Promise.resolve(scope.attached.hooks.dispatch(TurnEnd, event));
}
