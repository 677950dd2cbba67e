// The reference of `@hooks/core` as a page for each group: as one it would be read by nobody.
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A page of the reference of `@hooks/core`. */
export interface Group {
  readonly title: string;
  /** Below `/reference/api/`. */
  readonly path: string;
  /** The start of the paths of its sources, in `packages/core/src`. */
  readonly sources: readonly string[];
}

const group = (title: string, sources: readonly string[]): Group => ({
  title,
  path: `core/${title.toLowerCase().replaceAll(' ', '-')}`,
  sources,
});

export const groups: readonly Group[] = [
  group('Decisions', ['decision.ts', 'execute.ts', 'conceal.ts']),
  group('Hooks', ['registry/', 'match.ts', 'schema.ts', 'dispatch/', 'adapter/unmatched.ts']),
  group('Event types', [
    'event/define.ts',
    'event/event.ts',
    'event/tool-types.ts',
    'event/catalogue/groups.ts',
  ]),
  group('Tool events', ['event/catalogue/tool.ts']),
  group('Run events', ['event/catalogue/']),
  group('Approval', ['approval/']),
  group('Sessions', ['session/', 'principal.ts']),
  group('Traces', ['dispatch/trace.ts']),
  group('Errors', ['error.ts']),
  group('Adapters', ['adapter/support.ts', 'tool-call/']),
];

const api = new URL('../pages/reference/api/', import.meta.url);
const page = '@hooks/core.md';

/** Splits the page of `@hooks/core`. `sourceOf` says where in `packages/core/src` the export of a name stands. */
export function splitCore(sourceOf: (name: string) => string | undefined): void {
  const kinds = readFileSync(new URL(page, api), 'utf8').split(/^## /m).slice(1);
  const members = kinds.flatMap((text) => {
    const [kind = '', ...entries] = text.split(/^### /m);
    return entries.map((entry) => memberOf(kind.trim(), entry.replace(/\n+\*\*\*\n*$/, '\n'), sourceOf));
  });
  const moved = new Map(members.flatMap(({ ids, file }) => ids.map((id) => [id, file] as const)));
  for (const name of globSync('**/*.md', { cwd: fileURLToPath(api) })) {
    const file = new URL(name, api);
    writeFileSync(file, relinked(readFileSync(file, 'utf8'), name, name, moved));
  }
  mkdirSync(new URL('core/', api));
  for (const { title, path } of groups) {
    const own = members.filter(({ file }) => file === `${path}.md`);
    const text = [...new Set(own.map(({ kind }) => kind))].map((kind) => {
      const entries = own
        .filter((member) => member.kind === kind)
        .map(({ entry }) => `### ${entry.trim()}\n`);
      return `## ${kind}\n\n${entries.join('\n***\n\n')}`;
    });
    const head = `# @hooks/core: ${title}\n\nPart of [\`@hooks/core\`](core.md).\n`;
    writeFileSync(
      new URL(`${path}.md`, api),
      relinked([head, ...text].join('\n'), page, `${path}.md`, moved),
    );
  }
  const rows = groups.map(({ title, path }) => {
    const own = members.filter(({ file }) => file === `${path}.md`);
    const links = own.map(({ name, id }) => `[\`${name}\`](../${path}.md#${id})`);
    return `| [${title}](../${path}.md) | ${links.join(', ')} |\n`;
  });
  writeFileSync(new URL(page, api), `# @hooks/core\n\n| page | exports |\n|---|---|\n${rows.join('')}`);
}

interface Member {
  readonly kind: string;
  readonly entry: string;
  readonly name: string;
  readonly id: string;
  /** All anchors in it. */
  readonly ids: readonly string[];
  /** The page that it moves to. */
  readonly file: string;
}

function memberOf(kind: string, entry: string, sourceOf: (name: string) => string | undefined): Member {
  const [, name = '', id = ''] = /^(\S+) \{#(\S+)\}/.exec(entry) ?? [];
  const source = sourceOf(name.replace('()', ''));
  const starts = groups.flatMap(({ path, sources }) => sources.map((start) => ({ path, start })));
  const [best] = starts
    .filter(({ start }) => source?.startsWith(start))
    .toSorted((a, b) => b.start.length - a.start.length);
  if (best === undefined) throw new Error(`scripts/groups.ts has no group for ${name} of ${source}`);
  const ids = [...entry.matchAll(/\{#(\S+?)\}|<a id="([^"]+)">/g)].map(
    ([, heading, row]) => heading ?? row ?? '',
  );
  return { kind, entry, name, id, ids, file: `${best.path}.md` };
}

/** The text of a page with links that hold on another one, and that find what has moved. */
function relinked(text: string, from: string, to: string, moved: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\]\((?!https?:|\/)([^)#\s]*)(?:#([^)\s]+))?\)/g, (_, path: string, id?: string) => {
    const old = path === '' ? from : posix.join(posix.dirname(from), path);
    const target = (old === page && id !== undefined && moved.get(id)) || old;
    const link = target === to && id !== undefined ? '' : posix.relative(posix.dirname(to), target);
    return `](${link}${id === undefined ? '' : `#${id}`})`;
  });
}
