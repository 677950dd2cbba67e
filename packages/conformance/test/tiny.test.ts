// The README's example adapter passes the suite for everything that its table claims.
import { testAdapter } from '@hooks/conformance';
import { harness } from '../examples/tiny-harness.ts';

testAdapter(harness);
