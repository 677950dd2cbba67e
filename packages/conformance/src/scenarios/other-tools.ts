import {
  AfterToolCall,
  BeforeModelCall,
  BeforeToolCall,
  block,
  modify,
  proceed,
  requireApproval,
  retry,
} from '@hooks/core';
import { expect } from 'vitest';
import { z } from 'zod';
import type { AttachSpec, ToolSpec } from '../harness.ts';
import { can, canPause } from '../need.ts';
import type { Family } from '../scenario.ts';
import type { Played, Stage } from '../stage.ts';
import { askWeather, expectAnswered } from './script.ts';

/** Another tool or function runs in place of the one that the model called. */
export const otherTools: Family = {
  name: 'a replaced or skipped tool',
  scenarios: [
    {
      rule: 'Modify of toolName runs the new tool, and every event from then on says which runs',
      needs: [can(BeforeToolCall, 'modify.toolName'), can(AfterToolCall)],
      async play(stage) {
        rename(stage);
        const events = stage.events();
        const tools = [stage.tool('weather'), stage.tool('archive')];
        const played = await stage.play(askWeather, { tools });
        expectAnswered(played);
        expect(stage.ran).toEqual([{ tool: 'archive', input: { city: 'Rome' } }]);
        expect(played.read['c1']).toContain('Rome');
        await stage.hooks.settled();
        const told = events.filter(({ type }) => ['before_tool_call', 'after_tool_call'].includes(type));
        expect(told).toHaveLength(2);
        for (const event of told) {
          expect(event).toMatchObject({ toolName: 'archive', renamedTo: expect.stringMatching(/archive$/) });
          expect(event).toHaveProperty('nativeToolName', expect.stringMatching(/weather$/));
        }
      },
    },
    {
      rule: 'Modify of toolName to a tool that a hook took from the model blocks the call and names the hook',
      needs: [can(BeforeToolCall, 'modify.toolName'), can(BeforeModelCall, 'modify.tools')],
      async play(stage) {
        stage.hooks.on(BeforeModelCall, ({ tools }) =>
          modify({ tools: tools.filter(({ name }) => !name.endsWith('archive')) }),
        );
        const played = await playRenamed(stage, stage.tool('archive'));
        expect(played.read['c1']).toContain('renamer');
        expect(played.read['c1']).toContain('was not offered to the model');
      },
    },
    {
      rule: 'Modify of toolName runs the guards of the new tool',
      needs: [can(BeforeToolCall, 'modify.toolName'), can(BeforeToolCall, 'block')],
      async play(stage) {
        stage.hooks.guard(BeforeToolCall.matching('archive'), () => block('The archive is closed.'));
        const played = await playRenamed(stage, stage.tool('archive'));
        expect(played.read).toEqual({ c1: 'The archive is closed.' });
      },
    },
    {
      rule: 'Modify of toolName shows the guards of the new tool its descriptor',
      needs: [can(BeforeToolCall, 'modify.toolName'), can(BeforeToolCall, 'block')],
      async play(stage) {
        const archive = stage.tool('archive');
        const seen: unknown[] = [];
        stage.hooks.guard(BeforeToolCall.matching('archive'), async ({ tool }) => {
          seen.push(tool?.description, Object.keys(Object(await tool?.inputSchema?.()).properties));
          return block('The archive is closed.');
        });
        await playRenamed(stage, archive);
        expect(seen).toEqual([archive.description, ['city']]);
      },
    },
    {
      rule: 'Modify of toolName to a tool without the approver of the called one blocks the call and names the hook',
      needs: [can(BeforeToolCall, 'modify.toolName'), can(BeforeToolCall, 'modify.approval')],
      async play(stage) {
        stage.hooks.guard(BeforeToolCall.matching('archive'), () => requireApproval('Nobody reads it.'));
        const approval = () => ({ decision: 'allow' }) as const;
        const weather = stage.tool('weather', undefined, { hooks: [stage.hooks], attach: { approval } });
        const played = await playRenamed(stage, stage.tool('archive'), {}, weather);
        expect(played.read['c1']).toContain('renamer');
      },
    },
    {
      rule: 'Modify of toolName blocks an input that does not fit the schema of the new tool',
      needs: [can(BeforeToolCall, 'modify.toolName')],
      async play(stage) {
        const archive = { ...stage.tool('archive'), schema: z.object({ year: z.number() }) };
        const played = await playRenamed(stage, archive);
        expect(played.read['c1']).toMatch(/input does not fit the schema/);
      },
    },
    {
      rule: 'Modify of toolName to a tool with an approval of the framework blocks the call and names the hook',
      needs: [can(BeforeToolCall, 'modify.toolName'), canPause],
      async play(stage) {
        const archive = stage.tool('archive', undefined, { needsApproval: true });
        const played = await playRenamed(stage, archive, { approval: 'native' });
        expect(played.result.pending).toEqual([]);
        expect(played.read['c1']).toContain('renamer');
      },
    },
    {
      rule: 'Modify of execute replaces the tool, gets the effective input, fails as the tool would, and runs again on Retry',
      needs: [can(BeforeToolCall, 'modify.execute'), can(AfterToolCall, 'retry')],
      async play(stage) {
        const given: unknown[] = [];
        const elsewhere = (input: unknown) => {
          if (given.push(input) === 1) throw new Error('The line is dead.');
          return 'cloudy';
        };
        stage.hooks.on(BeforeToolCall, () => modify({ input: { city: 'Oslo' }, execute: elsewhere }));
        stage.hooks.on(AfterToolCall, ({ status }) => (status === 'error' ? retry('once more') : proceed()));
        const played = await stage.play(askWeather);
        expectAnswered(played);
        expect(given).toEqual([{ city: 'Oslo' }, { city: 'Oslo' }]);
        expect(stage.ran).toEqual([]);
        expect(played.read).toEqual({ c1: 'cloudy' });
      },
    },
  ],
};

/** A hook renames a call of `weather` to `archive`, which must not run. */
async function playRenamed(
  stage: Stage,
  archive: ToolSpec,
  attach: AttachSpec = {},
  weather: ToolSpec = stage.tool('weather'),
): Promise<Played> {
  rename(stage);
  const cast = { tools: [weather, archive], attach };
  const played = await stage.play(askWeather, cast, { session: 's1' });
  expectAnswered(played);
  expect(stage.ran).toEqual([]);
  return played;
}

function rename({ hooks }: Stage): void {
  hooks.on(BeforeToolCall.matching('weather'), () => modify({ toolName: 'archive' }), { id: 'renamer' });
}
