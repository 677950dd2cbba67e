import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Tells of every change of a file, until it is disposed of. Their directories are watched, since editors replace files. */
export function watchFiles(paths: readonly string[], changed: (path: string) => void): Disposable {
  const watchers = paths.map((path) =>
    watch(dirname(path), { persistent: false }, (_, name) => {
      if (name === basename(path)) changed(path);
    }),
  );
  return {
    [Symbol.dispose]() {
      for (const watcher of watchers) watcher.close();
    },
  };
}
