import { HooksError } from '@hooks/core';

/*
 * Node's built-in modules, loaded when a guard first needs one. An import would break the other guards in environments
 * without Node.js.
 */

export const fs = (): typeof import('node:fs/promises') => runtime().getBuiltinModule('node:fs/promises');
export const path = (): typeof import('node:path') => runtime().getBuiltinModule('node:path');
export const os = (): typeof import('node:os') => runtime().getBuiltinModule('node:os');

/** The current process. */
export function runtime(): NodeJS.Process {
  if (typeof process === 'undefined' || typeof process.getBuiltinModule !== 'function')
    throw new HooksError(
      'CONFIG_INVALID',
      'This guard reads files or runs git, which needs Node.js 22.18 or later. Remove it in this environment.',
    );
  return process;
}
