import {
  AfterModelCall,
  BeforeModelCall,
  BeforeRun,
  BeforeToolCall,
  block,
  type Hooks,
  requireApproval,
  Stop,
  UserPromptSubmit,
} from '@hooks/core';
import type { BlockedError } from '@hooks/core/adapter';
import { expect } from 'vitest';
import { can, canPause } from '../need.ts';
import type { Family } from '../scenario.ts';
import { askWeather, expectAnswered } from './script.ts';

/** Every adapter reports a refusal in the same way. */
export const refusals: Family = {
  name: 'the form of a refusal',
  scenarios: [
    {
      rule: 'a blocked bare tool that throws throws a BlockedError with the reason, the tool and whether the run ends',
      needs: [can(BeforeToolCall, 'block')],
      plainOnly: true,
      async play(stage) {
        for (const stop of [false, true]) {
          const hooks = stage.registry();
          hooks.on(BeforeToolCall, () => block('No forecasts today.', { stop }));
          const { error, blockReason } = await stage.callTool(stage.tool('weather'), { hooks: [hooks] });
          expect(blockReason).toBe('No forecasts today.');
          expect(refusalIn(error)).toEqual(
            error && { reason: 'No forecasts today.', toolName: 'weather', stop },
          );
        }
      },
    },
    {
      rule: 'a run that throws because a hook ended it throws a BlockedError with the reason and no tool',
      needs: [UserPromptSubmit, BeforeRun, BeforeModelCall, AfterModelCall, Stop].map((point) =>
        can(point, 'block'),
      ),
      async play(stage) {
        for (const register of ending) {
          const hooks = stage.registry();
          register(hooks);
          const { result } = await stage.play([{ text: 'Done.' }], { hooks: [hooks] });
          const { error, blockReason } = result;
          expect(blockReason).toBe('That is enough.');
          expect(refusalIn(error)).toMatchObject(
            error ? { reason: 'That is enough.', toolName: undefined } : {},
          );
        }
      },
    },
    {
      rule: 'blockReason is undefined unless a hook refused',
      needs: [can(BeforeToolCall)],
      async play(stage) {
        const { blockReason } = stage.harness;
        const others = [undefined, null, '', 'text', {}, [], new Error('No.'), { reason: 'No.' }];
        for (const other of others) expect(blockReason(other)).toBeUndefined();
        stage.hooks.on(BeforeToolCall, () => block('Not now.'));
        const played = await stage.play(askWeather);
        expectAnswered(played);
        expect(played.result.blockReason).toBeUndefined();
      },
    },
    {
      rule: 'native: pendingApprovals resolves to the waiting calls with callId, toolName, input, reason and hash, and to none if the run continued',
      needs: [can(BeforeToolCall, 'modify.approval'), canPause],
      async play(stage) {
        const { harness, hooks, stream } = stage;
        hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        const { agent } = await stage.agent(askWeather, { attach: { approval: 'native' } });
        const { result } = await agent.run('How is the weather?', { stream, session: 's1' });
        for (const state of [result, await agent.paused('s1')]) {
          const pending = harness.pendingApprovals(state);
          expect(pending).toBeInstanceOf(Promise);
          expect((await pending).map((call) => Object.keys(call).toSorted())).toEqual([
            ['callId', 'hash', 'input', 'reason', 'toolName'],
          ]);
        }
        const answers = [{ callId: 'c1', decision: 'allow' }] as const;
        const over = await agent.resume(answers, { stream, session: 's1' });
        expect(over.text).toBe('Done.');
        expect(await harness.pendingApprovals(over.result)).toEqual([]);
      },
    },
  ],
};

const enough = () => block('That is enough.');

const ending: readonly ((hooks: Hooks) => void)[] = [
  (hooks) => hooks.on(UserPromptSubmit, enough),
  (hooks) => hooks.on(BeforeRun, enough),
  (hooks) => hooks.on(BeforeModelCall, enough),
  (hooks) => hooks.on(AfterModelCall, enough),
  (hooks) => hooks.on(Stop, enough),
];

/** The fields of a BlockedError that is an error or its cause; undefined without an error. */
function refusalIn(error: unknown): Partial<BlockedError> | undefined {
  if (error === undefined) return undefined;
  for (let at: unknown = error; at instanceof Error; at = 'error' in at ? at.error : at.cause) {
    if (at.name !== 'BlockedError') continue;
    const { reason, toolName, stop } = at as BlockedError;
    return { reason, toolName, stop };
  }
  throw new Error('The thrown value is not a BlockedError.', { cause: error });
}
