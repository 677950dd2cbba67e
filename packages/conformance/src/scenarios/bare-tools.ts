import {
  AfterToolCall,
  BeforeToolCall,
  block,
  modify,
  proceed,
  requireApproval,
  retry,
  TransformToolResult,
} from '@hooks/core';
import { expect } from 'vitest';
import { can } from '../need.ts';
import type { Family, Scenario } from '../scenario.ts';
import { outOfOrder } from './script.ts';

/** Tools that are hooked outside of any agent. */
export const bareTools: Family = {
  name: 'a bare tool',
  scenarios: [
    once('an empty registry leaves its answer as it is', [], async (stage) => {
      const tool = stage.tool('weather');
      const bare = await stage.callTool(tool, { hooks: [] });
      expect(await stage.callTool(tool)).toEqual(bare);
    }),
    once(
      'Block keeps it from running, and the caller gets the reason',
      [can(BeforeToolCall, 'block')],
      async (stage) => {
        stage.hooks.on(BeforeToolCall, () => block('No forecasts today.'));
        const { blockReason } = await stage.callTool();
        expect(stage.ran).toEqual([]);
        expect(blockReason).toBe('No forecasts today.');
      },
    ),
    once(
      'Modify of input runs it with the new input',
      [can(BeforeToolCall, 'modify.input')],
      async (stage) => {
        stage.hooks.on(BeforeToolCall, () => modify({ input: { city: 'Oslo' } }));
        await stage.callTool();
        expect(stage.ran).toEqual([{ tool: 'weather', input: { city: 'Oslo' } }]);
      },
    ),
    once(
      'Modify of output gives the caller the new output',
      [can(TransformToolResult, 'modify.output')],
      async (stage) => {
        stage.hooks.on(TransformToolResult, () => modify({ output: 'rainy' }));
        const { output } = await stage.callTool();
        expect(JSON.stringify(output)).toContain('rainy');
      },
    ),
    once('Retry runs it again', [can(AfterToolCall, 'retry')], async (stage) => {
      let runs = 0;
      const flaky = stage.tool('weather', (city) => {
        if (++runs === 1) throw new Error('The line is dead.');
        return `cloudy in ${city}`;
      });
      stage.hooks.on(AfterToolCall, ({ status }) => (status === 'error' ? retry('once more') : proceed()));
      const { output, error } = await stage.callTool(flaky);
      expect(error).toBeUndefined();
      expect(JSON.stringify(output)).toContain('cloudy in Rome');
    }),
    once(
      'a hook that throws keeps it from running, and the reason names the hook',
      [can(BeforeToolCall, 'block')],
      async (stage) => {
        stage.hooks.on(BeforeToolCall, outOfOrder, { id: 'broken-gate' });
        const { blockReason } = await stage.callTool();
        expect(stage.ran).toEqual([]);
        expect(blockReason).toContain('broken-gate');
      },
    ),
    once('a registry attached to it twice runs each hook once', [can(BeforeToolCall)], async (stage) => {
      let asked = 0;
      stage.hooks.on(BeforeToolCall, () => {
        asked++;
        return proceed();
      });
      await stage.callTool(stage.tool('weather'), { hooks: [stage.hooks, stage.hooks] });
      expect(asked).toBe(1);
      expect(stage.ran).toHaveLength(1);
    }),
    once(
      'a required approval goes to the approver, and is denied without one',
      [can(BeforeToolCall, 'modify.approval')],
      async (stage) => {
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        expect((await stage.callTool()).blockReason).toContain('approval');
        expect(stage.ran).toEqual([]);
        const attach = { approval: () => ({ decision: 'allow', input: { city: 'Bonn' } }) as const };
        await stage.callTool(stage.tool('weather'), { attach });
        expect(stage.ran).toEqual([{ tool: 'weather', input: { city: 'Bonn' } }]);
      },
    ),
    once('an abort during a hook keeps it from running', [can(BeforeToolCall)], async (stage) => {
      const abort = new AbortController();
      stage.hooks.on(BeforeToolCall, async () => {
        abort.abort();
        return proceed();
      });
      const { error } = await stage.callTool(stage.tool('weather'), { signal: abort.signal });
      expect(stage.ran).toEqual([]);
      expect(error).toMatchObject({ name: 'AbortError' });
    }),
    once('the later of two registries is outermost', [can(BeforeToolCall, 'modify.input')], async (stage) => {
      const [inner, outer] = [stage.registry(), stage.registry()];
      inner.on(BeforeToolCall, ({ input }) => modify({ input: { city: `${cityOf(input)}-inner` } }));
      outer.on(BeforeToolCall, ({ input }) => modify({ input: { city: `${cityOf(input)}-outer` } }));
      await stage.harness.callTool(
        stage.tool('weather'),
        { city: 'Rome' },
        { hooks: [inner, outer], attach: {} },
      );
      expect(stage.ran).toEqual([{ tool: 'weather', input: { city: 'Rome-outer-inner' } }]);
    }),
    once('its session starts and ends with the call', [], async (stage) => {
      const events = stage.events();
      await stage.callTool();
      await stage.hooks.settled();
      const types = events.map(({ type }) => type);
      expect(types.at(0)).toBe('session_start');
      expect(types.at(-1)).toBe('session_end');
    }),
  ],
};

function once(rule: string, needs: Scenario['needs'], play: Scenario['play']): Scenario {
  return { rule, needs, play, plainOnly: true };
}

function cityOf(input: unknown): string {
  return (input as { readonly city: string }).city;
}
