// The adapter that the README works from nothing passes the suite, as far as its table goes.
import { testAdapter } from '@hooks/conformance';
import { harness } from '../examples/tiny-harness.ts';

testAdapter(harness);
