import {
  AfterToolCall,
  answer,
  BeforeToolCall,
  block,
  createHooks,
  modify,
  proceed,
  retry,
  TransformToolResult,
} from '@hooks/core';
import { Agent, type Tool, tool } from '@openai/agents';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { attachHooks, blockReason, hookedRunner, hookedTool } from '../src/index.ts';
import { call, results, setup } from './setup.ts';

const oneCall = (args: object | string = { path: 'a' }) => [
  { toolCalls: [call('remove', args)] },
  { text: 'Done.' },
];

function removeTool(execute = vi.fn(({ path }: { path: string }) => `removed ${path}`)) {
  const remove = tool({
    name: 'remove',
    description: 'Removes a file.',
    parameters: z.object({ path: z.string(), force: z.boolean().default(false) }),
    execute,
  });
  return { remove, execute };
}

describe('A tool call of a hooked agent', () => {
  test.each([
    { input: { path: 'a', times: 1 }, fits: true },
    { input: { path: 'a', times: 1.5 }, fits: true },
    { input: { path: 'a', times: 1, note: 'quick' }, fits: true },
    { input: { path: 'a' }, fits: false },
    { input: { path: 1, times: 1 }, fits: false },
    { input: { path: 'a', times: '1' }, fits: false },
    { input: { path: 'a', times: null }, fits: false },
    { input: { path: ['a'], times: 1 }, fits: false },
    { input: { path: 'a', times: 1, more: true }, fits: false },
    { input: [], fits: false },
  ])(
    'with $input is shown to hooks only where it fits a schema of plain values: $fits',
    async ({ input, fits }) => {
      const asked = vi.fn(() => proceed());
      const hooks = createHooks();
      hooks.on(BeforeToolCall, asked);
      const execute = vi.fn(() => 'done');
      const plain = tool({
        name: 'plain',
        description: '',
        strict: false,
        parameters: {
          type: 'object',
          properties: { path: { type: 'string' }, times: { type: 'number' }, note: { type: 'string' } },
          required: ['path', 'times'],
          additionalProperties: false,
        } as never,
        execute,
      });
      await using s = await setup([{ toolCalls: [call('plain', input)] }, { text: 'Done.' }]);
      await hookedRunner(s.runner, hooks).run(new Agent({ name: 'A', tools: [plain] }), 'go');
      expect(asked).toHaveBeenCalledTimes(fits ? 1 : 0);
      expect(execute).toHaveBeenCalledTimes(fits ? 1 : 0);
    },
  );

  test('is blocked: the model reads the reason, the tool does not run, the run goes on', async () => {
    await using s = await setup(oneCall());
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, () => block('not this one'));
    const { remove, execute } = removeTool();
    const result = await hookedRunner(s.runner, hooks).run(new Agent({ name: 'A', tools: [remove] }), 'go');
    expect(result.finalOutput).toBe('Done.');
    expect(execute).not.toHaveBeenCalled();
    expect(results(s)).toEqual({ call_remove: 'not this one' });
    expect(blockReason(result)).toBeUndefined();
  });

  test('runs with a rewritten input, which the tool itself has parsed again', async () => {
    await using s = await setup(oneCall());
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => modify({ input: { path: 'b' } }));
    const { remove, execute } = removeTool();
    await hookedRunner(s.runner, hooks).run(new Agent({ name: 'A', tools: [remove] }), 'go');
    expect(execute.mock.calls[0]?.[0]).toEqual({ path: 'b', force: false });
  });

  test.each([
    ['repeats a key', '{"path":"a","path":"b"}', '{"path":"b"}'],
    ['repeats a key further in', '{"path":"a","at":{"to":1,"to":2}}', '{"path":"a","at":{"to":2}}'],
    [
      'has a number of more digits than JavaScript keeps',
      '{"path":"a","n":9007199254740993}',
      '{"path":"a","n":9007199254740992}',
    ],
  ])(
    'whose text %s reaches a tool that reads the text as hooks have seen it',
    async (_what, written, read) => {
      await using s = await setup(oneCall(written));
      const hooks = createHooks();
      const seen: unknown[] = [];
      hooks.on(BeforeToolCall, ({ input }) => {
        seen.push(input);
        return proceed();
      });
      const invoke = vi.fn(async (_context: unknown, input: string) => input);
      const required: string[] = [];
      const parameters = {
        type: 'object' as const,
        properties: {},
        required,
        additionalProperties: true as const,
      };
      const made = tool({ name: 'remove', description: '', strict: false, parameters, execute: () => '' });
      await hookedRunner(s.runner, hooks).run(new Agent({ name: 'A', tools: [{ ...made, invoke }] }), 'go');
      expect(seen).toEqual([JSON.parse(read)]);
      expect(invoke.mock.calls.map(([, input]) => input)).toEqual([read]);
    },
  );

  test('does not run with a rewritten input that the schema refuses', async () => {
    await using s = await setup(oneCall());
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => modify({ input: { path: 1 } }));
    const { remove, execute } = removeTool();
    await hookedRunner(s.runner, hooks).run(new Agent({ name: 'A', tools: [remove] }), 'go');
    expect(execute).not.toHaveBeenCalled();
    expect(results(s)['call_remove']).toMatch(/changed input does not fit/);
  });

  test('may leave out what has a default', async () => {
    await using s = await setup(oneCall({ path: 'a' }));
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on(BeforeToolCall, ({ input }) => {
      seen.push(input);
      return proceed();
    });
    const { remove, execute } = removeTool();
    await hookedRunner(s.runner, hooks).run(new Agent({ name: 'A', tools: [remove] }), 'go');
    expect(seen).toEqual([{ path: 'a' }]);
    expect(execute).toHaveBeenCalledOnce();
  });

  test('with an input that does not fit asks no hook, and the tool words the error', async () => {
    await using s = await setup(oneCall({ path: 1 }));
    const hooks = createHooks();
    const before = vi.fn(() => proceed());
    const after = vi.fn();
    hooks.on(BeforeToolCall, before);
    hooks.observe(AfterToolCall, ({ status, code }) => after(status, code));
    const execute = vi.fn();
    const remove = tool({
      name: 'remove',
      description: '',
      parameters: z.object({ path: z.string() }),
      errorFunction: (_context, error) => `worded: ${(error as Error).name}`,
      execute,
    });
    await hookedRunner(s.runner, hooks).run(new Agent({ name: 'A', tools: [remove] }), 'go');
    expect(before).not.toHaveBeenCalled();
    expect(execute).not.toHaveBeenCalled();
    expect(after).toHaveBeenCalledWith('error', 'INVALID_INPUT');
    expect(results(s)).toEqual({ call_remove: 'worded: InvalidToolInputError' });
  });

  test('has its result redacted, in history and stream', async () => {
    await using s = await setup(oneCall());
    const hooks = createHooks();
    hooks.on(TransformToolResult, () => modify({ output: '[redacted]' }));
    const { remove } = removeTool();
    const result = await hookedRunner(s.runner, hooks).run(new Agent({ name: 'A', tools: [remove] }), 'go', {
      stream: true,
    });
    const events: unknown[] = [];
    for await (const event of result) events.push(event);
    expect(results(s)).toEqual({ call_remove: '[redacted]' });
    expect(JSON.stringify([events, result.history])).not.toContain('removed a');
  });

  test('is answered by a hook instead', async () => {
    await using s = await setup(oneCall());
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => answer({ simulated: true }));
    const { remove, execute } = removeTool();
    await hookedRunner(s.runner, hooks).run(new Agent({ name: 'A', tools: [remove] }), 'go');
    expect(execute).not.toHaveBeenCalled();
    expect(results(s)).toEqual({ call_remove: '{"simulated":true}' });
  });

  test('becomes a call of another tool of the agent', async () => {
    await using s = await setup(oneCall());
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('remove'), () => modify({ toolName: 'trash' }));
    const { remove, execute } = removeTool();
    const trash = tool({
      name: 'trash',
      description: '',
      parameters: z.object({ path: z.string() }),
      execute: ({ path }) => `trashed ${path}`,
    });
    await hookedRunner(s.runner, hooks).run(new Agent({ name: 'A', tools: [remove, trash] }), 'go');
    expect(execute).not.toHaveBeenCalled();
    expect(results(s)).toEqual({ call_remove: 'trashed a' });
  });

  test('becomes a call of the tool that the SDK runs, where several have its name', async () => {
    await using s = await setup(oneCall());
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('remove'), () => modify({ toolName: 'trash' }));
    const parameters = z.object({ path: z.string() });
    const hidden = tool({ name: 'trash', description: '', parameters, execute: () => 'hidden' });
    const shown = tool({ name: 'trash', description: '', parameters, execute: () => 'shown' });
    const tools = [removeTool().remove, hidden, shown];
    await hookedRunner(s.runner, hooks).run(new Agent({ name: 'A', tools }), 'go');
    expect(results(s)).toEqual({ call_remove: 'shown' });
  });

  test('of a tool that asks for approval or has guardrails or a timeout is not made by a renaming hook', async () => {
    await using s = await setup(oneCall());
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('remove'), () => modify({ toolName: 'trash' }));
    const { remove } = removeTool();
    const trash = tool({
      name: 'trash',
      description: '',
      parameters: z.object({ path: z.string() }),
      needsApproval: true,
      execute: () => 'ran',
    });
    await hookedRunner(s.runner, hooks).run(new Agent({ name: 'A', tools: [remove, trash] }), 'go');
    expect(results(s)['call_remove']).toMatch(/asks for approval/);
  });

  test('of a `hookedTool` is retried when it fails', async () => {
    await using s = await setup(oneCall());
    const hooks = createHooks();
    hooks.on(AfterToolCall, ({ status }) => (status === 'error' ? retry('flaky') : proceed()));
    let runs = 0;
    const remove = hookedTool({
      name: 'remove',
      description: '',
      parameters: z.object({ path: z.string() }),
      execute: () => {
        if (++runs < 3) throw new Error('flaky');
        return 'worked';
      },
    });
    await hookedRunner(s.runner, hooks).run(new Agent({ name: 'A', tools: [remove] }), 'go');
    expect(results(s)).toEqual({ call_remove: 'worked' });
  });

  test('of a `hookedTool` that fails for good reads as the SDK words it, with the message that hooks have left', async () => {
    await using s = await setup(oneCall());
    const hooks = createHooks();
    hooks.on(TransformToolResult, () => modify({ errorMessage: 'no details' }));
    const remove = hookedTool({
      name: 'remove',
      description: '',
      parameters: z.object({ path: z.string() }),
      errorFunction: (_context, error) => `failed: ${(error as Error).message}`,
      execute: () => {
        throw new Error('secret');
      },
    });
    await hookedRunner(s.runner, hooks).run(new Agent({ name: 'A', tools: [remove] }), 'go');
    expect(results(s)).toEqual({ call_remove: 'failed: no details' });
  });

  test('that a hook blocks with `stop` ends the run: siblings are answered, no model call follows', async () => {
    await using s = await setup([{ toolCalls: [call('remove', { path: 'a' }), call('read', {})] }]);
    const hooks = createHooks();
    hooks.guard(BeforeToolCall.matching('remove'), () => block('over', { stop: true }));
    const { remove } = removeTool();
    const read = vi.fn(() => 'text');
    const reader = tool({ name: 'read', description: '', parameters: z.object({}), execute: read });
    const result = await hookedRunner(s.runner, hooks).run(
      new Agent({ name: 'A', tools: [remove, reader] }),
      'go',
    );
    expect(result.finalOutput).toBe('over');
    expect(blockReason(result)).toBe('over');
    expect(read).toHaveBeenCalledOnce();
    expect(s.server.requests).toHaveLength(1);
  });

  test('never gives the reason as the final output of an agent that stops at its tools', async () => {
    for (const toolUseBehavior of ['stop_on_first_tool', { stopAtToolNames: ['remove'] }] as const) {
      await using s = await setup(oneCall());
      const hooks = createHooks();
      hooks.guard(BeforeToolCall, () => block('no'));
      const behavior =
        typeof toolUseBehavior === 'string' ? toolUseBehavior : { stopAtToolNames: ['remove'] };
      const agent = new Agent({ name: 'A', tools: [removeTool().remove], toolUseBehavior: behavior });
      const result = await hookedRunner(s.runner, hooks).run(agent, 'go');
      expect(result.finalOutput).toBe('Done.');
    }
  });

  test('that is refused in an agent as a tool takes no final output from a call of that id around it', async () => {
    await using s = await setup(({ system, turn }) => {
      const name = system.includes('You help.') ? 'remove' : 'ask_helper';
      if (turn > 0) return { text: name === 'remove' ? 'Helped.' : 'Done.' };
      return { toolCalls: [call(name, name === 'remove' ? { path: 'a' } : { input: 'help' }, 'call_0')] };
    });
    const hooks = createHooks();
    hooks.guard(BeforeToolCall.matching('remove'), () => block('no'));
    const helper = new Agent({ name: 'Helper', instructions: 'You help.', tools: [removeTool().remove] });
    const tools = [helper.asTool({ toolName: 'ask_helper', toolDescription: '' })];
    const main = new Agent({ name: 'Main', tools, toolUseBehavior: 'stop_on_first_tool' });
    expect((await hookedRunner(s.runner, hooks).run(main, 'go')).finalOutput).toBe('Helped.');
  });

  test('is hooked in an attached agent whoever runs it, and with each Hooks once', async () => {
    await using s = await setup(oneCall());
    const hooks = createHooks();
    const before = vi.fn(() => proceed());
    hooks.on(BeforeToolCall, before);
    const { remove } = removeTool();
    const agent = attachHooks(attachHooks(new Agent({ name: 'A', tools: [remove] }), hooks), hooks);
    await s.runner.run(agent, 'go');
    expect(before).toHaveBeenCalledOnce();
    expect(agent.tools).toEqual([remove]);
  });

  test('goes through two Hooks, the later attached outermost', async () => {
    await using s = await setup(oneCall());
    const log: string[] = [];
    const logging = (name: string) => {
      const hooks = createHooks();
      hooks.on(BeforeToolCall, () => {
        log.push(name);
        return proceed();
      });
      return hooks;
    };
    const runner = hookedRunner(hookedRunner(s.runner, logging('first')), logging('second'));
    await runner.run(new Agent({ name: 'A', tools: [removeTool().remove] }), 'go');
    expect(log).toEqual(['second', 'first']);
  });
});

test('A handmade tool that reads the raw text gets the data that hooks saw, where the text repeats a key', async () => {
  const seen = vi.fn();
  const { remove } = removeTool();
  const handmade = {
    ...remove,
    invoke: async (_context: unknown, text: string) => {
      seen(text);
      return 'done';
    },
  };
  const asked = vi.fn();
  const hooks = createHooks();
  hooks.on(BeforeToolCall, ({ input }) => {
    asked(input);
    return proceed();
  });
  const text = '{"path":"/etc","path":"a","force":false}';
  await using made = await setup([{ toolCalls: [call('remove', text)] }, { text: 'Done.' }]);
  const agent = attachHooks(new Agent({ name: 'a', tools: [handmade] }), hooks);
  await made.runner.run(agent, 'Go');
  expect(asked).toHaveBeenCalledWith({ path: 'a', force: false });
  expect(seen.mock.calls).toEqual([['{"path":"a","force":false}']]);
});

describe('The arguments in the details of a tool, which stand beside its input,', () => {
  const schema = z.object({ path: z.string() });
  const run = async (
    tools: (seen: (at: string, details: unknown) => void) => readonly Tool[],
    { name = 'read', rewrite = true } = {},
  ) => {
    const seen: Record<string, unknown> = {};
    const note = (at: string, details: unknown): void => {
      const { toolCall } = details as { toolCall: { callId: string; arguments: string } };
      seen[at] = [toolCall.callId, JSON.parse(toolCall.arguments), toolCall.arguments.includes('/etc')];
    };
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('read'), () =>
      modify({ ...(rewrite && { input: { path: 'a' } }), ...(name !== 'read' && { toolName: name }) }),
    );
    const text = rewrite ? '{"path":"/etc"}' : '{"path":"/etc","path":"a"}';
    await using s = await setup([{ toolCalls: [call('read', text, 'c1')] }, { text: 'Done.' }]);
    const agent = new Agent({ name: 'A', tools: [...tools(note)] });
    const { history } = await hookedRunner(s.runner, hooks).run(agent, 'go');
    expect(history).toContainEqual(expect.objectContaining({ type: 'function_call', arguments: text }));
    return seen;
  };
  const judged = ['c1', { path: 'a' }, false];

  test('are those that hooks decided on', async () => {
    const read = (note: (at: string, details: unknown) => void) =>
      tool({
        name: 'read',
        description: '',
        parameters: schema,
        execute: (_, _c, it) => note('execute', it),
      });
    expect(await run((note) => [read(note)])).toEqual({ execute: judged });
    expect(await run((note) => [read(note)], { rewrite: false })).toEqual({ execute: judged });
  });

  test('are those also where a handmade tool is invoked, or the tool of another name runs, or it fails', async () => {
    const read = tool({ name: 'read', description: '', parameters: schema, execute: () => '' });
    expect(
      await run((note) => [
        { ...read, invoke: async (_context: unknown, _text: string, it?: object) => note('invoke', it) },
      ]),
    ).toEqual({ invoke: judged });
    expect(
      await run(
        (note) => [
          read,
          tool({
            name: 'list',
            description: '',
            parameters: schema,
            execute: (_, _c, it) => note('list', it),
          }),
        ],
        { name: 'list' },
      ),
    ).toEqual({ list: judged });
    expect(
      await run((note) => [
        hookedTool({
          name: 'read',
          description: '',
          parameters: schema,
          execute(_, _c, it) {
            note('execute', it);
            throw new Error('No such file.');
          },
          errorFunction(_c, _e, it) {
            note('errorFunction', it);
            return 'failed';
          },
        }),
      ]),
    ).toEqual({ execute: judged, errorFunction: judged });
  });
});
