import { AgentError, MaxIterations, Notification } from '@hooks/core';
import { limits, loopDetection, maxIterations, rateLimit, retryTransient } from '@hooks/guards';
import { expect } from 'vitest';
import type { ToolUse } from '../play.ts';
import type { Scenario } from '../scenario.ts';

const pages = (...names: readonly string[]): readonly ToolUse[] => names.map((name) => ['fetch', name]);

/** Guards that end what goes on for too long, and the one that tries again. */
export const limitScenarios: readonly Scenario[] = [
  {
    rule: 'limits answers a tool call over its number, and the model goes on without',
    async run(play) {
      const { ran, read, words } = await play({
        policy: (hooks) => hooks.use(limits({ perTool: { fetch: { perRun: { toolCalls: 2 } } } })),
        calls: [...pages('a', 'b', 'c'), ['read', 'd']],
      });
      expect(ran).toEqual([...pages('a', 'b'), ['read', 'd']]);
      expect(read).toEqual(['ran', 'ran', expect.stringMatching(/^Blocked \(limits\/toolCalls\): /), 'ran']);
      expect(words).toBe('done');
    },
  },
  {
    rule: 'limits ends the run where the model calls are used up',
    async run(play) {
      const { ran, requests, words } = await play({
        policy: (hooks) => hooks.use(limits({ perRun: { modelCalls: 2 } })),
        calls: pages('a', 'b', 'c'),
      });
      expect(ran).toEqual(pages('a', 'b'));
      expect(requests).toHaveLength(2);
      expect(words).toContain('Blocked (limits/modelCalls)');
    },
  },
  {
    rule: 'limits counts the tokens that the model server tells',
    async run(play) {
      const { ran, requests, words } = await play({
        policy: (hooks) => hooks.use(limits({ perSession: { tokens: 30 } })),
        calls: pages('a', 'b', 'c'),
      });
      // 15 tokens a model call: the second one uses them up, so its tool call does not run.
      expect(ran).toEqual(pages('a'));
      expect(requests).toHaveLength(2);
      expect(words).toContain('Blocked (limits/tokens)');
    },
  },
  {
    rule: 'rateLimit refuses the call that comes too fast, and says how long to wait',
    async run(play) {
      const { ran, read } = await play({
        policy: (hooks) => hooks.use(rateLimit({ tools: 'fetch', toolCalls: 1, windowMs: 3_600_000 })),
        calls: pages('a', 'b'),
      });
      expect(ran).toEqual(pages('a'));
      expect(read).toEqual([
        'ran',
        expect.stringMatching(/^Blocked \(rate-limit\): .*Try again in \d+ s\.$/),
      ]);
    },
  },
  {
    rule: 'loopDetection ends the run at the same call over and over, and says that it was a loop',
    async run(play) {
      const told: string[] = [];
      const { ran, requests, words, turnEnds } = await play({
        policy: (hooks) => {
          hooks.use(loopDetection({ identicalCalls: 3 }));
          hooks.observe(AgentError, ({ message }) => told.push(`error: ${message}`));
          hooks.observe(Notification, ({ message }) => told.push(`notification: ${message}`));
        },
        calls: pages('a', 'b', 'b', 'b', 'b'),
      });
      expect(ran).toEqual(pages('a', 'b', 'b'));
      expect(requests).toHaveLength(4);
      const message = 'fetch was called 3 times in a row with the same input.';
      expect(words).toContain(`Blocked (loop-detection): ${message}`);
      expect(told).toEqual([`error: ${message}`, `notification: ${message}`]);
      expect(turnEnds).toHaveLength(4);
      expect(turnEnds.at(-1)).toBe('loop_detected');
    },
  },
  {
    rule: 'maxIterations is a hard stop after so many model calls',
    async run(play) {
      const told: string[] = [];
      const { ran, requests, words, turnEnds } = await play({
        policy: (hooks) => {
          hooks.use(maxIterations(2));
          hooks.observe(MaxIterations, ({ message }) => told.push(message));
        },
        calls: pages('a', 'b', 'c'),
      });
      expect(ran).toEqual(pages('a', 'b'));
      expect(requests).toHaveLength(2);
      expect(words).toContain('Blocked (max-iterations)');
      expect(told).toEqual(['The run reached its limit of 2 model calls.']);
      expect(turnEnds.at(-1)).toBe('hook_blocked');
    },
  },
  {
    rule: 'retryTransient runs a tool again whose server was busy, and leaves another error alone',
    async run(play) {
      let asked = 0;
      const { ran, read } = await play({
        policy: (hooks) => hooks.use(retryTransient({ classes: { server: { baseMs: 1, maxMs: 2 } } })),
        calls: pages('busy', 'gone'),
        does: ({ url }) => {
          if (url === 'gone') throw Object.assign(new Error('not there'), { status: 404 });
          if (++asked < 3) throw Object.assign(new Error('busy'), { status: 503 });
          return 'a page';
        },
      });
      expect(ran).toEqual(pages('busy', 'busy', 'busy', 'gone'));
      expect(read).toEqual(['a page', expect.stringContaining('not there')]);
    },
  },
];
