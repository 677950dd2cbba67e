import {
  AfterModelCall,
  AfterToolCall,
  addContext,
  BeforeModelCall,
  BeforeToolCall,
  block,
  type EventPayload,
  HookEvent,
  type Hooks,
  modify,
  proceed,
  retry,
  SessionEnd,
  Stop,
  TransformToolResult,
  TurnEnd,
  TurnStart,
} from '@hooks/core';
import { expect } from 'vitest';
import type { Step } from '../model-server/index.ts';
import { can, type Need } from '../need.ts';
import type { Family, Scenario } from '../scenario.ts';
import type { Played, Stage } from '../stage.ts';
import { call, expectAnswered } from './script.ts';

/** A hook that is registered while a run goes on decides on what the run does next, whether or not there was one before. */
export const registeredLate: Family = {
  name: 'hooks registered while a run goes on',
  scenarios: [
    late('a Block of the next tool call', {
      needs: [can(BeforeToolCall, 'block')],
      register: (hooks) => hooks.guard(BeforeToolCall.matching('weather'), () => block('From now on not.')),
      check(stage, { read }) {
        expect(stage.ran.map(({ tool }) => tool)).toEqual(['register']);
        expect(read).toMatchObject({ c2: 'From now on not.' });
      },
    }),
    late('a replaced result of the next tool call', {
      needs: [can(TransformToolResult, 'modify.output')],
      register: (hooks) =>
        hooks.on(TransformToolResult.matching('weather'), () => modify({ output: 'withheld' })),
      check: (_stage, { read }) => expect(read).toMatchObject({ c2: 'withheld' }),
    }),
    late('a Retry of the next tool call', {
      needs: [can(AfterToolCall, 'retry')],
      register: (hooks) =>
        hooks.on(AfterToolCall.matching('weather'), ({ attempt }) =>
          attempt === 1 ? retry('Once more.') : proceed(),
        ),
      check: (stage) => expect(stage.ran.map(({ tool }) => tool)).toEqual(['register', 'weather', 'weather']),
    }),
    late('context for the next model call', {
      needs: [can(BeforeModelCall, 'modify.context')],
      register: (hooks) => hooks.on(BeforeModelCall, () => addContext('It is late.')),
      check: expectLateContext,
    }),
    late('context for the next turn', {
      needs: [can(TurnStart, 'modify.context')],
      register: (hooks) => hooks.on(TurnStart, () => addContext('It is late.')),
      check: expectLateContext,
    }),
    late('a Block of the next model call', {
      needs: [can(BeforeModelCall, 'block')],
      register: (hooks) => hooks.on(BeforeModelCall, () => block('No more.')),
      check(_stage, { requests, result }) {
        expect([requests.length, result.blockReason]).toEqual([1, 'No more.']);
      },
      isRefused: true,
    }),
    late('a replaced answer', {
      needs: [can(AfterModelCall, 'modify.response')],
      register: (hooks) =>
        hooks.on(AfterModelCall, ({ response }) =>
          response.text === 'Done.' ? modify({ response: { ...response, text: 'Replaced.' } }) : proceed(),
        ),
      check(_stage, { result }) {
        expect(result.text).toBe('Replaced.');
        expect(JSON.stringify(result.seen)).not.toContain('Done.');
      },
      isRefused: true,
    }),
    late('a Block of the next answer', {
      needs: [can(AfterModelCall, 'block')],
      register: (hooks) =>
        hooks.on(AfterModelCall, ({ response: { text } }) =>
          text === 'Done.' ? block('Not that.') : proceed(),
        ),
      check(_stage, { result }) {
        expect(result.blockReason).toBe('Not that.');
        expect(JSON.stringify(result.seen)).not.toContain('Done.');
      },
      isRefused: true,
    }),
    late('a Retry at the end', {
      needs: [can(Stop, 'retry')],
      register: (hooks) =>
        hooks.on(Stop, ({ continuations }) => (continuations === 0 ? retry('Give the source.') : proceed())),
      check: (_stage, { requests }) =>
        expect(requests.at(-1)?.messages.at(-1)).toMatchObject({ role: 'user', content: 'Give the source.' }),
    }),
    {
      rule: 'an observer that is registered while a run goes on is told of its further turns and its end as one that was there before',
      needs: [can(BeforeToolCall), can(TurnStart), can(TurnEnd), can(SessionEnd)],
      async play(stage) {
        const [idle, watched] = [stage.registry(), stage.registry()];
        const all = stage.events(watched);
        const some: EventPayload[] = [];
        await played(stage, idle, () =>
          idle.observe(HookEvent, (event) => void some.push(event), { id: 'everything' }),
        );
        await played(stage, watched, () => {});
        for (const hooks of [idle, watched]) await hooks.settled();
        // The call that registers it has begun.
        expect(restOf(some)).toEqual(restOf(all));
        expect(restOf(some).at(-1)).toEqual(['session_end', undefined]);
      },
    },
  ],
};

/** A rule about a hook that is registered while a run goes on. */
interface Late {
  readonly needs: readonly Need[];
  readonly register: (hooks: Hooks) => unknown;
  readonly check: (stage: Stage, played: Played) => void;
  /** The run does not come to the model's own answer. */
  readonly isRefused?: boolean;
}

function late(what: string, { needs, register, check, isRefused = false }: Late): Scenario {
  return {
    rule: `${what}, of a hook that is registered while a run goes on, which began with hooks or without`,
    needs,
    async play(stage) {
      for (const began of [false, true]) {
        stage.ran.length = 0;
        const hooks = stage.registry();
        if (began) hooks.observe(SessionEnd, () => {});
        const one = await played(stage, hooks, () => register(hooks));
        if (!isRefused) expectAnswered(one);
        check(stage, one);
      }
    },
  };
}

/** The context is in all requests but the first. */
function expectLateContext(_stage: Stage, { requests: [first, ...others] }: Played): void {
  expect(first?.system).not.toContain('It is late.');
  for (const { system } of others) expect(system).toContain('It is late.');
}

const script: readonly Step[] = [
  { toolCalls: [call('c1', 'register', 'Rome')] },
  { toolCalls: [call('c2', 'weather', 'Rome')] },
  { text: 'Done.' },
  { text: 'Done.' },
];

/** A run in which the first tool call registers a hook, and the second one follows in the next turn. */
function played(stage: Stage, hooks: Hooks, register: () => unknown): Promise<Played> {
  const registering = stage.tool('register', () => {
    register();
    return 'registered';
  });
  return stage.play(script, { hooks: [hooks], tools: [registering, stage.tool('weather')] });
}

/** The events from the second of the three turns on, but `Stop`, each with the number of its model call if it has one. */
function restOf(events: readonly EventPayload[]): readonly unknown[] {
  const rows = events
    .filter(({ type }) => type !== Stop.type)
    .map((event) => [event.type, Reflect.get(event, 'iteration')]);
  const turns = rows.flatMap(([type], at) => (type === TurnStart.type ? [at] : []));
  return rows.slice(turns.at(-2));
}
