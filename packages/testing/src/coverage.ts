import v8 from '@vitest/coverage-v8';
import { type ScriptCoverageWithOffset, V8CoverageProvider } from '@vitest/coverage-v8/dist/provider.js';

/**
 * Vitest's V8 coverage, including the processes that tests start. Vitest and Node strip types differently, so positions
 * in the same file differ. Vitest counts both under one URL, which corrupts the result. This provider counts them
 * separately and merges their lines.
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
