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
import type { AttachSpec, RunOptions } from '../harness.ts';
import { findText } from '../leak.ts';
import { can, canPause, type Need } from '../need.ts';
import type { Family, Scenario } from '../scenario.ts';
import type { Outcome, Stage } from '../stage.ts';
import { askWeather, expectAnswered } from './script.ts';

const enough = () => block('That is enough.', { stop: true });

/** The refusals that end a run in the place of an answer. */
const ending: readonly Ending[] = [
  {
    what: 'the reason of a refused prompt',
    needs: [can(UserPromptSubmit, 'block')],
    register: (hooks) => hooks.on(UserPromptSubmit, enough),
  },
  {
    what: 'the reason of a run that is refused at its start',
    needs: [can(BeforeRun, 'block')],
    register: (hooks) => hooks.on(BeforeRun, enough),
  },
  {
    what: 'the reason of a refused model call',
    needs: [can(BeforeModelCall, 'block')],
    register: (hooks) => hooks.on(BeforeModelCall, enough),
  },
  {
    what: 'the reason of a refused answer',
    needs: [can(AfterModelCall, 'block')],
    register: (hooks) => hooks.on(AfterModelCall, enough),
  },
  {
    what: 'the reason of a refused call that ends the run',
    needs: [can(BeforeToolCall, 'block')],
    register: (hooks) => hooks.on(BeforeToolCall, enough),
  },
];

interface Ending {
  readonly what: string;
  readonly needs: readonly Need[];
  readonly register: (hooks: Hooks) => void;
}

/** Whether runs of an adapter can end in a form. */
function takes(form: 'return' | 'throw'): NonNullable<Scenario['appliesTo']> {
  return ({ supports: { refused } }) => refused !== undefined && refused[form].level !== 'none';
}

/** The model wants to call a tool, and does not get that far. */
async function playRefused(
  stage: Stage,
  { register }: Ending,
  attach: AttachSpec,
  form: Pick<RunOptions, 'form'> = {},
): Promise<Outcome> {
  const hooks = stage.registry();
  register(hooks);
  const { result } = await stage.play(askWeather, { hooks: [hooks], attach }, form);
  expect(stage.ran).toEqual([]);
  return result;
}

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
    ...ending.flatMap((one): readonly Scenario[] => [
      {
        rule: `${one.what} is the text of the run, which returns a result`,
        needs: one.needs,
        appliesTo: takes('return'),
        async play(stage) {
          for (const attach of [{}, { refused: 'return' }] as const) {
            const { error, blockReason, text } = await playRefused(stage, one, attach);
            expect([error, blockReason, text]).toEqual([undefined, 'That is enough.', 'That is enough.']);
          }
          for (const form of stage.forms()) {
            const { blockReason, seen } = await playRefused(stage, one, {}, form);
            expect(blockReason).toBe('That is enough.');
            expect(findText(seen, 'That is enough.')).toBeDefined();
          }
        },
      },
      {
        rule: `${one.what} is thrown as a BlockedError if \`refused\` is throw`,
        needs: one.needs,
        appliesTo: takes('throw'),
        async play(stage) {
          const { error, blockReason } = await playRefused(stage, one, { refused: 'throw' });
          expect(blockReason).toBe('That is enough.');
          expect(refusalIn(error)).toEqual({ reason: 'That is enough.', toolName: undefined, stop: true });
        },
      },
    ]),
    {
      rule: 'the reason of a Block on Stop is thrown as a BlockedError if `refused` is throw',
      needs: [can(Stop, 'block')],
      appliesTo: takes('throw'),
      // A stream has shown the answer by then.
      plainOnly: true,
      async play(stage) {
        stage.hooks.on(Stop, enough);
        const { result } = await stage.play([{ text: 'Done.' }], { attach: { refused: 'throw' } });
        expect(refusalIn(result.error)?.reason).toBe('That is enough.');
      },
    },
    {
      rule: 'of two registries, the outermost that sets `refused` chooses the form',
      needs: [can(BeforeToolCall, 'block')],
      appliesTo: takes('throw'),
      async play(stage) {
        const isThrown = async (...attachEach: readonly AttachSpec[]) => {
          const hooks = attachEach.map(() => stage.registry());
          for (const each of hooks) each.on(BeforeToolCall, enough);
          const { result } = await stage.play(askWeather, { hooks, attachEach });
          expect(result.blockReason).toBe('That is enough.');
          return result.error !== undefined;
        };
        // The last one is outermost.
        expect(await isThrown({ refused: 'return' }, { refused: 'throw' })).toBe(true);
        expect(await isThrown({ refused: 'throw' }, { refused: 'return' })).toBe(false);
        expect(await isThrown({ refused: 'throw' }, {})).toBe(true);
      },
    },
    {
      rule: 'blockReason is undefined unless a hook refused',
      needs: [can(BeforeToolCall)],
      async play(stage) {
        const { blockReason } = stage.harness;
        const ofItself = new Error('No.');
        ofItself.cause = ofItself;
        const others = [undefined, null, '', 'text', {}, [], new Error('No.'), ofItself, { reason: 'No.' }];
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
