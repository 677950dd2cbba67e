// Pages and READMEs as GitHub shows them: no includes, and links that lead to files.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { slug } from '../.vitepress/slug.ts';
import { shownPages } from '../scripts/shown.ts';

const repository = new URL('../../../', import.meta.url);
const nameOf = (file: URL): string => file.href.slice(repository.href.length);
const pages = shownPages().map((page) => ({ ...page, name: nameOf(page.file) }));
const texts = [
  ...pages,
  ...globSync('{.,packages/*,packages/*/bench,apps/*,apps/examples/*}/*.md', { cwd: repository })
    .filter((name) => !name.endsWith('CHANGELOG.md'))
    .map((name) => {
      const file = new URL(name, repository);
      return { name, file, text: readFileSync(file, 'utf8') };
    }),
];

test.each(pages)(
  '$name shows its sources as they are (else: pnpm --filter docs pages)',
  ({ text, expected }) => {
    expect(text).toBe(expected);
  },
);

test.each(pages)('$name needs no VitePress to be read', ({ text }) => {
  expect(proseOf(text)).not.toMatch(/^<<< |<!--@include|^:::|^#+ .*\{#/m);
  expect(text).not.toMatch(/^```\w+ \[/m); // GitHub shows no name of a block
});

test.each(pages.filter(({ text }) => text.includes('<!-- tabs -->')))(
  '$name has the name of each tab above it',
  ({ text }) => {
    for (const [, tabs = ''] of text.matchAll(/^<!-- tabs -->$(.*?)^<!-- \/tabs -->$/gms)) {
      const named = /^\*\*[^*\n]+\*\*\n\n(?:<!-- file \S+ -->\n\n)?```\w+\n.*?^```$/gms;
      expect(tabs.replaceAll(named, '').trim()).toBe('');
    }
  },
);

test.each(texts)('every link in $name leads to a file, and to its heading', ({ file, text }) => {
  const prose = proseOf(text).replaceAll(/(`+)(?!`).*?\1/gs, '');
  const dead = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    const inRepository = link.replace(/^https:\/\/github\.com\/hooks\/hooks\/\w+\/main\//, repository.href);
    if (/^(?!file)[a-z]+:/.test(inRepository)) return [];
    const target = new URL(inRepository, file);
    const path = fileURLToPath(new URL(target.pathname, target));
    if (link.startsWith('/') || !existsSync(path)) return link;
    if (target.hash === '' || !path.endsWith('.md')) return [];
    return anchors(readFileSync(path, 'utf8')).has(decodeURIComponent(target.hash)) ? [] : link;
  });
  expect(dead).toEqual([]);
});

test.each(texts)('$name writes commands as they are typed in a project, with npx', ({ text }) => {
  // `hooks view` is a name. With an argument or an option it is something to type.
  const names = /^hooks (?:[a-z]+|(?:journal|approvals|pins|mcp|config) [a-z]+)$/;
  expect(codeIn(text).filter((code) => /^hooks [a-z]/.test(code) && !names.test(code))).toEqual([]);
});

test.each(texts.filter(({ text }) => text.includes('npx --no-install hooks ')))(
  '$name says how the commands are installed',
  ({ text }) => {
    expect(text).toMatch(/install[^\n]* `?@hooks\/cli/i);
  },
);

test.each(pages)('$name names the files of the reader that its programs import', ({ text }) => {
  const files = programs(text).flatMap(({ code }) =>
    [...code.matchAll(/from '\.{1,2}\/(?:.*\/)?([^/']+)'/g)].map(([, file = '']) => file),
  );
  const named = codeIn(text).map((code) => code.replace(/^.*\//, ''));
  expect(files.filter((file) => !named.includes(file))).toEqual([]);
});

test.each(pages)('$name installs what a program imports before it shows it', ({ text }) => {
  const missing = programs(text).flatMap((program) =>
    // These are in a folder of the repository, with a manifest of their own.
    /\/examples\/[\w-]+\/(?:src|agents|test)\//.test(program.file)
      ? []
      : importedBeforeInstalled(program).map((name) => `${program.file}: ${name}`),
  );
  expect([...new Set(missing)]).toEqual([]);
});

test.each(pages)(
  '$name installs what a section needs, where a reader begins with the section',
  ({ name, text }) => {
    const missing = landings(name, text).flatMap(({ heading, section }) => {
      const runs = programs(section).filter(({ above }) => /\brun `[^`]*node /.test(above));
      const [command] = section.matchAll(/^npx --no-install hooks /gm);
      const needs = [
        ...runs.flatMap(importedBeforeInstalled),
        ...(command && !section.slice(0, command.index).includes('@hooks/cli') ? ['@hooks/cli'] : []),
        // npm marks a new project as CommonJS.
        ...(/node [\w-]+\.ts/.test(section) && !section.includes('type=module') ? ['type=module'] : []),
      ];
      return needs.map((need) => `${heading}: ${need}`);
    });
    expect([...new Set(missing)]).toEqual([]);
  },
);

const frontPage = pages.find(({ name }) => name === 'apps/docs/pages/index.md')?.text ?? '';

/** The sections that the search or the front page leads to. */
function landings(
  page: string,
  text: string,
): readonly { readonly heading: string; readonly section: string }[] {
  const prose = text.replaceAll(/^```.*?^```$/gms, (code) => code.replaceAll('#', '-'));
  const headings = [...prose.matchAll(/^(##+) (.*)$/gm)];
  return headings.flatMap(({ 1: level = '', 2: heading = '', index }, at) => {
    const next = headings.slice(at + 1).find(({ 1: other = '' }) => other.length <= level.length);
    const section = text.slice(index, next?.index);
    const isFound = /^.*\n+<!-- search: /.test(section);
    const link = `${page.replace('apps/docs/pages', '.')}#${slug(heading.replaceAll('`', ''))}`;
    return isFound || frontPage.includes(`(${link})`) ? [{ heading, section }] : [];
  });
}

/** What a program imports and the text above it does not install. */
function importedBeforeInstalled({
  code,
  above,
}: {
  readonly code: string;
  readonly above: string;
}): readonly string[] {
  const installed = [...above.matchAll(/npm install ([^`\n]*)/g)].flatMap(([, names = '']) =>
    names.split(' ').map((name) => name.replace(/(?<=.)@.*/, '')),
  );
  const imported = code.matchAll(/from '(?!node:|example-|\.)((?:@[\w-]+\/)?[\w-]+)/g);
  return [...imported].flatMap(([, name = '']) => (installed.includes(name) ? [] : [name]));
}

/** The programs that a text shows, each with its file and the text above it. */
function programs(
  text: string,
): readonly { readonly code: string; readonly file: string; readonly above: string }[] {
  const fences = text.matchAll(/^(?:<!-- file (\S+) -->\n\n)?```ts[^\n]*\n(.*?)^```$/gms);
  return [...fences].map(({ 1: file = '', 2: code = '', index }) => ({
    code,
    file,
    above: text.slice(0, index),
  }));
}

/** The lines of shell that a text shows, and what stands between backticks in it. */
function codeIn(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^```sh[^\n]*\n(.*?)^```$/gms)].flatMap(([, code = '']) =>
    code.split('\n'),
  );
  const spans = [...proseOf(text).matchAll(/`([^`]+)`/g)].map(([, code = '']) =>
    code.replaceAll(/\s+/g, ' '),
  );
  return [...blocks, ...spans];
}

/** The anchors that GitHub and VitePress both give the headings of a text. */
function anchors(text: string): ReadonlySet<string> {
  const headings = proseOf(text).matchAll(/^#+ (.*)$/gm);
  return new Set(
    [...headings].map(([, heading = '']) => {
      return `#${slug(heading.replaceAll(/[`*]|\]\(.*?\)|\[/g, ''))}`;
    }),
  );
}

/** A text without its blocks of code. */
function proseOf(text: string): string {
  return text.replaceAll(/^(```+).*?^\1$/gms, '');
}
