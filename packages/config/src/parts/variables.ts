import type { HookEntry } from '../entry.ts';

/** A variable that a file names is not set. */
export class UnsetVariable extends Error {
  override readonly name = 'UnsetVariable';
}

/** The environment that a file's variables are read from. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Whether a variable has a value. Nothing but blanks is none. */
export function isSet(name: string, env: Variables): boolean {
  return (env[name] ?? '').trim() !== '';
}

/** @throws UnsetVariable */
export function readVariable(field: string, name: string, env: Variables): string {
  const value = env[name];
  if (value !== undefined && isSet(name, env)) return value;
  throw new UnsetVariable(`${field}: the environment variable ${shownName(name)} is not set`);
}

/** The name of a variable, unless it may be a value that somebody wrote in its place. */
export function shownName(name: string): string {
  return /^[A-Z_][A-Z0-9_]*$/.test(name) ? name : 'that it names';
}

/** An `…_env` field of a file, and the variable that it names. */
export interface NamedVariable {
  readonly field: string;
  readonly name: string;
}

/** The variables that a hook or a part reads its user, keys and settings from. */
export function variablesOf({ handler }: HookEntry): readonly NamedVariable[] {
  if (handler.type !== 'builtin' && handler.type !== 'part') return [];
  return Object.entries(handler.args).flatMap(([field, name]) =>
    field.endsWith('_env') && typeof name === 'string' ? [{ field, name }] : [],
  );
}
