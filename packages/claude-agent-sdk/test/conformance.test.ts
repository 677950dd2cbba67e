import { testAdapter } from '@hooks/conformance';
import { inject, test } from 'vitest';
import { harness } from './harness.ts';

const obstacle =
  inject('claude') === undefined
    ? "Claude Code's program is not here"
    : process.env['HOOKS_CLAUDE'] === 'all'
      ? undefined
      : 'it starts hundreds of processes; HOOKS_CLAUDE=all runs it';

if (obstacle === undefined) testAdapter(harness);
else test.skip(`the conformance suite (not run: ${obstacle})`, () => {});
