import type { EventPayload, EventToken } from '../event.ts';
import { makeEvent } from '../token.ts';
import { ModelEvent } from './groups.ts';

/** Settings of a model call, mapped to the framework's where it has them. */
export interface ModelSettings {
  readonly temperature?: number;
  /** How much the model reasons before it answers. */
  readonly reasoningEffort?: 'off' | 'low' | 'medium' | 'high';
  /** Whether the reasoning is shown. */
  readonly reasoningVisible?: boolean;
  /** Most tokens of the answer. */
  readonly maxTokens?: number;
}

/** A message, as plain data; `native` is the framework's object and wins where it is left untouched. */
export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  /** The text of it; other parts stay in `native`. */
  readonly text: string;
  readonly native?: unknown;
}

/** A tool as the model is told of it. */
export interface ModelTool {
  readonly name: string;
  readonly description?: string;
  readonly native?: unknown;
}

/** What a model answered, as plain data. */
export interface ModelResponse {
  readonly text: string;
  readonly toolCalls: readonly {
    readonly callId: string;
    readonly toolName: string;
    readonly input: unknown;
  }[];
  /** Tokens, where the framework tells. */
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number };
  readonly native?: unknown;
}

/**
 * Each turn, before the model call: one model call with its tools.
 *
 * - Permits Modify of `context`: a transient system message in this model call, stored nowhere.
 * - A failed hook proceeds.
 */
export interface TurnStart extends EventPayload {
  /** The number of the model call in its run, from 1. */
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
 * - Permits Block (the model is not called, the run ends with the reason) and Modify of `instructions`, `messages`,
 *   `tools`, `settings`, `context`, for this call only.
 * - A failed hook blocks.
 */
export interface BeforeModelCall extends EventPayload {
  /** The number of the model call in its run, from 1. */
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
  context: 'call',
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
  /** Which attempt at this call it was, from 1. */
  readonly attempt: number;
}
export const AfterModelCall: EventToken<AfterModelCall, 'block' | 'modify' | 'retry', 'response'> =
  /* @__PURE__ */ makeEvent<AfterModelCall>()({
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
 * A turn is over, however it ended. Each phase runs in reverse order, and to completion also on an abort.
 *
 * Observed only: no hook can change it.
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
 * - Permits Retry: its reason becomes the next user message and the agent works on; at most 3 in a row.
 * - Permits Block: the run ends as blocked, with the reason.
 * - A failed hook proceeds.
 */
export interface Stop extends EventPayload {
  /** The model's final text. */
  readonly response: string;
  readonly lastUserMessage?: string;
  /** How often a Stop hook made this run go on already. */
  readonly continuations: number;
  /** It has gone on as often as it may: a Retry counts as Proceed now, a Block still ends the run as blocked. */
  readonly last?: boolean;
}
export const Stop: EventToken<Stop, 'block' | 'retry'> = /* @__PURE__ */ makeEvent<Stop>()({
  type: 'stop',
  permits: ['block', 'retry'],
  onFailure: 'proceed',
  extends: ModelEvent,
});
