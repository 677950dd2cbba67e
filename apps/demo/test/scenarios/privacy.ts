import { AfterToolCall, modify } from '@hooks/core';
import { pii, redactSecrets } from '@hooks/guards';
import { expect } from 'vitest';
import { SECRET } from '../../src/workplace.ts';
import type { Scenario } from '../scenario.ts';

/** Guards that keep texts from the model. */
export const privacyScenarios: readonly Scenario[] = [
  {
    rule: 'redactSecrets takes a secret out of what a tool answers, the same one under the same name',
    async run(play) {
      const { read, requests } = await play({
        policy: (hooks) => hooks.use(redactSecrets()),
        calls: [
          ['read', 'a'],
          ['read', 'b'],
        ],
        does: ({ path }) => (path === 'a' ? `REGION=eu\nAPI_KEY=${SECRET}` : `and ${SECRET} again`),
      });
      const placeholder = /\[REDACTED:[^\]]+#[\da-f]{8}\]/.exec(read[0] ?? '')?.[0];
      expect(placeholder).toBeDefined();
      expect(read).toEqual([`REGION=eu\nAPI_KEY=${placeholder}`, `and ${placeholder} again`]);
      expect(JSON.stringify(requests)).not.toContain(SECRET);
    },
  },
  {
    rule: 'redactSecrets takes a secret out of what a tool throws',
    async run(play) {
      const { read, requests } = await play({
        policy: (hooks) => hooks.use(redactSecrets()),
        calls: [['fetch', 'https://example.org']],
        does: () => {
          throw new Error(`401 for the key ${SECRET}`);
        },
      });
      expect(read).toEqual([expect.stringMatching(/401 for the key \[REDACTED:[^\]]+#[\da-f]{8}\]/)]);
      expect(JSON.stringify(requests)).not.toContain(SECRET);
    },
  },
  {
    rule: 'redactSecrets takes a secret out of the prompt',
    async run(play) {
      const { requests } = await play({
        policy: (hooks) => hooks.use(redactSecrets()),
        task: `Use the key ${SECRET}, please.`,
        calls: [['read', 'a']],
      });
      expect(requests).toHaveLength(2);
      for (const { messages } of requests) {
        const prompt = messages.find(({ role }) => role === 'user');
        expect(prompt?.content).toMatch(/^Use the key \[REDACTED:[^\]]+#[\da-f]{8}\], please\.$/);
      }
      expect(JSON.stringify(requests)).not.toContain(SECRET);
    },
  },
  {
    rule: 'redactSecrets takes a secret out of messages where a hook has put it behind the tool',
    async run(play) {
      const { read, requests } = await play({
        policy: (hooks) => {
          hooks.on(AfterToolCall, ({ output }) => modify({ output: `${output}, the key is ${SECRET}` }));
          hooks.use(redactSecrets());
        },
        calls: [
          ['read', 'a'],
          ['read', 'b'],
        ],
        parallel: true,
        does: ({ path }) => `of ${path}`,
      });
      expect(requests).toHaveLength(2);
      expect(read).toEqual([
        expect.stringMatching(/^of a, the key is \[REDACTED:[^\]]+#[\da-f]{8}\]$/),
        expect.stringMatching(/^of b, the key is \[REDACTED:[^\]]+#[\da-f]{8}\]$/),
      ]);
      expect(JSON.stringify(requests)).not.toContain(SECRET);
    },
  },
  {
    rule: 'redactSecrets with toolInput runs the tool without the secret',
    async run(play) {
      const { ran } = await play({
        policy: (hooks) => hooks.use(redactSecrets({ toolInput: true })),
        calls: [['fetch', `https://example.org/?key=${SECRET}`]],
      });
      expect(ran).toEqual([
        ['fetch', expect.stringMatching(/^https:\/\/example\.org\/\?key=\[REDACTED:[^\]]+#[\da-f]{8}\]$/)],
      ]);
    },
  },
  {
    rule: 'pii masks one kind, redacts another, and withholds a result for a third',
    async run(play) {
      const { ran, read } = await play({
        policy: (hooks) => hooks.use(pii({ kinds: { email: 'mask', phone: 'redact', card: 'block' } })),
        calls: [
          ['read', 'contact'],
          ['read', 'payment'],
        ],
        does: ({ path }) =>
          path === 'contact' ? 'ann@acme.dev, +41 44 668 18 00' : 'paid with 4242 4242 4242 4242',
      });
      expect(ran).toHaveLength(2);
      expect(read).toEqual([
        expect.stringMatching(/^a\*{3}@acme\.dev, \[REDACTED:phone#[\da-f]{8}\]$/),
        'Withheld (pii/card): the result contains a card number. Request only the fields that you need.',
      ]);
    },
  },
  {
    rule: 'pii refuses a prompt, and the model is not asked',
    async run(play) {
      const { requests, words } = await play({
        policy: (hooks) => hooks.use(pii({ kinds: { card: 'block' } })),
        task: 'Pay with 4242 4242 4242 4242.',
      });
      expect(requests).toEqual([]);
      expect(words).toContain('Blocked (pii/card)');
    },
  },
];
