import { afterEach, describe, expect, test, vi } from 'vitest';
import { workspace } from './program.ts';

/* Cases that need a person or a tool that the real agents in `test-agents` do not have. */

afterEach(() => {
  vi.unstubAllEnvs();
});

async function answer(as: string, event: object, policy = 'decides') {
  const path = new URL(`../test-agents/policies/${policy}.ts`, import.meta.url).pathname;
  const { asHook } = workspace();
  const { code, stdout, stderr } = await asHook(
    { session_id: 's', cwd: '/', ...event },
    ...['--as', as, '--policy', path],
  );
  return { code, stderr: stderr.trim(), said: stdout === '' ? {} : JSON.parse(stdout) };
}

const call = (hook_event_name: string, key: string, rest: object = {}) => ({
  hook_event_name,
  tool_name: 'Bash',
  tool_use_id: 't',
  tool_input: { command: `touch _${key}` },
  ...rest,
});

describe('Claude Code', () => {
  const result = (tool_response: unknown, key = 'none', tool_name = 'Bash') =>
    call('PostToolUse', key, { tool_name, tool_response });
  const bash = { stdout: 'a', stderr: 'b', interrupted: false, isImage: false, rawOutputPath: '/x' };

  test.each<[string, unknown, unknown]>([
    ['the shell', bash, { stdout: 'REPLACED', stderr: '', interrupted: false }],
    [
      'a file',
      { type: 'text', file: { filePath: 'f', content: 'a\nb', numLines: 2, startLine: 1, totalLines: 9 } },
      {
        type: 'text',
        file: { filePath: 'f', content: 'REPLACED', numLines: 1, startLine: 1, totalLines: 1 },
      },
    ],
    ['an MCP tool', [{ type: 'text', text: 'a' }], [{ type: 'text', text: 'REPLACED' }]],
    ['a tool that answers with a text', 'a', 'REPLACED'],
    [
      'a web page',
      { bytes: 1, code: 200, codeText: 'OK', result: 'a', durationMs: 1, url: 'u' },
      { bytes: 1, code: 200, codeText: 'OK', result: 'REPLACED', durationMs: 1, url: 'u' },
    ],
  ])('a text that replaces the result of %s gets its shape', async (_, tool_response, updatedToolOutput) => {
    expect((await answer('claude-code', result(tool_response), 'replaces')).said).toEqual({
      hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput },
    });
  });

  test('a replaced or blocked result of unknown shape ends the run', async () => {
    const unknown = { pages: [{ body: 'a' }] };
    const stopReason = expect.stringContaining('the run ends here');
    expect((await answer('claude-code', result(unknown, 'none', 'Strange'), 'replaces')).said).toEqual({
      continue: false,
      stopReason,
    });
    expect((await answer('claude-code', result(unknown, 'block-of-result', 'Strange'))).said).toEqual({
      continue: false,
      stopReason,
    });
  });

  test('a block after an edit keeps the result, which has no text of the file', async () => {
    const edited = { filePath: 'f', structuredPatch: [], originalFile: 'a' };
    expect((await answer('claude-code', result(edited, 'block-of-result', 'Edit'))).said).toMatchObject({
      decision: 'block',
      hookSpecificOutput: { updatedToolOutput: edited },
    });
  });

  test('the user gets a warning that the model reads a failed result that a hook blocked', async () => {
    const failed = call('PostToolUseFailure', 'block-of-failed', { error: 'Exit code 1' });
    expect(await answer('claude-code', failed)).toMatchObject({
      code: 2,
      stderr: 'REASON block-of-failed',
      said: { systemMessage: expect.stringContaining('Claude Code shows the model') },
    });
  });
});

describe('Codex', () => {
  const specific = (decision: object) => ({
    hookSpecificOutput: { hookEventName: 'PermissionRequest', decision },
  });

  test.each([
    ['block-of-approval', { behavior: 'deny', message: 'REASON block-of-approval' }],
    ['block-stop-of-approval', { behavior: 'deny', message: expect.stringContaining('ended the run here') }],
    ['input-of-approval', { behavior: 'deny', message: expect.stringContaining('cannot carry out') }],
    ['grant-approval-of-approval', { behavior: 'allow' }],
  ])('an approval gets only fields that Codex supports: %s', async (key, decision) => {
    expect((await answer('codex', call('PermissionRequest', key))).said).toEqual(specific(decision));
  });

  test('a granted call is left to Codex’s own rules, with a warning', async () => {
    expect(await answer('codex', call('PreToolUse', 'grant-approval-of-call'))).toEqual({
      code: 0,
      stderr: '',
      said: { systemMessage: expect.stringContaining('Codex cannot carry out a change of approval here') },
    });
  });
});

describe('Gemini CLI', () => {
  test('unsupported context is left out, with a warning', async () => {
    expect((await answer('gemini', call('BeforeTool', 'context-of-call'))).said).toEqual({
      systemMessage: 'Gemini CLI cannot carry out a change of context here, so it has no effect',
    });
  });

  test('a result with an error is a failed result, and its message can be replaced', async () => {
    const tool_response = { llmContent: 'no', returnDisplay: 'no', error: { message: 'File not found' } };
    expect(
      (await answer('gemini', call('AfterTool', 'errorMessage-of-failed', { tool_response }))).said,
    ).toEqual({ decision: 'deny', reason: 'REPLACED errorMessage-of-failed' });
  });

  test('each call gets its own id', async () => {
    const { read } = (await import('../src/agents/gemini.ts')).gemini;
    const ids = [1, 2].map(() => {
      const event = read({ hook_event_name: 'BeforeTool', tool_name: 'x', tool_input: {} });
      return typeof event === 'object' && event.data.fields['callId'];
    });
    expect(new Set(ids).size).toBe(2);
  });
});

test('docker-agent accepts a new output only in tool_response_transform', async () => {
  const after = (hook_event_name: string) => call(hook_event_name, 'none', { tool_response: 'a' });
  expect((await answer('docker-agent', after('tool_response_transform'), 'replaces')).said).toMatchObject({
    hook_specific_output: { updated_tool_response: 'REPLACED' },
  });
  const text = 'context-of-result';
  expect((await answer('docker-agent', call('post_tool_use', text))).said).toMatchObject({
    hook_specific_output: { additional_context: `context of ${text}` },
  });
});
