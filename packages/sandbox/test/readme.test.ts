import { examplesOf, run } from '@hooks/testing/examples';
import { expect, it } from 'vitest';
import { cannotIsolate } from './machine.ts';

it.skipIf(cannotIsolate !== undefined).each(examplesOf(new URL('..', import.meta.url)))(
  `the example $name prints what it says${cannotIsolate ? ` (not run: ${cannotIsolate})` : ''}`,
  async ({ file, prints }) => expect(await run(file)).toBe(prints),
);
