import { isAbsolute } from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import { whereIs } from './paths.ts';
import { messageOf } from './program.ts';

/**
 * What went wrong, in one line. The words of the system and of a parser repeat a path or a part of a file, which may hold a
 * password, so they are replaced. All other errors are those of this program or of the policy.
 */
export function problemOf(error: unknown): string {
  if (isSystemError(error)) return systemProblem(error);
  if (error instanceof SyntaxError) return `SyntaxError${codeOf(error)}`;
  return messageOf(error);
}

/** An error that nobody expected, without its message: it may repeat a value of the command line. */
export function unexpectedProblem(error: unknown): string {
  if (!(error instanceof Error)) return `an unexpected value of type ${typeof error} was thrown`;
  const { stack = '', message } = error;
  const start = stack.indexOf(message);
  const frames =
    start < 0
      ? []
      : stack
          .slice(start + message.length)
          .split('\n')
          .slice(1);
  const name = /^[A-Z]\w*$/.exec(error.constructor.name)?.[0] ?? 'Error';
  return [
    `unexpected ${name}${codeOf(error)}, a fault of hooks or of the policy. Its message is not shown because it may hold a password.`,
    ...frames.filter((line) => /^ {4}at /.test(line)),
  ].join('\n');
}

/** Whether an error is one of the operating system, for example of a missing file or a read-only folder. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

/** `permission denied (EACCES) at /etc/hooks.yaml` */
function systemProblem(error: NodeJS.ErrnoException): string {
  const { errno, path, syscall = '' } = error;
  const what = errno === undefined || errno >= 0 ? 'the system refused it' : getSystemErrorMessage(errno);
  const isOfFile = path !== undefined && isAbsolute(path) && !syscall.startsWith('spawn');
  return `${what}${codeOf(error)}${isOfFile ? ` ${whereIs(path)}` : ''}`;
}

/** The name of an option as it was written, without its value: ` --store`. */
export function optionName(flag: string): string {
  const name = /^--[a-z]+(?:-[a-z]+)*(?==|$)|^-[a-z]/i.exec(flag)?.[0];
  return name === undefined ? '' : ` ${name}`;
}

function codeOf(error: Error): string {
  const code = 'code' in error ? String(error.code) : '';
  return /^[A-Z0-9_]+$/.test(code) ? ` (${code})` : '';
}
