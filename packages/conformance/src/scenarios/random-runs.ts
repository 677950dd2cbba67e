import {
  AfterToolCall,
  type ApprovalRequest,
  BeforeToolCall,
  PermissionRequest,
  ToolApprovalDecision,
  TransformToolResult,
} from '@hooks/core';
import { expect } from 'vitest';
import { drawn } from '../draw.ts';
import { expectEach } from '../hostile/seeds.ts';
import { can, canPause } from '../need.ts';
import { type Prescribed, prescribe } from '../prescribed.ts';
import { tellPolicy } from '../random-hook.ts';
import { answerOf, type RandomOptions, type RandomRun, randomRun, register } from '../random-run.ts';
import type { Family } from '../scenario.ts';
import type { Cast, Played, Stage } from '../stage.ts';
import { unmet } from '../supported.ts';
import { call, calls } from './script.ts';

const needs = [
  ...['block', 'modify.input', 'modify.approval', 'modify.execute', 'modify.context'].map((decision) =>
    can(BeforeToolCall, decision),
  ),
  ...['block', 'modify.input', 'modify.approval'].map((decision) => can(PermissionRequest, decision)),
  can(ToolApprovalDecision),
  ...['modify.output', 'modify.errorMessage'].map((decision) => can(TransformToolResult, decision)),
  ...['block', 'retry', 'modify.output', 'modify.context'].map((decision) => can(AfterToolCall, decision)),
];

const asPrescribed = 'the tools that run, what the model reads, and how the run ends are as prescribed';
const one = ['Rome'];
const several = ['Rome', 'Oslo', 'Paris'];

/** Runs with random policies, compared with what the design prescribes. */
export const randomRuns: Family = {
  name: 'random policies',
  scenarios: [
    {
      rule: `random hooks and approvers on one call: ${asPrescribed}`,
      needs,
      play: (stage) => expectAll(stage, inPlace, 20, { cities: one, ...anybody(stage) }),
    },
    {
      rule: `random hooks and approvers on parallel calls: ${asPrescribed}`,
      needs,
      play: (stage) => expectAll(stage, inPlace, 15, { cities: several, ...anybody(stage) }),
    },
    {
      rule: `native: random hooks and answers on one call: ${asPrescribed}`,
      needs: [...needs, canPause],
      play: (stage) => expectAll(stage, paused, 20, { cities: one, ...whoeverIsAsked(stage) }),
    },
    {
      rule: `native: random hooks and answers on parallel calls: ${asPrescribed}`,
      needs: [...needs, canPause],
      play: (stage) => expectAll(stage, paused, 15, { cities: several, ...whoeverIsAsked(stage) }),
    },
  ],
};

type Asked = Pick<RandomOptions, 'people' | 'nobody' | 'rewrites' | 'asks'>;

function anybody({ harness: { supports }, stream }: Stage): Asked {
  const asks = unmet(supports, [canPause], stream) === undefined;
  return { people: ['allow', 'deny', 'canceled', 'edit'], nobody: true, rewrites: true, asks };
}

/** A pause accepts an allow or a deny; another input only if the framework can carry it. */
function whoeverIsAsked({ harness: { editsInputs: rewrites = false } }: Stage): Asked {
  const people = rewrites ? (['allow', 'deny', 'edit'] as const) : (['allow', 'deny'] as const);
  return { people, nobody: false, rewrites, asks: true };
}

function expectAll(stage: Stage, asking: Asking, few: number, options: RandomOptions): Promise<void> {
  return expectEach(drawn(few), (seed) => expectPrescribed(stage, seed, randomRun(seed, options), asking));
}

type Asking = (stage: Stage, random: RandomRun, cast: Cast) => Promise<Played>;

const inPlace: Asking = async (stage, random, cast) => {
  const nobody = random.calls.some(({ person }) => person.kind === 'nobody');
  const approval = ({ callId }: ApprovalRequest) => answerTo(random, callId);
  return stage.play(scriptOf(random), { ...cast, ...(!nobody && { attach: { approval } }) });
};

/** The framework's own pause, answered as often as it occurs. */
const paused: Asking = async (stage, random, cast) => {
  const actor = await stage.agent(scriptOf(random), { ...cast, attach: { approval: 'native' } });
  let played = await actor.run({ session: 's1' });
  for (const _ of random.calls) {
    const { pending } = played.result;
    if (pending.length === 0) break;
    const { result, requests, read } = await actor.resume(
      's1',
      pending.map(({ callId }) => {
        const { decision, ...edited } = answerTo(random, callId);
        return { callId, decision: decision === 'allow' ? decision : 'deny', ...edited };
      }),
    );
    played = { result, requests: [...played.requests, ...requests], read: { ...played.read, ...read } };
  }
  return played;
};

function scriptOf({ calls: asked }: RandomRun) {
  return calls(...asked.map(({ callId, city }) => call(callId, 'weather', city)));
}

function answerTo({ calls: asked }: RandomRun, id: string): ReturnType<typeof answerOf> {
  return answerOf(asked.find(({ callId }) => callId === id)?.person ?? { kind: 'nobody' });
}

async function expectPrescribed(
  stage: Stage,
  seed: number,
  random: RandomRun,
  asking: Asking,
): Promise<void> {
  const hooks = stage.registry({ maxAttempts: random.maxAttempts });
  register(hooks, random);
  const decided: { readonly callId: string; readonly approval: string }[] = [];
  hooks.observe(ToolApprovalDecision, ({ callId, approval }) => {
    decided.push({ callId, approval });
  });
  const ran: string[] = [];
  const tool = stage.tool(
    'weather',
    (city) => {
      const attempt = ran.filter((other) => other.charAt(0) === city.charAt(0)).length;
      ran.push(city);
      if (random.throws[attempt]) throw new Error('The station is down.');
      return `sunny in ${city}`;
    },
    { needsApproval: random.needsApproval },
  );
  const { result, requests, read } = await asking(stage, random, { tools: [tool], hooks: [hooks] });
  const told = JSON.stringify(requests.at(-1)?.messages.filter(({ role }) => role !== 'user'));
  const prescribed = random.calls.map((one) => prescribe(random, one));
  const stopping = prescribed.find(({ stop }) => stop);
  const happened = random.calls.map(({ callId, city }) => ({
    ran: ran.filter((other) => other.charAt(0) === city.charAt(0)),
    decided: decided.filter((decision) => decision.callId === callId).map(({ approval }) => approval),
    read: read[callId],
  }));
  const { before, permission, transform, after } = random;
  const policy = tellPolicy(`policy ${seed}`, [...before, ...permission, ...transform, ...after]);
  const why = `${policy}prescribed: ${JSON.stringify(prescribed)}\nhappened: ${JSON.stringify(happened)}\n`;
  expect(result.error === undefined || stopping !== undefined, why).toBe(true);
  for (const [at, { runs, decided }] of prescribed.entries())
    expect(happened[at], why).toMatchObject({ ran: runs, decided });
  expect(requests.length, why).toBe(stopping === undefined ? 2 : 1);
  if (stopping !== undefined) {
    expect(result.blockReason, why).toContain(stopping.by);
    return;
  }
  expect(result.blockReason, why).toBeUndefined();
  expect(result.text, why).toBe('Done.');
  for (const [at, call] of prescribed.entries())
    expect(fits(happened[at]?.read, call, random), why).toBe(true);
  const context = prescribed.flatMap(({ context }) => context);
  expect(new Set(told.match(/context-[abc]+/g)), why).toEqual(new Set(context));
}

/**
 * Whether the model read the prescribed result. The text of an error is the framework's, and so is that of a denial
 * without a reason. Denied calls may be missing from what the model reads: Mastra drops them next to a failed one.
 */
function fits(read: string | undefined, call: Prescribed, { calls: all }: RandomRun): boolean {
  const { status, output, error, by } = call;
  if (read === undefined) return status === 'denied' && all.length > 1;
  if (status === 'ok') return read === output;
  const withheld = ['sunny', ...(status === 'error' && error === 'The station is down.' ? [] : ['station'])];
  return !withheld.some((text) => read.includes(text)) && (by === undefined || read.includes(by));
}
