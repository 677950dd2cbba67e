import { AfterToolCall, BeforeToolCall, SubagentStart } from '@hooks/core';
import { drawn } from '../draw.ts';
import { faultsOfModel } from '../hostile/play-model.ts';
import { type HostileOptions, hostileConversation } from '../hostile/random-model.ts';
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
    {
      rule: `random arguments, ids and names of tools: ${holds}`,
      needs,
      play: (stage) => expectHeld(stage, 20, { asking: ['approver', 'approver', 'nobody'], inside: false }),
    },
    {
      rule: `native: random arguments, ids and names of tools: ${holds}`,
      needs: [...needs, canPause],
      play: (stage) => expectHeld(stage, 15, { asking: ['native'], inside: false }),
    },
    {
      rule: `random arguments, ids and names of tools in a sub-agent: ${holds}`,
      needs: [...needs, can(SubagentStart)],
      play: (stage) => expectHeld(stage, 5, { asking: ['approver', 'nobody'], inside: true }),
    },
  ],
};

function expectHeld(stage: Stage, few: number, options: HostileOptions): Promise<void> {
  const { harness, stream } = stage;
  const forms = stage.forms();
  return expectNoFaults(drawn(few), async (seed) => {
    const conversation = hostileConversation(seed, options);
    const { form } = forms[seed % forms.length] ?? {};
    const faults = await faultsOfModel(harness, conversation, { stream, form });
    return { faults, about: conversation };
  });
}
