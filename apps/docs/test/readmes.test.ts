// What the READMEs show beside programs, which each package's own tests run.
import { globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readHookFile } from '@hooks/config';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { expect, test } from 'vitest';
import { blocksIn } from './page.ts';
import { runShell } from './shell.ts';

const repository = new URL('../../../', import.meta.url);
const blocks = globSync('{.,packages/*,apps/examples/*}/README.md', { cwd: repository }).flatMap((file) =>
  blocksIn(readFileSync(new URL(file, repository), 'utf8'), file, repository),
);
const ofLanguage = (language: string) => blocks.filter((block) => block.language === language);

const isCases = (code: string): boolean => code.startsWith('- name:');

test.each(ofLanguage('yaml').filter(({ code }) => !isCases(code)))(
  'a file in $page is right',
  ({ page, code }) => {
    expect(readHookFile(code, page)).toMatchObject({ issues: [], notices: [] });
  },
);

test('the first five minutes with the command line, and its cases for CI', async () => {
  const folder = temporaryFolder();
  const minutes = ofLanguage('sh').find(({ code }) => code.includes('npx --no-install hooks init'));
  expect(await runShell(minutes?.code ?? '', folder)).toContain(minutes?.prints ?? 'nothing');

  const cases = ofLanguage('yaml').find(({ code }) => isCases(code));
  writeFileSync(join(folder, 'cases.yaml'), cases?.code ?? '');
  await runShell(
    'npx --no-install hooks trust hooks.yaml; npx --no-install hooks test cases.yaml --file hooks.yaml',
    folder,
  );
});

test('the first blocked call of the MCP proxy, in its README and in the guide', async () => {
  const first = ofLanguage('sh').find(({ code }) => code.includes('tools/call'));
  const guide = readFileSync(new URL('apps/docs/pages/guides/mcp.md', repository), 'utf8');
  expect(guide).toContain(`${first?.code}\`\`\`\n\n\`\`\`text\n${first?.prints}\`\`\``);
  const folder = temporaryFolder();
  // What `npm install` does.
  symlinkSync(new URL('packages/mcp/node_modules', repository), join(folder, 'node_modules'));
  expect(await runShell(first?.code ?? '', folder)).toContain(first?.prints ?? 'nothing');
});

test('no page and no source starts the foreign npm package "hooks", which npx downloads where ours is not installed', () => {
  const skipped = /(?:^|\/)(?:node_modules|dist|\.\w+)(?:\/|$)/;
  const files = globSync(['*.md', '{apps,packages}/**/*.{md,ts}'], {
    cwd: repository,
    exclude: (path) => skipped.test(path),
  });
  expect(files.length).toBeGreaterThan(500);
  const foreign = new RegExp(`npx (?:-y |--yes )?${'hooks'}\\b`);
  expect(files.filter((file) => foreign.test(readFileSync(new URL(file, repository), 'utf8')))).toEqual([]);
});

/** Command lines that somebody copies into a terminal. */
const commands = globSync('{*.md,{packages,apps/examples}/*/README.md,apps/docs/{README.md,pages/**/*.md}}', {
  cwd: repository,
  exclude: (path) => /(?:^|\/)(?:node_modules|reference\/api)(?:\/|$)/.test(path),
}).flatMap((file) =>
  blocksIn(readFileSync(new URL(file, repository), 'utf8'), file, repository).filter(({ language }) =>
    /^(?:sh|bash|zsh|shell|console)$/.test(language),
  ),
);

test('no command has a comment, which zsh passes to the command', () => {
  expect(commands.length).toBeGreaterThan(100);
  const lines = commands.flatMap(({ page, code }) => code.split('\n').map((line) => `${page}: ${line}`));
  expect(lines.filter((line) => /\s#(?:\s|$)/.test(line))).toEqual([]);
});

const checked = /^(?:npm install|npx -y -p)|npx --no-install hooks init/;
test.skip.each(blocks.filter(({ language, code }) => /^(?:sh|js)$/.test(language) && !checked.test(code)))(
  'not checked: $page: $language: $code',
  () => {},
);

test.each(globSync('{.,packages/*}/README.md', { cwd: repository }))('%s has at most 700 words', (file) => {
  const text = readFileSync(new URL(file, repository), 'utf8');
  expect(text.trim().split(/\s+/).length).toBeLessThanOrEqual(700);
});

test.each(['langchain', 'openai-agents', 'mastra', 'ai-sdk'])(
  'the front page and the quick start install what %s needs',
  (name) => {
    const read = (path: string): string => readFileSync(new URL(path, repository), 'utf8');
    const [install = 'none'] = /^npm install .*$/m.exec(read(`packages/${name}/README.md`)) ?? [];
    expect(read('apps/docs/pages/index.md')).toContain(install);
    expect(read(`apps/docs/pages/start/${name}.md`)).toContain(install);
  },
);

test('there is no block of a language that nobody looks at', () => {
  const languages = new Set(blocks.map(({ language }) => language));
  languages.delete('text');
  expect([...languages].toSorted()).toEqual(['js', 'sh', 'ts', 'yaml']);
});
