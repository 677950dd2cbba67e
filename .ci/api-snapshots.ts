// The public types of each published package, in its api.snapshot.txt, so that a change to them is seen and decided.
// Reads what `pnpm build` has made; `pnpm api` builds and writes, `pnpm check` compares.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../packages', import.meta.url));

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly publishConfig?: {
    readonly exports?: Readonly<Record<string, string | { readonly types?: string }>>;
  };
}

/** The declarations that a package's entries reach, without comments. */
function apiOf(folder: string, { publishConfig }: Manifest): string {
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

const writes = process.argv.includes('--write');
const stale: string[] = [];
for (const name of readdirSync(packages).toSorted()) {
  const folder = join(packages, name);
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (manifest.private) continue;
  const snapshot = join(folder, 'api.snapshot.txt');
  const now = apiOf(folder, manifest);
  if (writes) writeFileSync(snapshot, now);
  else if (!existsSync(snapshot) || readFileSync(snapshot, 'utf8') !== now) stale.push(manifest.name);
}
if (stale.length > 0) {
  console.error(
    `The public types of ${stale.join(', ')} are not those of api.snapshot.txt. Run \`pnpm api\`, and read what has changed.`,
  );
  process.exitCode = 1;
}
