import {
  AgentSwitch,
  addContext,
  BeforeModelCall,
  BeforeToolCall,
  block,
  proceed,
  requireApproval,
  SessionEnd,
  SessionStart,
  SubagentStart,
  SubagentStop,
  TurnEnd,
  UserInputRequired,
  UserPromptSubmit,
} from '@hooks/core';
import { expect } from 'vitest';
import type { RunOptions } from '../harness.ts';
import type { Script, ScriptedToolCall } from '../model-server/index.ts';
import { can, canPause, type Need, reaches } from '../need.ts';
import type { Family } from '../scenario.ts';
import type { Played, Stage } from '../stage.ts';
import { call, callOf, calls, expectAnswered } from './script.ts';

/** The adapter recognizes a run that a tool's own code starts. */
const byToolCode: Need = { event: SubagentStart.type, kind: 'tool_code' };

/** A call inside a sub-agent can pause the outer run. */
const pausesInside: Need = { event: UserInputRequired.type, kind: 'subagent' };

/** Agents that other agents call or hand over to. */
export const agents: Family = {
  name: 'sub-agents and handoffs',
  scenarios: [
    {
      rule: 'a sub-agent starts and stops in the session of its parent, and its own session has the parent',
      needs: [can(SubagentStart), can(SubagentStop)],
      async play(stage) {
        const events = stage.events();
        expectAnswered(await playSubagent(stage));
        const [start] = events.filter(({ type }) => type === 'subagent_start');
        const [stop] = events.filter(({ type }) => type === 'subagent_stop');
        expect(start).toMatchObject({ subagent: 'meteorologist', session: { id: stage.sessionId('s1') } });
        expect(stop).toMatchObject({
          subagent: 'meteorologist',
          response: 'Sunny.',
          session: { id: stage.sessionId('s1') },
        });
        const [turn] = events.filter(({ type }) => type === 'turn_start');
        if (turn !== undefined) expect([start?.turn, stop?.turn]).toEqual([turn.turn, turn.turn]);
        const inside = events.find((event) => 'callId' in event && event.callId === 'inner');
        expect(inside?.session.parent?.id).toBe(stage.sessionId('s1'));
      },
    },
    {
      rule: 'SubagentStart and SubagentStop have the session of the sub-agent',
      needs: [can(SubagentStart), can(SubagentStop)],
      async play(stage) {
        const events = stage.events();
        expectAnswered(await playSubagent(stage));
        const inside = events.find((event) => 'callId' in event && event.callId === 'inner');
        const told = events.filter(({ type }) => type === 'subagent_start' || type === 'subagent_stop');
        expect(told).toMatchObject([
          { type: 'subagent_start', subagentSession: inside?.session.id },
          { type: 'subagent_stop', subagentSession: inside?.session.id },
        ]);
      },
    },
    {
      rule: 'the tools of a sub-agent are hooked',
      needs: [can(BeforeToolCall, 'block'), can(SubagentStart)],
      async play(stage) {
        stage.hooks.on(BeforeToolCall.matching('weather'), () => block('No forecasts today.'));
        const played = await playSubagent(stage);
        expectAnswered(played);
        expect(stage.ran).toEqual([]);
        expect(played.read).toMatchObject({ inner: 'No forecasts today.' });
      },
    },
    {
      rule: 'hooks with the option `agents` run only for those agents',
      needs: [can(BeforeToolCall, 'block'), can(BeforeModelCall, 'modify.context'), can(SubagentStart)],
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => block('Not for them.'), { agents: 'meteorologist' });
        stage.hooks.on(BeforeModelCall, () => addContext('You lead.'), { agents: 'assistant' });
        const played = await playSubagent(stage);
        expectAnswered(played);
        expect(played.read).toMatchObject({
          inner: 'Not for them.',
          outer: expect.stringContaining('Sunny.'),
        });
        for (const { system } of played.requests)
          expect(system.includes('You lead.')).toBe(!system.includes('meteorologist'));
      },
    },
    {
      rule: 'context stays in its own session and run and reaches neither a sub-agent nor its caller',
      needs: [
        can(SessionStart, 'modify.context'),
        can(UserPromptSubmit, 'modify.context'),
        can(SubagentStart),
      ],
      async play(stage) {
        stage.hooks.on(SessionStart, ({ session }) => addContext(session.parent ? 'Below.' : 'Above.'));
        stage.hooks.on(UserPromptSubmit, () => addContext('The user is new here.'));
        const played = await playSubagent(stage);
        expectAnswered(played);
        for (const { system } of played.requests) {
          const below = system.includes('meteorologist');
          expect(system.includes('Below.')).toBe(below);
          expect(system.includes('Above.')).toBe(!below);
          expect(system.includes('The user is new here.')).toBe(!below);
        }
      },
    },
    {
      rule: 'concurrent sub-agents have their own sessions, and each session ends',
      needs: [can(SubagentStart), can(SubagentStop), can(SessionEnd)],
      async play(stage) {
        const events = stage.events();
        const cast = { tools: [], subagents: [meteorologist(stage)] };
        expectAnswered(
          await stage.play(withAgent(['one', 'two'], { text: 'Done.' }), cast, { session: 's1' }),
        );
        await stage.hooks.settled();
        const inside = events.filter(({ session }) => session.parent !== undefined);
        const sessions = new Set(inside.map(({ session }) => session.id));
        expect(sessions.size).toBe(2);
        for (const id of sessions) {
          const types = inside.filter(({ session }) => session.id === id).map(({ type }) => type);
          expect(types.filter((type) => type === 'before_tool_call')).toHaveLength(1);
          expect([types.at(0), types.at(-1)]).toEqual(['session_start', 'session_end']);
        }
      },
    },
    {
      rule: 'a sub-agent whose run a hook ends answers with the reason, and its caller continues',
      needs: [can(BeforeToolCall, 'block'), can(SubagentStart), can(SubagentStop)],
      async play(stage) {
        stage.hooks.on(BeforeToolCall.matching('weather'), () => block('That is enough.', { stop: true }));
        const events = stage.events();
        const played = await playSubagent(stage);
        expectAnswered(played);
        expect(played.requests).toHaveLength(3);
        expect(played.result.blockReason).toBeUndefined();
        expect(played.read['outer']).toContain('That is enough.');
        expect(events.find(({ type }) => type === 'subagent_stop')).toMatchObject({
          response: 'That is enough.',
        });
      },
    },
    {
      rule: 'native: a sub-agent whose run a hook ends cancels its pending approval, and that call does not run',
      needs: [
        can(BeforeToolCall, 'block'),
        can(BeforeToolCall, 'modify.approval'),
        can(SubagentStop),
        canPause,
      ],
      async play(stage) {
        stage.hooks.on(BeforeToolCall.matching('weather'), () => requireApproval('It costs money.'));
        stage.hooks.on(BeforeToolCall.matching('forecast'), () => block('That is enough.', { stop: true }));
        const subagents = [meteorologist(stage, 'forecast')];
        const both = [call('inner', 'weather', 'Rome'), call('other', 'forecast', 'Rome')];
        const script = withAgent(['outer'], { text: 'Done.' }, both);
        const cast = { tools: [], subagents, attach: { approval: 'native' } } as const;
        const played = await stage.play(script, cast, { session: 's1' });
        expectAnswered(played);
        expect(stage.ran).toEqual([]);
        expect(played.read['outer']).toContain('That is enough.');
      },
    },
    {
      rule: 'native: a call of a sub-agent is a pending approval, and once it is approved the same sub-agent continues',
      needs: [can(BeforeToolCall, 'modify.approval'), pausesInside, can(SubagentStart), can(SubagentStop)],
      async play(stage) {
        stage.hooks.on(BeforeToolCall.matching('weather'), () => requireApproval('It costs money.'));
        const events = stage.events();
        const cast = {
          tools: [],
          subagents: [meteorologist(stage)],
          attach: { approval: 'native' },
        } as const;
        const actor = await stage.agent(withAgent(['outer'], { text: 'Done.' }), cast);
        const { result } = await actor.run({ session: 's1' });
        expect(result.pending).toMatchObject([{ toolName: 'weather', input: { city: 'Rome' } }]);
        expect(stage.ran).toEqual([]);
        // Some frameworks pause the call of the sub-agent instead.
        const answers = result.pending.map(({ callId }) => ({ callId, decision: 'allow' }) as const);
        const after = await actor.resume('s1', answers);
        expectAnswered(after);
        expect(stage.ran).toHaveLength(1);
        await stage.hooks.settled();
        for (const type of ['subagent_start', 'subagent_stop'])
          expect(events.filter((event) => event.type === type)).toHaveLength(1);
        const asked = events.filter((event) => 'toolName' in event && event.toolName === 'weather');
        expect(asked.filter(({ type }) => type === 'before_tool_call')).toHaveLength(1);
        stage.witness(pausesInside);
      },
    },
    {
      rule: 'a sub-agent that fails ends its turn with error, stops once, and ends its session once',
      needs: [can(SubagentStart), can(SubagentStop), can(TurnEnd), can(SessionEnd)],
      async play(stage) {
        const events = stage.events();
        const asking = withAgent(['outer'], { text: 'Done.' });
        const fails: Script = (request) =>
          request.system.includes('meteorologist') ? { status: 400, error: 'No credit.' } : asking(request);
        const cast = { tools: [], subagents: [meteorologist(stage)] };
        await stage.play(fails, cast, { session: 's1' });
        await stage.hooks.settled();
        const inside = events.filter(({ session }) => session.parent !== undefined);
        expect(inside.filter(({ type }) => type === 'turn_end')).toMatchObject([{ reason: 'error' }]);
        expect(inside.filter(({ type }) => type === 'session_end')).toHaveLength(1);
        expect(events.filter(({ type }) => type === 'subagent_stop')).toHaveLength(1);
      },
    },
    {
      rule: 'the first message of a sub-agent fires no UserPromptSubmit',
      needs: [can(SubagentStart), can(UserPromptSubmit)],
      async play(stage) {
        const prompts: string[] = [];
        stage.hooks.on(UserPromptSubmit, ({ prompt }) => {
          prompts.push(prompt);
          return proceed();
        });
        expectAnswered(await playSubagent(stage));
        expect(prompts).toEqual(['How is the weather?']);
      },
    },
    {
      rule: 'a hooked agent that a tool runs is a sub-agent in the session of the outer run, and its message fires no UserPromptSubmit',
      needs: [byToolCode, can(SubagentStop), can(UserPromptSubmit)],
      async play(stage) {
        const { name, instructions, tools } = meteorologist(stage);
        const station = await stage.agent(
          [{ toolCalls: [call('inner', 'weather', 'Rome')] }, { text: 'Sunny.' }],
          { name, instructions, tools },
        );
        const ask = stage.tool('station', async (_city, _signal, inside) => {
          const { result } = await station.run({ prompt: 'And in Rome?', inside });
          return result.text;
        });
        const events = stage.events();
        const script = calls(call('outer', 'station', 'Rome'));
        const played = await stage.play(script, { tools: [ask] }, { session: 's1' });
        expectAnswered(played);
        expect(played.read).toEqual({ outer: 'Sunny.' });
        await stage.hooks.settled();
        const told = (type: string) => events.filter((event) => event.type === type);
        expect(told('user_prompt_submit')).toMatchObject([{ prompt: 'How is the weather?' }]);
        const inside = events.find((event) => 'callId' in event && event.callId === 'inner');
        expect(inside?.session.parent?.id).toBe(stage.sessionId('s1'));
        const sub = {
          session: { id: stage.sessionId('s1') },
          subagent: name,
          subagentSession: inside?.session.id,
        };
        expect(told('subagent_start')).toMatchObject([sub]);
        expect(told('subagent_stop')).toMatchObject([{ ...sub, response: 'Sunny.' }]);
        stage.witness(byToolCode);
      },
    },
    {
      rule: 'Block on BeforeToolCall keeps a sub-agent that is called as a tool from starting',
      needs: [reaches(BeforeToolCall, 'agent'), can(BeforeToolCall, 'block')],
      async play(stage) {
        stage.hooks.on(BeforeToolCall, ({ toolName }) =>
          toolName.includes('meteorologist') ? block('Ask nobody.') : proceed(),
        );
        const played = await playSubagent(stage);
        expectAnswered(played);
        expect(stage.ran).toEqual([]);
        expect(played.requests).toHaveLength(2);
        expect(played.read).toMatchObject({ outer: 'Ask nobody.' });
      },
    },
    {
      rule: 'a delegated task fires AgentSwitch in both directions',
      needs: [
        { event: AgentSwitch.type, kind: 'transfer_task' },
        { event: AgentSwitch.type, kind: 'transfer_task_return' },
      ],
      async play(stage) {
        const events = stage.events();
        expectAnswered(await playSubagent(stage));
        expect(events.filter(({ type }) => type === 'agent_switch')).toMatchObject([
          { from: 'assistant', to: 'meteorologist', switchKind: 'transfer_task' },
          { from: 'meteorologist', to: 'assistant', switchKind: 'transfer_task_return' },
        ]);
      },
    },
    {
      rule: 'a handoff fires AgentSwitch, and the tools of the next agent are hooked',
      needs: [{ event: AgentSwitch.type, kind: 'handoff' }, can(BeforeToolCall, 'block')],
      async play(stage) {
        const events = stage.events();
        stage.hooks.on(BeforeToolCall.matching('weather'), () => block('No forecasts today.'));
        const played = await stage.play(
          withAgent(['handoff'], { text: 'Unreachable.' }),
          { tools: [], handoffs: [meteorologist(stage)] },
          { session: 's1' },
        );
        expectAnswered(played, 'Sunny.');
        expect(events.filter(({ type }) => type === 'agent_switch')).toMatchObject([
          { from: 'assistant', to: 'meteorologist', switchKind: 'handoff' },
        ]);
        expect(stage.ran).toEqual([]);
        expect(played.read).toMatchObject({ inner: 'No forecasts today.' });
      },
    },
  ],
};

function meteorologist(stage: Stage, ...more: readonly string[]) {
  return {
    name: 'meteorologist',
    description: 'Knows the weather.',
    instructions: 'You are the meteorologist.',
    tools: ['weather', ...more].map((name) => stage.tool(name)),
  };
}

/** An agent calls the meteorologist, who calls its tool. */
export function playSubagent(stage: Stage, options: Pick<RunOptions, 'user'> = {}): Promise<Played> {
  return stage.play(
    withAgent(['outer'], { text: 'Done.' }),
    { tools: [], subagents: [meteorologist(stage)] },
    { session: 's1', ...options },
  );
}

/**
 * The first agent calls the meteorologist once per id and then answers. The meteorologist calls its tools and says
 * 'Sunny.'.
 */
function withAgent(
  ids: readonly string[],
  answer: { readonly text: string },
  toolCalls: readonly ScriptedToolCall[] = [call('inner', 'weather', 'Rome')],
): Script {
  return (request) => {
    const answered = (callId = '') => request.messages.some(({ toolCallId }) => toolCallId === callId);
    if (request.system.includes('meteorologist')) {
      return answered('inner') ? { text: 'Sunny.' } : { toolCalls };
    }
    if (answered(ids[0])) return answer;
    return { toolCalls: ids.map((id) => callOf(request, 'meteorologist', id)) };
  };
}
