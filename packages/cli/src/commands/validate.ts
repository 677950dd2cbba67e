import { styleText } from 'node:util';
import { type DialectName, formatIssue, readHooks, visible } from '@hooks/config';
import type { Program } from '../program.ts';

/** Options of the commands that read a file. */
export interface ReadOptions {
  readonly dialect?: DialectName;
  readonly json?: boolean;
}

/** Says what is wrong with a file, and what is worth knowing. Nothing of it runs. */
export async function validate(
  path: string,
  { dialect, json }: ReadOptions,
  program: Program,
): Promise<number> {
  const files = await readHooks(path, { cwd: program.cwd(), ...(dialect && { dialect }) });
  const issues = files.flatMap((file) => file.issues);
  const notices = files.flatMap((file) => file.notices);
  const hooks = files.reduce((sum, file) => sum + file.entries.length, 0);
  if (json) {
    const dialects = files.map((file) => file.dialect.name);
    program.stdout.write(
      `${JSON.stringify({ valid: issues.length === 0, dialects, hooks, issues, notices }, undefined, 2)}\n`,
    );
  } else {
    for (const issue of issues)
      program.stderr.write(`${mark('red', 'error:')} ${visible(formatIssue(issue))}\n`);
    for (const notice of notices)
      program.stderr.write(`${mark('yellow', 'note:')} ${visible(formatIssue(notice))}\n`);
    if (issues.length === 0)
      program.stdout.write(
        `${hooks} hooks, all right (${files.map((file) => file.dialect.name).join(', ')})\n`,
      );
  }
  return issues.length === 0 ? 0 : 1;
}

/** Coloured where stderr is a terminal. */
function mark(colour: 'red' | 'yellow', text: string): string {
  return styleText(colour, text, { stream: process.stderr });
}
