import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    readonly tmpdir: string;
  }
}

/** A run of a package's tests has a temporary folder of its own, which is removed with all that the tests left in it. */
export default function makeRunFolder(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'hooks-test-'));
  // Other users may pass through it, as through the system's: sandboxes are entered as nobody.
  chmodSync(folder, 0o711);
  project.provide('tmpdir', folder);
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
