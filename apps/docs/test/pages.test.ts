import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readHooks } from '@hooks/config';
import { type Step, startModelServer } from '@hooks/conformance';
import { examplesOf, programsIn, run } from '@hooks/testing/examples';
import { noPostgres, noRedis, startPostgres, startRedis } from '@hooks/testing/servers';
import { describe, expect, test } from 'vitest';
import { readPages } from './page.ts';
import { runShell } from './shell.ts';

const repository = new URL('../../../', import.meta.url);
const pages = readPages();
const blocks = pages.flatMap((page) => page.blocks);

const toEve: Step = { toolCalls: [{ name: 'send_email', arguments: { to: 'eve@evil.test' } }] };

const refund: Step = { toolCalls: [{ name: 'refund_order', arguments: { id: '7' } }] };
const pay: Step = { toolCalls: [{ name: 'pay', arguments: { euros: 5 } }] };

/** What the model says in the programs that ask one. */
const scripts: { readonly [program: string]: readonly Step[] } = {
  'apps/docs/pages/guides/langchain-middleware.ts': [toEve, { text: 'I may not.' }],
  'apps/docs/pages/guides/openai-guardrail.ts': [toEve, { text: 'I may not.' }],
  'apps/docs/pages/guides/ai-sdk-approval.ts': [toEve, { text: 'Write to colleagues only.' }],
  ...inEveryFramework('principal', [refund, { text: 'I may not.' }]),
  ...inEveryFramework('refused', [pay]),
  'apps/docs/pages/guides/refused/throw.ts': [],
  'apps/docs/pages/guides/redaction/answers.ts': [{ text: 'Write to ann@acme.dev.' }],
  'apps/docs/pages/guides/guards/budget.ts': [{ text: 'Hello.' }, { text: 'Still here.' }],
};

/** What the programs need that a server runs for. */
const servers: { readonly [program: string]: () => Promise<Server | undefined> } = {
  'apps/docs/pages/guides/more-than-one-machine/postgres.ts': async () =>
    noPostgres ? undefined : serverIn('DATABASE_URL', await startPostgres()),
  'apps/docs/pages/guides/more-than-one-machine/redis.ts': async () =>
    noRedis ? undefined : serverIn('REDIS_URL', await startRedis()),
};

interface Server extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>;
}

function serverIn(name: string, server: AsyncDisposable & { readonly url: string }): Server {
  return { env: { [name]: server.url }, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

function inEveryFramework(guide: string, script: readonly Step[]): typeof scripts {
  const programs = ['langchain', 'openai-agents', 'mastra', 'ai-sdk'];
  return Object.fromEntries(programs.map((name) => [`apps/docs/pages/guides/${guide}/${name}.ts`, script]));
}

/** A program that pages show. */
interface Shown {
  /** Below the repository. */
  readonly name: string;
  readonly file: URL;
  readonly prints: string;
}

function shownFrom(folder: string): readonly Shown[] {
  const found = new Map<string, Shown>();
  for (const { file, prints } of pages.flatMap(({ programs }) => programs)) {
    const name = file?.href.replace(repository.href, '') ?? '';
    // Of a program that is shown in parts, the last says what it prints.
    if (file && name.startsWith(folder)) found.set(name, { name, file, prints });
  }
  return [...found.values()];
}

describe('programs', () => {
  test.for(shownFrom('apps/docs/'))(
    '$name prints what its page says',
    { timeout: 30_000 },
    async ({ name, file, prints }, { skip }) => {
      await using model = await startModelServer({ script: scripts[name] ?? [] });
      await using server = await servers[name]?.();
      if (name in servers && server === undefined) skip(noPostgres ?? noRedis);
      const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'none', OPENAI_AGENTS_DISABLE_TRACING: '1' };
      expect(await run(file, { ...env, ...server?.env })).toBe(prints);
    },
  );

  test.each(shownFrom('packages/'))('$name prints what its own README says', ({ file, prints }) => {
    const examples = examplesOf(new URL('..', file), ['harness.ts']);
    expect(prints).toBe(examples.find((example) => example.file.href === file.href)?.prints);
  });

  test('the README of the repository shows the policy of the first page', () => {
    const readme = readFileSync(new URL('README.md', repository), 'utf8');
    const [policy, ...others] = programsIn(readme, repository);
    expect(policy?.code).toBe(readFileSync(new URL('apps/docs/pages/policy.ts', repository), 'utf8'));
    expect(others).toEqual([]);
  });

  test('each is a file, so that it is type-checked and run', () => {
    const languages = new Set(blocks.map(({ language }) => language));
    expect([...languages].toSorted()).toEqual(['sh', 'text']);
  });
});

describe('files', () => {
  test.each(
    pages.flatMap(({ files }) =>
      files.map((file) => ({ name: file.href.replace(repository.href, ''), file })),
    ),
  )('$name is right', async ({ name, file }) => {
    if (/(?:cases\.yaml|event\.json)$/.test(name)) return; // the page's own commands read them
    const read = await readHooks(fileURLToPath(file));
    expect(read.flatMap(({ issues, notices }) => [...issues, ...notices])).toEqual([]);
  });
});

describe('command lines', () => {
  const lines = blocks.filter(({ language }) => language === 'sh');

  test.each(lines.filter(({ runIn }) => runIn))('$page: $code', async ({ code, runIn, prints }) => {
    const stdout = await runShell(code, fileURLToPath(runIn ?? ''));
    if (prints !== undefined) expect(stdout).toBe(prints);
  });

  const notRun = lines.filter(({ runIn }) => !runIn);
  test.skip.each(notRun)('not run, it changes the machine: $page: $code', () => {});

  const installing = notRun.filter(({ code }) => code.startsWith('npm install'));
  const installs = installing.flatMap(({ page, code }) =>
    (code.match(/^npm install .*$/gm) ?? []).map((line) => ({ page, code: line })),
  );
  test.each(installs)('what it installs is there: $page: $code', ({ code }) => {
    for (const [name] of code.matchAll(/@hooks\/[\w-]+|(?<= )(?!--|@hooks|install)\S+/g)) {
      const ours = name.startsWith('@hooks/') && existsSync(new URL(`packages/${name.slice(7)}`, repository));
      const theirs = existsSync(new URL(`apps/docs/node_modules/${name}`, repository));
      expect(ours || theirs, `${name} is no package that the examples use`).toBe(true);
    }
  });
});
