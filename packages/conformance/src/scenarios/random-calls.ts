import {
  AfterToolCall,
  BeforeToolCall,
  PermissionRequest,
  ToolApprovalDecision,
  TransformToolResult,
  UserInputRequired,
} from '@hooks/core';
import { expect } from 'vitest';
import { type Prescribed, prescribe } from '../prescribed.ts';
import { type Person, type RandomCall, randomCall, register } from '../random-call.ts';
import { can, type Family } from '../scenario.ts';
import type { Played, Stage } from '../stage.ts';
import { askWeather } from './script.ts';

/** How many calls are drawn: each takes a run of the agent. */
const DRAWN = 60;

const needs = [
  ...['block', 'modify.input', 'modify.approval', 'modify.execute', 'modify.context'].map((decision) =>
    can(BeforeToolCall, decision),
  ),
  ...['block', 'modify.input', 'modify.approval'].map((decision) => can(PermissionRequest, decision)),
  can(ToolApprovalDecision),
  ...['modify.output', 'modify.errorMessage'].map((decision) => can(TransformToolResult, decision)),
  ...['block', 'retry', 'modify.output', 'modify.context'].map((decision) => can(AfterToolCall, decision)),
];

/** Policies that nobody would think of, each held against what the design prescribes for it. */
export const randomCalls: Family = {
  name: 'random policies',
  scenarios: [
    {
      rule: 'whatever hooks of a call do, and whoever approves it in place: what runs, what the model reads and is told, and how the run ends is as prescribed',
      needs,
      async play(stage) {
        const people = ['nobody', 'allow', 'deny', 'canceled', 'edit'] as const;
        for (let seed = 0; seed < DRAWN; seed++)
          await expectPrescribed(stage, randomCall(seed, { people, rewrites: true }), inPlace);
      },
    },
    {
      rule: 'native: whatever hooks of a call do, and whatever a person answers: what runs, what the model reads and is told, and how the run ends is as prescribed',
      needs: [...needs, can(UserInputRequired)],
      async play(stage) {
        const { editsInputs: rewrites = false } = stage.harness;
        const people = ['allow', 'deny', ...(rewrites ? (['edit'] as const) : [])] as const;
        for (let seed = 0; seed < DRAWN; seed++)
          await expectPrescribed(stage, randomCall(seed, { people, rewrites }), paused);
      },
    },
  ],
};

type Asking = (stage: Stage, random: RandomCall, cast: Parameters<Stage['agent']>[1]) => Promise<Played>;

const inPlace: Asking = async (stage, { person }, cast) => {
  const approval = () => answerOf(person);
  return stage.play(askWeather, { ...cast, ...(person.kind !== 'nobody' && { attach: { approval } }) });
};

/** The framework's own pause, where it comes to one. */
const paused: Asking = async (stage, { person }, cast) => {
  const actor = await stage.agent(askWeather, { ...cast, attach: { approval: 'native' } });
  const first = await actor.run({ session: 's1' });
  if (first.result.pending.length === 0) return first;
  const { decision, ...edited } = answerOf(person);
  const answer = { callId: 'c1', decision: decision === 'allow' ? decision : ('deny' as const), ...edited };
  const { result, requests, read } = await actor.resume('s1', [answer]);
  return { result, requests: [...first.requests, ...requests], read: { ...first.read, ...read } };
};

function answerOf(person: Person) {
  if (person.kind === 'edit') return { decision: 'allow', input: { city: person.city } } as const;
  return { decision: person.kind === 'nobody' ? 'deny' : person.kind } as const;
}

async function expectPrescribed(stage: Stage, random: RandomCall, asking: Asking): Promise<void> {
  const prescribed = prescribe(random);
  const hooks = stage.registry({ maxAttempts: random.maxAttempts });
  register(hooks, random);
  const decided: string[] = [];
  hooks.observe(ToolApprovalDecision, ({ approval }) => {
    decided.push(approval);
  });
  stage.ran.length = 0;
  let attempt = 0;
  const tool = stage.tool(
    'weather',
    (city) => {
      if (random.throws[attempt++]) throw new Error('The station is down.');
      return `sunny in ${city}`;
    },
    { needsApproval: random.needsApproval },
  );
  const played = await asking(stage, random, { tools: [tool], hooks: [hooks] });
  const { runs, context, stop, by } = prescribed;
  const { result, requests } = played;
  const told = JSON.stringify(requests.at(-1)?.messages.filter(({ role }) => role !== 'user'));
  expect(
    {
      ran: stage.ran.map(({ input }) => Object(input).city),
      decided,
      read: stop ? undefined : (played.read['c1'] ?? ''),
      context: stop ? [] : [...new Set(told.match(/context-[abc]+/g))].sort(),
      requests: requests.length,
      text: stop ? '' : result.text,
      blocked: result.blockReason,
      error: stop ? undefined : result.error,
    },
    JSON.stringify({ random, prescribed }),
  ).toEqual({
    ran: runs,
    decided: prescribed.decided,
    read: stop ? undefined : expect.toSatisfy((read: string) => fits(read, prescribed)),
    context: stop ? [] : [...new Set(context)].sort(),
    requests: stop ? 1 : 2,
    text: stop ? '' : 'Done.',
    blocked: stop ? expect.stringContaining(by ?? '') : undefined,
    error: undefined,
  });
}

/** Whether the model read what it is to read. The text of an error is the framework's, and so is that of a no without reason. */
function fits(read: string, { status, output, error, by }: Prescribed): boolean {
  if (status === 'ok') return read === output;
  const withheld = ['sunny', ...(status === 'error' && error === 'The station is down.' ? [] : ['station'])];
  return !withheld.some((text) => read.includes(text)) && (by === undefined || read.includes(by));
}
