import v8 from '@vitest/coverage-v8';
import { type ScriptCoverageWithOffset, V8CoverageProvider } from '@vitest/coverage-v8/dist/provider.js';

/**
 * Vitest's coverage by V8, with the processes that tests start. Vitest strips a test's own modules of their types in
 * another way than Node does in a process, so their places differ: counted under one address, as Vitest does, each
 * spoils the other. Here they are counted apart, and their lines put together.
 */
class Coverage extends V8CoverageProvider {
  override readCoverageFiles(
    read: Parameters<V8CoverageProvider['readCoverageFiles']>[0],
  ): ReturnType<V8CoverageProvider['readCoverageFiles']> {
    return super.readCoverageFiles({
      ...read,
      onFileRead(coverage: { readonly result: readonly ScriptCoverageWithOffset[] }) {
        for (const script of coverage.result) if (script.isExtendedContext) script.url += '?process';
        read.onFileRead(coverage);
      },
    });
  }
}

const coverage: typeof v8 = { ...v8, getProvider: () => new Coverage() };

export default coverage;
