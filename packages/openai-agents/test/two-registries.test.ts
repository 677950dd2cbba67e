import {
  AfterToolCall,
  type ApprovalRequest,
  type Approver,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  modify,
  proceed,
  requireApproval,
  retry,
} from '@hooks/core';
import { Agent, tool } from '@openai/agents';
import OpenAI from 'openai';
import { zodFunction } from 'openai/helpers/zod';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { attachHooks, hookedRunner, hookTool } from '../src/index.ts';
import { hookTools as hookRunTools } from '../src/openai/index.ts';
import { call, results, type Setup, setup } from './setup.ts';

const parameters = z.object({ path: z.string() });
const readA = [{ toolCalls: [call('read', { path: 'a' }, 'c1')] }, { text: 'Done.' }];

function pathOf({ input }: { readonly input: unknown }): string {
  return String(Reflect.get(Object(input), 'path'));
}

/** Hooks that have other files read, one after the other. */
function reading(...paths: readonly string[]): Hooks {
  const hooks = createHooks();
  let turn = 0;
  hooks.on(BeforeToolCall, ({ input }) =>
    pathOf({ input }) === 'a' ? modify({ input: { path: paths[turn++] ?? '' } }) : proceed(),
  );
  return hooks;
}

interface Reading {
  readonly execute: (input: { readonly path: string }) => string;
  readonly ran: readonly string[];
}

function readFile(): Reading {
  const ran: string[] = [];
  return { ran, execute: ({ path }) => (ran.push(path), `content of ${path}`) };
}

const toolOf = ({ execute }: Reading) => tool({ name: 'read', description: '', parameters, execute });

/** How a tool comes to obey two registries, beside the ways of the conformance suite. */
const ways: {
  readonly [way: string]: (
    s: Setup,
    read: Reading,
    inner: Hooks,
    outer: Hooks,
    options?: { readonly approval: Approver },
  ) => Promise<unknown>;
} = {
  'a hooked tool of a hooked agent': (s, read, inner, outer, options) =>
    s.runner.run(
      attachHooks(new Agent({ name: 'a', tools: [hookTool(toolOf(read), inner)] }), outer, options),
      'Go',
    ),
  'an agent attached twice': (s, read, inner, outer, options) =>
    s.runner.run(
      attachHooks(attachHooks(new Agent({ name: 'a', tools: [toolOf(read)] }), inner), outer, options),
      'Go',
    ),
  'a tool of `runTools` hooked twice': ({ server }, read, inner, outer, options) => {
    const client = new OpenAI({ baseURL: server.url, apiKey: 'none', maxRetries: 0 });
    const bare = zodFunction({ name: 'read', parameters, function: read.execute });
    const tools = hookRunTools(hookRunTools([bare], inner), outer, options);
    const messages = [{ role: 'user' as const, content: 'Go' }];
    return client.chat.completions.runTools({ model: 'gpt-5', messages, tools }).finalContent();
  },
};

describe.each(Object.entries(ways))('of two registries, %s,', (_way, run) => {
  test('the guards of the outer one are asked once, about what the inner one makes of the input', async () => {
    await using s = await setup(readA);
    const outer = createHooks();
    const seen: string[] = [];
    outer.on(BeforeToolCall, (event) => (seen.push(`on ${pathOf(event)}`), proceed()));
    outer.guard(BeforeToolCall, (event) => {
      seen.push(`guard ${pathOf(event)}`);
      return proceed();
    });
    outer.on(AfterToolCall, (event) => {
      seen.push(`${event.status} ${pathOf(event)}`);
      return event.attempt === 1 ? retry('again') : proceed();
    });
    const read = readFile();
    await run(s, read, reading('b'), outer);
    expect(seen).toEqual(['on a', 'guard b', 'ok b', 'ok b']);
    expect(read.ran).toEqual(['b', 'b']);
  });

  test('what the guards of the outer one refuse of it does not run', async () => {
    await using s = await setup(readA);
    const outer = createHooks();
    outer.guard(BeforeToolCall, (event) => (pathOf(event) === 'c' ? block('not c') : proceed()));
    const read = readFile();
    await run(s, read, reading('c'), outer);
    expect(read.ran).toEqual([]);
    expect(results(s)).toEqual({ c1: 'not c' });
  });

  test('an approval is for what runs, and the guards of both see what a person makes of it', async () => {
    await using s = await setup(readA);
    const [inner, outer] = [reading('b'), createHooks()];
    outer.on(BeforeToolCall, () => requireApproval('sure?'));
    const seen: string[] = [];
    for (const [who, hooks] of [
      ['inner', inner],
      ['outer', outer],
    ] as const)
      hooks.guard(BeforeToolCall, (event) => (seen.push(`${who} ${pathOf(event)}`), proceed()));
    const shown: string[] = [];
    const approval = (request: ApprovalRequest) => {
      shown.push(pathOf(request));
      const other = pathOf(request) === 'b' ? { input: { path: 'c' } } : {};
      return { decision: 'allow', ...other } as const;
    };
    const read = readFile();
    await run(s, read, inner, outer, { approval });
    expect(shown).toEqual(['b']);
    expect(seen.toSorted()).toEqual(['inner b', 'inner c', 'outer b', 'outer c']);
    expect(read.ran).toEqual(['c']);
  });
});

test('the SDK’s own pause is not used where an inner registry changes the input, which it could not show', async () => {
  await using s = await setup(readA);
  const outer = createHooks();
  outer.on(BeforeToolCall, () => requireApproval('sure?'));
  const read = readFile();
  const agent = new Agent({ name: 'a', tools: [hookTool(toolOf(read), reading('b'))] });
  const { interruptions } = await hookedRunner(s.runner, outer, { approval: 'native' }).run(agent, 'Go');
  expect(interruptions).toEqual([]);
  expect(read.ran).toEqual([]);
  expect(results(s)['c1']).toContain('to an approver');
});

test.each(['approve', 'reject', undefined] as const)(
  'the SDK’s own pause of one registry comes before the approver of another, who is asked after a yes, and alone where that one requires nothing (%s)',
  async (answer) => {
    await using s = await setup(readA);
    const [inner, outer] = [createHooks(), createHooks()];
    inner.on(BeforeToolCall, () => requireApproval('sure?'));
    outer.on(BeforeToolCall, () => (answer === undefined ? proceed() : requireApproval('really?')));
    const shown: string[] = [];
    const approval = (request: ApprovalRequest) => {
      shown.push(pathOf(request));
      return { decision: 'allow' } as const;
    };
    const read = readFile();
    const agent = new Agent({ name: 'a', tools: [hookTool(toolOf(read), inner, { approval })] });
    const runner = hookedRunner(s.runner, outer, { approval: 'native' });
    const { state, interruptions } = await runner.run(agent, 'Go');
    expect(interruptions).toHaveLength(answer === undefined ? 0 : 1);
    if (answer !== undefined) {
      expect([shown, read.ran]).toEqual([[], []]);
      state[answer](interruptions[0]!);
      await runner.run(agent, state);
    }
    const no = answer === 'reject';
    expect([shown, read.ran]).toEqual(no ? [[], []] : [['a'], ['a']]);
  },
);

describe('Code of a user between an outer and an inner hooked tool', () => {
  /** Has the tool called with another input. */
  const redirecting = (inner: ReturnType<typeof toolOf>): ReturnType<typeof toolOf> => ({
    ...inner,
    invoke: (context, _input, details) => inner.invoke(context, '{"path":"b"}', details),
  });

  test.each([true, false])(
    'that changes the input has it checked again by all of them, and the call is one (the same registry: %s)',
    async (same) => {
      await using s = await setup(readA);
      const outer = createHooks();
      const inner = same ? outer : createHooks();
      const seen: string[] = [];
      outer.guard(BeforeToolCall, (event) => {
        seen.push(`guard ${pathOf(event)}`);
        return pathOf(event) === 'b' ? block('not b') : proceed();
      });
      outer.observe(AfterToolCall, (event) => void seen.push(`${event.status} ${pathOf(event)}`));
      inner.on(BeforeToolCall, () => proceed());
      const read = readFile();
      const agent = new Agent({
        name: 'a',
        tools: [redirecting(hookTool(toolOf(read), inner))],
      });
      await hookedRunner(s.runner, outer).run(agent, 'Go');
      await outer.settled();
      expect(read.ran).toEqual([]);
      expect(results(s)).toEqual({ c1: 'not b' });
      expect(seen).toEqual(['guard a', 'guard b', 'blocked b']);
    },
  );
});

test('code around a hooked tool that runs it, and then with an input that the outer guards refuse, is a call that ran', async () => {
  await using s = await setup(readA);
  const outer = createHooks();
  outer.guard(BeforeToolCall, (event) => (pathOf(event) === 'c' ? block('not c') : proceed()));
  const ended: unknown[] = [];
  outer.observe(AfterToolCall, (event) => ended.push([event.status, event.ran, pathOf(event)]));
  const read = readFile();
  const inner = createHooks();
  inner.guard(BeforeToolCall, () => proceed());
  const hooked = hookTool(toolOf(read), inner);
  const invoke: typeof hooked.invoke = async (context, input, details) => {
    await hooked.invoke(context, input, details);
    return hooked.invoke(context, JSON.stringify({ path: 'c' }), details);
  };
  const agent = new Agent({ name: 'a', tools: [{ ...toolOf(read), invoke }] });
  await hookedRunner(s.runner, outer).run(agent, 'Go');
  expect(read.ran).toEqual(['a']);
  expect(ended).toEqual([['blocked', true, 'a']]);
  expect(results(s)).toEqual({ c1: 'not c (The tool did run; its result is withheld.)' });
});

describe('a hook renames a call to a tool that its registry hooks once more', () => {
  const renameAndPlay = async (own: { readonly approval?: Approver }, agentApproves = true) => {
    await using s = await setup(readA);
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('read'), () => modify({ toolName: 'peek' }));
    const ran: string[] = [];
    const named = (name: string) =>
      tool({ name, description: '', parameters, execute: () => void ran.push(name) });
    const tools = [named('read'), hookTool(named('peek'), hooks, own)];
    const agent = new Agent({ name: 'reader', tools });
    const outer = agentApproves ? { approval: () => ({ decision: 'allow' }) as const } : {};
    await hookedRunner(s.runner, hooks, outer).run(agent, 'go');
    return ran;
  };

  test('without other options, and the tool runs', async () => {
    expect(await renameAndPlay({})).toEqual(['peek']);
  });

  test('with the approver of the other tool, which is not asked, and nothing runs', async () => {
    const asked: string[] = [];
    const approval: Approver = ({ toolName }) => (asked.push(toolName), { decision: 'deny' });
    expect([await renameAndPlay({ approval }, false), asked]).toEqual([[], []]);
  });
});
