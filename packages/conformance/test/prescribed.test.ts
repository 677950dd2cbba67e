// Compares the suite's model of the design with core's pipeline, in both of its forms.
import { createHooks, type Hooks, ToolApprovalDecision, type ToolCallOutcome } from '@hooks/core';
import {
  answerToolCall,
  type Begun,
  beginToolCall,
  callTool,
  type Finished,
  finishToolCall,
} from '@hooks/core/tool-call';
import { expect, it } from 'vitest';
import { type Prescribed, prescribe } from '../src/prescribed.ts';
import { answerOf, type Person, type RandomRun, randomRun, register } from '../src/random-run.ts';

type Form = (
  hooks: Hooks,
  random: RandomRun,
  execute: (input: unknown) => Promise<unknown>,
) => Promise<ToolCallOutcome>;

const described = (hooks: Hooks, { needsApproval }: RandomRun) => ({
  session: hooks.session('s'),
  toolName: 'weather',
  input: { city: 'Rome' },
  ...(needsApproval && { needsApproval: 'the tool asks' }),
});

const personOf = ({ calls }: RandomRun): Person => calls[0]?.person ?? { kind: 'nobody' };

const whole: Form = (hooks, random, execute) =>
  callTool(hooks, described(hooks, random), execute, {
    ...(personOf(random).kind !== 'nobody' && { approval: () => answerOf(personOf(random)) }),
  });

/** Runs a call in steps, as adapters of frameworks with separate callbacks do. */
const split: Form = async (hooks, random, execute) => {
  const ask = personOf(random).kind !== 'nobody';
  const capabilities = { retry: true, route: true, ask };
  let step: Begun | Finished = await beginToolCall(hooks, described(hooks, random), {
    approval: 'native',
    capabilities,
  });
  if (step.kind === 'ask') step = await answerToolCall(step.token, answerOf(personOf(random)));
  while (step.kind === 'run' || step.kind === 'again') {
    const { token, input, execute: answers }: typeof step = step;
    const running = answers === undefined ? execute(input) : Promise.resolve('answered');
    const result = await running.then(
      (output) => ({ output }),
      (error: unknown) => ({ error }),
    );
    step = await finishToolCall(hooks, token, result);
  }
  if (step.kind === 'ask') throw new Error('the pipeline required a second approval');
  return step.outcome;
};

async function happened(random: RandomRun, form: Form): Promise<Prescribed> {
  const hooks = createHooks({ maxAttempts: random.maxAttempts });
  const runs: string[] = [];
  const decided: Prescribed['decided'][number][] = [];
  register(hooks, random);
  hooks.observe(ToolApprovalDecision, ({ approval }) => {
    decided.push(approval);
  });
  const outcome = await form(hooks, random, async (input) => {
    const { city } = Object(input);
    runs.push(city);
    if (random.throws[runs.length - 1]) throw new Error('The station is down.');
    return `sunny in ${city}`;
  });
  const { status, ran, input, output, error, by, attempts, exhausted, context, stop } = outcome;
  const message = error instanceof Error ? error.message : undefined;
  return {
    ...{ status, ran, city: Object(input).city, output, error: message, by },
    ...{ attempts, exhausted, context, stop, runs, decided },
  };
}

it('the pipeline handles 2000 random calls as the design specifies, at once and in steps', async () => {
  const people = ['allow', 'deny', 'canceled', 'edit'] as const;
  for (let seed = 0; seed < 2000; seed++) {
    const random = randomRun(seed, { cities: ['Rome'], people, nobody: true, rewrites: true, asks: true });
    const [prescribed] = random.calls.map((call) => prescribe(random, call));
    for (const form of [whole, split])
      expect(await happened(random, form), JSON.stringify({ seed, random })).toEqual(prescribed);
  }
});
