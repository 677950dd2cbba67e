import {
  createSdkMcpServer,
  InMemorySessionStore,
  type Options,
  type SDKResultMessage,
  tool,
} from '@anthropic-ai/claude-agent-sdk';
import {
  BeforeToolCall,
  createHooks,
  type Hooks,
  modify,
  proceed,
  requireApproval,
  ToolApprovalDecision,
} from '@hooks/core';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type ApprovalResponse, hookedQuery, pendingApprovals } from '../src/index.ts';
import { bash, call, optionsFor, play, startModel, withClaude } from './fixtures.ts';

function asking(): { readonly hooks: Hooks; readonly asked: unknown[] } {
  const hooks = createHooks();
  const asked: unknown[] = [];
  hooks.on(BeforeToolCall, ({ input, resumed }) => {
    asked.push(resumed?.decision);
    return modify({
      input: {
        ...(input as object),
        ...('n' in (input as object) ? { n: 2 } : { command: 'echo REWRITTEN' }),
      },
    });
  });
  hooks.guard(BeforeToolCall, () => requireApproval('it costs money'));
  return { hooks, asked };
}

withClaude.concurrent('an approver allows, denies, and changes the input', async () => {
  const { hooks } = asking();
  const decisions: string[] = [];
  hooks.observe(ToolApprovalDecision, ({ approval }) => void decisions.push(approval));
  const { model } = await play(
    [[bash('a', 'toolu_yes'), bash('b', 'toolu_no'), bash('c', 'toolu_else')], 'done'],
    hooks,
    {
      settings: {
        approval: ({ callId }) => {
          if (callId === 'toolu_no') return { decision: 'deny', reason: 'the person said no' };
          if (callId === 'toolu_yes') return { decision: 'allow' };
          return { decision: 'allow', input: { command: 'echo ELSE', description: 'd' } };
        },
      },
    },
  );
  expect(model.read()).toEqual(['REWRITTEN', expect.stringContaining('the person said no'), 'ELSE']);
  expect(decisions).toEqual(['allow', 'deny', 'allow']);
});

withClaude.concurrent('native: within a process, hooks are not asked again', async () => {
  const { hooks, asked } = asking();
  await using model = await startModel([[bash('echo ORIGINAL', 'toolu_1')], 'done']);
  const options = optionsFor(model.url);
  let result: SDKResultMessage | undefined;
  for await (const message of hookedQuery({ prompt: 'Go.', options }, hooks, { approval: 'native' }))
    if (message.type === 'result') result = message;
  const [waiting] = await pendingApprovals(JSON.parse(JSON.stringify(result)));
  expect(waiting).toMatchObject({ callId: 'toolu_1', toolName: 'Bash', reason: 'it costs money' });
  expect(waiting?.input).toMatchObject({ command: 'echo REWRITTEN' });
  const again = { ...options, resume: result?.session_id ?? '' };
  const answers = waiting ? [{ ...waiting, decision: 'allow' as const }] : [];
  for await (const _ of hookedQuery({ prompt: '', options: again }, hooks, { approval: 'native', answers }));
  expect(model.read()).toEqual(['REWRITTEN']);
  expect(asked).toEqual([undefined]);
});

withClaude.concurrent('native: an answer counts also where hooks know the tool by an alias', async () => {
  const hooks = createHooks({ aliases: { Bash: 'exec' } });
  hooks.guard(BeforeToolCall.matching('exec'), () => requireApproval('it costs money'));
  await using model = await startModel([[bash('echo ORIGINAL', 'toolu_1')], 'done']);
  const options = optionsFor(model.url);
  let result: SDKResultMessage | undefined;
  for await (const message of hookedQuery({ prompt: 'Go.', options }, hooks, { approval: 'native' }))
    if (message.type === 'result') result = message;
  const pending = await pendingApprovals(result);
  expect(pending).toMatchObject([{ toolName: 'Bash', reason: 'it costs money' }]);
  const answers = pending.map((one) => ({ ...one, decision: 'allow' as const }));
  const again = { ...options, resume: result?.session_id ?? '' };
  for await (const _ of hookedQuery({ prompt: '', options: again }, hooks, { approval: 'native', answers }));
  expect(model.read()).toEqual(['ORIGINAL']);
});

withClaude.concurrent(
  'native: a tool of this process cannot wait, and is denied with the reason',
  async () => {
    const pay = tool('pay', 'Pays.', { n: z.number() }, async () => ({
      content: [{ type: 'text', text: 'paid' }],
    }));
    const mcpServers = { t: createSdkMcpServer({ name: 't', alwaysLoad: true, tools: [pay] }) };
    const { model } = await play([[call('mcp__t__pay', { n: 1 })], 'done'], asking().hooks, {
      options: { mcpServers },
      settings: { approval: 'native' },
    });
    expect(model.read()).toEqual([expect.stringContaining('set `approval` to a function')]);
  },
);

/** Runs a call until it waits, and then, with hooks as of another process, with an answer. */
async function answered(
  answer: Partial<ApprovalResponse>,
  more: Options = {},
): Promise<{ read: readonly string[]; asked: unknown[] }> {
  await using model = await startModel([[bash('echo ORIGINAL', 'toolu_1')], 'done']);
  const options = optionsFor(model.url, more);
  let result: SDKResultMessage | undefined;
  for await (const message of hookedQuery({ prompt: 'Go.', options }, asking().hooks, { approval: 'native' }))
    if (message.type === 'result') result = message;
  const [waiting] = await pendingApprovals(result);
  const { hooks, asked } = asking();
  if (waiting === undefined) throw new Error('no call waits');
  const full: ApprovalResponse = { ...waiting, decision: 'allow', ...answer };
  const again = { ...options, resume: result?.session_id ?? '' };
  const settings = { approval: 'native', answers: answer.callId === '' ? [] : [full] } as const;
  const prompt = answer.callId === '' ? 'Something else.' : '';
  for await (const _ of hookedQuery({ prompt, options: again }, hooks, settings));
  return { read: model.read(), asked };
}

withClaude.concurrent.for(Array.from({ length: 3 }, (_, nth) => nth))(
  'native: another process asks the hooks once more, and a yes runs what was approved (%i)',
  async () => {
    expect(await answered({})).toEqual({ read: ['REWRITTEN'], asked: ['allow'] });
  },
);

withClaude.concurrent('native: a yes runs what was approved in a session that a store keeps', async () => {
  const sessionStore = new InMemorySessionStore();
  // The SDK hands a store only what is in the folder that it knows.
  const env = { CLAUDE_CONFIG_DIR: temporaryFolder() };
  expect(await answered({}, { sessionStore, env })).toEqual({ read: ['REWRITTEN'], asked: ['allow'] });
});

withClaude.concurrent.for([
  { callId: 'toolu_other' },
  { toolName: 'Read' },
  { approvalId: 'of an earlier call' },
])('native: an answer to another call does not run the one that waits: %o', async (other) => {
  const { read } = await answered(other);
  expect(read.join()).not.toMatch(/ORIGINAL|REWRITTEN/);
});

withClaude.concurrent('native: calls after the approved one run as ever', async () => {
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, ({ callId }) => (callId === 'toolu_1' ? requireApproval('ask') : proceed()));
  const look = tool('look', 'Looks.', {}, async () => ({ content: [{ type: 'text', text: 'looked' }] }));
  await using model = await startModel([
    [bash('echo A', 'toolu_1')],
    [bash('touch b', 'toolu_2')],
    [call('mcp__t__look', {}, 'toolu_3')],
    'done',
  ]);
  const mcpServers = { t: createSdkMcpServer({ name: 't', alwaysLoad: true, tools: [look] }) };
  const options = optionsFor(model.url, { mcpServers });
  let result: SDKResultMessage | undefined;
  for await (const message of hookedQuery({ prompt: 'Go.', options }, hooks, { approval: 'native' }))
    if (message.type === 'result') result = message;
  const answers = (await pendingApprovals(result)).map((one) => ({ ...one, decision: 'allow' as const }));
  const again = { ...options, resume: result?.session_id ?? '' };
  for await (const _ of hookedQuery({ prompt: '', options: again }, hooks, { approval: 'native', answers }));
  expect(model.read()).toEqual(['A', expect.stringMatching(/^[^!]/), 'looked']);
});

withClaude.concurrent('native: a no is final', async () => {
  const { read } = await answered({ decision: 'deny', reason: 'never' });
  expect(read).toEqual([expect.stringContaining('never')]);
});

test.each(['answer', 'yes', undefined])(
  'native: an answer with the decision %s is refused before the query starts',
  (decision) => {
    const one = { callId: 'c', toolName: 'Bash', approvalId: 'a', hash: 'h', decision, output: 'x' };
    const answers = [one] as unknown as readonly ApprovalResponse[];
    expect(() => hookedQuery({ prompt: '' }, createHooks(), { approval: 'native', answers })).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        message: expect.stringMatching(/answers\[0\]\.decision is .*allow.*deny/),
      }),
    );
  },
);

withClaude.concurrent('native: an answer for another input runs nothing', async () => {
  const { read } = await answered({ hash: 'of something else' });
  expect(read.join()).not.toMatch(/ORIGINAL|REWRITTEN/);
});

withClaude.concurrent(
  'native: a session that is resumed without an answer does not run what waits',
  async () => {
    const { read, asked } = await answered({ callId: '' });
    expect(read.join()).not.toMatch(/ORIGINAL|REWRITTEN/);
    expect(asked).toEqual([]);
  },
);

withClaude.concurrent('a second call that would wait is denied with the reason', async () => {
  const { hooks } = asking();
  const { model, result } = await play([[bash('a', 'toolu_1'), bash('b', 'toolu_2')], 'done'], hooks, {
    settings: { approval: 'native' },
  });
  expect(await pendingApprovals(result)).toMatchObject([{ callId: 'toolu_1' }]);
  expect(model.requests).toHaveLength(1);
});

withClaude.concurrent(
  "the user's canUseTool decides as ever, and what it changes is decided on again",
  async () => {
    const hooks = createHooks();
    const judged: unknown[] = [];
    hooks.guard(BeforeToolCall, ({ input }) => {
      judged.push((input as { command: string }).command);
      return proceed();
    });
    const { model } = await play([[bash('touch a')], 'done'], hooks, {
      options: {
        permissionMode: 'default',
        allowDangerouslySkipPermissions: false,
        canUseTool: async () => ({
          behavior: 'allow',
          updatedInput: { command: 'echo CHANGED', description: 'd' },
        }),
      },
    });
    expect(model.read()).toEqual(['CHANGED']);
    expect(judged).toEqual(['touch a', 'echo CHANGED']);
  },
);
