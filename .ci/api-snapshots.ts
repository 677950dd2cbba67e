// What each published package exports, in its api.snapshot.txt, so that a change to it is seen and decided: the exports of
// each entry, and every declaration that they use, sorted by name. Moving code between files changes nothing.
// What a user reads on hovering over them is checked, too: nothing about how the project came about.
// Reads what `pnpm build` has made; `pnpm api` builds and writes, `pnpm check` compares. A path in the place of `packages` may be given.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type OutputChunk, rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';

const { values, positionals } = parseArgs({
  options: { write: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const packages = positionals[0] ?? fileURLToPath(new URL('../packages', import.meta.url));

/** What a comment says that is about the project's documents or its past, not about the thing. */
const PROJECT_TALK =
  /\b(?:DESIGN|design section|seed document|issue #?\d+|formerly|previously|used to be|in (?:an?|the) (?:older|earlier|first) version)\b/i;

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly publishConfig?: {
    readonly exports?: Readonly<Record<string, string | { readonly types?: string }>>;
  };
}

/** The declarations that the entries of a package export or use, in as few chunks as they share. */
async function declarationsOf(folder: string, { publishConfig }: Manifest): Promise<readonly OutputChunk[]> {
  const entries = Object.entries(publishConfig?.exports ?? {}).flatMap(([path, entry]) =>
    typeof entry === 'object' && entry.types !== undefined
      ? [[path.replace(/^\.\/?/, '') || 'index', join(folder, entry.types)] as const]
      : [],
  );
  if (entries.length === 0) return [];
  const bundle = await rolldown({
    input: Object.fromEntries(entries),
    plugins: [dts({ dtsOnly: true, generator: 'oxc', tsconfig: false })],
    external: (id) => !id.startsWith('.') && !id.startsWith('/'),
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({ format: 'es' });
  return output.filter((one) => one.type === 'chunk');
}

function snapshotOf(chunks: readonly OutputChunk[]): string {
  const entries = chunks
    .filter(({ isEntry }) => isEntry)
    .map(({ name, exports }) => `// ${name}\n${exports.toSorted().join('\n')}\n`);
  const declarations = chunks.flatMap(({ code }) => statementsOf(withoutComments(code)));
  return [...entries.toSorted(), ...declarations.toSorted(byName)].join('\n');
}

/** The declarations of a chunk. Imports and exports follow from them. */
function statementsOf(code: string): readonly string[] {
  return code
    .split(/^(?=[a-z])/m)
    .filter((statement) => !/^(?:import\b|export (?:\{|\*|type \{))/.test(statement))
    .map((statement) => statement.replace(/^export /, ''));
}

function byName(one: string, other: string): number {
  const [name, otherName] = [nameOf(one), nameOf(other)];
  if (name !== otherName) return name < otherName ? -1 : 1;
  return one < other ? -1 : Number(one > other);
}

function nameOf(statement: string): string {
  const words =
    /^(?:(?:declare|abstract|async|interface|type|class|const|let|var|function|enum|namespace) )*([\w$]+)/;
  return words.exec(statement)?.[1] ?? statement;
}

function withoutComments(declarations: string): string {
  return indented(declarations.replace(/\/\*\*[\s\S]*?\*\/\n?/g, '').replace(/^\s*(?:\/\/.*)?\n/gm, ''));
}

/** Indents by brackets, whatever the bundler makes of it. */
function indented(code: string): string {
  let depth = 0;
  return code.replace(/^[ \t]*(.*)$/gm, (_, line: string) => {
    const level = Math.max(0, depth - (/^[\])}]*/.exec(line)?.[0].length ?? 0));
    depth += count(line, /[[({]/g) - count(line, /[\])}]/g);
    return `${'  '.repeat(level)}${line}`;
  });
}

function count(text: string, part: RegExp): number {
  return text.match(part)?.length ?? 0;
}

const stale: string[] = [];
const talk: string[] = [];
for (const name of readdirSync(packages).toSorted()) {
  const folder = join(packages, name);
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (manifest.private) continue;
  const snapshot = join(folder, 'api.snapshot.txt');
  const chunks = await declarationsOf(folder, manifest);
  const now = snapshotOf(chunks);
  if (values.write) writeFileSync(snapshot, now);
  else if (!existsSync(snapshot) || readFileSync(snapshot, 'utf8') !== now) stale.push(manifest.name);
  for (const { code } of chunks)
    for (const [comment] of code.matchAll(/\/\*\*[\s\S]*?\*\//g))
      if (PROJECT_TALK.test(comment)) talk.push(`${manifest.name}: ${comment}`);
}
if (stale.length > 0)
  console.error(
    `The exports of ${stale.join(', ')} are not those of api.snapshot.txt. Run \`pnpm api\`, and read what has changed.`,
  );
if (talk.length > 0)
  console.error(
    `These comments, which users see on hovering, tell of the project's documents or past. Say what a user needs:\n${talk.join('\n')}`,
  );
if (stale.length + talk.length > 0) process.exitCode = 1;
