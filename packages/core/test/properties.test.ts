import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { takeContext } from '../src/adapter/index.ts';
import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  grantApproval,
  type Hooks,
  modify,
  proceed,
  requireApproval,
  retry,
  UserPromptSubmit,
} from '../src/index.ts';
import { call } from './support/call.ts';

type Step =
  | { readonly kind: 'proceed' }
  | { readonly kind: 'block' }
  | { readonly kind: 'append'; readonly text: string }
  | { readonly kind: 'throw' };
interface Hook {
  readonly verb: 'on' | 'guard';
  readonly step: Step;
  readonly priority: number;
  readonly later: boolean;
}

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: 'proceed' } as const) },
  {
    weight: 4,
    arbitrary: fc.string({ minLength: 1, maxLength: 3 }).map((text) => ({ kind: 'append', text }) as const),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'block' } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'throw' } as const) },
);
const hook: fc.Arbitrary<Hook> = fc.record({
  verb: fc.constantFrom('on', 'guard'),
  step,
  priority: fc.integer({ min: -2, max: 2 }),
  later: fc.boolean(),
});
const chain = fc.array(hook, { maxLength: 12 });

interface Asked {
  readonly index: number;
  readonly input: string;
}

/** Registers a random chain; guards that would append answer Proceed instead. */
function register(
  hooks: Hooks,
  chainOf: readonly Hook[],
  asked: Asked[],
  asynchronous: (hook: Hook) => boolean,
): void {
  for (const [index, { verb, step: does, priority, later }] of chainOf.entries()) {
    const decide = (input: string) => {
      asked.push({ index, input });
      if (does.kind === 'throw') throw new Error('x');
      if (does.kind === 'block') return block(String(index));
      return does.kind === 'append' && verb === 'on' ? modify({ input: input + does.text }) : proceed();
    };
    const handler = asynchronous({ verb, step: does, priority, later })
      ? async ({ input }: { readonly input: unknown }) => decide(String(input))
      : ({ input }: { readonly input: unknown }) => decide(String(input));
    hooks[verb](BeforeToolCall, handler as never, { id: String(index), priority });
  }
}

/** The order that the design prescribes, and what must come of it, worked out by hand. */
function expected(chainOf: readonly Hook[]): {
  input: string;
  blockedBy: number | undefined;
  interceptors: readonly number[];
} {
  const order = (verb: 'on' | 'guard') =>
    [...chainOf.entries()]
      .filter(([, each]) => each.verb === verb)
      .sort(([a, left], [b, right]) => right.priority - left.priority || a - b);
  let input = 'ls';
  const interceptors: number[] = [];
  for (const [index, { step: does }] of order('on')) {
    interceptors.push(index);
    if (does.kind === 'block' || does.kind === 'throw') return { input, blockedBy: index, interceptors };
    if (does.kind === 'append') input += does.text;
  }
  const refusing = order('guard').find(
    ([, { step: does }]) => does.kind === 'block' || does.kind === 'throw',
  );
  return { input, blockedBy: refusing?.[0], interceptors };
}

async function outcomeOf(chainOf: readonly Hook[], asynchronous: (hook: Hook) => boolean) {
  const hooks = createHooks();
  const asked: Asked[] = [];
  const ran: unknown[] = [];
  const observed: unknown[] = [];
  register(hooks, chainOf, asked, asynchronous);
  hooks.observe(AfterToolCall, ({ input }) => observed.push(input));
  const outcome = await call(hooks, { execute: (input) => ran.push(input) });
  return { outcome, asked, ran, observed };
}

describe('for every chain of hooks', () => {
  it('the outcome is the one that order and algebra prescribe; sync and async forms agree', async () => {
    await fc.assert(
      fc.asyncProperty(chain, async (chainOf) => {
        const wanted = expected(chainOf);
        for (const asynchronous of [() => false, () => true, ({ later }: Hook) => later]) {
          const { outcome, asked, ran } = await outcomeOf(chainOf, asynchronous);
          expect(outcome.input).toBe(wanted.input);
          expect(outcome.by).toBe(wanted.blockedBy === undefined ? undefined : String(wanted.blockedBy));
          expect(ran).toEqual(wanted.blockedBy === undefined ? [wanted.input] : []);
          const interceptors = asked
            .map(({ index }) => index)
            .filter((index) => chainOf[index]?.verb === 'on');
          expect(interceptors).toEqual(wanted.interceptors);
        }
      }),
    );
  });

  it('a guard sees exactly what will run, and the observer exactly what ran', async () => {
    await fc.assert(
      fc.asyncProperty(chain, async (chainOf) => {
        const { asked, ran, observed, outcome } = await outcomeOf(chainOf, ({ later }) => later);
        for (const { index, input } of asked) {
          if (chainOf[index]?.verb === 'guard') expect(input).toBe(outcome.input);
        }
        expect(observed).toEqual([outcome.input]);
        if (outcome.ran) expect(ran).toEqual(observed);
      }),
    );
  });

  it('After events run each phase in reverse', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: -2, max: 2 }), { maxLength: 8 }), async (priorities) => {
        const hooks = createHooks();
        const before: number[] = [];
        const after: number[] = [];
        for (const [index, priority] of priorities.entries()) {
          hooks.on(
            BeforeToolCall,
            () => {
              before.push(index);
              return proceed();
            },
            { priority },
          );
          hooks.on(
            AfterToolCall,
            () => {
              after.push(index);
              return proceed();
            },
            { priority },
          );
        }
        await call(hooks);
        expect(after).toEqual(before.toReversed());
      }),
    );
  });

  it('registering or removing during a dispatch changes nothing in it', async () => {
    await fc.assert(
      fc.asyncProperty(chain, fc.nat(), fc.boolean(), async (chainOf, at, later) => {
        const plain = await outcomeOf(chainOf, () => later);
        const hooks = createHooks();
        const asked: Asked[] = [];
        hooks.on(
          BeforeToolCall,
          () => {
            hooks.remove(String(at % (chainOf.length + 1)));
            hooks.on(BeforeToolCall, () => block('registered too late'), { priority: 5 });
            hooks.guard(BeforeToolCall, () => block('registered too late'));
            return proceed();
          },
          { priority: 10 },
        );
        register(hooks, chainOf, asked, () => later);
        const outcome = await call(hooks);
        expect(outcome.by).toBe(plain.outcome.by);
        expect(asked).toEqual(plain.asked);
      }),
    );
  });

  it('approval is monotonic', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('none', 'grant', 'require', 'person'), { maxLength: 8 }),
        fc.boolean(),
        async (answers, native) => {
          const hooks = createHooks();
          for (const answer of answers) {
            hooks.on(BeforeToolCall, () => {
              if (answer === 'none') return proceed();
              return answer === 'grant'
                ? grantApproval('fine')
                : requireApproval('sure?', answer === 'person' ? { by: 'person' } : {});
            });
          }
          let asked = 0;
          const approval = () => {
            asked++;
            return { decision: 'deny' } as const;
          };
          const outcome = await call(hooks, { approval, ...(native && { needsApproval: 'native' }) });
          const required =
            answers.includes('require') ||
            answers.includes('person') ||
            (native && !answers.includes('grant'));
          expect(outcome.status).toBe(required ? 'denied' : 'ok');
          expect(asked).toBe(required ? 1 : 0);
        },
      ),
    );
  });

  it('retries are bounded', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.array(fc.boolean(), { maxLength: 10 }),
        async (maxAttempts, wants) => {
          const hooks = createHooks({ maxAttempts });
          let runs = 0;
          hooks.on(AfterToolCall, ({ attempt }) => (wants[attempt - 1] ? retry('again') : proceed()));
          const outcome = await call(hooks, { execute: () => ++runs });
          const wanted = wants.findIndex((want) => !want);
          const bound = Math.min(maxAttempts, (wanted === -1 ? wants.length : wanted) + 1);
          expect(runs).toBe(bound);
          expect(outcome).toMatchObject({ attempts: bound, output: bound });
        },
      ),
    );
  });

  it('a Modify of a dispatch holds the final values', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 6 }), (texts) => {
        const hooks = createHooks();
        for (const text of texts)
          hooks.on(UserPromptSubmit, ({ prompt }) => modify({ prompt: prompt + text, context: [text] }));
        const decision = hooks.dispatch(UserPromptSubmit, { session: hooks.session('s'), prompt: '' });
        expect(decision).toMatchObject({ patch: { prompt: texts.join(''), context: texts } });
      }),
    );
  });
});

it('no interleaving of 1,000 parallel calls mixes sessions', async () => {
  const hooks = createHooks();
  const random = fc.sample(fc.integer({ min: 0, max: 3 }), { numRuns: 4000, seed: 1 });
  let next = 0;
  const turns = async () => {
    for (let i = random[next++ % random.length] ?? 0; i > 0; i--) await null;
  };
  hooks.on(BeforeToolCall, async ({ session, input }) => {
    await turns();
    return modify({ input: `${input} of ${session.id}`, context: [session.id] });
  });
  hooks.guard(BeforeToolCall, async ({ session, input }) => {
    await turns();
    return String(input).endsWith(session.id) ? proceed() : block('mixed');
  });
  hooks.on(AfterToolCall, async ({ session, output }) => {
    await turns();
    return String(output).includes(`of ${session.id} `) ? proceed() : block('mixed');
  });
  const calls = Array.from({ length: 1000 }, async (_, i) => {
    const session = hooks.session(`session-${i % 50}`);
    const outcome = await call(hooks, {
      session,
      input: `call ${i}`,
      execute: async (input) => {
        await turns();
        return `${input} ran`;
      },
    });
    expect(outcome).toMatchObject({
      status: 'ok',
      output: `call ${i} of ${session.id} ran`,
      context: [session.id],
    });
  });
  await Promise.all(calls);
  for (let i = 0; i < 50; i++) {
    const session = hooks.session(`session-${i}`);
    expect(session.history).toHaveLength(20);
    expect(takeContext(hooks, session)).toEqual(Array(20).fill(session.id));
  }
});
