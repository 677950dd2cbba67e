import { inspect } from 'node:util';
import { type AdapterHarness, type Played, Stage } from '@hooks/conformance';
import {
  AfterModelCall,
  answer,
  BeforeToolCall,
  block,
  createHooks,
  type HookProvider,
  requireApproval,
} from '@hooks/core';
import { testAgent } from '@hooks/core/testing';
import { callTool } from '@hooks/core/tool-call';
import { HARNESSES } from '@hooks/testing/adapters';
import { describe, expect, test } from 'vitest';
import { createSecretRedactor, pii, redactSecrets } from '../src/index.ts';

const ann = 'ann.smith@acme.dev';
const token = 'ghp_k2J8sQ0vXz5LrT7nWc3YbF9dHg1MpE4uAi6o';

describe.each(HARNESSES)('answers in $name', ({ harness: url }) => {
  test.each([
    ['plain', false],
    ['streamed', true],
  ])('of the model have neither personal data nor secrets, %s', async (_form, stream) => {
    const { harness }: { readonly harness: AdapterHarness } = await import(url);
    await using stage = new Stage(harness, stream);
    stage.hooks.use(pii({ answers: true, kinds: { email: 'mask' } }));
    stage.hooks.use(redactSecrets({ answers: true }));
    const { result } = await stage.play([{ text: `Write to ${ann} with ${token}.` }]);
    expect(result.error).toBeUndefined();
    expect(result.text).toMatch(
      /^Write to a\*\*\*@acme.dev with \[REDACTED:github-token#|^Write to a\*\*\*@acme.dev with \[REDACTED:/,
    );
    for (const { value } of result.seen) {
      const shown = inspect(value, { depth: Number.POSITIVE_INFINITY, maxStringLength: null });
      expect(shown).not.toContain(token);
      expect(shown).not.toContain(ann);
    }
  });

  test.each([
    ['plain', false],
    ['streamed', true],
  ])(
    'show no reasoning with personal data or secrets, and another one as it is, %s',
    async (_form, stream) => {
      const { harness }: { readonly harness: AdapterHarness } = await import(url);
      const play = async (reasoning: string): Promise<string> => {
        await using stage = new Stage(harness, stream);
        stage.hooks.use(pii({ answers: true, kinds: { email: 'mask' } }));
        stage.hooks.use(redactSecrets({ answers: true }));
        const { result } = await stage.play([{ reasoning, text: 'Done.' }]);
        expect(result.error).toBeUndefined();
        expect(result.text).toBe('Done.');
        return inspect(result.seen, { depth: Number.POSITIVE_INFINITY, maxStringLength: null });
      };
      expect(await play(`It is ${ann}.`)).not.toContain(ann);
      expect(await play(`It is ${token}.`)).not.toContain(token);
      expect(await play('Thinking.')).toContain('Thinking');
    },
  );

  test('of the model with a kind that is blocked are refused', async () => {
    const { harness }: { readonly harness: AdapterHarness } = await import(url);
    await using stage = new Stage(harness, false);
    stage.hooks.use(pii({ answers: true, kinds: { email: 'block' } }));
    const { result } = await stage.play([{ text: `Write to ${ann}.` }]);
    expect(result.blockReason).toMatch(/pii\/email/);
    expect(result.text).not.toContain(ann);
  });
});

const script = [
  { toolCalls: [{ id: 'c1', name: 'weather', arguments: { city: 'Rome' } }] },
  { text: 'Done.' },
] as const;
const output = { note: [`Write to ${ann} with ${token}.`] };

/** How somebody answers in place of a tool. */
const ANSWERS: Readonly<Record<string, (stage: Stage) => Promise<Played>>> = {
  'a hook': (stage) => {
    stage.hooks.on(BeforeToolCall, () => answer(output));
    return stage.play(script);
  },
  'an approver': (stage) => {
    stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
    return stage.play(script, { attach: { approval: () => ({ decision: 'answer', output }) } });
  },
};

describe.each(HARNESSES)('what is answered in place of a tool in $name', ({ harness: url }) => {
  describe.each([
    ['plain', false],
    ['streamed', true],
  ])('%s', (_form, stream) => {
    const open = async (): Promise<Stage> => {
      const { harness }: { readonly harness: AdapterHarness } = await import(url);
      const stage = new Stage(harness, stream);
      stage.hooks.use(pii());
      stage.hooks.use(redactSecrets());
      return stage;
    };

    test.each(Object.entries(ANSWERS))('by %s has neither personal data nor secrets', async (_, play) => {
      await using stage = await open();
      const { result, read, requests } = await play(stage);
      expect(result.error).toBeUndefined();
      expect(read['c1']).toContain('Write to [REDACTED:email#');
      const shown = inspect([result, requests], { depth: Number.POSITIVE_INFINITY, maxStringLength: null });
      expect(shown).not.toContain(ann);
      expect(shown).not.toContain(token);
    });

    test('as the reason of a refusal is read by the model without them', async () => {
      await using stage = await open();
      stage.hooks.on(BeforeToolCall, () => block(output.note.join()));
      const { read, requests } = await stage.play(script);
      expect(read['c1']).toContain('Write to [REDACTED:email#');
      expect(JSON.stringify(requests)).not.toContain(ann);
    });
  });
});

describe('an answer in the form of a tool call', () => {
  const judge = async (...providers: readonly HookProvider[]) => {
    const hooks = createHooks();
    for (const provider of providers) hooks.use(provider);
    const call = { callId: 'c1', toolName: 'extract', input: { to: [ann], password: token } };
    const toolCalls = [
      { ...call, isAnswer: true as const },
      { ...call, callId: 'c2' },
    ];
    const decided = await hooks.dispatch(AfterModelCall, {
      session: hooks.session('s'),
      iteration: 1,
      attempt: 1,
      response: { text: '', toolCalls },
    });
    return {
      kind: decided.kind,
      calls: decided.kind === 'modify' ? decided.patch.response?.toolCalls : undefined,
    };
  };

  test('has neither personal data nor secrets, and a call of a tool stays as it is', async () => {
    const { calls } = await judge(pii({ answers: true }), redactSecrets({ answers: true }));
    expect(JSON.stringify(calls?.[0])).not.toContain(ann);
    expect(JSON.stringify(calls?.[0])).not.toContain(token);
    expect(calls?.[1]?.input).toEqual({ to: [ann], password: token });
  });

  test('is refused where it has a kind that is blocked', async () => {
    const { kind } = await judge(pii({ answers: true, kinds: { email: 'block' } }));
    expect(kind).toBe('block');
  });
});

test('answers pass unless a policy says otherwise', async () => {
  const agent = testAgent([pii(), redactSecrets()]);
  expect(await agent.callModel(`Write to ${ann}.`)).toMatchObject({ response: { text: `Write to ${ann}.` } });
});

describe('ignore', () => {
  const read = async (provider: ReturnType<typeof pii>, text: string): Promise<unknown> => {
    const hooks = createHooks();
    hooks.use(provider);
    return (await callTool(hooks, { session: hooks.session('s'), toolName: 'read', input: {} }, () => text))
      .output;
  };

  test('leaves an address as it is, by its text or by a pattern for the whole of it', async () => {
    const ignore = ['help@acme.dev', /.*@example\.org/g];
    const text = 'help@acme.dev bob@example.org ann@acme.dev bob@example.org.evil.dev';
    const mask = { kinds: { email: 'mask' }, ignore } as const;
    for (let time = 0; time < 2; time++)
      expect(await read(pii(mask), text)).toBe(
        'help@acme.dev bob@example.org a***@acme.dev b***@example.org.evil.dev',
      );
    const refuse = { kinds: { email: 'block' }, ignore } as const;
    expect(await read(pii(refuse), 'help@acme.dev')).toBe('help@acme.dev');
    expect(await read(pii(refuse), 'help@acme.dev ann@acme.dev')).toMatch(/Withheld/);
  });

  test('leaves nothing as it is of which a pattern matches only a line', async () => {
    const lines = Array.from({ length: 4 }, (_, at) => `${at}${token.slice(4)}`.repeat(2).slice(0, 64));
    const pem = ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----'].join('\n');
    expect(createSecretRedactor({ ignore: [/-----BEGIN.*/m] }).text(pem)).not.toContain(lines[1]);
    expect(createSecretRedactor({ ignore: [/-----BEGIN.*/s] }).text(pem)).toBe(pem);
  });

  test('leaves a known test key as it is, and no other', async () => {
    const other = token.replace('k2J8', 'Zq41');
    const output = await read(redactSecrets({ ignore: [token] }), `${token} ${other}`);
    expect(output).toContain(token);
    expect(output).not.toContain(other);
    expect(
      await read(redactSecrets({ ignore: ['hunter2-hunter2-x9Q'] }), 'DB_PASSWORD=hunter2-hunter2-x9Q'),
    ).toBe('DB_PASSWORD=hunter2-hunter2-x9Q');
  });
});
