import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from './report.ts';
import { run } from './shell.ts';

/** A project whose types are to be checked. */
export interface Typed {
  readonly folder: string;
  readonly label: string;
  readonly tsc: string;
  /** What is imported whole. */
  readonly entries: readonly string[];
  /** Files that stand there already. */
  readonly sources: readonly string[];
  readonly resolutions: readonly Resolution[];
}

/** A way in which TypeScript resolves modules. */
export interface Resolution {
  readonly name: string;
  readonly options: object;
}

export const resolutions: readonly Resolution[] = [
  { name: 'nodenext', options: { module: 'nodenext' } },
  { name: 'node16', options: { module: 'node16', moduleResolution: 'node16' } },
  { name: 'bundler', options: { module: 'preserve', moduleResolution: 'bundler' } },
];

/** Checks them as TypeScript resolves modules in each of these ways, with our declarations read, too. */
export async function checkTypes(
  { folder, label, tsc, entries, sources, resolutions }: Typed,
  report: Report,
): Promise<void> {
  const imports = entries.map((entry, n) => `import * as entry${n} from '${entry}';\nvoid entry${n};\n`);
  writeFileSync(join(folder, 'entries.mts'), imports.join(''));
  for (const { name, options } of resolutions) {
    const file = `tsconfig.${name}.json`;
    const compilerOptions = {
      ...options,
      target: 'es2022',
      lib: ['es2023', 'dom', 'esnext.disposable'],
      types: ['node'],
      strict: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      skipLibCheck: false,
    };
    writeFileSync(
      join(folder, file),
      JSON.stringify({ compilerOptions, files: ['entries.mts', ...sources] }),
    );
    await report.check(`${label}: types as ${name}`, async () => {
      const said = await run(tsc, ['-p', file], { cwd: folder, allowed: [1, 2] });
      const ours = said.split('\n').filter((line) => !isOfOthers(line) && line.trim() !== '');
      if (ours.length > 0) throw new Error(ours.join('\n'));
    });
  }
}

/** An error in the declarations of a framework is not ours to mend. */
function isOfOthers(line: string): boolean {
  return line.startsWith(' ') || (/node_modules\//.test(line) && !/node_modules\/@hooks\//.test(line));
}
