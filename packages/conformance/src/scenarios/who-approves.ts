import {
  type ApprovalAnswer,
  type ApprovalRequest,
  BeforeToolCall,
  PermissionRequest,
  requireApproval,
} from '@hooks/core';
import { expect } from 'vitest';
import type { AttachSpec } from '../harness.ts';
import { can, canPause } from '../need.ts';
import type { Family, Scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';
import { askWeather, expectAnswered } from './script.ts';
import { citiesOf } from './ways-to-attach.ts';

/** The option of a registry. `function` is an approver that allows. */
type Option = 'native' | 'function' | 'deny' | 'unset';

/** Who approves a call of a hooked tool of a hooked agent. */
interface Case {
  readonly agent: Option;
  readonly tool: Option;
  /** Whose hooks require approval. */
  readonly requires: readonly ('agent' | 'tool')[];
  /** Whether the framework itself requires it. */
  readonly asks: boolean;
}

const SAYS: Readonly<Record<Option, string>> = {
  native: 'has `approval: native`',
  function: 'has an approver',
  deny: 'has `approval: deny`',
  unset: 'says nothing',
};

/** In one process; `restarts` has the same for a yes from another one. */
export const whoApproves: Family = {
  name: 'who approves a call',
  scenarios: (['native', 'function', 'deny', 'unset'] as const).flatMap((agent) =>
    [false, true].map((asks) => scenario(agent, asks)),
  ),
};

function scenario(agent: Option, asks: boolean): Scenario {
  const tools = ['function', 'deny', 'unset'] as const;
  const required = [[], ['agent'], ['tool'], ['agent', 'tool']] as const;
  return {
    rule: `each question about a call goes to the one who answers it, and a yes of a person is none to others: the agent ${SAYS[agent]}${asks ? ', and the tool itself asks' : ''}`,
    needs: [can(BeforeToolCall, 'modify.approval'), can(PermissionRequest), canPause],
    async play(stage) {
      for (const tool of tools)
        for (const requires of required) await play(stage, { agent, tool, requires, asks });
    },
  };
}

async function play(stage: Stage, one: Case): Promise<void> {
  const label = JSON.stringify(one);
  const both = { agent: stage.registry(), tool: stage.registry() };
  // Without a hook, nobody would be concerned.
  for (const hooks of Object.values(both)) hooks.observe(BeforeToolCall, () => {});
  for (const who of one.requires) both[who].on(BeforeToolCall, () => requireApproval(`The ${who} asks.`));
  const asked: string[] = [];
  const attachOf = (who: 'agent' | 'tool'): AttachSpec => {
    const approval = (_: ApprovalRequest): ApprovalAnswer => {
      asked.push(who);
      return { decision: 'allow' };
    };
    const option = one[who];
    return option === 'unset' ? {} : { approval: option === 'function' ? approval : option };
  };
  const tool = stage.tool('weather', undefined, {
    needsApproval: one.asks,
    hooks: [both.tool],
    attach: attachOf('tool'),
  });
  const actor = await stage.agent(askWeather, {
    tools: [tool],
    hooks: [both.agent],
    attach: attachOf('agent'),
  });
  const session = label;
  const expected = expectedOf(one);
  let played = await actor.run({ session });
  expect([label, played.result.pending.map(({ callId }) => callId)]).toEqual([
    label,
    expected.has('person') ? ['c1'] : [],
  ]);
  if (expected.has('person')) played = await actor.resume(session, [{ callId: 'c1', decision: 'allow' }]);
  expectAnswered(played);
  const runs = !expected.has('nobody');
  expect([label, citiesOf(stage)]).toEqual([label, runs ? ['Rome'] : []]);
  const functions = [...expected].filter((who) => who === 'agent' || who === 'tool');
  expect([label, asked.toSorted()]).toEqual([label, runs ? functions.sort() : []]);
  stage.ran.length = 0;
}

/** Who answers: the approvers of the agent and of the tool, a person, or nobody, so that nobody else is asked. */
function expectedOf({ agent, tool, requires, asks }: Case): ReadonlySet<string> {
  const of = (option: Option, who: string): string =>
    ({ native: 'person', function: who, deny: 'nobody', unset: 'unset' })[option];
  const outer = of(agent, 'agent');
  const inner = tool === 'unset' ? outer : of(tool, 'tool');
  const ofTool = tool === 'function' ? 'tool' : agent === 'function' ? 'agent' : 'person';
  const who = new Set(requires.map((each) => (each === 'agent' ? outer : inner)));
  if (who.delete('unset')) who.add(asks && ofTool === 'person' ? 'person' : 'nobody');
  if (asks) who.add(ofTool);
  return who.has('nobody') ? new Set(['nobody']) : who;
}
