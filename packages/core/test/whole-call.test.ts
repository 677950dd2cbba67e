import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  AfterToolCall,
  addContext,
  answer,
  BeforeToolCall,
  block,
  createHooks,
  grantApproval,
  type HookDecision,
  type Hooks,
  modify,
  PermissionRequest,
  proceed,
  requireApproval,
  retry,
  ToolApprovalDecision,
  type ToolCallOutcome,
  TransformToolResult,
} from '../src/index.ts';
import {
  answerToolCall,
  type Begun,
  beginToolCall,
  type Finished,
  finishToolCall,
} from '../src/tool-call/index.ts';
import { call } from './support/call.ts';
import {
  type Act,
  type Person,
  type Prescribed,
  prescribe,
  type Scenario,
  type Scripted,
} from './support/prescribed.ts';

const text = fc.string({ minLength: 1, maxLength: 3, unit: fc.constantFrom('a', 'b', 'c') });
const kinds = (...each: readonly ('proceed' | 'throw' | 'answer')[]) =>
  fc.constantFrom(...each).map((kind): Act => ({ kind }));
const over = fc.constantFrom(0, 0, 0, 3, 5);
const wishes = (...each: readonly ('grant' | 'require' | 'person')[]) =>
  fc.record({ kind: fc.constantFrom(...each), over }).map((wish): Act => wish);
const wording = (kind: 'append' | 'context' | 'output' | 'message') =>
  text.map((text): Act => ({ kind, text }));
const blocking = fc.record({ stop: fc.boolean(), over }).map((how): Act => ({ kind: 'block', ...how }));
const retrying = fc.integer({ min: 1, max: 5 }).map((below): Act => ({ kind: 'retry', below }));

function hooksOf(
  name: string,
  on: readonly fc.Arbitrary<Act>[],
  guard: readonly fc.Arbitrary<Act>[],
): fc.Arbitrary<readonly Scripted[]> {
  const hook = (verb: 'on' | 'guard', acts: readonly fc.Arbitrary<Act>[]) =>
    fc.record({ verb: fc.constant(verb), priority: fc.integer({ min: -1, max: 1 }), act: fc.oneof(...acts) });
  const either =
    guard.length > 0 ? fc.oneof(hook('on', on), hook('on', on), hook('guard', guard)) : hook('on', on);
  return fc
    .array(either, { maxLength: 4 })
    .map((hooks) => hooks.map((each, at) => ({ ...each, id: `${name}-${at}` })));
}

const scenario: fc.Arbitrary<Scenario> = fc.record({
  before: hooksOf(
    'before',
    [
      kinds('proceed', 'throw', 'answer'),
      wishes('grant', 'require', 'person'),
      blocking,
      wording('append'),
      wording('context'),
    ],
    [kinds('proceed', 'throw'), wishes('require', 'person'), blocking],
  ),
  permission: hooksOf(
    'permission',
    [kinds('proceed', 'throw'), wishes('grant'), blocking, wording('append')],
    [kinds('proceed'), blocking],
  ),
  transform: hooksOf('transform', [kinds('proceed', 'throw'), wording('output'), wording('message')], []),
  after: hooksOf(
    'after',
    [kinds('proceed', 'throw'), blocking, retrying, wording('output'), wording('context')],
    [kinds('proceed', 'throw'), blocking],
  ),
  needsApproval: fc.boolean(),
  person: fc.oneof(
    fc.constantFrom<Person>({ kind: 'none' }, { kind: 'allow' }, { kind: 'deny' }, { kind: 'canceled' }),
    text.map((input): Person => ({ kind: 'edit', input: `edited ${input}` })),
  ),
  throws: fc.array(fc.boolean(), { maxLength: 3 }),
  maxAttempts: fc.integer({ min: 1, max: 4 }),
});

function decide(act: Act, input: string, attempt: number): HookDecision {
  switch (act.kind) {
    case 'proceed':
      return proceed();
    case 'throw':
      throw new Error('a hook threw');
    case 'grant':
      return input.length > act.over ? grantApproval('fine') : proceed();
    case 'require':
      return input.length > act.over ? requireApproval('sure?') : proceed();
    case 'person':
      return input.length > act.over ? requireApproval('sure?', { by: 'person' }) : proceed();
    case 'answer':
      return answer('answered');
    case 'block':
      return input.length > act.over ? block('refused', { stop: act.stop }) : proceed();
    case 'append':
      return modify({ input: input + act.text });
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

function register(
  hooks: Hooks,
  { before, permission, transform, after }: Scenario,
  asynchronous: boolean,
): void {
  const points = [
    [BeforeToolCall, before],
    [PermissionRequest, permission],
    [TransformToolResult, transform],
    [AfterToolCall, after],
  ] as const;
  for (const [point, scripted] of points) {
    for (const { id, verb, priority, act } of scripted) {
      const handler = (event: { readonly input: unknown; readonly attempt?: number }) =>
        decide(act, String(event.input), event.attempt ?? 0);
      const later = async (event: Parameters<typeof handler>[0]) => handler(event);
      // What a point permits is the arbitraries' business here, not the compiler's.
      hooks[verb](point as never, (asynchronous ? later : handler) as never, { id, priority });
    }
  }
}

type Form = (
  hooks: Hooks,
  scenario: Scenario,
  execute: (input: unknown) => Promise<unknown>,
) => Promise<ToolCallOutcome>;

const native = ({ needsApproval }: Scenario) => (needsApproval ? { needsApproval: 'the tool asks' } : {});

const answerOf = (person: Person) =>
  person.kind === 'edit'
    ? ({ decision: 'allow', input: person.input } as const)
    : ({ decision: person.kind === 'none' ? 'deny' : person.kind } as const);

const whole: Form = (hooks, scenario, execute) =>
  call(hooks, {
    ...native(scenario),
    ...(scenario.person.kind !== 'none' && { approval: () => answerOf(scenario.person) }),
    execute,
  });

/** As frameworks that have separate callbacks take a call through the pipeline. */
const split: Form = async (hooks, scenario, execute) => {
  let step: Begun | Finished = await beginToolCall(
    hooks,
    { session: hooks.session('s'), toolName: 'exec', input: 'ls', ...native(scenario) },
    { can: { retry: true, route: true, ask: scenario.person.kind !== 'none' } },
  );
  if (step.kind === 'ask') step = await answerToolCall(step.token, answerOf(scenario.person));
  while (step.kind === 'run' || step.kind === 'again') {
    const { token, input, execute: routed }: typeof step = step;
    const running = routed === undefined ? execute(input) : Promise.resolve('answered');
    const result = await running.then(
      (output) => ({ output }),
      (error: unknown) => ({ error }),
    );
    step = await finishToolCall(hooks, token, result);
  }
  if (step.kind === 'ask') throw new Error('a person was asked twice');
  return step.outcome;
};

async function happened(scenario: Scenario, form: Form, asynchronous: boolean): Promise<Prescribed> {
  const hooks = createHooks({ maxAttempts: scenario.maxAttempts });
  const runs: string[] = [];
  const decided: Prescribed['decided'][number][] = [];
  register(hooks, scenario, asynchronous);
  hooks.observe(ToolApprovalDecision, ({ approval }) => {
    decided.push(approval);
  });
  const outcome = await form(hooks, scenario, async (input) => {
    runs.push(String(input));
    if (scenario.throws[runs.length - 1]) throw new Error('the tool threw');
    return `out:${input}`;
  });
  const { status, ran, input, output, error, by, attempts, exhausted, context, stop } = outcome;
  const message = error === undefined ? undefined : (error as Error).message;
  return {
    ...{ status, ran, input: String(input), output, error: message, by },
    ...{ attempts, exhausted, context, stop, runs, decided },
  };
}

it('a call ends as the design prescribes, whatever its hooks, its tool and a person do', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (random) => {
      const prescribed = prescribe(random);
      expect(await happened(random, whole, false)).toEqual(prescribed);
      expect(await happened(random, whole, true)).toEqual(prescribed);
      expect(await happened(random, split, false)).toEqual(prescribed);
      expect(await happened(random, split, true)).toEqual(prescribed);
    }),
    { numRuns: 1500 },
  );
});
