import { BeforeRun, TurnStart } from '@hooks/core';
import { expect } from 'vitest';
import { can } from '../need.ts';
import type { Family } from '../scenario.ts';
import { conversations } from '../sequences/conversations.ts';
import { sequences } from '../sequences/expected.ts';
import { linesOf, withoutUnsupported } from '../sequences/record.ts';

/**
 * Every adapter fires the same events, in the same order, with the same fields, apart from the gaps that its table
 * names.
 */
export const fieldEquality: Family = {
  name: 'field equality',
  scenarios: conversations.map(({ name, needs, play, leaveOut = [] }) => ({
    rule: `${name}: the events and their fields equal those of every adapter`,
    // An adapter for tools alone does not know the run and turn of a call.
    needs: [can(BeforeRun), can(TurnStart), ...needs],
    async play(stage) {
      const events = stage.events();
      await play(stage);
      await stage.hooks.close();
      const { supports } = stage.harness;
      expect(withoutUnsupported(linesOf(events, { leaveOut }), supports)).toEqual(
        withoutUnsupported(sequences[name] ?? [], supports),
      );
    },
  })),
};
