import {
  AfterModelCall,
  AfterToolCall,
  BeforeModelCall,
  BeforeRun,
  BeforeToolCall,
  type Hooks,
  proceed,
  requireApproval,
  retry,
  SessionEnd,
  TurnStart,
  UserPromptSubmit,
} from '@hooks/core';
import { expect } from 'vitest';
import { can, type Family } from '../scenario.ts';
import { askWeather } from './script.ts';

/** The run's user ends it. */
export const aborts: Family = {
  name: 'abort',
  scenarios: [
    {
      rule: 'while a hook is asked about a call: the tool does not run, no model call follows, the session ends',
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
      rule: 'while the tool runs: the tool gets the signal, it is not tried again, no model call follows',
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
      rule: 'it reaches the signal of a hook that is being asked',
      needs: [can(BeforeToolCall)],
      async play(stage) {
        const abort = new AbortController();
        let told = false;
        stage.hooks.on(BeforeToolCall, async (_call, { signal }) => {
          abort.abort();
          told = signal.aborted;
          return proceed();
        });
        await stage.play(askWeather, {}, { signal: abort.signal });
        expect(told).toBe(true);
      },
    },
    {
      rule: 'while a hook is asked about the prompt, the run, the turn or the model call: no model is called',
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
      rule: 'while a hook is asked about what the model answered: the tools that it calls do not run',
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
      rule: 'while a person is asked: the approver is told, and after a yes the tool does not run',
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
      rule: 'while a Retry waits: the tool does not run again, and no model call follows',
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
  ],
};
