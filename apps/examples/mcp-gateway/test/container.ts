import { copyFileSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { z } from 'zod';

const example = fileURLToPath(new URL('..', import.meta.url));

/** The instructions of the container file, in order. */
export const instructions = readFileSync(join(example, 'Containerfile'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [name = '', ...words] = line.split(' ');
    return { name, words, text: words.join(' ') };
  });

/** The texts of all instructions of a name. */
export const all = (name: string): readonly string[] =>
  instructions.filter((each) => each.name === name).map(({ text }) => text);

/** What the container runs, in a folder with what the image has. What it would install is linked instead. */
export function image() {
  const folder = temporaryFolder();
  for (const { words } of instructions.filter(({ name }) => name === 'COPY')) {
    const sources = words.filter((word) => !word.startsWith('--')).slice(0, -1);
    for (const source of sources)
      copyFileSync(join(example, source), join(folder, basename(source)));
  }
  symlinkSync(join(example, 'node_modules'), join(folder, 'node_modules'));
  const command: unknown = JSON.parse(all('CMD')[0] ?? '');
  const [program = '', ...args] = z.array(z.string()).parse(command);
  const env = Object.fromEntries(all('ENV').map((each) => each.split('=')));
  return { folder, program, args, env };
}
