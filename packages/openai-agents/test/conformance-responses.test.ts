import { testAdapter } from '@hooks/conformance';
import { describe } from 'vitest';
import { responses } from './harness.ts';

// A part of the suite would take as long again as that on chat completions, which are what differs least between frameworks.
describe.runIf(Number(process.env['HOOKS_RANDOM'] ?? 1) >= 1)('on the Responses API', () => {
  testAdapter(responses);
});
