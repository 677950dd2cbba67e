import { testAdapter } from '@hooks/conformance';
import { inject, test } from 'vitest';
import { harness } from './harness.ts';

const reason =
  inject('claude') === undefined
    ? "Claude Code's program is not there"
    : process.env['HOOKS_CLAUDE'] === undefined && process.env['CI'] === undefined
      ? 'it takes minutes; set HOOKS_CLAUDE=all'
      : undefined;

if (reason === undefined) testAdapter(harness);
else test.skip(`the conformance suite: ${reason}`, () => {});
