import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSdkMcpServer, type Options } from '@anthropic-ai/claude-agent-sdk';
import {
  AgentSwitch,
  BeforeModelCall,
  BeforeToolCall,
  block,
  createHooks,
  proceed,
  UserPromptSubmit,
} from '@hooks/core';
import { describe, expect, test } from 'vitest';
import { hookedOptions, hookedQuery, hookServer, hookTools } from '../src/index.ts';
import { bash, play, withClaude } from './fixtures.ts';

const hooked = (): ReturnType<typeof createHooks> => {
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, () => proceed());
  return hooks;
};

describe('options that have no effect are refused by the function that got them', () => {
  const functions: { readonly [name: string]: (options: object) => unknown } = {
    hookTools: (options) => hookTools([], hooked(), options),
    hookServer: (options) => hookServer(createSdkMcpServer({ name: 'shop', tools: [] }), hooked(), options),
    hookedOptions: (options) => hookedOptions({ settingSources: [] }, hooked(), options),
    hookedQuery: (options) =>
      hookedQuery({ prompt: 'Go.', options: { settingSources: [] } }, hooked(), options),
  };
  test.each<[string, object, string]>([
    ['hookTools', { approval: 'native' }, 'approval is "native"'],
    ['hookTools', { maxContinuations: 0 }, 'maxContinuations is unknown'],
    ['hookServer', { approval: 'native' }, 'approval is "native"'],
    ['hookServer', { refused: 'throw' }, 'refused is unknown'],
    ['hookedOptions', { refused: 'throw' }, 'refused is unknown'],
    ['hookedOptions', { answers: [] }, 'answers is unknown'],
    ['hookedQuery', { answers: { callId: 'c1' } }, 'answers is an object'],
    ['hookedQuery', { holdStreams: false }, 'did you mean holdStream'],
  ])('%s: %j', (name, options, problem) => {
    const message = expect.stringMatching(new RegExp(`^${name}: .*${problem}`));
    expect(() => functions[name]?.(options)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message }),
    );
  });
});

describe('options with which something goes round the hooks are refused by name', () => {
  const closed: Options = { settingSources: [] };
  test.each<[string, Options]>([
    ['extraArgs.bare', { ...closed, extraArgs: { bare: null } }],
    ['CLAUDE_CODE_SIMPLE', { ...closed, env: { CLAUDE_CODE_SIMPLE: '1' } }],
    ['CLAUDE_CODE_SIMPLE', { ...closed, settings: { env: { CLAUDE_CODE_SIMPLE: '1' } } }],
    ['extraArgs.settings', { ...closed, extraArgs: { settings: '{}' } }],
    ['extraArgs.plugin-dir', { ...closed, extraArgs: { 'plugin-dir': '/plugin' } }],
    ['extraArgs.settings', { ...closed, extraArgs: { 'settings={}': null } }],
    ['extraArgs.plugin-url', { ...closed, extraArgs: { 'plugin-url': 'http://127.0.0.1' } }],
    ['extraArgs.resume', { ...closed, extraArgs: { resume: 'a' } }],
    ['extraArgs.continue', { ...closed, extraArgs: { continue: null } }],
    ['settingSources', {}],
    ['settingSources', { settingSources: ['project'] }],
    ['plugins', { ...closed, plugins: [{ type: 'local', path: '/plugin' }] }],
    ['settings', { ...closed, settings: '/settings.json' }],
    ['settings.hooks', { ...closed, settings: { hooks: {} } }],
  ])('%s', (name, options) => {
    const message = expect.stringContaining(`refuses the option ${name}:`);
    expect(() => hookedOptions(options, hooked())).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', message }),
    );
    expect(() => hookedQuery({ prompt: 'Go.', options }, hooked())).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', message }),
    );
  });

  test.each<[string, Options]>([
    [
      'managedSettings.allowManagedHooksOnly',
      { managedSettings: { allowManagedHooksOnly: true }, plugins: [] },
    ],
    ['settings.disableAllHooks', { settings: { disableAllHooks: true }, settingSources: ['project'] }],
  ])('%s lets files of settings be loaded', (_, options) => {
    expect(hookedOptions(options, hooked())).toMatchObject(
      options.settings ? { settings: options.settings } : {},
    );
  });

  test('continue, and answers without resume', () => {
    const options: Options = { settingSources: [] };
    expect(() => hookedQuery({ prompt: '', options: { ...options, continue: true } }, hooked())).toThrow(
      /resume/,
    );
    const answers = [
      { callId: 'a', toolName: 'Bash', approvalId: 'b', hash: 'c', decision: 'allow' },
    ] as const;
    expect(() => hookedQuery({ prompt: '', options }, hooked(), { answers })).toThrow(/resume/);
  });
});

test('a hook on an event that the SDK does not have is refused, and one that cannot refuse is not', () => {
  const hooks = createHooks({ onWarning: () => {} });
  hooks.observe(AgentSwitch, () => {});
  hookedOptions({ settingSources: [] }, hooks);
  expect(() => hooks.guard(BeforeModelCall, () => proceed())).toThrow(
    expect.objectContaining({ code: 'UNSUPPORTED_EVENT' }),
  );
});

withClaude.concurrent('a hook in a settings file does not rewrite what hooks have decided on', async () => {
  const hooks = hooked();
  const output = {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
      updatedInput: { command: 'echo FROM SETTINGS', description: 'd' },
    },
  };
  const { model } = await play([[bash('echo ORIGINAL')], 'done'], hooks, {
    start: ({ prompt, options }) => {
      const file = join(String(options.cwd), 'answer.json');
      writeFileSync(file, JSON.stringify(output));
      const settings = {
        hooks: { PreToolUse: [{ hooks: [{ type: 'command' as const, command: `cat ${file}` }] }] },
      };
      return hookedQuery(
        { prompt, options: { ...options, settings, managedSettings: { allowManagedHooksOnly: true } } },
        hooks,
      );
    },
  });
  expect(model.read()).toEqual(['ORIGINAL']);
});

withClaude.concurrent('commands in the file of a skill do not run', async () => {
  const hooks = hooked();
  const { options: played } = await play(['done'], hooks, {
    prompt: '/boo',
    start: ({ prompt, options: { skills: _, ...options } }) => {
      const folder = join(String(options.cwd), '.claude', 'commands');
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        join(folder, 'boo.md'),
        '---\nname: boo\ndescription: boo\nallowed-tools: Bash\n---\nSays: !`touch ran-unasked`\n',
      );
      return hookedQuery(
        {
          prompt,
          options: {
            ...options,
            tools: ['Bash', 'Skill'],
            settingSources: ['user', 'project'],
            managedSettings: { allowManagedHooksOnly: true },
          },
        },
        hooks,
      );
    },
  });
  expect(readdirSync(String(played.cwd))).not.toContain('ran-unasked');
});

withClaude.concurrent('a callback of the user that rewrites an input is refused', async () => {
  const warnings: string[] = [];
  const hooks = createHooks({ onWarning: (warning) => void warnings.push(String(warning)) });
  hooks.guard(BeforeToolCall, () => proceed());
  const updatedInput = { command: 'echo OTHER', description: 'd' };
  const { model } = await play([[bash('echo A')], 'done'], hooks, {
    options: {
      hooks: {
        PreToolUse: [
          { hooks: [async () => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput } })] },
        ],
      },
    },
  });
  expect(model.read()).toEqual([expect.stringContaining('Rewrite with hooks.on')]);
  expect(warnings.join()).toContain('updatedInput');
});

withClaude.concurrent('a callback of the user may still refuse', async () => {
  const hooks = hooked();
  const { model } = await play([[bash('echo A')], 'done'], hooks, {
    options: {
      hooks: {
        PreToolUse: [
          {
            hooks: [
              async () => ({
                hookSpecificOutput: {
                  hookEventName: 'PreToolUse',
                  permissionDecision: 'deny',
                  permissionDecisionReason: 'theirs',
                },
              }),
            ],
          },
        ],
      },
    },
  });
  expect(model.read()).toEqual([expect.stringContaining('theirs')]);
});

withClaude.concurrent('a hook that fails refuses: the prompt, and the call', async () => {
  const hooks = createHooks({ onError: () => {} });
  hooks.guard(BeforeToolCall, () => {
    throw new Error('broken');
  });
  const { model } = await play([[bash('touch ran')], 'done'], hooks);
  expect(model.read()[0]).toMatch(/^!/);
  const prompts = createHooks({ onError: () => {} });
  prompts.guard(UserPromptSubmit, () => {
    throw new Error('broken');
  });
  expect((await play(['done'], prompts)).model.requests).toEqual([]);
});

withClaude.concurrent('settings that are changed while a query runs cannot bring hooks in', async () => {
  const hooks = hooked();
  const thrown: unknown[] = [];
  await play(['done'], hooks, {
    onMessage: (_, query) => {
      try {
        void query.applyFlagSettings({ hooks: {} });
      } catch (error) {
        thrown.push(error);
      }
    },
  });
  expect(thrown[0]).toMatchObject({ code: 'INVALID_INPUT' });
});

const SWITCHED_OFF: readonly Options['managedSettings'][] = [{}, { disableAllHooks: true }];
withClaude.concurrent.for(SWITCHED_OFF)(
  'a query in which callbacks were switched off all the same is closed: %o',
  async (managedSettings = {}, { expect }) => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, () => block('no'));
    const { error, model, options } = await play([[bash('touch ran')], 'done'], hooks, {
      options: {
        managedSettings,
        // A launcher of the user's adds what the options do not show.
        spawnClaudeCodeProcess: ({ command, args, cwd, env, signal }) =>
          spawn(command, [...args, '--bare'], { cwd, env, signal, stdio: ['pipe', 'pipe', 'ignore'] }),
      },
    });
    expect(error).toMatchObject({ code: 'INVALID_INPUT' });
    // The model may have been asked, but no tool ran.
    expect(model.read().filter((text) => !text.startsWith('!'))).toEqual([]);
    expect(readdirSync(String(options.cwd))).not.toContain('ran');
  },
);

const RULES: Options['settings'] = { permissions: { deny: ['Bash(touch *)'] } };
withClaude.concurrent.for([RULES, JSON.stringify(RULES)])(
  'the rules of the user hold as soon as hooks have been asked: %s',
  async (settings, { expect }) => {
    const hooks = hooked();
    const { model, options } = await play([[bash('touch ran')], [bash('echo hi')], 'done'], hooks, {
      options: { settings, managedSettings: { allowManagedHooksOnly: true } },
    });
    expect(model.read()).toEqual([expect.stringMatching(/^!/), 'hi']);
    expect(readdirSync(String(options.cwd))).not.toContain('ran');
  },
);

test('hookedOptions hook a query whose first hook is registered later', () => {
  const { hooks: callbacks = {} } = hookedOptions({ settingSources: [] }, createHooks());
  expect(Object.keys(callbacks)).toContain('PreToolUse');
});
