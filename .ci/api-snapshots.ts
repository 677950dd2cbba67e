// The public types of each published package, in its api.snapshot.txt, so that a change to them is seen and decided. What a
// user reads on hovering over them is checked, too: nothing about how the project came about.
// Reads what `pnpm build` has made; `pnpm api` builds and writes, `pnpm check` compares. A path in the place of `packages` may be given.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

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

/** The declarations that a package's entries reach, by file. */
function declarationsOf(folder: string, { publishConfig }: Manifest): ReadonlyMap<string, string> {
  const entries = Object.values(publishConfig?.exports ?? {}).flatMap((entry) =>
    typeof entry === 'object' && entry.types !== undefined ? [join(folder, entry.types)] : [],
  );
  const files = new Map<string, string>();
  const follow = (file: string): void => {
    if (files.has(file)) return;
    const declarations = readFileSync(file, 'utf8');
    files.set(file, declarations);
    for (const [, path = ''] of declarations.matchAll(/(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g))
      follow(join(dirname(file), path.replace(/\.(?:ts|js)$/, '.d.ts')));
  };
  for (const entry of entries) follow(entry);
  return files;
}

/** They as a snapshot: without comments. */
function snapshotOf(folder: string, files: ReadonlyMap<string, string>): string {
  return [...files]
    .map(([file, declarations]) => ({ path: relative(join(folder, 'dist'), file), declarations }))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .map(({ path, declarations }) => `// ${path}\n${withoutComments(declarations)}`)
    .join('\n');
}

function withoutComments(declarations: string): string {
  return declarations
    .replace(/\/\*\*[\s\S]*?\*\/\n?/g, '')
    .replace(/^\s*\/\/.*\n?/gm, '')
    .replace(/^\s*\n/gm, '');
}

const stale: string[] = [];
const talk: string[] = [];
for (const name of readdirSync(packages).toSorted()) {
  const folder = join(packages, name);
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (manifest.private) continue;
  const snapshot = join(folder, 'api.snapshot.txt');
  const files = declarationsOf(folder, manifest);
  const now = snapshotOf(folder, files);
  if (values.write) writeFileSync(snapshot, now);
  else if (!existsSync(snapshot) || readFileSync(snapshot, 'utf8') !== now) stale.push(manifest.name);
  for (const [file, declarations] of files)
    for (const [comment] of declarations.matchAll(/\/\*\*[\s\S]*?\*\//g))
      if (PROJECT_TALK.test(comment)) talk.push(`${relative(packages, file)}: ${comment}`);
}
if (stale.length > 0)
  console.error(
    `The public types of ${stale.join(', ')} are not those of api.snapshot.txt. Run \`pnpm api\`, and read what has changed.`,
  );
if (talk.length > 0)
  console.error(
    `These comments, which users see on hovering, tell of the project's documents or past. Say what a user needs:\n${talk.join('\n')}`,
  );
if (stale.length + talk.length > 0) process.exitCode = 1;
