import { formatIssue, type HookEntry, readHooks } from '@hooks/config';
import { existing, HOOK_FILE } from '../paths.ts';
import { type Program, UserError } from '../program.ts';
import { table } from '../table.ts';
import type { ReadOptions } from './validate.ts';

/** Shows the hooks of a file, in its order. */
export async function list(path: string, { dialect, json }: ReadOptions, program: Program): Promise<number> {
  const files = await readHooks(existing('[file]', path, program, HOOK_FILE), {
    cwd: program.cwd(),
    ...(dialect && { dialect }),
  });
  const issues = files.flatMap((file) => file.issues);
  if (issues.length > 0) throw new UserError(issues.map(formatIssue).join('\n'));
  const entries = files.flatMap((file) => file.entries);
  program.stdout.write(json ? `${JSON.stringify(entries, undefined, 2)}\n` : table(heads, entries.map(row)));
  return 0;
}

const heads = ['event', 'matcher', 'type', 'hook', 'where'];

function row({ wireEvent, matcher = '*', handler, label, origin }: HookEntry): readonly string[] {
  return [wireEvent, matcher, handler.type, label, `${origin.file}:${origin.line}`];
}
