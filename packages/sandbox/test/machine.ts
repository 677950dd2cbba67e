import { localSandbox } from '../src/index.ts';

const problems = await localSandbox().supports({});

/** Why this machine has no local sandbox; undefined where it has one. For `describe.skipIf` and the name of what is skipped. */
export const cannotIsolate: string | undefined = problems.length === 0 ? undefined : problems.join(' ');
