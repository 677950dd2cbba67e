import { BeforeToolCall, type EventPayload, HookEvent, proceed, requireApproval } from '@hooks/core';
import { expect } from 'vitest';
import { can } from '../need.ts';
import type { Family } from '../scenario.ts';
import type { Played, Stage } from '../stage.ts';
import { askWeather } from './script.ts';

/** Only a hook's decision changes anything. */
export const onlyDecisionsChange: Family = {
  name: 'only decisions change anything',
  scenarios: [
    {
      rule: 'hooks that write into their events change nothing',
      needs: [can(BeforeToolCall)],
      async play(stage) {
        expect(await playWith(stage, overwrite)).toEqual(await playWith(stage, () => {}));
      },
    },
    {
      rule: 'an observer that writes into an approval request changes nothing: the approved call runs',
      needs: [can(BeforeToolCall, 'modify.approval')],
      async play(stage) {
        stage.hooks.on(BeforeToolCall, () => requireApproval('Sure?'));
        stage.hooks.observe(HookEvent, (event, decision) => {
          overwrite(event);
          overwrite(decision);
        });
        await stage.play(askWeather, {
          tools: [stage.tool('weather')],
          attach: {
            approval: async ({ input }) => {
              overwrite(input);
              return { decision: 'allow' };
            },
          },
        });
        expect(stage.ran).toEqual([{ tool: 'weather', input: { city: 'Rome' } }]);
      },
    },
  ],
};

/**
 * The requests to the model and the tools that ran, with hooks that call a function on each event before and after its
 * decision.
 */
async function playWith(
  stage: Stage,
  look: (shown: unknown) => void,
): Promise<{ readonly ran: unknown; readonly read: Played['read']; readonly texts: readonly unknown[] }> {
  using _before = stage.hooks.on(BeforeToolCall, (event) => (look(event), proceed()));
  using _guard = stage.hooks.guard(BeforeToolCall, (event) => (look(event), proceed()));
  using _observer = stage.hooks.observe(HookEvent, (event: EventPayload, decision) => {
    look(event);
    look(decision);
  });
  const before = stage.ran.length;
  const { requests, read } = await stage.play(askWeather, { tools: [stage.tool('weather')] });
  return { ran: stage.ran.slice(before), read, texts: requests.map(({ messages }) => messages) };
}

/** Overwrites everything reachable, except sessions, which keep state on purpose, and the framework's own objects. */
function overwrite(value: unknown, seen: Set<unknown> = new Set()): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  for (const key of Reflect.ownKeys(value)) {
    if (key === 'session' || key === 'native' || key === 'ref') continue;
    overwrite(Reflect.get(value, key), seen);
    Reflect.set(value, key, 'overwritten');
  }
}
