import {
  AfterModelCall,
  AfterToolCall,
  BeforeModelCall,
  BeforeRun,
  BeforeToolCall,
  SessionStart,
  Stop,
  TurnEnd,
  TurnStart,
  UserPromptSubmit,
} from '@hooks/core';
import { expect } from 'vitest';
import { drawn } from '../draw.ts';
import { expectEach } from '../hostile/seeds.ts';
import { findText } from '../leak.ts';
import type { ModelRequest, Script } from '../model-server/index.ts';
import { can } from '../need.ts';
import { answerAt, type PrescribedRequest, prescribeConversation } from '../prescribed-conversation.ts';
import {
  callIdAt,
  type RandomConversation,
  randomConversation,
  registerConversation,
} from '../random-conversation.ts';
import { tellPolicy } from '../random-hook.ts';
import type { Family } from '../scenario.ts';
import type { Stage } from '../stage.ts';
import { call, conversation } from './script.ts';

const needs = [
  ...[SessionStart, TurnStart, BeforeToolCall, AfterToolCall].map((point) => can(point, 'modify.context')),
  ...['block', 'modify.prompt', 'modify.context'].map((decision) => can(UserPromptSubmit, decision)),
  ...['block', 'modify.settings'].map((decision) => can(BeforeRun, decision)),
  ...[
    'block',
    'modify.instructions',
    'modify.messages',
    'modify.tools',
    'modify.settings',
    'modify.context',
  ].map((decision) => can(BeforeModelCall, decision)),
  ...['block', 'modify.response', 'retry'].map((decision) => can(AfterModelCall, decision)),
  ...[BeforeToolCall, AfterToolCall].map((point) => can(point, 'block')),
  ...['block', 'retry'].map((decision) => can(Stop, decision)),
  can(TurnEnd),
];

/** Whole sessions with random policies, compared with what the design prescribes. */
export const randomConversations: Family = {
  name: 'random conversations',
  scenarios: [
    {
      rule: 'random hooks on prompts, runs, turns, model calls and answers give the prescribed requests, answers and ends of runs',
      needs,
      play: (stage) =>
        expectEach(drawn(30), (seed) => expectPrescribed(stage, seed, randomConversation(seed))),
    },
  ],
};

async function expectPrescribed(stage: Stage, seed: number, random: RandomConversation): Promise<void> {
  const hooks = stage.registry();
  registerConversation(hooks, random);
  const turns: string[] = [];
  const stops: string[] = [];
  hooks.observe(TurnEnd, ({ reason }) => void turns.push(reason));
  hooks.observe(Stop, ({ response }) => void stops.push(response));
  let asked = 0;
  const script: Script = () => {
    const { kind, text } = answerAt(random, ++asked);
    return kind === 'call' ? { text, toolCalls: [call(callIdAt(asked), 'weather', 'Rome')] } : { text };
  };
  const tools = [stage.tool('weather'), stage.tool('archive')];
  const actor = await stage.agent(script, { tools, hooks: [hooks] });
  const prescribed = prescribeConversation(random);
  const policy = tellPolicy(`conversation ${seed}`, Object.values(random.hooks).flat());
  // Messages of a run that a hook ended may be missing from the history: Mastra stores none of them.
  const said = new Set<string>();
  const known = (requests: readonly PrescribedRequest[]) =>
    requests.map((request) => ({
      ...request,
      users: request.users.filter((text) => !said.has(text.replace(/!*$/, ''))),
      assistants: request.assistants.filter((text) => !said.has(text)),
    }));
  for (const [at, prompt] of random.prompts.entries()) {
    const { result, requests } = await actor.run({ prompt, ...(random.session && { session: 's1' }) });
    await hooks.settled();
    const {
      requests: expected = [],
      text,
      by,
      said: saidIn = [],
      withheld = [],
      ...ends
    } = prescribed[at] ?? {};
    const why = `${policy}in its run ${at + 1}\n`;
    expect(known(requests.map(asAsked)), why).toEqual(known(expected));
    expect({ turns: turns.splice(0), stops: stops.splice(0) }, why).toEqual(ends);
    for (const text of withheld) expect(findText(result, text), why).toBeUndefined();
    if (by !== undefined) {
      expect(result.blockReason, why).toContain(by);
      for (const text of saidIn) said.add(text);
    } else {
      expect(result.error, why).toBeUndefined();
      expect(result.blockReason, why).toBeUndefined();
      expect(result.text, why).toBe(text);
    }
  }
  const stored = random.session ? await actor.agent.stored('s1') : [];
  for (const text of ['context-', ...prescribed.flatMap(({ withheld }) => withheld)])
    expect(findText(stored, text), `${policy}${text} is stored`).toBeUndefined();
}

/** A request in the terms of the prescription. */
function asAsked(request: ModelRequest): PrescribedRequest {
  const said = conversation(request);
  const textsOf = (role: string): readonly string[] =>
    said.filter((one) => one.role === role && one.content !== '').map(({ content }) => content);
  return {
    instructions: request.system.match(/Be \w+\./g)?.join(' ') ?? '',
    context: request.system.match(/context-[\w-]+\./g) ?? [],
    users: textsOf('user'),
    // The reason of a hook that ended a run may be in the history as an answer.
    assistants: textsOf('assistant').filter((text) => /^\w{3}-\d{4}$/.test(text)),
    temperature: request.settings.temperature,
    tools: request.tools.map(({ name }) => name).toSorted(),
  };
}
