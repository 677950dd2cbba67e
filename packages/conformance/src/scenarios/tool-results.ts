import { AfterToolCall, block, modify, TransformToolResult } from '@hooks/core';
import { expect } from 'vitest';
import { can } from '../need.ts';
import type { Family } from '../scenario.ts';
import { askWeather, expectAnswered } from './script.ts';

/** Decisions about a tool's result. */
export const toolResults: Family = {
  name: "decisions about a tool's result",
  scenarios: [
    {
      rule: 'Modify of output on TransformToolResult gives the model the new output',
      needs: [can(TransformToolResult, 'modify.output')],
      async play(stage) {
        stage.hooks.on(TransformToolResult, ({ output }) => modify({ output: `${output}, they say` }));
        const played = await stage.play(askWeather);
        expectAnswered(played);
        expect(played.read).toEqual({ c1: 'sunny in Rome, they say' });
      },
    },
    {
      rule: 'Modify of output on AfterToolCall gives the model the new output',
      needs: [can(AfterToolCall, 'modify.output')],
      async play(stage) {
        stage.hooks.on(AfterToolCall, () => modify({ output: 'rainy' }));
        const played = await stage.play(askWeather);
        expectAnswered(played);
        expect(played.read).toEqual({ c1: 'rainy' });
      },
    },
    {
      rule: 'Modify of output with an object gives the model its JSON, as for the output of a tool',
      needs: [can(AfterToolCall, 'modify.output')],
      async play(stage) {
        stage.hooks.on(AfterToolCall, () => modify({ output: { sky: 'grey' } }));
        const played = await stage.play(askWeather);
        expect(JSON.parse(played.read['c1'] ?? '')).toEqual({ sky: 'grey' });
      },
    },
    {
      rule: 'Block on AfterToolCall withholds the output, and the model reads the reason',
      needs: [can(AfterToolCall, 'block')],
      async play(stage) {
        stage.hooks.on(AfterToolCall, () => block('Not for you.'));
        const played = await stage.play(askWeather);
        expectAnswered(played);
        expect(stage.ran).toHaveLength(1);
        expect(played.read['c1']).toContain('Not for you.');
        expect(played.read['c1']).not.toContain('sunny');
      },
    },
  ],
};
