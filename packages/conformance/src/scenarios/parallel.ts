import { AfterToolCall, BeforeToolCall, block, modify, proceed } from '@hooks/core';
import { expect } from 'vitest';
import { can } from '../need.ts';
import type { Family } from '../scenario.ts';
import { call, calls, expectAnswered } from './script.ts';

const three = calls(
  call('rome', 'weather', 'Rome'),
  call('oslo', 'weather', 'Oslo'),
  call('bonn', 'weather', 'Bonn'),
);
const cityOf = (input: unknown): unknown => (input as { readonly city?: unknown }).city;

/** Several calls in one turn. */
export const parallel: Family = {
  name: 'parallel calls',
  scenarios: [
    {
      rule: 'parallel calls are decided independently, and each is answered once',
      needs: [can(BeforeToolCall, 'block'), can(BeforeToolCall, 'modify.input')],
      async play(stage) {
        stage.hooks.on(BeforeToolCall, async ({ input }) => {
          if (cityOf(input) === 'Oslo') return block('Not Oslo.');
          return cityOf(input) === 'Bonn' ? modify({ input: { city: 'Köln' } }) : proceed();
        });
        const played = await stage.play(three);
        expectAnswered(played);
        expect(played.requests).toHaveLength(2);
        expect(played.read).toEqual({ rome: 'sunny in Rome', oslo: 'Not Oslo.', bonn: 'sunny in Köln' });
        expect(stage.ran.map(({ input }) => cityOf(input)).toSorted()).toEqual(['Köln', 'Rome']);
      },
    },
    {
      rule: 'parallel calls fire their own events once, each with its own call id',
      needs: [can(BeforeToolCall), can(AfterToolCall)],
      async play(stage) {
        const events = stage.events();
        await stage.play(three);
        for (const type of ['before_tool_call', 'after_tool_call']) {
          const ids = events
            .filter((event) => event.type === type)
            .map((event) => 'callId' in event && event.callId);
          expect(ids.toSorted()).toEqual(['bonn', 'oslo', 'rome']);
        }
      },
    },
    {
      rule: 'a failing hook blocks only its own call',
      needs: [can(BeforeToolCall, 'block')],
      async play(stage) {
        stage.hooks.on(
          BeforeToolCall,
          async ({ input }) => {
            if (cityOf(input) === 'Oslo') throw new Error('out of order');
            return proceed();
          },
          { id: 'broken-gate' },
        );
        const played = await stage.play(three);
        expectAnswered(played);
        expect(played.read).toMatchObject({ rome: 'sunny in Rome', bonn: 'sunny in Bonn' });
        expect(played.read['oslo']).toContain('broken-gate');
      },
    },
  ],
};
