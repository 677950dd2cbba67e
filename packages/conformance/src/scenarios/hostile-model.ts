import { AfterToolCall, BeforeToolCall, SubagentStart } from '@hooks/core';
import { drawn } from '../draw.ts';
import { bareInputs, faultsOfBareCall } from '../hostile/bare-inputs.ts';
import {
  equalIds,
  hidingArguments,
  type Listed,
  malformedArguments,
  manyCalls,
  pausedAnswers,
  repeatedIds,
  strangeCalls,
} from '../hostile/listed-model.ts';
import { faultsOfModel } from '../hostile/play-model.ts';
import { faultsOfRestart } from '../hostile/play-restart.ts';
import {
  type Asking,
  type HostileConversation,
  type HostileOptions,
  hostileConversation,
  pieceLengthFor,
} from '../hostile/random-model.ts';
import { expectNoFaults } from '../hostile/seeds.ts';
import { can, canPause } from '../need.ts';
import type { Family, Scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';

const needs: Scenario['needs'] = [
  can(BeforeToolCall, 'block'),
  can(BeforeToolCall, 'modify.approval'),
  can(AfterToolCall),
];

const holds =
  'what hooks see, a person approves and the tool gets is the same data, each call is answered once, and nothing fails';

/** The model, or its server, as an attacker: it sends any text as arguments, ids and names. */
export const hostileModel: Family = {
  name: 'a hostile model',
  scenarios: [
    ...listed('arguments that hide something', hidingArguments, { inside: true }),
    ...listed('arguments that are no JSON object', malformedArguments),
    ...listed('two calls of one answer with one id', equalIds, { inside: true }),
    ...listed('an id that an earlier call had', repeatedIds),
    ...listed('strange ids and names of tools', strangeCalls),
    ...listed('50 parallel calls', manyCalls),
    {
      rule: 'a bare tool, with inputs that JSON cannot show: what hooks see, a person approves and the tool gets is the same data',
      needs,
      plainOnly: true,
      play: ({ harness }) =>
        expectNoFaults(bareInputs.length, async (at) => {
          const input = bareInputs[at];
          return {
            faults: input === undefined ? [] : await faultsOfBareCall(harness, input),
            about: input?.what,
          };
        }),
    },
    {
      rule: 'calls of a hostile model, approved in another process: what hooks see there, a person approves and the tool gets is the same data, and each call runs once',
      needs: [...needs, canPause],
      play: ({ harness, stream }) =>
        expectNoFaults(pausedAnswers.length, async (at) => {
          const calls = pausedAnswers[at] ?? [];
          return { faults: await faultsOfRestart(harness, stream, calls), about: calls };
        }),
    },
    {
      rule: 'random calls of a hostile model, approved in another process: what hooks see there, a person approves and the tool gets is the same data, and each call runs once',
      needs: [...needs, canPause],
      play: ({ harness, stream }) =>
        expectNoFaults(drawn(4), async (seed) => {
          const { runs } = hostileConversation(seed, { asking: ['native'], inside: false });
          const calls = runs[0]?.[0] ?? [];
          return { faults: await faultsOfRestart(harness, stream, calls), about: calls };
        }),
    },
    random('random arguments, ids and names of tools', [], 12, {
      asking: ['approver', 'approver', 'nobody'],
      inside: false,
    }),
    random('native: random arguments, ids and names of tools', [canPause], 8, {
      asking: ['native'],
      inside: false,
    }),
    random('random arguments, ids and names of tools, in a sub-agent', [can(SubagentStart)], 4, {
      asking: ['approver', 'nobody'],
      inside: true,
    }),
  ],
};

/** The scenarios for listed conversations: approved in place and by a pause; sent by an agent and by its sub-agent. */
function listed(
  what: string,
  conversations: readonly Listed[],
  { inside: also = false } = {},
): readonly Scenario[] {
  const scenario = (rule: string, more: Scenario['needs'], asking: Asking, inside: boolean): Scenario => ({
    rule: `${rule}: ${holds}`,
    needs: [...needs, ...more],
    play: (stage) =>
      expectNoFaults(conversations.length, async (at) => {
        const one = { runs: [], ...conversations[at] };
        const conversation = { asking, inside, session: true, pieceLength: pieceLengthFor(one.runs), ...one };
        return { faults: await faultsIn(stage, conversation, at), about: conversation };
      }),
  });
  return [
    scenario(what, [], 'approver', false),
    scenario(`native: ${what}`, [canPause], 'native', false),
    ...(also ? [scenario(`${what}, in a sub-agent`, [can(SubagentStart)], 'approver', true)] : []),
  ];
}

function random(what: string, more: Scenario['needs'], few: number, options: HostileOptions): Scenario {
  return {
    rule: `${what}: ${holds}`,
    needs: [...needs, ...more],
    play: (stage) =>
      expectNoFaults(drawn(few), async (seed) => {
        const conversation = hostileConversation(seed, options);
        return { faults: await faultsIn(stage, conversation, seed), about: conversation };
      }),
  };
}

/** Streamed conversations take turns in the forms of a stream. */
function faultsIn(stage: Stage, conversation: HostileConversation, at: number): Promise<readonly string[]> {
  const { harness, stream } = stage;
  // A harness may not find a pause in every form.
  const forms = conversation.asking === 'native' ? [{}] : stage.forms();
  return faultsOfModel(harness, conversation, { stream, form: forms[at % forms.length]?.form });
}
