import { readFileSync } from 'node:fs';
import { examplesOf, run } from '@hooks/testing/examples';
import { expect, test } from 'vitest';

// The SDK 2 asks for an API below 1.10, the SDK 3 for 1.10: whoever names the API gets the newest, and then no SDK 2.
test('the README leaves the version of OpenTelemetry’s API to the SDK', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  expect(/^npm install .*$/m.exec(readme)?.[0]).toBe('npm install @hooks/otel @hooks/core');
});

test.each(examplesOf(new URL('..', import.meta.url)))(
  'the example $name prints what it says',
  async ({ file, prints }) => expect(await run(file)).toBe(prints),
);
