import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { BeforeToolCall, block, createHooks, modify, proceed, TransformToolResult } from '@hooks/core';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { describe, expect, test } from 'vitest';
import { hideTools } from '../src/index.ts';
import { type AnyClient, connect, textOf } from './connect.ts';

/* The reference servers from npm. */

const require = createRequire(import.meta.url);
const server = (name: string, ...args: string[]) => ({
  command: process.execPath,
  args: [require.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`), ...args],
});

describe.each(['v1', 'v2'] as const)('behind a proxy, for a %s client,', (kind) => {
  test('server-filesystem reads permitted files without secrets, and cannot write', async () => {
    const folder = temporaryFolder();
    const key = `ghp_${'aB3dE5fG7h'.repeat(3)}xY1zW2`;
    writeFileSync(join(folder, 'notes.txt'), `the key is ${key}`);
    const hooks = createHooks();
    hooks.on(TransformToolResult, ({ output }) =>
      modify({ output: JSON.parse((JSON.stringify(output) ?? 'null').replaceAll(key, '[REDACTED]')) }),
    );
    hooks.use(hideTools('write_.*|edit_.*|create_.*|move_.*'));
    hooks.guard(BeforeToolCall.matching('read_.*'), ({ input }) =>
      String(Object(input).path).endsWith('.env') ? block('Not that file.') : proceed(),
    );
    const { client, call } = await connect({
      kind,
      hooks,
      upstream: server('filesystem', folder),
    });
    const names = (await client.listTools()).tools.map((tool: AnyClient) => tool.name);
    expect(names).toContain('read_text_file');
    expect(names).not.toContain('write_file');
    const read = await call('read_text_file', { path: join(folder, 'notes.txt') });
    expect(textOf(read)).toMatch(/^the key is \[REDACTED/);
    expect(JSON.stringify(read)).not.toContain(key);
    expect(textOf(await call('read_text_file', { path: join(folder, '.env') }))).toBe(
      'error: Not that file.',
    );
    expect(textOf(await call('write_file', { path: join(folder, 'x'), content: '' }))).toContain(
      'not available here',
    );
  });

  test('server-everything returns the same as without the proxy', async () => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, () => proceed());
    const { client, call } = await connect({ kind, hooks, upstream: server('everything') });
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(5);
    expect(textOf(await call('echo', { message: 'hi' }))).toBe('Echo: hi');
    const weather = await call('get-structured-content', { location: 'Chicago' });
    expect(weather.structuredContent).toMatchObject({ temperature: expect.any(Number) });
    const progress: number[] = [];
    const onprogress = (note: { progress: number }) => progress.push(note.progress);
    await call('trigger-long-running-operation', { duration: 0.1, steps: 3 }, { onprogress });
    expect(progress.length).toBeGreaterThan(1);
    const { resources } = await client.listResources();
    expect((await client.readResource({ uri: resources[0].uri })).contents).toHaveLength(1);
    const { prompts } = await client.listPrompts();
    expect(prompts.length).toBeGreaterThan(0);
  });
});
