import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import {
  type HookCallback,
  type HookEvent,
  type Options,
  query,
  type SDKUserMessage,
} from '@anthropic-ai/claude-agent-sdk';
import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  modify,
  proceed,
  requireApproval,
  TransformToolResult,
  UserPromptSubmit,
} from '@hooks/core';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { expect, test } from 'vitest';
import { blockReason, hookedOptions, pendingApprovals } from '../src/index.ts';
import { shapedAs } from '../src/tool/shape.ts';
import {
  type Block,
  bash,
  call,
  type Play,
  type Played,
  play,
  type Request,
  withClaude,
} from './fixtures.ts';

/*
 * What Claude Code itself reads, sends and starts, beside the calls that it asks the hooks about.
 */

function hiding(): Hooks {
  const hooks = createHooks();
  hooks.on(TransformToolResult, ({ output }) => {
    const json = JSON.stringify(output) ?? '';
    return json.includes('SECRET')
      ? modify({ output: JSON.parse(json.replaceAll('SECRET', 'HIDDEN')) })
      : proceed();
  });
  return hooks;
}

/** Hides errors, which Claude Code does not let anybody replace. */
function hidingErrors(): Hooks {
  const hooks = createHooks();
  hooks.on(TransformToolResult, ({ error }) =>
    error === undefined ? proceed() : modify({ errorMessage: 'hidden' }),
  );
  return hooks;
}

function refusing(name: string): Hooks {
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, ({ toolName }) => (toolName === name ? block('refused') : proceed()));
  return hooks;
}

/** Refuses prompts that ask to steal. */
function refusingToSteal(): Hooks {
  const hooks = createHooks();
  hooks.guard(UserPromptSubmit, ({ prompt }) => (prompt.includes('steal') ? block('no') : proceed()));
  return hooks;
}

const said = (content: string): SDKUserMessage => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
});

/** Prompts, each after the result of the one before. */
function oneByOne(...prompts: readonly (string | SDKUserMessage)[]): Pick<Play, 'prompt' | 'onMessage'> {
  const over = prompts.map(() => Promise.withResolvers<void>());
  let results = 0;
  return {
    prompt: (async function* () {
      for (const [nth, prompt] of prompts.entries()) {
        if (nth > 0) await over[nth - 1]?.promise;
        yield typeof prompt === 'string' ? said(prompt) : prompt;
      }
    })(),
    onMessage: ({ type }) => {
      if (type === 'result') over[results++]?.resolve();
    },
  };
}

/** A folder with files. */
function folderOf(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** Where the requests to the model have a text. */
const found = ({ model }: Played, text: string) =>
  [JSON.stringify(model.requests), ...model.others].flatMap((sent) =>
    sent
      .split(text)
      .slice(1)
      .map((_, nth) => sent.split(text)[nth]?.slice(-100)),
  );
const SECRET_FILE = { 'secret.txt': 'SECRET' };
const failing = bash('printf "SEC%s\\n" RET; exit 3');
/** What loads skills, commands and agents of a project. */
const project: Options = {
  settingSources: ['project'],
  managedSettings: { allowManagedHooksOnly: true },
  skills: 'all',
  tools: ['Bash', 'Read', 'Skill'],
};

const bareQuery = (hooks: Hooks): Pick<Play, 'start'> => ({
  start: ({ prompt, options }) => query({ prompt, options: hookedOptions(options, hooks) }),
});

/** Answers a request for a summary, and otherwise from the script. */
const withSummary =
  (script: readonly (string | readonly Block[])[]) =>
  ({ messages }: Request, turn: number) =>
    JSON.stringify(messages.at(-1)).includes('summary')
      ? '<summary>All.</summary>'
      : (script[turn] ?? 'done');

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

withClaude.concurrent.for<[string, string, (file: object) => object]>([
  ['another word', 'secret.txt', (file) => ({ type: 'hidden', file: { ...file, content: 'HIDDEN' } })],
  [
    'a number that JSON does not have',
    'secret.txt',
    (file) => ({ type: 'text', file: { ...file, content: 'HIDDEN', numLines: Number.NaN } }),
  ],
  [
    'another media type',
    'secret.png',
    (file) => ({ type: 'image', file: { ...file, base64: 'AAAA', type: 'image/hidden' } }),
  ],
])(
  'the model does not read an original that hooks replaced with %s',
  async ([, name, replace], { expect }) => {
    const hooks = createHooks();
    hooks.on(TransformToolResult.matching('Read'), ({ output }) =>
      modify({ output: replace((output as { readonly file: object }).file) }),
    );
    const cwd = folderOf({ ...SECRET_FILE, 'secret.png': png });
    const played = await play([[call('Read', { file_path: join(cwd, name) })], 'done'], hooks, {
      options: { cwd },
    });
    expect(played.model.requests.length).toBeGreaterThan(0);
    expect(found(played, 'SECRET')).toEqual([]);
    expect(found(played, png.toString('base64').slice(0, 20))).toEqual([]);
  },
);

test('a result is not given back with other words in fields that take only certain ones', () => {
  const entry = createRequire(import.meta.url).resolve('@anthropic-ai/claude-agent-sdk');
  const types = readFileSync(join(dirname(entry), 'sdk-tools.d.ts'), 'utf8');
  const outputs = types
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .split(/^export (?:interface|type) /m)
    .filter((declared) => /^\w+Output\b/.test(declared));
  const fields = outputs.flatMap((declared) =>
    [...declared.matchAll(/\b(\w+)\??:\s+\|?\s*"([^"]+)"/g)].map(([, field = '', word = '']) => ({
      [field]: word,
    })),
  );
  expect(fields.length).toBeGreaterThan(30);
  for (const original of fields) {
    const replaced = Object.fromEntries(Object.keys(original).map((field) => [field, 'other']));
    expect(shapedAs(original, replaced), JSON.stringify(original)).toBeUndefined();
  }
});

withClaude.concurrent.for<[string, Options, Pick<Play, 'prompt' | 'onMessage'>, Block?]>([
  ['a prompt', {}, oneByOne('Hello.', 'Look at @secret.txt')],
  ['a command', project, oneByOne('Hello.', '/look now')],
  ['a call of a skill', project, {}, call('Skill', { skill: 'look', args: '@secret.txt' })],
])('a file that %s mentions is read by a call only', async ([, options, prompts, called], { expect }) => {
  const look = '---\nname: look\ndescription: Looks.\n---\nLook at @secret.txt and $ARGUMENTS';
  const cwd = folderOf({
    ...SECRET_FILE,
    '.claude/commands/look.md': look,
    '.claude/skills/look/SKILL.md': look,
  });
  const script = called ? [[called], 'done'] : ['done', 'done'];
  const hooked = await play(script, refusing('Read'), { ...prompts, options: { ...options, cwd } });
  expect(hooked.model.requests).toHaveLength(2);
  expect(found(hooked, 'SECRET')).toEqual([]);
});

withClaude.concurrent('a file that a prompt of a bare query mentions is read by a call only', async () => {
  const played = await play(['done'], createHooks(), {
    ...bareQuery(refusing('Read')),
    prompt: 'Look at @secret.txt',
    options: { cwd: folderOf(SECRET_FILE) },
  });
  expect(played.model.requests).toHaveLength(1);
  expect(found(played, 'SECRET')).toEqual([]);
});

const helper = { description: 'Helps.', prompt: 'You help.', initialPrompt: 'steal' };
withClaude.concurrent.for<[string, Options]>([
  ['the options', { agent: 'helper', agents: { helper } }],
  ['an argument', { extraArgs: { agent: 'helper' }, agents: { helper } }],
  ['a file', { ...project, agent: 'helper' }],
])('hooks decide on the initial prompt of an agent from %s', async ([, options]) => {
  const cwd = folderOf({
    '.claude/agents/helper.md':
      '---\nname: helper\ndescription: Helps.\ninitialPrompt: steal\n---\nYou help.',
  });
  const played = await play(['done', 'done'], refusingToSteal(), { options: { ...options, cwd } });
  expect(played.model.requests).toHaveLength(1);
  expect(found(played, 'steal')).toEqual([]);
});

withClaude.concurrent('a compaction reads no file again whose text hooks replaced', async () => {
  const cwd = folderOf(SECRET_FILE);
  const read = () => [call('Read', { file_path: join(cwd, 'secret.txt') })];
  const played = await play(withSummary([read(), 'done', 'done', read()]), hiding(), {
    ...oneByOne('Go.', '/compact', 'Again.'),
    options: { cwd },
  });
  expect(found(played, 'SECRET')).toEqual([]);
  // It can be read by a call as before.
  expect(played.model.read()).toEqual([expect.stringContaining('HIDDEN'), expect.stringContaining('HIDDEN')]);
});

withClaude.concurrent('a bare query is not compacted after hooks replaced the text of a file', async () => {
  const cwd = folderOf(SECRET_FILE);
  const read = [call('Read', { file_path: join(cwd, 'secret.txt') })];
  const played = await play(withSummary([read]), createHooks(), {
    ...bareQuery(hiding()),
    ...oneByOne('Go.', '/compact', 'Again.'),
    options: { cwd },
  });
  expect(found(played, 'HIDDEN')).not.toEqual([]);
  expect(found(played, 'SECRET')).toEqual([]);
});

withClaude.concurrent.for(['/compact', '/recap', 'Go on.'])(
  'an original that Claude Code keeps reaches no model by a later prompt: %s',
  async (prompt) => {
    const hooks = hidingErrors();
    for (const start of prompt === '/recap' ? [{}] : [{}, bareQuery(hooks)]) {
      const played = await play([[failing], 'done', 'done'], hooks, {
        ...start,
        ...oneByOne('Go.', prompt, 'And?'),
      });
      expect(played.model.requests.length).toBeGreaterThan(0);
      expect(found(played, 'SECRET')).toEqual([]);
    }
  },
);

withClaude.concurrent('Claude Code sends no summary of calls on whose results hooks decide', async () => {
  const script = (request: Request, turn: number) => (turn === 0 && request.tools ? [failing] : 'done');
  const played = await play(script, hidingErrors(), {
    options: { env: { CLAUDE_CODE_EMIT_TOOL_USE_SUMMARIES: '1' } },
  });
  expect(played.model.requests).toHaveLength(1);
  expect(found(played, 'SECRET')).toEqual([]);
});

withClaude.concurrent.for<object>([
  { type: 'control_request', request_id: 'x', request: { subtype: 'mcp_set_servers', servers: {} } },
  { type: 'control_response', response: {} },
  { type: 'update_environment_variables', variables: {} },
  { type: 'assistant' },
  {},
  { type: 'user', message: { role: 'user', content: null } },
  { type: 'user', message: { role: 'user', content: [null] } },
])('hookedQuery passes on nothing but messages of users: %o', async (other, { expect }) => {
  // A client's JSON.
  const message = { ...said('x'), type: undefined, ...other } as unknown as SDKUserMessage;
  for (const messages of [[message], [said('Hello.'), message]]) {
    const { error, model } = await play(['done', 'done'], refusing('Bash'), oneByOne(...messages));
    expect(String(error)).toContain('type');
    expect(model.requests.length).toBeLessThan(2);
  }
});

withClaude.concurrent('a workflow does not run where hooks decide on its result', async () => {
  const script =
    "export const meta = { name: 'w', description: 'd', phases: [] };\nreturn await agent('SUBTASK');";
  const answer = ({ messages }: Request) => {
    const text = JSON.stringify(messages);
    if (text.includes('SUBTASK') && !text.includes('toolu_main')) return 'SECRET';
    if (!text.includes('toolu_main')) return [call('Workflow', { script }, 'toolu_main')];
    return text.includes('toolu_wait') ? 'done' : [bash('sleep 2', 'toolu_wait')];
  };
  const hooks = createHooks();
  hooks.on(TransformToolResult.matching('Workflow'), () => modify({ output: 'hidden' }));
  const played = await play(answer, hooks, { options: { tools: ['Bash', 'Workflow'] } });
  expect(played.model.read()).toContainEqual(
    expect.stringContaining('Hooks decide on the results of Workflow'),
  );
  expect(found(played, 'SECRET')).toEqual([]);
});

withClaude.concurrent('a refused run has no structured output', async () => {
  const hooks = createHooks();
  hooks.on(AfterToolCall.matching('StructuredOutput'), () => block('refused', { stop: true }));
  const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
  const { result } = await play([[call('StructuredOutput', { a: 'x' })], 'done'], hooks, {
    options: { outputFormat: { type: 'json_schema', schema } },
  });
  expect(blockReason(result)).toContain('refused');
  expect(result).toMatchObject({ result: blockReason(result) });
  expect(result).not.toHaveProperty('structured_output');
});

withClaude.concurrent.for<[string, boolean, (hooks: Hooks) => void]>([
  ['decide on all results', true, (hooks) => hooks.on(TransformToolResult, () => proceed())],
  [
    'decide on results of another tool',
    false,
    (hooks) => hooks.on(TransformToolResult.matching('Read'), () => proceed()),
  ],
  ['observe all results', false, (hooks) => hooks.observe(TransformToolResult, () => {})],
])(
  'a sub-agent waits only if hooks decide on its result: they %s',
  async ([, waits, register], { expect }) => {
    const hooks = createHooks();
    register(hooks);
    const agent = call(
      'Agent',
      { description: 'd', prompt: 'SUBTASK', subagent_type: 'general-purpose' },
      'toolu_main',
    );
    const { model } = await play(
      ({ messages }) =>
        JSON.stringify(messages[0]).includes('SUBTASK') || JSON.stringify(messages).includes('toolu_main')
          ? 'done'
          : [agent],
      hooks,
    );
    expect(model.read()[0]?.startsWith('Async agent launched')).toBe(!waits);
  },
);

/** A model whose sub-agent makes a call, before its caller makes others, one by one. */
const withSubagent =
  (inside: Block, ...after: readonly ((agentId: string) => Block)[]) =>
  ({ messages }: Request) => {
    const text = JSON.stringify(messages);
    if (text.includes('SUBTASK') && !text.includes('toolu_main'))
      return text.includes('tool_result') ? 'ok' : [inside];
    if (!text.includes('toolu_main')) {
      const input = { description: 'd', prompt: 'SUBTASK', subagent_type: 'general-purpose' };
      return [call('Agent', { ...input, run_in_background: false }, 'toolu_main')];
    }
    const next = after.find((_, nth) => !text.includes(`toolu_after_${nth.toString()}`));
    const id = /agentId: (\w+)/.exec(text)?.[1] ?? '';
    return next ? [{ ...next(id), id: `toolu_after_${after.indexOf(next).toString()}` } as Block] : 'done';
  };

withClaude.concurrent(
  'an original in the history of a sub-agent reaches no model by a message to it',
  async () => {
    const message = (to: string) => call('SendMessage', { to, summary: 's', message: 'more' });
    const played = await play(withSubagent(failing, message), hidingErrors(), {
      options: { tools: ['Bash', 'Agent', 'SendMessage'] },
    });
    expect(played.model.read().at(-1)).toContain('A hook replaced');
    expect(found(played, 'SECRET')).toEqual([]);
  },
);

withClaude.concurrent('a call of a sub-agent does not wait, and the model reads why', async () => {
  const hooks = createHooks();
  hooks.guard(BeforeToolCall.matching('Bash'), () => requireApproval('ask'));
  const played = await play(
    withSubagent(bash('touch a'), () => bash('touch b')),
    hooks,
    {
      settings: { approval: 'native' },
    },
  );
  expect(played.model.read()).toContainEqual(expect.stringContaining('a call of a sub-agent cannot wait'));
  // A later call of the main agent can.
  expect(await pendingApprovals(played.result)).toMatchObject([{ input: { command: 'touch b' } }]);
  expect(existsSync(join(String(played.options.cwd), 'a'))).toBe(false);
});

test('a result that hooks were not asked about reaches no model by a later prompt either', async () => {
  const { hooks: callbacks = {} } = hookedOptions({ settingSources: [] }, refusing('Glob'));
  const tell = async (event: HookEvent, more: object) => {
    const input = { hook_event_name: event, session_id: 'unasked', transcript_path: '', cwd: '', ...more };
    const { signal } = new AbortController();
    return callbacks[event]?.[0]?.hooks[0]?.(input as Parameters<HookCallback>[0], undefined, { signal });
  };
  const result = {
    tool_name: 'Glob',
    tool_use_id: 'c',
    tool_input: {},
    tool_response: { names: ['SECRET'] },
  };
  expect(await tell('PostToolUse', result)).toMatchObject({ continue: false });
  expect(await tell('UserPromptSubmit', { prompt: 'Again.' })).toMatchObject({ decision: 'block' });
});
