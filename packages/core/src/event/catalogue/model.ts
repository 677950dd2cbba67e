import type { EventPayload, EventToken } from '../event.ts';
import { makeEvent } from '../token.ts';
import { ModelEvent } from './groups.ts';

/** Settings of a model call, as far as the framework has them. */
export interface ModelSettings {
  readonly temperature?: number | undefined;
  /** How much the model reasons before it answers. */
  readonly reasoningEffort?: 'off' | 'low' | 'medium' | 'high' | undefined;
  /** Whether the reasoning is shown. */
  readonly reasoningVisible?: boolean | undefined;
  /** The maximum number of tokens in the answer. */
  readonly maxTokens?: number | undefined;
}

/**
 * A message as plain data. `native` is the framework's object, which is used as long as hooks do not change the
 * message.
 */
export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  /** Its text. Other parts are in `native`. */
  readonly text: string;
  /**
   * The tool whose result a message of role `tool` is, as the model named it in the call. The adapter reads it from the
   * history. Hooks may leave it out in their messages, but not write it.
   */
  readonly toolName?: string;
  /** The id of the call whose result a message of role `tool` is. For hooks as `toolName`. */
  readonly callId?: string;
  /**
   * The calls that a message of role `assistant` makes, in order. Each needs a result behind it. The adapter reads them from
   * the history. Hooks may leave them out in their messages: the calls of a message are those of its `native`.
   */
  readonly calls?: readonly { readonly callId: string; readonly toolName: string }[];
  readonly native?: unknown;
}

/** A tool as the model sees it. */
export interface ModelTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly native?: unknown;
}

/** What a model answered, as plain data. */
export interface ModelResponse {
  readonly text: string;
  /**
   * What the model thought, as far as the framework shows it. Not set if it shows nothing. A hook can remove it but not rewrite it:
   * if a hook changes the reasoning or the text, the answer is sent without reasoning.
   */
  readonly reasoning?: string;
  readonly toolCalls: readonly {
    readonly callId: string;
    readonly toolName: string;
    readonly input: unknown;
    /** Set if the input is the model's answer, in a structure that the developer wants. No tool runs. */
    readonly isAnswer?: true;
  }[];
  /** Tokens, if the framework reports them. A hook that replaces the response does not change them. */
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number };
  readonly native?: unknown;
}

/**
 * Before the model call of each turn. A turn is one model call with its tools.
 *
 * - Permits Modify of `context`: a system message in this model call that is not stored.
 * - A failed hook proceeds.
 */
export interface TurnStart extends EventPayload {
  /** The number of the model call in its run, starting at 1. */
  readonly iteration: number;
  readonly context?: readonly string[];
}
export const TurnStart: EventToken<TurnStart, 'modify', 'context'> = /* @__PURE__ */ makeEvent<TurnStart>()({
  type: 'turn_start',
  permits: ['modify'],
  modifies: ['context'],
  context: 'call',
  extends: ModelEvent,
});

/**
 * Just before a model call.
 *
 * - Permits Block (the model is not called, and the run ends with the reason) and Modify of `instructions`, `messages`,
 *   `tools`, `settings`, `context`, for this call only.
 * - Fires before each request: again in the same turn if the framework repeats one that failed. Not again
 *   for a Retry of `AfterModelCall`, which sends the request as hooks have left it.
 * - A failed hook blocks.
 */
export interface BeforeModelCall extends EventPayload {
  /** The number of the model call in its run, starting at 1. */
  readonly iteration: number;
  readonly provider?: string;
  readonly model?: string;
  readonly instructions?: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  readonly settings?: ModelSettings;
  readonly context?: readonly string[];
}
export const BeforeModelCall: EventToken<
  BeforeModelCall,
  'block' | 'modify',
  'instructions' | 'messages' | 'tools' | 'settings' | 'context'
> = /* @__PURE__ */ makeEvent<BeforeModelCall>()({
  type: 'before_model_call',
  permits: ['block', 'modify'],
  modifies: ['instructions', 'messages', 'tools', 'settings', 'context'],
  context: 'request',
  extends: ModelEvent,
});

/**
 * A model answered, before its answer is recorded and its tool calls run. Each phase runs in reverse order.
 *
 * - Permits Block (the answer is withheld), Modify of `response`, and Retry (the model is asked again).
 * - A failed hook blocks.
 */
export interface AfterModelCall extends EventPayload {
  readonly iteration: number;
  readonly provider?: string;
  readonly model?: string;
  readonly response: ModelResponse;
  readonly lastUserMessage?: string;
  /** The number of this attempt, starting at 1. */
  readonly attempt: number;
}
export const AfterModelCall: EventToken<AfterModelCall, 'block' | 'modify' | 'retry', 'response'> =
  /* @__PURE__ */ makeEvent<AfterModelCall>({ keeps: { response: 'usage' } })({
    type: 'after_model_call',
    permits: ['block', 'modify', 'retry'],
    modifies: ['response'],
    order: 'reverse',
    extends: ModelEvent,
  });

/**
 * Why a turn ended: `normal` with an answer, `continue` because another turn follows, `steered` by a message of the user.
 */
export type TurnEndReason =
  | 'normal'
  | 'continue'
  | 'steered'
  | 'error'
  | 'canceled'
  | 'hook_blocked'
  | 'loop_detected';

/**
 * A turn is over, however it ended. Each phase runs in reverse order and completes even after an abort.
 *
 * Can only be observed.
 */
export interface TurnEnd extends EventPayload {
  readonly reason: TurnEndReason;
  readonly iteration: number;
}
export const TurnEnd: EventToken<TurnEnd> = /* @__PURE__ */ makeEvent<TurnEnd>()({
  type: 'turn_end',
  abortable: false,
  order: 'reverse',
  extends: ModelEvent,
});

/**
 * The model finished answering and asks for no more tools.
 *
 * - Permits Retry: the agent continues with the reason as the next user message, at most 3 times in a row.
 * - Permits Block: the run ends as blocked, with the reason.
 * - A failed hook proceeds.
 */
export interface Stop extends EventPayload {
  /** The model's final text. */
  readonly response: string;
  readonly lastUserMessage?: string;
  /** How often Stop hooks have already made this run continue. */
  readonly continuations: number;
  /** The run may not continue again: a Retry now counts as Proceed. A Block still ends the run as blocked. */
  readonly last?: boolean;
}
export const Stop: EventToken<Stop, 'block' | 'retry'> = /* @__PURE__ */ makeEvent<Stop>()({
  type: 'stop',
  permits: ['block', 'retry'],
  onFailure: 'proceed',
  extends: ModelEvent,
});
