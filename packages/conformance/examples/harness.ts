import type { AdapterHarness } from '../src/index.ts';
import { referenceHarness } from '../test/reference/harness.ts';

/** Replace this with the harness of your adapter. */
export const harness: AdapterHarness = referenceHarness();
