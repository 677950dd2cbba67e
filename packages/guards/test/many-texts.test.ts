import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { describe, expect, it, vi } from 'vitest';
import { pii, redactSecrets } from '../src/index.ts';

/** Runs a call with hooks that look at its result, and counts the expressions that are compiled on the way. */
async function compiledFor(output: unknown): Promise<number> {
  const hooks = createHooks();
  hooks.use(redactSecrets());
  hooks.use(pii());
  let compiled = 0;
  const counted = new Proxy(RegExp, {
    construct: (of, args) => (compiled++, Reflect.construct(of, args)),
  });
  vi.stubGlobal('RegExp', counted);
  // `matchAll` and `split` make a copy of their expression by this.
  const species = vi
    .spyOn(RegExp, Symbol.species as never, 'get')
    .mockImplementation((() => counted) as never);
  try {
    const { status } = await callTool(
      hooks,
      { session: hooks.session('s'), toolName: 'rows', input: {} },
      () => output,
    );
    expect(status).toBe('ok');
  } finally {
    species.mockRestore();
    vi.unstubAllGlobals();
  }
  return compiled;
}

describe('a result with many texts', () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, id) => ({ id, name: `row ${id}`, note: 'user token: see the vault' }));

  it('compiles no expression for a text', async () => {
    expect(await compiledFor(rows(500))).toBe(await compiledFor(rows(5)));
  });
});
