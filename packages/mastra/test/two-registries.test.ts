import {
  AfterToolCall,
  type ApprovalRequest,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  modify,
  proceed,
  requireApproval,
  retry,
} from '@hooks/core';
import { Agent } from '@mastra/core/agent';
import { createTool, type Tool } from '@mastra/core/tools';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hooked, hookTools } from '../src/index.ts';
import { callThenText, modelOf, quiet, readByModel, runAgent, serve } from './fixtures.ts';

const pathOf = ({ input }: { readonly input: unknown }) => String(Reflect.get(Object(input), 'path'));

/** Hooks that have other files read, one after the other. */
function reading(...paths: readonly string[]): Hooks {
  const hooks = createHooks();
  let turn = 0;
  hooks.on(BeforeToolCall, (event) =>
    pathOf(event) === 'a' ? modify({ input: { path: paths[turn++] ?? '' } }) : proceed(),
  );
  return hooks;
}

type Approval = (request: ApprovalRequest) => { readonly decision: 'allow'; readonly input?: unknown };
type Config = Pick<ConstructorParameters<typeof Agent>[0], 'id' | 'name' | 'instructions' | 'model'>;

/** How a tool comes to obey two registries. */
const ways: {
  readonly [way: string]: (
    config: Config,
    read: Tool,
    inner: Hooks,
    outer: Hooks,
    approval?: Approval,
  ) => Agent;
} = {
  'a hooked tool of a hooked agent': (config, read, inner, outer, approval = () => ({ decision: 'allow' })) =>
    hooked({ ...config, tools: hookTools({ read }, inner) }, outer, { approval }) as Agent,
  'a tool hooked twice': (config, read, inner, outer, approval = () => ({ decision: 'allow' })) =>
    new Agent({ ...config, tools: hookTools(hookTools({ read }, inner), outer, { approval }) }),
};

describe.each(Object.entries(ways))('of two registries, %s,', (_way, make) => {
  async function run(inner: Hooks, outer: Hooks, approval?: Approval) {
    await using server = await serve(callThenText('read', { path: 'a' }));
    const ran: string[] = [];
    const read = createTool({
      id: 'read',
      description: 'Reads a file.',
      inputSchema: z.object({ path: z.string() }),
      execute: async ({ path }) => (ran.push(path), `content of ${path}`),
    });
    const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server) };
    await runAgent(quiet(make(config, read as unknown as Tool, inner, outer, approval)), 'Go', false);
    return { ran, read: readByModel(server) };
  }

  test.each([
    ['b', 'content of b', 'ok b'],
    ['c', 'not c', 'blocked c'],
  ])(
    'the guards of the outer one see what the inner one makes of the input: %s',
    async (path, answer, end) => {
      const outer = createHooks();
      const seen: string[] = [];
      outer.on(BeforeToolCall, (event) => (seen.push(`on ${pathOf(event)}`), proceed()));
      outer.guard(BeforeToolCall, (event) => {
        seen.push(`guard ${pathOf(event)}`);
        return pathOf(event) === 'c' ? block('not c') : proceed();
      });
      outer.on(AfterToolCall, (event) => (seen.push(`${event.status} ${pathOf(event)}`), proceed()));
      const { ran, read } = await run(reading(path), outer);
      expect(seen).toEqual(['on a', 'guard a', `guard ${path}`, end]);
      expect(ran).toEqual(path === 'c' ? [] : [path]);
      expect(read).toEqual({ c1: answer });
    },
  );

  test('they see what it makes of the input at a Retry, too', async () => {
    const outer = createHooks();
    outer.guard(BeforeToolCall, (event) => (pathOf(event) === 'c' ? block('not c') : proceed()));
    outer.on(AfterToolCall, ({ ran }) => (ran ? retry('again') : proceed()));
    expect(await run(reading('b', 'c'), outer)).toEqual({ ran: ['b'], read: { c1: 'not c' } });
  });

  test('an approval is for what runs, and the guards of both see what a person makes of it', async () => {
    const [inner, outer] = [reading('b'), createHooks()];
    outer.on(BeforeToolCall, () => requireApproval('sure?'));
    const seen: string[] = [];
    for (const [who, hooks] of [
      ['inner', inner],
      ['outer', outer],
    ] as const)
      hooks.guard(BeforeToolCall, (event) => (seen.push(`${who} ${pathOf(event)}`), proceed()));
    const shown: string[] = [];
    const { ran } = await run(inner, outer, (request) => {
      shown.push(pathOf(request));
      return { decision: 'allow', ...(pathOf(request) === 'b' && { input: { path: 'c' } }) };
    });
    expect(shown).toEqual(['a', 'b']);
    expect(seen).toEqual(['outer a', 'inner b', 'outer b', 'outer c', 'inner c']);
    expect(ran).toEqual(['c']);
  });
});
