import {
  type AfterModelCall,
  type AfterToolCall,
  type EventPayload,
  HooksError,
  sessionKey,
} from '@hooks/core';
import { rootOf } from '@hooks/core/adapter';
import { type Costs, priceOf } from './prices.ts';

/**
 * Measures what calls use. Where it cannot, it refuses the further calls of the session and its sub-agents: a budget that nobody
 * measures is never used up.
 */
export class Usage {
  readonly #guard: string;
  readonly #costs: Costs;
  readonly #windowMs: number;
  readonly #unknown = sessionKey<Unknown>(`@hooks/guards/unknown-usage/${++made}`);

  /** @param windowMs how long a call counts. Default: for the life of its session */
  constructor(guard: string, costs: Costs, windowMs: number = Infinity) {
    this.#guard = guard;
    this.#costs = costs;
    this.#windowMs = windowMs;
  }

  /** Why a call may not pass; undefined if what its session has used is known. */
  unknownIn({ session }: EventPayload): { readonly reason: string } | undefined {
    const unknown = rootOf(session).get(this.#unknown);
    if (unknown === undefined || unknown.until <= Date.now()) return undefined;
    return { reason: `Blocked (${this.#guard}): ${UNKNOWN} ${unknown.why}` };
  }

  /**
   * Spends what a call used. Where nobody knows, it spends all that is left of each budget of the call, because other sessions
   * and processes may share them.
   */
  async spend(measure: () => Used, spend: (used: Used) => void | Promise<void>): Promise<void> {
    let used: Used;
    try {
      used = measure();
    } catch (error) {
      await spend(ALL);
      throw error;
    }
    await spend(used);
  }

  /**
   * Notes a model call whose tokens nobody knows.
   * @throws HooksError `INVALID_INPUT` if the framework reports no usage, as for a stream whose client was not told to ask for it, only
   *   a part of it, or one that is no number of 0 or more
   */
  #expectTokens(call: AfterModelCall): void {
    const what = unknownUsage(call.response);
    if (what === undefined) return;
    throw this.#note(
      call,
      `The model ${JSON.stringify(call.model ?? 'without a name')} reported ${what}. Have its client ask for it, in streams too.`,
    );
  }

  /** What a model call used. @throws HooksError `INVALID_INPUT` if nobody knows */
  ofModelCall(call: AfterModelCall, needsTokens: boolean): Used {
    if (needsTokens) this.#expectTokens(call);
    const { inputTokens, outputTokens } = tokensOf(call);
    return { tokens: inputTokens + outputTokens, cost: this.#ofModel(call) };
  }

  #ofModel(call: AfterModelCall): number {
    const { prices = {}, modelCost } = this.#costs;
    if (modelCost !== undefined) return this.#cost(call, 'modelCost', () => modelCost(call));
    const { input, output } = priceOf(call, prices) ?? { input: 0, output: 0 };
    const { inputTokens, outputTokens } = tokensOf(call);
    return (inputTokens * input + outputTokens * output) / 1e6;
  }

  /** What a tool call cost. */
  ofTool(call: AfterToolCall): number {
    const { toolCost } = this.#costs;
    return toolCost === undefined ? 0 : this.#cost(call, 'toolCost', () => toolCost(call));
  }

  /** A cost that the user's own function returns. @throws HooksError `INVALID_INPUT` if it is not a number of 0 or more */
  #cost(event: EventPayload, option: 'modelCost' | 'toolCost', measure: () => number): number {
    let cost: number;
    try {
      cost = measure();
    } catch (error) {
      this.#note(event, `${option} threw an error.`);
      throw error;
    }
    if (typeof cost === 'number' && cost >= 0) return cost;
    throw this.#note(event, `${option} returned ${String(cost)}; expected a number of 0 or more.`);
  }

  #note({ session }: EventPayload, why: string): HooksError {
    rootOf(session).set(this.#unknown, { why, until: Date.now() + this.#windowMs });
    return new HooksError('INVALID_INPUT', `${this.#guard}: ${UNKNOWN} ${why}`);
  }
}

const UNKNOWN = 'what this session has used is unknown.';

let made = 0;

/** Why nobody knows what a session has used, and until when that counts. */
interface Unknown {
  readonly why: string;
  readonly until: number;
}

interface Used {
  readonly tokens?: number;
  readonly cost?: number;
}

const ALL: Used = { tokens: Infinity, cost: Infinity };

/** What is missing in the usage of an answer; undefined if nothing is. */
function unknownUsage({ usage = {}, text, toolCalls }: AfterModelCall['response']): string | undefined {
  const { inputTokens, outputTokens } = usage;
  if (![inputTokens, outputTokens].every((amount) => amount === undefined || isAmount(amount)))
    return 'a usage that is no number of 0 or more';
  // Some frameworks make 0 of what a server leaves out. No model answers what it has not read, or without a word.
  const hasInput = Number(inputTokens) > 0;
  const hasOutput = Number(outputTokens) > 0;
  if (hasInput && (hasOutput || (text === '' && toolCalls.length === 0))) return undefined;
  if (hasInput) return 'no output tokens';
  return hasOutput ? 'no input tokens' : 'no usage';
}

/** What a model call used. A server that reports a part as less than nothing, or as no number, makes the other no less. */
function tokensOf({ response }: AfterModelCall): { inputTokens: number; outputTokens: number } {
  const { inputTokens = 0, outputTokens = 0 } = response.usage ?? {};
  return { inputTokens: atLeast0(inputTokens), outputTokens: atLeast0(outputTokens) };
}

function isAmount(reported: unknown): boolean {
  return /^(?:number|bigint|string)$/.test(typeof reported) && reported !== '' && Number(reported) >= 0;
}

/** A model's server may report a number as text, which `+` would append to the count. */
function atLeast0(reported: unknown): number {
  const amount = Number(reported);
  return amount > 0 ? amount : 0;
}
