import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    readonly tmpdir: string;
  }
}

/** Gives each test run of a package its own temporary folder, and removes it with all files that the tests left. */
export default function makeRunFolder(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'hooks-test-'));
  // Other users may traverse it, like the system's folder, because sandboxes run as nobody.
  chmodSync(folder, 0o711);
  project.provide('tmpdir', folder);
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
