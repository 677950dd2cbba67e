import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new, empty folder for a test, by its real path. Nobody has to remove it: it goes with the run's (`run-folder.ts`). */
export function temporaryFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'hooks-')));
}
