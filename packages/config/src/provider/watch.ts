import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Reports every change of a file until disposed. Watches directories, because editors replace files. */
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
