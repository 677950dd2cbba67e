import {
  AfterToolCall,
  addContext,
  answer,
  BeforeToolCall,
  block,
  grantApproval,
  type HookDecision,
  type Hooks,
  modify,
  PermissionRequest,
  proceed,
  requireApproval,
  retry,
  TransformToolResult,
} from '@hooks/core';
import { draw } from './draw.ts';
import { hooksFrom, type RandomHook, registerAt } from './random-hook.ts';

/** What a hook of a random run does. `over` limits it to cities with a longer name. */
type CallAct =
  | { readonly kind: 'proceed' | 'throw' | 'answer' }
  | { readonly kind: 'grant' | 'require' | 'person'; readonly over: number }
  | { readonly kind: 'block'; readonly over: number; readonly stop: boolean }
  | { readonly kind: 'append' | 'context' | 'output' | 'message'; readonly text: string }
  | { readonly kind: 'retry'; readonly below: number };

/** A hook of a random run. */
export type CallHook = RandomHook<CallAct>;

/** The person's answer; `nobody` if there is no approver. */
export type Person =
  | { readonly kind: 'nobody' | 'allow' | 'deny' | 'canceled' }
  | { readonly kind: 'edit'; readonly city: string };

/** A call of the tool for a city, identified by the city's first letter whatever hooks do to it. */
export interface RandomCall {
  readonly callId: string;
  readonly city: string;
  /** The person's answer to this call. */
  readonly person: Person;
}

/** A run in which the model calls a tool, with a random policy. */
export interface RandomRun {
  /** All in one answer of the model. */
  readonly calls: readonly RandomCall[];
  readonly before: readonly CallHook[];
  readonly permission: readonly CallHook[];
  readonly transform: readonly CallHook[];
  readonly after: readonly CallHook[];
  /** Whether hooks return promises. */
  readonly asynchronous: boolean;
  /** Whether the framework itself requires approval. */
  readonly needsApproval: boolean;
  /** Whether the tool throws, for each attempt of a call. After the last entry it succeeds. */
  readonly throws: readonly boolean[];
  readonly maxAttempts: number;
}

/** The limits for a random run. */
export interface RandomOptions {
  /** The cities to call the tool for, in parallel. With more than one, no hook ends the run. */
  readonly cities: readonly string[];
  readonly people: readonly Exclude<Person['kind'], 'nobody'>[];
  /** Whether there may be no approver. */
  readonly nobody: boolean;
  /** Whether hooks may change the input before approval. */
  readonly rewrites: boolean;
  /** Whether the framework itself can require approval. */
  readonly asks: boolean;
}

/** The run with this seed: the same for the same options. */
export function randomRun(seed: number, options: RandomOptions): RandomRun {
  const { cities, people, rewrites } = options;
  const drawn = draw(seed);
  const { random, below, oneOf } = drawn;
  const text = (): string => Array.from({ length: 1 + below(3) }, () => oneOf(['a', 'b', 'c'])).join('');
  const over = (): number => oneOf([0, 0, 0, 5, 7]);
  const hooks = hooksFrom<CallAct>(drawn, 4, {
    proceed: () => ({ kind: 'proceed' }),
    throw: () => ({ kind: 'throw' }),
    answer: () => ({ kind: 'answer' }),
    grant: () => ({ kind: 'grant', over: over() }),
    require: () => ({ kind: 'require', over: over() }),
    person: () => ({ kind: 'person', over: over() }),
    block: () => ({ kind: 'block', over: oneOf([0, 4, 5, 7]), stop: cities.length === 1 && random() < 0.3 }),
    append: () => (rewrites ? { kind: 'append', text: text() } : { kind: 'proceed' }),
    context: () => ({ kind: 'context', text: `context-${text()}` }),
    output: () => ({ kind: 'output', text: `output-${text()}` }),
    message: () => ({ kind: 'message', text: `message-${text()}` }),
    retry: () => ({ kind: 'retry', below: 1 + below(5) }),
  });
  const nobody = options.nobody && random() < 0.2;
  const personFor = (city: string): Person => {
    const kind = nobody ? 'nobody' : (people[below(people.length)] ?? 'deny');
    return kind === 'edit' ? { kind, city: `${city.charAt(0)}${text()}` } : { kind };
  };
  return {
    calls: cities.map((city, at) => ({ callId: `c${at + 1}`, city, person: personFor(city) })),
    before: hooks(
      'before',
      [
        'proceed',
        'throw',
        'answer',
        'grant',
        'require',
        'require',
        'person',
        'block',
        'append',
        'append',
        'context',
      ],
      ['proceed', 'proceed', 'proceed', 'throw', 'require', 'person', 'block'],
    ),
    permission: hooks('permission', ['proceed', 'throw', 'grant', 'block', 'append'], ['proceed', 'block']),
    transform: hooks('transform', ['proceed', 'proceed', 'throw', 'output', 'output', 'message', 'message']),
    after: hooks(
      'after',
      ['proceed', 'throw', 'block', 'retry', 'retry', 'retry', 'output', 'context', 'context'],
      ['proceed', 'proceed', 'throw', 'block'],
    ),
    asynchronous: random() < 0.5,
    // Without an approver, the framework's own approval is none of the hooks' business.
    needsApproval: !nobody && random() < 0.4 && options.asks,
    throws: Array.from({ length: below(4) }, () => random() < 0.5),
    maxAttempts: 1 + below(4),
  };
}

/** A person's answer, in the form that an approver or a paused run takes. */
export function answerOf(person: Person): {
  readonly decision: 'allow' | 'deny' | 'canceled';
  readonly input?: unknown;
} {
  if (person.kind === 'edit') return { decision: 'allow', input: { city: person.city } };
  return { decision: person.kind === 'nobody' ? 'deny' : person.kind };
}

/** Registers the hooks of a random run. */
export function register(hooks: Hooks, run: RandomRun): void {
  const { before, permission, transform, after, asynchronous } = run;
  for (const [point, those] of [
    [BeforeToolCall, before],
    [PermissionRequest, permission],
    [TransformToolResult, transform],
    [AfterToolCall, after],
  ] as const) {
    registerAt(hooks, point, those, asynchronous, decisionOf);
  }
}

interface Asked {
  readonly input: unknown;
  readonly attempt?: number;
}

function decisionOf(id: string, act: CallAct, { input, attempt = 0 }: Asked): HookDecision {
  const city = String(Object(input).city);
  switch (act.kind) {
    case 'proceed':
      return proceed();
    case 'throw':
      throw new Error('out of order');
    case 'answer':
      return answer('answered');
    case 'grant':
      return city.length > act.over ? grantApproval('It is cheap.') : proceed();
    case 'require':
      return city.length > act.over ? requireApproval('It costs money.') : proceed();
    case 'person':
      return city.length > act.over ? requireApproval('It costs money.', { by: 'person' }) : proceed();
    case 'block':
      return city.length > act.over ? block(`refused by ${id}`, { stop: act.stop }) : proceed();
    case 'append':
      return modify({ input: { city: city + act.text } });
    case 'context':
      return addContext(act.text);
    case 'output':
      return modify({ output: act.text });
    case 'message':
      return modify({ errorMessage: act.text });
    case 'retry':
      return attempt < act.below ? retry('again') : proceed();
  }
}
