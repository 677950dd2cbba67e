import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHooks, UserPromptSubmit } from '@hooks/core';
import { expect, test } from 'vitest';
import { DIALECTS, type DialectName, readStdin, stdinOf } from '../src/index.ts';
import { dispatchEvent } from '../src/protocol.ts';
import { harness } from './harness.ts';
import { dispatchAll } from './samples.ts';

/** A hook of each dialect that records its stdin. */
const recorders: Record<DialectName, (wireEvent: string) => object> = {
  hooks: (wireEvent) => ({ type: 'command', command: record(wireEvent) }),
  'docker-agent': (wireEvent) => ({ type: 'command', command: record(wireEvent) }),
  'claude-code': (wireEvent) => ({ hooks: [{ type: 'command', command: record(wireEvent) }] }),
  ai4j: (wireEvent) => ({ command: record(wireEvent) }),
  cursor: (wireEvent) => ({ command: record(wireEvent) }),
  copilot: (wireEvent) => ({ bash: record(wireEvent) }),
  gemini: (wireEvent) => ({ hooks: [{ type: 'command', command: record(wireEvent) }] }),
  codex: (wireEvent) => ({ hooks: [{ type: 'command', command: record(wireEvent) }] }),
};

const record = (wireEvent: string) => `cat >> ${wireEvent}.jsonl; echo >> ${wireEvent}.jsonl`;

test.each(Object.keys(recorders) as DialectName[])(
  'the stdin of every event matches the snapshot, in %s',
  async (dialect) => {
    const events = Object.keys(DIALECTS[dialect].events);
    const source = { hooks: Object.fromEntries(events.map((name) => [name, [recorders[dialect](name)]])) };
    const { hooks, dir, errors } = await harness(source, { dialect });
    await dispatchAll(hooks);
    expect(errors).toEqual([]);

    const read = events.map((name) => `# ${name}\n${textOf(join(dir, `${name}.jsonl`), dir)}`).join('\n');
    expect(read).not.toContain('never');
    await expect(read).toMatchFileSnapshot(`./fixtures/stdin-${dialect}.txt`);
  },
);

/** One line per event, empty if it did not fire. */
function textOf(path: string, dir: string): string {
  return existsSync(path)
    ? readFileSync(path, 'utf8')
        .replaceAll(dir, '/workspace')
        .replaceAll(/"timestamp":\d+/g, '"timestamp":0')
        .replaceAll(/"timestamp":"[^"]+"/g, '"timestamp":"2026-01-01T00:00:00.000Z"')
    : '';
}

/** The dialects of programs that can run `hooks run` as their hook. */
const readable = ['hooks', 'docker-agent', 'claude-code', 'ai4j', 'codex'] as const;

test.each(readable)('readStdin restores every event, in %s', (dialect) => {
  const recorded = readFileSync(new URL(`./fixtures/stdin-${dialect}.txt`, import.meta.url), 'utf8');
  for (const line of recorded.split('\n').filter((text) => text.startsWith('{'))) {
    const stdin: unknown = JSON.parse(line);
    const { wireEvent, event } = readStdin(DIALECTS[dialect], stdin);
    expect(JSON.parse(JSON.stringify(stdinOf(DIALECTS[dialect], wireEvent, event)))).toEqual(stdin);
  }
});

test.each([
  ['no id', { roles: ['admin'] }],
  ['a blank id', { id: ' ' }],
  ['a text as roles', { id: 'ann', roles: 'superadmin' }],
  ['a text', 'ann'],
])(
  "an event on stdin whose principal is or has %s is refused, and not taken for nobody's",
  async (_, principal) => {
    const hooks = createHooks();
    hooks.observe(UserPromptSubmit, () => expect.unreachable());
    const stdin = { hook_event_name: 'user_prompt_submit', session_id: 's', prompt: 'hi', principal };
    const { event } = readStdin(DIALECTS.hooks, stdin);
    await expect(dispatchEvent(hooks, event)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/^hooks\.dispatch: principal\./),
    });
  },
);

test.each<[DialectName, object, string]>([
  [
    'claude-code',
    { hook_event_name: 'Stop', last_assistant_message: { text: 'x' } },
    'last_assistant_message',
  ],
  [
    'claude-code',
    { hook_event_name: 'SubagentStop', last_assistant_message: ['x'] },
    'last_assistant_message',
  ],
  ['claude-code', { hook_event_name: 'UserPromptSubmit', prompt: [{ type: 'text' }] }, 'prompt'],
  ['codex', { hook_event_name: 'Stop', last_assistant_message: 7 }, 'last_assistant_message'],
  ['docker-agent', { hook_event_name: 'stop', stop_response: { text: 'x' } }, 'stop_response'],
  ['docker-agent', { hook_event_name: 'after_llm_call', stop_response: ['x'] }, 'stop_response'],
  ['hooks', { hook_event_name: 'after_compaction', summary: {} }, 'summary'],
  ['ai4j', { input: { text: 'x' } }, 'input'],
])('readStdin refuses what core has as a text and is none, in %s: %j', (dialect, stdin, field) => {
  expect(() => readStdin(DIALECTS[dialect], { session_id: 's', cwd: '/', ...stdin })).toThrow(
    `its ${field} is no text`,
  );
});
