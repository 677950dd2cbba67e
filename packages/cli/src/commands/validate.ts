import { styleText } from 'node:util';
import {
  type CheckedHook,
  type ConfigIssue,
  checkHooks,
  type DialectName,
  formatIssue,
  readHooks,
  visible,
} from '@hooks/config';
import { counted } from '../counted.ts';
import { type IdleHook, idleInAgents } from '../installed/idle.ts';
import { existing, HOOK_FILE } from '../paths.ts';
import type { Program } from '../program.ts';
import { table } from '../table.ts';

/** Options of the commands that read a file. */
export interface ReadOptions {
  readonly dialect?: DialectName;
  readonly json?: boolean;
}

/** Shows a file's errors and notices, and the effect of a failure of each hook. Runs no hooks. */
export async function validate(
  path: string,
  { dialect, json }: ReadOptions,
  program: Program,
): Promise<number> {
  const cwd = program.cwd();
  const files = await readHooks(existing('[file]', path, program, HOOK_FILE), {
    cwd,
    ...(dialect && { dialect }),
  });
  const checks = await Promise.all(files.map((file) => checkHooks(file, { cwd, env: program.env })));
  const issues = [...files, ...checks].flatMap((found) => found.issues);
  const idle = (await idleInAgents(files, program)).map(idleNotice);
  const notices = [...[...files, ...checks].flatMap((found) => found.notices), ...idle];
  const entries = checks.flatMap((check) => check.hooks.map(row));
  const hooks = entries.length;
  const dialects = files.map((file) => file.dialect.name);
  if (json) {
    const valid = issues.length === 0;
    program.stdout.write(
      `${JSON.stringify({ valid, dialects, hooks, issues, notices, entries }, undefined, 2)}\n`,
    );
  } else {
    for (const issue of issues)
      program.stderr.write(`${mark('red', 'error:')} ${visible(formatIssue(issue))}\n`);
    for (const notice of notices)
      program.stderr.write(`${mark('yellow', 'note:')} ${visible(formatIssue(notice))}\n`);
    if (entries.length > 0)
      program.stdout.write(
        `${table(
          ['event', 'matcher', 'type', 'hook', 'if it fails'],
          entries.map(({ event, matcher, type, hook, onFailure }) => [event, matcher, type, hook, onFailure]),
        )}\n`,
      );
    const count = hooks === 0 ? 'no hooks' : `${counted(hooks, 'hook')}, no errors`;
    if (issues.length === 0) program.stdout.write(`${count} (${dialects.join(', ')})\n`);
  }
  return issues.length === 0 ? 0 : 1;
}

function row({ entry, onFailure }: CheckedHook) {
  const { wireEvent: event, matcher = '*', handler, label: hook } = entry;
  return { event, matcher, type: handler.type, hook, onFailure };
}

function idleNotice({ entry: { origin, wireEvent }, why }: IdleHook): ConfigIssue {
  return { ...origin, path: wireEvent, message: why };
}

/** Colors the text if stderr is a terminal. */
function mark(colour: 'red' | 'yellow', text: string): string {
  return styleText(colour, text, { stream: process.stderr });
}
