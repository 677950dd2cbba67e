import { expect, test } from 'vitest';
import { generated, readme } from '../scripts/support-table.ts';

test('the README shows what the adapters support as they have it now (pnpm --filter demo generate)', () => {
  expect(generated).toBe(readme);
});
