import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BeforeModelCall, TurnStart } from '@hooks/core';
import { expect, test } from 'vitest';
import { harness } from './harness.ts';

/** docker-agent's built-ins under their names, done by the guards. */

const builtin = (command: string, ...args: readonly string[]): object => ({
  type: 'builtin',
  command,
  ...(args.length > 0 && { args }),
});

test('all of docker-agent’s names are known', async () => {
  const { hooks } = await harness({
    agents: {
      root: {
        hooks: {
          turn_start: [
            builtin('add_date'),
            builtin('add_prompt_files', 'GUIDELINES.md'),
            builtin('add_git_status'),
            builtin('add_git_diff', 'full'),
            builtin('snapshot'),
          ],
          turn_end: [builtin('snapshot')],
          session_start: [
            builtin('add_environment_info'),
            builtin('add_directory_listing'),
            builtin('add_user_info'),
            builtin('add_recent_commits', '5'),
          ],
          before_llm_call: [builtin('max_iterations', '50'), builtin('redact_secrets')],
          on_agent_switch: [builtin('unload')],
        },
      },
    },
  });
  const of = (event: string): number => hooks.list().filter((hook) => hook.event === event).length;
  expect([
    of('turn_start'),
    of('turn_end'),
    of('session_start'),
    of('before_model_call'),
    of('agent_switch'),
  ]).toEqual([5, 1, 4, 2, 1]);
});

test('context reaches the model', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'hooks-guard-builtins-'));
  writeFileSync(join(cwd, 'GUIDELINES.md'), 'Be kind.');
  writeFileSync(
    join(cwd, 'hooks.yaml'),
    `
agents:
  root:
    add_date: true
    add_prompt_files: [GUIDELINES.md]
`,
  );
  const { hooks, session } = await harness('hooks.yaml', { cwd });
  await hooks.dispatch(TurnStart, { session, iteration: 1 });
  expect(session.takeContext()).toEqual([
    expect.stringMatching(/^Today's date: \d{4}-\d\d-\d\d$/),
    expect.stringMatching(/Be kind\.$/),
  ]);
});

test('max_iterations stops hard', async () => {
  const { hooks, session } = await harness({
    agents: { root: { hooks: { before_llm_call: [builtin('max_iterations', '1')] } } },
  });
  const call = { session, messages: [], tools: [] };
  expect(await hooks.dispatch(BeforeModelCall, { ...call, iteration: 1 })).toMatchObject({ kind: 'proceed' });
  expect(await hooks.dispatch(BeforeModelCall, { ...call, iteration: 2 })).toMatchObject({
    kind: 'block',
    stop: true,
  });
});

test.each([
  ['max_iterations', []],
  ['max_iterations', ['many']],
  ['add_prompt_files', []],
  ['add_git_diff', ['some']],
  ['add_recent_commits', ['0']],
  ['add_date', ['x']],
])('%s with %j is refused', async (name, args) => {
  await expect(
    harness({ agents: { root: { hooks: { turn_start: [builtin(name, ...args)] } } } }),
  ).rejects.toThrow(new RegExp(`builtin "${name}"`));
});
