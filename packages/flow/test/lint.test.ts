import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type FlowOptions, flow, ifcLabels, lintFlow } from '../src/index.ts';

const bank = [
  { name: 'get_transactions' },
  {
    name: 'send_money',
    inputSchema: { properties: { recipient: {}, items: { items: { properties: { id: {} } } } } },
  },
  { name: 'delete_account' },
  { name: 'rename_account' },
];

test.each<[FlowOptions, typeof bank, readonly string[]]>([
  [
    { sources: { get_transactions: 'trusted' } },
    [],
    [
      'sources.get_transactions: get_transactions is trusted, and its name says that it returns text that others wrote ("transactions"); name fields: { trusted: ["id"] }',
    ],
  ],
  [
    { sources: { get_transactions: { trusted: ['id', 'subject'] } } },
    [],
    ['sources.get_transactions: the field "subject" is trusted, and may be free text that others wrote'],
  ],
  [
    {
      sources: {
        'get_balance|get_transactions': { trusted: ['id'] },
        'mcp__github__.*': ifcLabels,
        read_file: 'untrusted',
      },
    },
    [],
    [],
  ],
  [
    { sources: { send_money: 'trusted' } },
    [],
    [
      'sources.send_money: send_money does not only read: what it returns may repeat what others wrote and the agent passed on; name fields that the service sets, such as ["id"]',
    ],
  ],
  [
    {
      sources: { 'get_.*': { trusted: ['id'] }, nothing: 'trusted' },
      sinks: { send_money: { from: ['recipient', 'items.id', 'to'] } },
    },
    bank,
    [
      'sources.nothing: nothing matches no tool',
      'sinks.send_money: send_money has no argument "to"',
      'sinks: delete_account takes something away, and no sink names it; add "delete_account": "untouched"',
      'sinks: rename_account does not only read, and no sink names it',
    ],
  ],
])('lintFlow(%j)', (options, tools, expected) => {
  expect(lintFlow(options, tools).map(({ at, message }) => `${at}: ${message}`)).toEqual(expected);
});

describe('flow.for', () => {
  const send_money = {
    inputSchema: z.object({ recipient: z.string(), items: z.array(z.object({ id: z.number() })).optional() }),
    execute: async () => ({ id: 1 }),
  };
  const typed = flow.for({ send_money });

  test('knows the names of tools, of their arguments and of their results', () => {
    expect(
      typed({
        sources: { send_money: { trusted: ['id'] } },
        sinks: { send_money: { from: ['recipient', 'items.id'], text: ['*'] } },
      }).name,
    ).toBe('flow');
    // @ts-expect-error no argument of that name
    typed({ sinks: { send_money: { from: ['to'] } } });
    // @ts-expect-error no field of that name
    typed({ sources: { send_money: { trusted: ['iban'] } } });
  });

  test('refuses a tool that it does not know', () => {
    // @ts-expect-error no tool of that name
    expect(() => typed({ sinks: { send_mony: 'untouched' } })).toThrow(
      'flow: sinks["send_mony"] is no tool; known: send_money',
    );
  });
});
