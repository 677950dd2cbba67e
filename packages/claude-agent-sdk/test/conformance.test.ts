import { testAdapter } from '@hooks/conformance';
import { inject, test } from 'vitest';
import { harness } from './harness.ts';

const obstacle =
  inject('claude') === undefined
    ? 'needs the program of the Claude Agent SDK, which HOOKS_CLAUDE=1 fetches'
    : process.env['HOOKS_CLAUDE'] === 'all'
      ? undefined
      : 'the suite on the Claude Agent SDK takes minutes; HOOKS_CLAUDE=all runs it';

if (obstacle === undefined) testAdapter(harness);
else test.skip(`the conformance suite (not run: ${obstacle})`, () => {});
