import { HooksError } from '@hooks/core';
import { messageOf } from '../error-message.ts';
import type { BuiltinArgs } from './builtin.ts';

/** What a guard says about its options, in the names that a file has for them: `per_run` for `perRun`. */
export function inNamesOfFiles(error: unknown, args: BuiltinArgs): string {
  const message = messageOf(error);
  if (!(error instanceof HooksError) || error.code !== 'CONFIG_INVALID') return message;
  const written = JSON.stringify(args);
  return message.replace(/^\w+: /, '').replace(/\b[a-z]+(?:[A-Z][a-z]*)+\b/g, (name) =>
    // The name of a tool, for example.
    written.includes(name) ? name : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );
}
