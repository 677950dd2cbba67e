import {
  BeforeToolCall,
  block,
  type EventPayload,
  proceed,
  requireApproval,
  SubagentStart,
  SubagentStop,
} from '@hooks/core';
import { expect } from 'vitest';
import type { Script } from '../model-server/index.ts';
import { can, canPause } from '../need.ts';
import type { Family } from '../scenario.ts';
import { playSubagent } from './agents.ts';
import { askWeather, call, expectAnswered } from './script.ts';

/** The user in the framework's context reaches every event. */
export const principals: Family = {
  name: 'principals',
  scenarios: [
    {
      rule: 'every event of a run has the principal from the context of the framework, or none if the context names none',
      needs: [can(BeforeToolCall)],
      async play(stage) {
        const events = stage.events();
        const actor = await stage.agent(askEachTime);
        const seen: (string | undefined)[][] = [];
        for (const user of ['ann', 'bob', undefined]) {
          const before = events.length;
          expectAnswered(await actor.run({ session: 's1', ...(user !== undefined && { user }) }));
          await stage.hooks.settled();
          const told = events.slice(before);
          expect(told.map(({ type }) => type)).toContain('before_tool_call');
          seen.push(principalsOf(told));
        }
        expect(seen).toEqual([['ann'], ['bob'], [undefined]]);
      },
    },
    {
      rule: 'a run does not start where the option `principal` returns one without a visible id',
      needs: [can(BeforeToolCall)],
      async play(stage) {
        const events = stage.events();
        const actor = await stage.agent(askEachTime, { attach: { principal: '\u200b' } });
        const { result, requests } = await actor.run({ session: 's1' });
        await stage.hooks.settled();
        expect(String(result.error)).toContain('principal.id must be a string');
        expect(requests).toEqual([]);
        expect(stage.ran).toEqual([]);
        expect(events).toEqual([]);
      },
    },
    {
      rule: 'a limit per principal counts across sessions and concurrent runs, and charges nobody else',
      needs: [can(BeforeToolCall, 'block')],
      async play(stage) {
        const used = new Map<string, number>();
        stage.hooks.guard(BeforeToolCall, ({ principal: { id } = { id: 'nobody' } }) => {
          used.set(id, (used.get(id) ?? 0) + 1);
          return Number(used.get(id)) > 1 ? block(`${id} has used it up.`) : proceed();
        });
        const actor = await stage.agent(askEachTime);
        const run = async (session: string, user: string) => {
          const played = await actor.run({ session, user, prompt: `I am ${user} in ${session}.` });
          expectAnswered(played);
        };
        await Promise.all([run('s1', 'ann'), run('s2', 'bob')]);
        await run('s3', 'ann');
        const read = actor.server.requests.flatMap(({ messages }) => {
          const [prompt, answer] = [messages.find(({ role }) => role === 'user'), messages.at(-1)];
          return answer?.role === 'tool' ? [`${prompt?.content} ${answer.content}`] : [];
        });
        expect(stage.ran).toHaveLength(2);
        expect([...used]).toEqual(
          expect.arrayContaining([
            ['ann', 2],
            ['bob', 1],
          ]),
        );
        expect(read.at(-1)).toContain('I am ann in s3.');
        expect(read.at(-1)).toContain('ann has used it up.');
      },
    },
    {
      rule: 'a sub-agent inherits the principal of its caller',
      needs: [can(SubagentStart), can(SubagentStop)],
      async play(stage) {
        const events = stage.events();
        expectAnswered(await playSubagent(stage, { user: 'ann' }));
        await stage.hooks.settled();
        const inside = events.filter((event) => 'callId' in event && event.callId === 'inner');
        expect(inside.length).toBeGreaterThan(0);
        expect(principalsOf(events)).toEqual(['ann']);
      },
    },
    {
      rule: 'native: a resumed run keeps the principal that it began with',
      needs: [can(BeforeToolCall, 'modify.approval'), canPause],
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        const events = stage.events();
        const actor = await stage.agent(askWeather, { attach: { approval: 'native' } });
        await actor.run({ session: 's1', user: 'ann' });
        expectAnswered(await actor.resume('s1', [{ callId: 'c1', decision: 'allow' }], { user: 'ann' }));
        await stage.hooks.settled();
        expect(events.map(({ type }) => type)).toContain('after_tool_call');
        expect(principalsOf(events)).toEqual(['ann']);
      },
    },
    {
      rule: 'a bare tool call has the principal from the context of the framework',
      needs: [can(BeforeToolCall)],
      plainOnly: true,
      async play(stage) {
        const events = stage.events();
        await stage.callTool(stage.tool('weather'), { user: 'ann' });
        await stage.hooks.settled();
        expect(events.map(({ type }) => type)).toContain('before_tool_call');
        expect(principalsOf(events)).toEqual(['ann']);
      },
    },
  ],
};

/** The model asks for the weather after each prompt. */
const askEachTime: Script = ({ messages }) =>
  messages.at(-1)?.role === 'tool'
    ? { text: 'Done.' }
    : { toolCalls: [call(`c${messages.length}`, 'weather', 'Rome')] };

/** The distinct principals of the events. */
function principalsOf(events: readonly EventPayload[]): (string | undefined)[] {
  return [...new Set(events.map(({ principal }) => principal?.id))];
}
