import { testAdapter } from '@hooks/conformance';
import { inject, test } from 'vitest';
import { harness } from './proxy-harness.ts';

const isWanted = inject('claude') !== undefined && process.env['HOOKS_CLAUDE'] === 'all';

if (isWanted) testAdapter(harness);
else test.skip('the conformance suite with the model proxy (not run: HOOKS_CLAUDE=all runs it)', () => {});
