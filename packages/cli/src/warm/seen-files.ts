import { type BigIntStats, statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The files that a policy was made of. */
export interface SeenFiles {
  /** Adds a file, before it is read, also one that is not there. */
  add(path: string): void;
  /** Whether all of them are as they were when they were read. */
  areUnchanged(): boolean;
}

/** Remembers the state of each module that this process finds from now on, and of each file that is added. */
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

/** Another one for every change: editors write new files, and `touch` cannot set the time of the change itself. */
function stateOf(path: string): string {
  const stats: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? 'none' : [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ');
}
