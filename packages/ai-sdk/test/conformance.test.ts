import { testAdapter } from '@hooks/conformance';
import { harness } from './harness.ts';

testAdapter(harness);
