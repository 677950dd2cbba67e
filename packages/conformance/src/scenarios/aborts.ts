import {
  AfterModelCall,
  AfterToolCall,
  BeforeModelCall,
  BeforeRun,
  BeforeToolCall,
  type HandlerContext,
  type Hooks,
  proceed,
  requireApproval,
  retry,
  SessionEnd,
  Stop,
  TransformToolResult,
  TurnStart,
  UserPromptSubmit,
} from '@hooks/core';
import { expect } from 'vitest';
import { can } from '../need.ts';
import type { Family } from '../scenario.ts';
import { askWeather } from './script.ts';

/** The user aborts the run. */
export const aborts: Family = {
  name: 'abort',
  scenarios: [
    {
      rule: 'an abort while a hook decides about a call keeps the tool from running, calls no model and ends the session',
      needs: [can(BeforeToolCall), can(SessionEnd)],
      async play(stage) {
        const abort = new AbortController();
        let ended = 0;
        stage.hooks.observe(SessionEnd, () => void ended++);
        stage.hooks.on(BeforeToolCall, async () => {
          abort.abort();
          await Promise.resolve();
          return proceed();
        });
        const played = await stage.play(askWeather, {}, { signal: abort.signal });
        expect(stage.ran).toEqual([]);
        expect(played.requests).toHaveLength(1);
        expect(played.result.text).not.toBe('Done.');
        await stage.hooks.settled();
        expect(ended).toBe(1);
      },
    },
    {
      rule: 'an abort while the tool runs reaches the signal of the tool; nothing is retried and no model call follows',
      needs: [can(BeforeToolCall), can(AfterToolCall)],
      async play(stage) {
        const abort = new AbortController();
        stage.hooks.on(BeforeToolCall, () => proceed());
        stage.hooks.on(AfterToolCall, () => proceed());
        const tool = stage.tool(
          'weather',
          (_city, signal) =>
            new Promise((_resolve, reject) => {
              signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
              abort.abort();
            }),
        );
        const played = await stage.play(askWeather, { tools: [tool] }, { signal: abort.signal });
        expect(stage.ran).toHaveLength(1);
        expect(played.requests).toHaveLength(1);
        expect(played.result.text).not.toBe('Done.');
      },
    },
    {
      rule: 'a call whose tool works on after an abort ends before its session does, and `settled` waits for both',
      needs: [can(BeforeToolCall), can(AfterToolCall), can(SessionEnd)],
      async play(stage) {
        const abort = new AbortController();
        const told: string[] = [];
        stage.hooks.on(BeforeToolCall, () => proceed());
        stage.hooks.observe(AfterToolCall, ({ ran }) => void told.push(`call, ran: ${ran}`));
        stage.hooks.observe(SessionEnd, () => void told.push('session'));
        const actor = await stage.agent(askWeather, {
          tools: [
            stage.tool('weather', async () => {
              abort.abort();
              // Whoever waits for nothing has ended the run by then.
              await roundTrips(actor.server.url);
              return 'sunny';
            }),
          ],
        });
        const played = await actor.run({ signal: abort.signal });
        await stage.hooks.settled();
        expect(told).toEqual(['call, ran: true', 'session']);
        expect(stage.ran).toHaveLength(1);
        expect(played.result.text).not.toBe('Done.');
      },
    },
    {
      rule: 'an abort reaches the signal of a running hook, on every event',
      needs: [...asking().map(({ point }) => can(point)), can(Stop)],
      async play(stage) {
        for (const { point, register } of [...asking(), stopping()]) {
          const hooks = stage.registry();
          const abort = new AbortController();
          const told: boolean[] = [];
          register(hooks, async ({ signal }) => {
            abort.abort();
            told.push(signal.aborted);
          });
          await stage.play(askWeather, { hooks: [hooks] }, { signal: abort.signal });
          expect([point.type, told]).toEqual([point.type, [true]]);
        }
      },
    },
    {
      rule: 'a hook that rejects because of the abort does not turn the run into a blocked one',
      needs: asking().map(({ point }) => can(point)),
      async play(stage) {
        for (const { point, register } of asking()) {
          const hooks = stage.registry();
          const abort = new AbortController();
          register(hooks, async ({ signal }) => {
            abort.abort(new Error('The user has left.'));
            signal.throwIfAborted();
          });
          const played = await stage.play(askWeather, { hooks: [hooks] }, { signal: abort.signal });
          expect([point.type, played.result.blockReason]).toEqual([point.type, undefined]);
        }
      },
    },
    {
      rule: 'an abort during a hook on the prompt, run, turn or model call keeps the model from being called',
      needs: [can(UserPromptSubmit), can(BeforeRun), can(TurnStart), can(BeforeModelCall)],
      async play(stage) {
        for (const register of [
          (hooks: Hooks, abort: () => Promise<void>) =>
            hooks.on(UserPromptSubmit, () => abort().then(proceed)),
          (hooks: Hooks, abort: () => Promise<void>) => hooks.on(BeforeRun, () => abort().then(proceed)),
          (hooks: Hooks, abort: () => Promise<void>) => hooks.on(TurnStart, () => abort().then(proceed)),
          (hooks: Hooks, abort: () => Promise<void>) =>
            hooks.on(BeforeModelCall, () => abort().then(proceed)),
        ]) {
          const hooks = stage.registry();
          const abort = new AbortController();
          register(hooks, async () => abort.abort());
          const played = await stage.play(askWeather, { hooks: [hooks] }, { signal: abort.signal });
          expect(played.requests).toEqual([]);
        }
      },
    },
    {
      rule: 'an abort during a hook on the answer of the model keeps the called tools from running',
      needs: [can(AfterModelCall)],
      async play(stage) {
        const abort = new AbortController();
        stage.hooks.on(AfterModelCall, async () => {
          abort.abort();
          return proceed();
        });
        const played = await stage.play(askWeather, {}, { signal: abort.signal });
        expect(stage.ran).toEqual([]);
        expect(played.requests).toHaveLength(1);
      },
    },
    {
      rule: 'an abort during an approval reaches the approver, and the tool does not run even if approved',
      needs: [can(BeforeToolCall, 'modify.approval')],
      async play(stage) {
        const abort = new AbortController();
        let told: boolean | undefined;
        stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
        const attach = {
          approval: (_request: object, { signal }: { readonly signal: AbortSignal | undefined }) => {
            abort.abort();
            told = signal?.aborted;
            return { decision: 'allow' } as const;
          },
        };
        const played = await stage.play(askWeather, { attach }, { signal: abort.signal });
        expect(told).toBe(true);
        expect(stage.ran).toEqual([]);
        expect(played.requests).toHaveLength(1);
      },
    },
    {
      rule: 'an abort during the delay of a Retry keeps the tool from running again and calls no model',
      needs: [can(AfterToolCall, 'retry')],
      async play(stage) {
        const abort = new AbortController();
        stage.hooks.on(AfterToolCall, ({ attempt, status }) => {
          if (attempt > 1 || status !== 'ok') return proceed();
          setImmediate(() => abort.abort());
          return retry('once more', { delayMs: 500 });
        });
        const played = await stage.play(askWeather, {}, { signal: abort.signal });
        expect(stage.ran).toHaveLength(1);
        expect(played.requests).toHaveLength(1);
      },
    },
    {
      rule: 'an abort during the delay of a model Retry keeps the model from being called again',
      needs: [can(AfterModelCall, 'retry')],
      async play(stage) {
        const abort = new AbortController();
        const actor = await stage.agent(askWeather);
        stage.hooks.on(AfterModelCall, ({ attempt }) => {
          if (attempt > 1) return proceed();
          void roundTrips(actor.server.url).finally(() => abort.abort());
          return retry('once more', { delayMs: 60_000 });
        });
        const played = await actor.run({ signal: abort.signal });
        expect(played.requests).toHaveLength(1);
        expect(played.result.text).not.toBe('Done.');
        expect(played.result.blockReason).toBeUndefined();
      },
    },
  ],
};

/** Waits long enough for an adapter that ignores the abort to call the model again. */
async function roundTrips(url: string): Promise<void> {
  for (let nth = 0; nth < 10; nth++)
    await fetch(url).then(
      (response) => response.text(),
      () => {}, // the scenario is over
    );
}

/** Registers a hook that waits and proceeds. */
interface Asking {
  readonly point: { readonly type: string };
  readonly register: (hooks: Hooks, wait: (context: HandlerContext) => Promise<void>) => void;
}

/** Hooks that run before the model's answer is final. */
function asking(): readonly Asking[] {
  return [
    {
      point: UserPromptSubmit,
      register: (hooks, wait) =>
        void hooks.on(UserPromptSubmit, (_prompt, context) => wait(context).then(proceed)),
    },
    {
      point: BeforeRun,
      register: (hooks, wait) => void hooks.on(BeforeRun, (_run, context) => wait(context).then(proceed)),
    },
    {
      point: TurnStart,
      register: (hooks, wait) => void hooks.on(TurnStart, (_turn, context) => wait(context).then(proceed)),
    },
    {
      point: BeforeModelCall,
      register: (hooks, wait) =>
        void hooks.on(BeforeModelCall, (_call, context) => wait(context).then(proceed)),
    },
    {
      point: AfterModelCall,
      register: (hooks, wait) =>
        void hooks.on(AfterModelCall, (_answer, context) => wait(context).then(proceed)),
    },
    {
      point: BeforeToolCall,
      register: (hooks, wait) =>
        void hooks.on(BeforeToolCall, (_call, context) => wait(context).then(proceed)),
    },
    {
      point: TransformToolResult,
      register: (hooks, wait) =>
        void hooks.on(TransformToolResult, (_result, context) => wait(context).then(proceed)),
    },
  ];
}

function stopping(): Asking {
  return {
    point: Stop,
    register: (hooks, wait) => void hooks.on(Stop, (_answer, context) => wait(context).then(proceed)),
  };
}
