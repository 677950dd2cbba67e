import {
  BeforeModelCall,
  BeforeToolCall,
  type Block,
  block,
  type EventPayload,
  type HookRegistrar,
  modify,
  type Proceed,
  proceed,
  sessionKey,
} from '@hooks/core';
import type { Kind, Left } from './budget.ts';
import type { Meter } from './meter.ts';

interface LandingOptions {
  readonly atLimit?: 'end' | 'answer';
  readonly warnAt?: number;
}

/** The model call that ends a run at a limit. */
interface LastCall {
  readonly iteration: number;
  /** It was asked about before: the server had failed. */
  readonly isRetry: boolean;
}

/** The model calls of a run. */
interface RunCalls {
  readonly last?: LastCall;
}

type ModelCall = EventPayload & { readonly iteration: number };

/** Warns a model of its limits, and gives a run a last model call without tools. */
export class Landing {
  readonly #meter: Meter;
  readonly #options: LandingOptions;
  /** Of a run whose model calls are seen here. */
  readonly #key = sessionKey<RunCalls>(`@hooks/guards/landing/${++made}`);

  constructor(meter: Meter, options: LandingOptions) {
    this.#meter = meter;
    this.#options = options;
  }

  register(hooks: HookRegistrar): void {
    const { atLimit = 'end', warnAt = 0 } = this.#options;
    if (atLimit === 'end' && warnAt === 0) return;
    hooks.on(
      BeforeModelCall,
      (call) => {
        const left = this.#meter.left(call, KINDS);
        return left instanceof Promise
          ? left.then((all) => this.#prepare(call, all))
          : this.#prepare(call, left);
      },
      // Behind what other hooks make of the tools.
      { id: 'land', priority: -1000, optional: true },
    );
    if (atLimit === 'end') return;
    // In front of the limits, so that the model reads why its last call was to be an answer.
    const options = { id: 'tool-call-of-last-answer', priority: -99, allowUnknown: true, optional: true };
    hooks.guard(BeforeToolCall, (call) => this.#after(call) ?? proceed(), options);
  }

  /** The last call of a run, if this is it. It may exceed a limit, but not one of model calls. */
  lastCall(call: ModelCall): LastCall | undefined {
    const last = this.#of(call)?.last;
    return last?.iteration === call.iteration ? last : undefined;
  }

  /** Whether a run that reaches a limit between two model calls will get a last one. */
  willLand(event: EventPayload): boolean {
    const calls = this.#of(event);
    return this.#options.atLimit === 'answer' && calls !== undefined && calls.last === undefined;
  }

  /** Refuses the tool calls that a model makes in its last call nevertheless. */
  #after(event: EventPayload): Block | undefined {
    return this.#of(event)?.last !== undefined
      ? block('Blocked (limits): the limit is used up, and the run was to end with an answer.', {
          stop: true,
        })
      : undefined;
  }

  #of({ session, run }: EventPayload): RunCalls | undefined {
    return run === undefined ? undefined : session.run(run).get(this.#key);
  }

  /** @param left undefined where the store does not respond: the guard behind refuses the call */
  #prepare(call: ModelCall, left: readonly Left[] | undefined) {
    const { atLimit = 'end', warnAt = 0 } = this.#options;
    const { session, run, iteration } = call;
    const values = run === undefined ? undefined : session.run(run);
    const last = values?.get(this.#key, noCalls).last;
    const ends = left?.filter(({ kind }) => kind !== 'toolCalls') ?? [];
    const isRetry = last?.iteration === iteration;
    const isLast = ends.some(({ kind, left: rest }) =>
      kind === 'modelCalls' ? rest === 1 : rest <= 0 && iteration > 1,
    );
    // Without its id, a run cannot be told from others of the session: it ends at the limit.
    if (atLimit === 'answer' && values !== undefined && (isRetry || (isLast && last === undefined))) {
      values.set(this.#key, { last: { iteration, isRetry } });
      return modify({ tools: [], context: [LAST] });
    }
    const scarce = left?.filter(({ kind, left: rest, limit }) =>
      COUNTED.includes(kind) ? rest <= warnAt : rest <= limit / 10,
    );
    if (warnAt === 0 || scarce === undefined || scarce.length === 0) return proceed() as Proceed;
    return modify({ context: [`Limits of ${describe(scarce)}. Finish in time.`] });
  }
}

function describe(scarce: readonly Left[]): string {
  return scarce.map(({ kind, left, scope }) => `${scope}: ${TEXT[kind](Math.max(0, left))} left`).join('; ');
}

const TEXT: { readonly [K in Kind]: (left: number) => string } = {
  toolCalls: (left) => counted(left, 'tool call'),
  modelCalls: (left) => `${counted(left, 'model call')}, with this one,`,
  tokens: (left) => counted(left, 'token'),
  cost: (left) => `a cost of ${Number(left.toPrecision(3))}`,
  timeMs: (left) => `${Math.ceil(left / 1000)} s`,
};

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const KINDS = ['toolCalls', 'modelCalls', 'tokens', 'cost', 'timeMs'] as const;
const COUNTED: readonly Kind[] = ['toolCalls', 'modelCalls'];

const LAST =
  'A limit of this run is used up. This is your last answer, and no tool is available. Answer with what you have, and say what is missing.';

let made = 0;

function noCalls(): RunCalls {
  return {};
}
