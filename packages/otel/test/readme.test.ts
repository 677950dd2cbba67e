import { readFileSync } from 'node:fs';
import { examplesOf, run } from '@hooks/testing/examples';
import { expect, test } from 'vitest';

// SDK 2 requires an API below 1.10, and SDK 3 requires 1.10. Installing the API explicitly gets the newest one, which
// SDK 2 rejects.
test('the README leaves the version of OpenTelemetry’s API to the SDK', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  expect(/^npm install .*$/m.exec(readme)?.[0]).toBe('npm install @hooks/otel @hooks/core');
});

test.each(examplesOf(new URL('..', import.meta.url)))(
  'the example $name prints what it says',
  async ({ file, prints }) => expect(await run(file)).toBe(prints),
);
