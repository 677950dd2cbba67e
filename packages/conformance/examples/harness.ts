import type { AdapterHarness } from '../src/index.ts';
import { referenceHarness } from '../test/reference/harness.ts';

/** Stands for the harness that an adapter's author writes. */
export const harness: AdapterHarness = referenceHarness();
