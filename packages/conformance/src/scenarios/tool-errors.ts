import { AfterToolCall, BeforeToolCall, modify, proceed, TransformToolResult } from '@hooks/core';
import { expect } from 'vitest';
import { z } from 'zod';
import type { ToolSpec } from '../harness.ts';
import type { Step } from '../model-server/index.ts';
import { can } from '../need.ts';
import type { Family } from '../scenario.ts';
import type { Played, Stage } from '../stage.ts';
import { askWeather, call, calls, expectAnswered } from './script.ts';

const broken = (stage: Stage): ToolSpec =>
  stage.tool('weather', () => {
    throw new Error('The station is down.');
  });

/** Tool errors and invalid calls reach the model as they would without hooks. */
export const toolErrors: Family = {
  name: 'errors and invalid calls',
  scenarios: [
    {
      rule: 'a tool that throws gives the same run as without hooks, and hooks see status error',
      needs: [can(BeforeToolCall), can(AfterToolCall)],
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => proceed());
        const events = stage.events();
        await expectAsBare(stage, askWeather, () => broken(stage));
        const ended = events.find(({ type }) => type === 'after_tool_call');
        expect(ended).toMatchObject({ status: 'error', ran: true, errorMessage: 'The station is down.' });
      },
    },
    {
      rule: 'Modify of errorMessage on TransformToolResult hides the original message',
      needs: [can(TransformToolResult, 'modify.errorMessage')],
      async play(stage) {
        stage.hooks.on(TransformToolResult, () => modify({ errorMessage: 'Try later.' }));
        const { requests, result } = await stage.play(askWeather, { tools: [broken(stage)] });
        expect(JSON.stringify(requests)).not.toContain('The station is down.');
        expect(String(result.error)).not.toContain('The station is down.');
      },
    },
    {
      rule: 'Modify of output on TransformToolResult turns a failed call into a successful one with that output',
      needs: [can(TransformToolResult, 'modify.errorMessage'), can(TransformToolResult, 'modify.output')],
      async play(stage) {
        stage.hooks.on(TransformToolResult, () => modify({ output: 'No weather today.' }));
        const events = stage.events();
        const played = await stage.play(askWeather, { tools: [broken(stage)] });
        expect(played.read).toEqual({ c1: 'No weather today.' });
        expect(JSON.stringify(played.requests)).not.toContain('The station is down.');
        expect(events.find(({ type }) => type === 'after_tool_call')).toMatchObject({
          status: 'ok',
          ran: true,
          output: 'No weather today.',
        });
      },
    },
    {
      rule: 'an input that does not fit the schema gets the answer of the framework; only AfterToolCall fires, with INVALID_INPUT',
      needs: [can(BeforeToolCall), can(AfterToolCall)],
      async play(stage) {
        let asked = 0;
        stage.hooks.on(BeforeToolCall, () => {
          asked++;
          return proceed();
        });
        const events = stage.events();
        const wrong = calls({ id: 'c1', name: 'weather', arguments: { city: 42 } });
        await expectAsBare(stage, wrong, () => stage.tool('weather'));
        expect(stage.ran).toEqual([]);
        expect(asked).toBe(0);
        const ended = events.find(({ type }) => type === 'after_tool_call');
        expect(ended).toMatchObject({ status: 'error', ran: false, code: 'INVALID_INPUT' });
      },
    },
    {
      rule: 'arguments that are not valid JSON give the same run as without hooks, and no tool runs',
      needs: [can(BeforeToolCall)],
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => proceed());
        const wrong = calls({ id: 'c1', name: 'weather', arguments: '{"city":' });
        await expectAsBare(stage, wrong, () => stage.tool('weather'));
        expect(stage.ran).toEqual([]);
      },
    },
    {
      rule: 'a call of an unknown tool gives the same run as without hooks',
      needs: [can(BeforeToolCall)],
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => proceed());
        await expectAsBare(stage, calls(call('c1', 'oracle', 'Rome')), () => stage.tool('weather'));
        expect(stage.ran).toEqual([]);
      },
    },
    {
      rule: 'a matcher with a schema stricter than that of the tool: a call that does not fit does not run, its hook does not run, the model reads what does not fit, and the run continues',
      needs: [can(BeforeToolCall), can(AfterToolCall)],
      async play(stage) {
        const asked: string[] = [];
        const romeOnly = z.object({ city: z.literal('Rome', { error: 'only Rome will do' }) });
        stage.hooks.guard(BeforeToolCall.matching('weather', romeOnly), ({ input }) => {
          asked.push(input.city);
          return proceed();
        });
        const events = stage.events();
        const played = await stage.play(
          calls(call('oslo', 'weather', 'Oslo'), call('rome', 'weather', 'Rome')),
        );
        expectAnswered(played);
        expect(asked).toEqual(['Rome']);
        expect(stage.ran).toEqual([{ tool: 'weather', input: { city: 'Rome' } }]);
        expect(played.read['oslo']).toContain('only Rome will do');
        expect(played.read['rome']).toBe('sunny in Rome');
        const ended = events.filter(({ type }) => type === 'after_tool_call');
        const oslo = ended.filter((event) => 'callId' in event && event.callId === 'oslo');
        expect(oslo).toMatchObject([{ status: 'error', code: 'INVALID_INPUT', ran: false }]);
      },
    },
    {
      rule: 'the model reads outputs of every type as it would without hooks',
      needs: [can(AfterToolCall)],
      async play(stage) {
        stage.hooks.on(AfterToolCall, () => proceed());
        for (const output of [{ sky: ['blue', 'wide'] }, ['blue'], 0, '', null, undefined])
          await expectAsBare(stage, askWeather, () => stage.tool('weather', () => output));
      },
    },
  ],
};

/** The hooked agent makes the same model calls and ends with the same answer or error as the bare one. */
async function expectAsBare(
  stage: Stage,
  script: readonly Step[],
  tool: () => ToolSpec,
): Promise<{ readonly hooked: Played }> {
  const bare = await stage.play(script, { tools: [tool()], hooks: [] });
  const hooked = await stage.play(script, { tools: [tool()] });
  expect(told(hooked)).toEqual(told(bare));
  expect(hooked.result.text).toBe(bare.result.text);
  expect(messageOf(hooked.result.error)).toBe(messageOf(bare.result.error));
  return { hooked };
}

/** The messages of the model calls. LangChain includes stack traces, which depend on what wraps a tool. */
function told({ requests }: Played): unknown {
  return requests.map(({ messages }) =>
    messages.map((message) => ({ ...message, content: message.content.replaceAll(/\n {4}at .*/g, '') })),
  );
}

function messageOf(error: unknown): string | undefined {
  if (error === undefined) return undefined;
  return error instanceof Error ? error.message : String(error);
}
