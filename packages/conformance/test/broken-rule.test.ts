// The messages of broken rules for an adapter's author.
import { afterEach, expect, test, vi } from 'vitest';
import { type AdapterHarness, families, runScenario } from '../src/index.ts';
import type { Fault } from './reference/faults.ts';
import { referenceHarness } from './reference/harness.ts';

afterEach(() => void vi.unstubAllEnvs());

function messageOf(fault: Fault, start: string): Promise<string> {
  return failureOf(referenceHarness(fault), start);
}

async function failureOf(harness: AdapterHarness, start: string): Promise<string> {
  const scenario = families.flatMap(({ scenarios }) => scenarios).find(({ rule }) => rule.startsWith(start));
  if (scenario === undefined) throw new Error(`No rule starts with "${start}".`);
  const failure: Error = await runScenario(scenario, harness, { stream: false }).then(
    () => new Error('It passed.'),
    (error) => error,
  );
  return failure.message;
}

test('the message of a broken rule has the rule, what the model read, and the tools that ran', async () => {
  expect(await messageOf('runs blocked tools', 'Block keeps the tool from running')).toMatchInlineSnapshot(`
    "broken in plain runs: Block keeps the tool from running, the model reads the reason, and the run continues
      run 1: the model was called 2 times
        the model read of c1: No forecasts today.
        answered: Done.
      tool that ran: weather {"city":"Rome"}
    expected [ { tool: 'weather', …(1) } ] to deeply equal []"
  `);
});

test('the message of a broken rule has the pending approvals and the failed hooks', async () => {
  const rule = 'native: UserInputRequired has the reason';
  expect(await messageOf('hides message of user_input_required', rule)).toContain(
    'waits for approval: c1, weather {"city":"Rome"} (It costs money. It is far.)',
  );
  expect(
    await messageOf('allows a call without an approver', 'an approval that only a person may give'),
  ).toMatch(/hook that failed: .*only a person may approve/);
});

test.each<{ what: string; rule: string; drop: (harness: AdapterHarness) => Partial<AdapterHarness> }>([
  {
    what: 'user, pausedIn of a resumed run',
    rule: 'native: an approval by another session and user runs nothing',
    drop: ({ agent }) => ({
      async agent(spec) {
        const made = await agent(spec);
        return {
          ...made,
          resume: (answers, { session, stream }) => made.resume(answers, { session, stream }),
        };
      },
    }),
  },
  {
    what: 'reason of an answer',
    rule: 'native: a denied call does not run',
    drop: ({ agent }) => ({
      async agent(spec) {
        const made = await agent(spec);
        const resume: typeof made.resume = (answers, options) =>
          made.resume(
            answers.map(({ callId, decision }) => ({ callId, decision })),
            options,
          );
        return { ...made, resume };
      },
    }),
  },
  {
    what: 'tools.0.needsApproval of an agent',
    rule: 'the approval of the framework goes to the approver',
    drop: ({ agent }) => ({
      agent: ({ tools, ...spec }) =>
        agent({
          ...spec,
          tools: tools.map(({ name, description, schema, execute }) => ({
            ...{ name, description, schema, execute },
          })),
        }),
    }),
  },
  {
    what: 'signal of a bare call',
    rule: 'an abort during a hook keeps it from running',
    drop: ({ callTool }) => ({
      callTool: (tool, input, { hooks, attach }) => callTool(tool, input, { hooks, attach }),
    }),
  },
])('a scenario fails where the harness ignores $what', async ({ what, rule, drop }) => {
  const reference = referenceHarness();
  const harness = { ...reference, ...drop(reference) };
  expect(await failureOf(harness, rule)).toContain(`the harness ignores ${what}`);
});

test('the message of a broken random policy lists its hooks', async () => {
  // Few random runs show the fault, and a part may have none of them.
  vi.stubEnv('HOOKS_RANDOM', '4');
  expect(await messageOf('swallows Retry', 'random hooks and approvers on one call')).toMatch(
    /policy \d+, the same whenever it is drawn:\n {2}\w+-\d \((on|guard), priority -?\d[^)]*\): \w+/,
  );
});
