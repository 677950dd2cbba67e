import { BeforeToolCall, createHooks, type HookProvider, proceed, recordTraces } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { expect, it } from 'vitest';

const provider = (name: string, version: string | undefined, inner?: HookProvider): HookProvider => ({
  name,
  ...(version !== undefined && { version }),
  register(hooks) {
    hooks.guard(BeforeToolCall, () => proceed(), { id: 'looks' });
    if (inner) hooks.use(inner);
  },
});

it('a hook has the version of its provider, or else of the one around it', () => {
  const hooks = createHooks();
  hooks.use(provider('outer', '1', provider('inner', undefined, provider('innermost', '2'))));
  hooks.use(provider('plain', undefined));
  expect(hooks.list().map(({ id, version }) => [id, version])).toEqual([
    ['outer/looks', '1'],
    ['outer/inner/looks', '1'],
    ['outer/inner/innermost/looks', '2'],
    ['plain/looks', undefined],
  ]);
});

it('a trace says what a hook asked outside of the process', async () => {
  const hooks = createHooks();
  const recorder = recordTraces();
  hooks.trace(recorder.listener);
  const external = ({ agent }: { readonly agent?: string }) => (agent === 'writer' ? 'judge-1' : undefined);
  hooks.guard(BeforeToolCall, () => proceed(), { id: 'judge', external });
  hooks.guard(BeforeToolCall, () => proceed(), {
    id: 'broken',
    external: () => {
      throw new Error('broken');
    },
  });
  expect(hooks.list().map((hook) => hook.external)).toEqual([true, true]);
  for (const agent of ['writer', 'reader'])
    await callTool(hooks, { session: hooks.session('s'), agent, toolName: 'exec', input: {} }, () => 'ok');
  expect(recorder.traces.map((trace) => trace.hooks.map((hook) => hook.external))).toEqual([
    ['judge-1', undefined],
    [undefined, undefined],
  ]);
});
