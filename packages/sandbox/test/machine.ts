import { localSandbox } from '../src/index.ts';

const problems = await localSandbox().supports({});

/** Why this machine has no local sandbox; undefined if it has one. For `describe.skipIf` and names of skipped tests. */
export const cannotIsolate: string | undefined = problems.length === 0 ? undefined : problems.join(' ');
