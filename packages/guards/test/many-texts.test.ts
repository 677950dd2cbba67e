import { BeforeModelCall, createHooks } from '@hooks/core';
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

describe('a history that grows', () => {
  /** Sends a history to a model, and returns what is left of it and how many of its texts were looked through. */
  function sender() {
    const hooks = createHooks();
    hooks.use(redactSecrets());
    const session = hooks.session('s');
    return async (texts: readonly string[]) => {
      const search = vi.spyOn(String.prototype, 'search');
      const messages = texts.map((text) => ({ role: 'user' as const, text }));
      const decision = await hooks.dispatch(BeforeModelCall, { session, messages, tools: [], iteration: 1 });
      const looked = new Set(search.mock.contexts.map(String).filter((text) => texts.includes(text)));
      search.mockRestore();
      const sent = decision.kind === 'modify' ? (decision.patch.messages ?? messages) : messages;
      return { sent: sent.map(({ text }) => text), looked: looked.size };
    };
  }
  const texts = (count: number) => Array.from({ length: count }, (_, at) => `message ${at}: hunter2-hunter3`);

  it('is looked through for secrets once', async () => {
    const send = sender();
    expect((await send(texts(10))).looked).toBe(10);
    expect((await send(texts(11))).looked).toBe(1);
    expect((await send(texts(11))).looked).toBe(0);
  });

  it('is looked through again for a secret that came with a name since', async () => {
    const send = sender();
    await send(texts(10));
    const named = [...texts(10), 'password=hunter2-hunter3'];
    expect((await send(named)).sent.at(-1)).toMatch(/^password=\[REDACTED/);
    const { sent, looked } = await send(named);
    expect(looked).toBe(11);
    expect(sent.join()).not.toContain('hunter2');
  });
});
