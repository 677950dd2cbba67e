import { BeforeToolCall, block, createHooks, modify } from '@hooks/core';
import { createTool } from '@mastra/core/tools';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent, hookTool, hookTools } from '../src/index.ts';
import { callThenText, modelOf, quiet, readByModel, runAgent, serve } from './fixtures.ts';

describe.each([false, true])('a call that a hook renames (streamed: %s)', (streaming) => {
  const hiding = { toModelOutput: () => ({ type: 'text', value: 'hidden' }) };

  /** Runs a call of `look` as one of `see`, and gives what the model read. */
  async function renamed(look: object, see: object, options: Record<string, unknown> = {}): Promise<string> {
    await using server = await serve(callThenText('look', {}));
    const make = (id: string, own: object) =>
      createTool({
        id,
        description: 'Looks.',
        inputSchema: z.object({}),
        execute: async () => ({ found: 'hunter2' }),
        ...own,
      });
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('look'), () => modify({ toolName: 'see' }), { id: 'renamer' });
    const tools = { look: make('look', look), see: make('see', see) };
    const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools };
    await runAgent(quiet(hookedAgent(config, hooks)), 'Go', streaming, options);
    return JSON.stringify(readByModel(server));
  }

  test('does not run where its tool has a toModelOutput, which Mastra would not call', async () => {
    const read = await renamed({}, hiding);
    expect(read).toContain('renamer');
    expect(read).not.toContain('hunter2');
  });

  test('keeps what ran from the toModelOutput of the tool that the model called', async () => {
    const outputs: unknown[] = [];
    const toModelOutput = (output: unknown) => (outputs.push(output), { type: 'text', value: 'of look' });
    expect(await renamed({ toModelOutput }, {})).toContain('hunter2');
    expect(outputs).toEqual([]);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['that the step leaves out (activeTools)', { activeTools: ['look'] }, 'was not offered'],
    [
      'that may need approval (requireToolApproval)',
      { requireToolApproval: ({ toolName }: { readonly toolName: string }) => toolName === 'see' },
      'may need approval',
    ],
    [
      'that a native hook may refuse (beforeToolCall)',
      { hooks: { beforeToolCall: () => undefined } },
      'may be refused by beforeToolCall',
    ],
  ])('becomes none of a tool %s', async (_what, options, reason) => {
    const read = await renamed({}, {}, options);
    expect(read).toContain(reason);
    expect(read).not.toContain('hunter2');
  });

  test('runs where its tool has none', async () => {
    expect(await renamed({}, {})).toContain('hunter2');
  });
});

test('a call of a record of tools becomes none of a tool that further hooks decide on', async () => {
  const ran: string[] = [];
  const make = (id: string) =>
    createTool({
      id,
      description: 'Looks.',
      inputSchema: z.object({}),
      execute: async () => void ran.push(id),
    });
  const hooks = createHooks();
  hooks.on(BeforeToolCall.matching('look'), () => modify({ toolName: 'see' }));
  const tools = hookTools({ look: make('look'), see: make('see') }, hooks);
  const refusing = createHooks();
  refusing.guard(BeforeToolCall.matching('see'), () => block('Nobody sees.'));
  hookTool(tools.see, refusing);
  await expect(async () => tools.look.execute?.({}, {} as never)).rejects.toThrow('was hooked again since');
  expect(ran).toEqual([]);
  // Hooked together, both have the same hooks.
  await hookTools(tools, createHooks()).look.execute?.({}, {} as never);
  expect(ran).toEqual(['see']);
});
