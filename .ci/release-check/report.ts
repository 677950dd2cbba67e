import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Checks that belong together, told one line each, in the order of the checks. */
export interface Report {
  /** Does a check and notes how it went. Returns what it returned, or undefined where it failed. */
  check<T>(name: string, verify: () => T | Promise<T>): Promise<T | undefined>;
  /** Notes what could not be checked on this machine, and why. */
  skip(name: string, why: string): void;
  /** Prints what was noted since it last did. */
  print(): void;
}

const started = performance.now();
let passed = 0;
let failed = 0;
let skipped = 0;

/** Makes one. Several may be under way at once; each prints for itself. */
export function createReport(): Report {
  const lines: string[] = [];
  return {
    check: async (name, verify) => {
      try {
        const result = await verify();
        passed++;
        lines.push(`ok      ${name}`);
        return result;
      } catch (error) {
        failed++;
        lines.push(`FAILED  ${name}`, indented(error instanceof Error ? error.message : String(error)));
        return undefined;
      }
    },
    skip: (name, why) => {
      skipped++;
      lines.push(`skipped ${name}: ${why}`);
    },
    print: () => {
      for (const line of lines.splice(0)) console.log(line);
    },
  };
}

/** Throws with `problem` unless `right`. */
export function must(right: boolean, problem: string): asserts right {
  if (!right) throw new Error(problem);
}

/** Says how everything went, sets the exit code, and leaves the figures where `.ci/summary.mjs` reads them. */
export function conclude(file: string): void {
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(`release check: ${passed} passed, ${failed} failed, ${skipped} skipped, in ${seconds} s`);
  mkdirSync(dirname(file), { recursive: true });
  const counted = {
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests: skipped,
    numTodoTests: 0,
  };
  writeFileSync(file, JSON.stringify(counted));
  process.exitCode = failed > 0 ? 1 : 0;
}

function indented(text: string): string {
  return text.replace(/^/gm, '        ');
}
