// The public types of the package in one file, so that a change to them is seen and decided:
// `node scripts/api-snapshot.ts` writes api.snapshot.txt.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('..', import.meta.url));
const snapshot = new URL('../api.snapshot.txt', import.meta.url);

/** Builds the declarations into a folder. */
export function emitDeclarations(into: string): void {
  const tsc = join(folder, 'node_modules/.bin/tsc');
  execFileSync(
    tsc,
    ['-p', 'tsconfig.build.json', '--emitDeclarationOnly', '--declarationMap', 'false', '--outDir', into],
    { cwd: folder },
  );
}

/** The declarations as the sources have them now, without comments. */
export function apiNow(): string {
  const out = mkdtempSync(join(tmpdir(), 'hooks-core-api-'));
  try {
    emitDeclarations(out);
    const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.d.ts'),
    );
    return files
      .toSorted()
      .map((file) => `// ${file}\n${withoutComments(readFileSync(join(out, file), 'utf8'))}`)
      .join('\n');
  } finally {
    rmSync(out, { recursive: true });
  }
}

/** What is checked in. */
export function apiCheckedIn(): string {
  return readFileSync(snapshot, 'utf8');
}

function withoutComments(declarations: string): string {
  return declarations.replace(/\/\*\*[\s\S]*?\*\/\n?/g, '').replace(/^\s*\n/gm, '');
}

if (import.meta.main) writeFileSync(snapshot, apiNow());
