import { testAdapter } from '../src/index.ts';
import { referenceHarness } from './reference/harness.ts';

testAdapter(referenceHarness());
