import { execFile } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Options } from '@anthropic-ai/claude-agent-sdk';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { expect } from 'vitest';
import { bash, optionsFor, type Script, startModel, withClaude } from './fixtures.ts';
import type { Report, Task } from './other-process.ts';

/*
 * Approvals whose answers arrive in other processes.
 */

const PROGRAM = fileURLToPath(new URL('other-process.ts', import.meta.url));

async function elsewhere(options: Options, task: Partial<Task> = {}): Promise<Report> {
  const whole: Task = { prompt: '', answers: [], ...task, options };
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--conditions=@hooks/source',
    PROGRAM,
    JSON.stringify(whole),
  ]);
  return JSON.parse(stdout);
}

/** The same call with the same id in answer to each prompt. */
const again: Script = ({ messages }) => {
  const latest = JSON.stringify(messages.at(-1));
  return /tool_result|Continue from/.test(latest) ? 'done' : [bash('echo ran >> runs', 'toolu_1')];
};

/** A session with a call that waits. */
async function waiting(env: Options['env'] = {}) {
  const model = await startModel(again);
  const options = optionsFor(model.url, { env });
  const { pending, sessionId } = await elsewhere(options, { prompt: 'Go.' });
  const yes = pending.map((call) => ({ ...call, decision: 'allow' as const }));
  expect(yes).toMatchObject([{ callId: 'toolu_1' }]);
  return {
    yes,
    options: { ...options, resume: sessionId },
    runs: () => {
      const file = join(String(options.cwd), 'runs');
      return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;
    },
    [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
  };
}

/** The same session as another machine would have it. */
function copied(options: Options): Options {
  const home = temporaryFolder();
  cpSync(String(options.env?.['HOME']), home, { recursive: true });
  return { ...options, env: { ...options.env, HOME: home } };
}

withClaude.concurrent(
  'a yes that arrives in two processes has one approvalId, and once runs its call once',
  async () => {
    await using session = await waiting();
    const { options, yes: answers, runs } = session;
    const store = join(temporaryFolder(), 'store.db');
    const other = copied(options);
    const first = await elsewhere(options, { answers, store });
    const second = await elsewhere(other, { answers, store });
    expect(first.approvalIds).toEqual([answers[0]?.approvalId]);
    expect(second.approvalIds).toEqual(first.approvalIds);
    expect(runs()).toBe(1);
  },
);

withClaude.concurrent.for([false, true])(
  'an old yes does not run an equal call with the same id that waits later, with once: %s',
  async (withOnce) => {
    await using session = await waiting();
    const { options, yes, runs } = session;
    const store = withOnce ? join(temporaryFolder(), 'store.db') : undefined;
    await elsewhere(options, { answers: yes, store });
    await elsewhere(options, { prompt: 'Again.', store });
    const replayed = await elsewhere(options, { answers: yes, store });
    expect(replayed.approvalIds).toEqual([null]);
    expect(runs()).toBe(1);
    const later = await elsewhere(options, { prompt: 'And again.', store });
    const answers = later.pending.map((call) => ({ ...call, decision: 'allow' as const }));
    const own = await elsewhere(options, { answers, store });
    expect(own.approvalIds).toEqual([answers[0]?.approvalId]);
    expect(own.approvalIds).not.toEqual([yes[0]?.approvalId]);
    expect(runs()).toBe(2);
  },
);

withClaude.concurrent(
  'an old yes does not run an equal call with the same id that the model makes later, also before that is stored',
  async () => {
    await using session = await waiting();
    const { options, yes: answers, runs } = session;
    await elsewhere(options, { answers });
    expect(runs()).toBe(1);
    const replayed = await elsewhere(options, { answers, prompt: 'Again.' });
    expect(new Set(replayed.approvalIds)).toEqual(new Set([null]));
    expect(runs()).toBe(1);
  },
);

withClaude.concurrent.for(['before', 'after'])(
  'a yes to the call that waits counts with an old one to the same id %s it',
  async (place) => {
    await using session = await waiting();
    const { options, yes: old, runs } = session;
    await elsewhere(options, { answers: old });
    const { pending } = await elsewhere(options, { prompt: 'Again.' });
    const yes = pending.map((call) => ({ ...call, decision: 'allow' as const }));
    const own = await elsewhere(options, {
      answers: place === 'before' ? [...old, ...yes] : [...yes, ...old],
    });
    expect(own.approvalIds).toEqual([yes[0]?.approvalId]);
    expect(runs()).toBe(2);
  },
);

withClaude.concurrent(
  'a yes counts in a session with a line that a killed process left half written',
  async () => {
    await using session = await waiting();
    const { options, yes: answers, runs } = session;
    const home = String(options.env?.['HOME']);
    const files = readdirSync(home, { recursive: true, encoding: 'utf8' });
    const transcript = join(
      home,
      files.find((file) => file.endsWith(`${String(options.resume)}.jsonl`)) ?? '',
    );
    const torn = '{"type":"user","message":{"content":[{"tool_use_id":"toolu_1"\n';
    writeFileSync(transcript, `${torn}${readFileSync(transcript, 'utf8')}`);
    await elsewhere(options, { answers });
    expect(runs()).toBe(1);
  },
);

withClaude.concurrent('an old yes does not count because of an old copy of the session', async () => {
  await using session = await waiting();
  const { options, yes: answers, runs } = session;
  const projects = join(String(options.env?.['HOME']), '.claude', 'projects');
  const [project = ''] = readdirSync(projects);
  cpSync(join(projects, project), join(projects, 'zz-old'), { recursive: true });
  await elsewhere(options, { answers });
  expect(runs()).toBe(1);
  await elsewhere(options, { answers, prompt: 'Again.' });
  expect(runs()).toBe(1);
});

withClaude.concurrent.for([false, true])(
  'a no to a call that also got a yes is what counts, the no first: %s',
  async (isFirst) => {
    await using session = await waiting();
    const { options, yes, runs } = session;
    const no = yes.map((answer) => ({ ...answer, decision: 'deny' as const }));
    await elsewhere(options, { answers: isFirst ? [...no, ...yes] : [...yes, ...no] });
    expect(runs()).toBe(0);
  },
);

withClaude.concurrent.for(['', 'sessions'])(
  "a yes counts where the folder of sessions is relative to the query's: '%s'",
  async (folder) => {
    await using session = await waiting({ CLAUDE_CONFIG_DIR: folder });
    const { options, yes: answers, runs } = session;
    await elsewhere(options, { answers });
    expect(runs()).toBe(1);
  },
);
