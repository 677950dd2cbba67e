import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { BeforeToolCall, createHooks, HooksError, isHooksError } from '../src/index.ts';
import { callTool } from '../src/tool-call/index.ts';

test('an error names its page to whoever asks for it, and not as JSON, in a copy or in a log', () => {
  const error = new HooksError('HOOK_FAILED', 'Hook "a" threw.', { hook: 'a', event: 'before_tool_call' });
  expect(error.docs).toMatch(/^https:.*troubleshooting#hook_failed$/);
  for (const shown of [JSON.stringify(error), JSON.stringify({ ...error }), inspect(error)])
    expect(shown).not.toContain('https:');
  expect({ ...error }).toMatchObject({ code: 'HOOK_FAILED', hook: 'a', event: 'before_tool_call' });
});

test('a failure warns with the address of its page where nobody listens, and the model reads none', async () => {
  const warnings: string[] = [];
  const hooks = createHooks({ onWarning: (warning) => warnings.push(warning) });
  hooks.guard(BeforeToolCall, () => {
    throw new Error('no');
  });
  const session = hooks.session();
  const { message, error } = await callTool(hooks, { session, toolName: 'pay', input: {} }, () => 'paid');
  expect(warnings).toEqual([expect.stringContaining('guides/troubleshooting#hook_failed')]);
  expect(message).not.toContain('https:');
  expect(isHooksError(error) ? JSON.stringify(error) : '').not.toContain('https:');
});
