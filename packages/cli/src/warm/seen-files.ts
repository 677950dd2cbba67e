import { type BigIntStats, statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The files that a policy was loaded from. */
export interface SeenFiles {
  /** Adds a file before it is read, even one that does not exist. */
  add(path: string): void;
  /** Whether no file has changed since it was read. */
  areUnchanged(): boolean;
}

/** Records the state of each module that this process resolves from now on, and of each added file. */
export function watchLoadedFiles(): SeenFiles {
  const seen = new Map<string, string>();
  const add = (path: string): void => {
    if (!seen.has(path)) seen.set(path, stateOf(path));
  };
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const found = nextResolve(specifier, context);
      if (found.url.startsWith('file:')) add(fileURLToPath(found.url));
      return found;
    },
  });
  return {
    add,
    areUnchanged: () => [...seen].every(([path, state]) => stateOf(path) === state),
  };
}

/** A state that differs after every change: editors write new files, and `touch` cannot set the change time. */
function stateOf(path: string): string {
  const stats: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? 'none' : [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ');
}
