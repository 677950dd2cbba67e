import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates an empty folder for a test and returns its real path. `run-folder.ts` removes it after the run. */
export function temporaryFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'hooks-')));
}
