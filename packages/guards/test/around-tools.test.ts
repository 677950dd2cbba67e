import { createHooks, type HookProvider, type Principal, proceed, SessionStart } from '@hooks/core';
import { expect, test } from 'vitest';
import { limits, pii, requirePrincipal } from '../src/index.ts';

/** The Claude Agent SDK's tools and an MCP proxy have no model in between: what guards decide about tool calls holds there, too. */

type Call = (input: object) => Promise<{ readonly text: string; readonly refused: boolean }>;
interface Place {
  readonly name: string;
  readonly open: (guard: HookProvider, principal?: Principal) => Promise<Call>;
}

const claude: Place = {
  name: 'Claude Agent SDK',
  async open(guard, principal) {
    const { harness } = await import(new URL('../../claude-agent-sdk/test/harness.ts', import.meta.url).href);
    const { z } = await import('zod');
    const hooks = createHooks();
    hooks.use(guard);
    const tool = {
      name: 'echo',
      description: 'Says it.',
      schema: z.object({ q: z.string() }),
      execute: ({ q }: { q: string }) => `said ${q}`,
    };
    return async (input) => {
      const { output, refusal } = await harness.callTool(tool, input, {
        hooks: [hooks],
        attach: principal ? { principal: principal.id } : {},
      });
      const reason = harness.blockReason(refusal);
      return { text: reason ?? String(output), refused: reason !== undefined };
    };
  },
};

const mcp: Place = {
  name: 'MCP proxy',
  async open(guard, principal) {
    // The user of a proxy over stdio is that of its session; that of a gateway comes from the request.
    const { connect, textOf } = await import(new URL('../../mcp/test/connect.ts', import.meta.url).href);
    const hooks = createHooks();
    hooks.use(guard);
    hooks.on(
      SessionStart,
      ({ session }) => {
        hooks.session(session.id, { principal });
        return proceed();
      },
      { priority: 1000 },
    );
    const { call } = await connect({ hooks });
    return async (input) => {
      const result = await call('echo', input);
      return { text: textOf(result), refused: result.isError === true };
    };
  },
};

test.each([claude, mcp])(
  'requirePrincipal in $name refuses nobody, and lets a user pass',
  async ({ open }) => {
    const nobody = await (await open(requirePrincipal()))({ q: 'hi' });
    expect(nobody).toMatchObject({
      refused: true,
      text: expect.stringContaining('nobody says who the user is'),
    });
    const ann = await (await open(requirePrincipal(), { id: 'ann' }))({ q: 'hi' });
    expect(ann).toEqual({ refused: false, text: 'said hi' });
  },
);

test.each([claude, mcp])(
  'limits with a soft landing in $name refuse the call behind the budget',
  async ({ open }) => {
    const call = await open(
      limits({ perKey: { toolCalls: 1, timeMs: 60_000 }, atLimit: 'answer', warnAt: 1 }),
      {
        id: 'ann',
      },
    );
    expect(await call({ q: 'one' })).toEqual({ refused: false, text: 'said one' });
    expect(await call({ q: 'two' })).toMatchObject({
      refused: true,
      text: expect.stringContaining('limits/toolCalls'),
    });
  },
);

test.each([claude, mcp])(
  'pii in $name redacts what a tool returns, and with answers says that it sees none',
  async ({ open }) => {
    const call = await open(pii({ kinds: { email: 'redact' } }), { id: 'ann' });
    const { text } = await call({ q: 'write to ada@lovelace.org' });
    expect(text).toContain('said write to');
    expect(text).not.toContain('ada@lovelace.org');
    await expect(
      (async () => (await open(pii({ answers: true }), { id: 'ann' }))({ q: 'hi' }))(),
    ).rejects.toMatchObject({ code: 'UNSUPPORTED_EVENT' });
  },
);
