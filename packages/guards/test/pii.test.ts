import { BeforeModelCall, createHooks, UserPromptSubmit } from '@hooks/core';
import { testAgent } from '@hooks/core/testing';
import { callTool, TransformServerMessage } from '@hooks/core/tool-call';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findPii, type PiiOptions, pii } from '../src/index.ts';
import { numbered } from './numbered.ts';
import { slowUnits, stepsPerCharacter } from './slow-texts.ts';

const kindsIn = (text: string): string[] =>
  findPii(text).map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`);

describe('findPii finds', () => {
  test.each([
    ['write to ann.smith+x@mail.acme.dev, please', 'email ann.smith+x@mail.acme.dev'],
    ['call +41 44 668 18 00 or', 'phone +41 44 668 18 00'],
    ['call (415) 555-2671.', 'phone (415) 555-2671'],
    ['415-555-2671', 'phone 415-555-2671'],
    ['T 415 555 2671', 'phone 415 555 2671'],
    ['pay with 4242 4242 4242 4242 now', 'card 4242 4242 4242 4242'],
    ['amex 378282246310005', 'card 378282246310005'],
    ['Card4242424242424242CVC123', 'card 4242424242424242'],
    ['abc-4242-4242-4242-4242-abc', 'card 4242-4242-4242-4242'],
    ['to DE89 3704 0044 0532 0130 00 AND more', 'iban DE89 3704 0044 0532 0130 00'],
    ['GB29NWBK60161331926819', 'iban GB29NWBK60161331926819'],
    ['from 203.0.113.7:443', 'ip 203.0.113.7'],
    ['inet addr:203.0.113.7 up', 'ip 203.0.113.7'],
    ['tcp:203.0.113.7:443', 'ip 203.0.113.7'],
    ['addr:2001:db8::8a2e:370:7334', 'ip 2001:db8::8a2e:370:7334'],
    ['<b>bob@example.org--</b>', 'email bob@example.org'],
    ['host 2001:db8::8a2e:370:7334 up', 'ip 2001:db8::8a2e:370:7334'],
    ['file ann@acme.com_draft', 'email ann@acme.com'],
    ['ann@acme.com2 or', 'email ann@acme.com'],
    ['ann@acme.com-old', 'email ann@acme.com'],
    ['an jürgen.müller@acme.dev, bitte', 'email jürgen.müller@acme.dev'],
    ['ann@bücher.example.de', 'email ann@bücher.example.de'],
    ['пишите иван@почта.рф!', 'email иван@почта.рф'],
    ['/find?email=ann%40acme.dev&page=2', 'email ann%40acme.dev'],
    ['/to?url=%2Ffind%3Femail%253Dann%2540acme.dev', 'email %2Ffind%3Femail%253Dann%2540acme.dev'],
    ['联系ann@acme.dev。', 'email ann@acme.dev'],
    ['ann@acme.dev에게', 'email ann@acme.dev'],
    ['用户@例子.广告', 'email 用户@例子.广告'],
    ['pay with 4111.1111.1111.1111.', 'card 4111.1111.1111.1111'],
    ['3782.822463.10005', 'card 3782.822463.10005'],
    ['4111\u00a01111\u00a01111\u00a01111', 'card 4111\u00a01111\u00a01111\u00a01111'],
    ['4111\u202f1111\u202f1111\u202f1111', 'card 4111\u202f1111\u202f1111\u202f1111'],
    ['to de89 3704 0044 0532 0130 00 and more', 'iban de89 3704 0044 0532 0130 00'],
    ['gb29nwbk60161331926819', 'iban gb29nwbk60161331926819'],
    ['De89370400440532013000,', 'iban De89370400440532013000'],
  ])('%s', (text, expected) => {
    expect(kindsIn(text)).toEqual([expected]);
  });
});

describe('findPii finds, one beside the other,', () => {
  test.each([
    ['a phone and a card', '+1 415 555 0132 4111 1111 1111 1111', ['phone', 'card'], ' '],
    ['a number and a card', '2027 4111 1111 1111 1111', ['card'], '2027 '],
    ['two IBANs', 'DE89 3704 0044 0532 0130 00 DE89 3704 0044 0532 0130 00', ['iban', 'iban'], ' '],
    ['an address and a card', '2001:4860:4860::8888 4111 1111 1111 1111', ['ip', 'card'], ' '],
    ['two cards', '4111 1111 1111 1111 4242 4242 4242 4242', ['card', 'card'], ' '],
    ['a phone and one of another country', '+1 415 555 0132+4930901820', ['phone', 'phone'], ''],
    ['the same without spaces', '+14155550132+4930901820', ['phone', 'phone'], ''],
    ['a number that is a card with the beginning of one', '4008 4111 1111 1111 1111', ['card'], ''],
    ['a range of addresses', '203.0.113.7-203.0.113.9', ['ip', 'ip'], '-'],
    ['an address and a message', '2001:4860:4860::8888: refused', ['ip'], ': refused'],
  ])('%s', (_, text, kinds, rest) => {
    const found = findPii(text);
    expect(found.map(({ kind }) => kind)).toEqual(kinds);
    const left = found.reduceRight((all, { start, end }) => all.slice(0, start) + all.slice(end), text);
    expect(left.trim()).toBe(rest.trim());
  });
});

describe('findPii ignores', () => {
  test.each([
    ['a card number whose checksum is wrong', '4242 4242 4242 4243'],
    ['an order number', 'order 1234567890123456'],
    ['an IBAN whose checksum is wrong', 'DE88 3704 0044 0532 0130 00'],
    ['this machine', '127.0.0.1 and ::1 and 0.0.0.0'],
    [
      'a private network',
      '10.1.2.3, 192.168.0.7, 172.20.1.1, 169.254.1.1, fd12:3456:789a:1::1 and fe80::1:2:3',
    ],
    ['an invalid address', '999.1.1.1 and 1.2.3.4.5 and 12:34:56'],
    ['a scope', 'std::string, a::b::c and @acme/core@1.2.3'],
    ['a date and a time', '2026-11-21T04:33:24.123Z'],
    ['an address of git', 'git@github.com:acme/app.git'],
    [
      'the path of an SVG',
      '<path d="M 300 400 2000 100 L512 384 1024 768 -300 c100 200-300-4000 400 500 2000-1z">',
    ],
    ['an image', 'img/logo@2x.png'],
    ['a version', 'v18.20.4-rc.1, 5.4.3'],
    ['a hash that begins with the digits of a card', '4242424242424242dad40df64a1731da870f2baa'],
    ['a hash that contains them', 'd974e1772a4242424242424242ee13884d01dbcb'],
    ['a hash that ends with them', '9f86d081884c7d659a2feaa0c4242424242424242'],
    ['an id that begins with them', '4242-4242-4242-4242a1b2'],
    ['an id that contains them', 'a0d52eed-4971-4228-8488-4749396f3025'],
    ['a sum', '12+4930901820'],
    ['a hash that is an IBAN with more behind it', 'de89370400440532013000a7'],
    ['a version with four long parts', '1.4111.1111.1111.1111'],
    ['a hash and an id', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b 550e8400-e29b-41d4-a716-446655440000'],
  ])('%s', (_, text) => {
    expect(kindsIn(text)).toEqual([]);
  });
});

async function readBack(options: PiiOptions | undefined, text: string): Promise<unknown> {
  const hooks = createHooks();
  hooks.use(pii(options));
  const outcome = await callTool(hooks, { session: hooks.session('s'), toolName: 't', input: {} }, () => ({
    text,
  }));
  return outcome.output;
}

describe('each kind has its action', () => {
  const text = 'ann@acme.dev, ann@acme.dev, bob@acme.dev';

  test('redact, the default, gives each value a placeholder', async () => {
    const expected = '[REDACTED:email#1], [REDACTED:email#1], [REDACTED:email#2]';
    expect(numbered(await readBack(undefined, text))).toEqual({ text: expected });
  });

  test('mask leaves the value recognizable for a person', async () => {
    const kinds = { email: 'mask', phone: 'mask', card: 'mask', iban: 'mask', ip: 'mask' } as const;
    const all = 'ann@acme.dev +41 44 668 18 00 4242-4242-4242-4242 DE89370400440532013000 203.0.113.7';
    expect(await readBack({ kinds }, all)).toEqual({
      text: 'a***@acme.dev +** ** *** ** 00 ****-****-****-4242 DE** **** 3000 203.***',
    });
  });

  test('hash is the same for the same value under the same key only', async () => {
    const kinds = { email: 'hash' } as const;
    const first = await readBack({ kinds, hashKey: 'a' }, text);
    expect(first).toEqual({
      text: expect.stringMatching(/^\[email:([0-9a-f]{16})\], \[email:\1\], \[email:/),
    });
    expect(await readBack({ kinds, hashKey: 'a' }, text)).toEqual(first);
    expect(await readBack({ kinds, hashKey: 'b' }, text)).not.toEqual(first);
    expect(await readBack({ kinds }, text)).not.toEqual(first);
  });

  test('a kind that is not listed passes', async () => {
    expect(await readBack({ kinds: { card: 'redact' } }, text)).toEqual({ text });
  });

  test('block refuses prompts and model calls, and withholds results', async () => {
    const hooks = createHooks();
    hooks.use(pii({ kinds: { card: 'block', email: 'redact' } }));
    const session = hooks.session('s');
    const prompt = 'my card is 4242 4242 4242 4242, ann@acme.dev';
    expect(await hooks.dispatch(UserPromptSubmit, { session, prompt })).toMatchObject({
      kind: 'block',
      reason: expect.stringMatching(/pii\/card/),
    });
    const messages = [{ role: 'user', text: prompt }] as const;
    const call = { session, iteration: 1, messages, tools: [] };
    expect(await hooks.dispatch(BeforeModelCall, call)).toMatchObject({ kind: 'block' });
    const outcome = await callTool(hooks, { session, toolName: 't', input: {} }, () => [prompt]);
    expect(outcome.output).toMatch(/Withheld \(pii\/card\)/);
    expect(await hooks.dispatch(UserPromptSubmit, { session, prompt: 'ann@acme.dev' })).toMatchObject({
      patch: { prompt: expect.stringMatching(/^\[REDACTED:email#[\da-f]{8}\]$/) },
    });
  });
});

describe.each([
  ['email', 'ann@acme.dev'],
  ['phone', '+41 44 668 18 00'],
  ['card', '4242 4242 4242 4242'],
  ['iban', 'DE89370400440532013000'],
  ['ip', '203.0.113.7'],
] as const)('%s', (kind, value) => {
  test.each([
    ['redact', new RegExp(`^see \\[REDACTED:${kind}#[\\da-f]{8}\\]\\.$`)],
    ['mask', /^see [^ ]*\*{2,}.*\.$/],
    ['hash', new RegExp(`^see \\[${kind}:[0-9a-f]{16}\\]\\.$`)],
  ] as const)('%s', async (action, expected) => {
    const output = await readBack({ kinds: { [kind]: action } }, `see ${value}.`);
    expect(output).toEqual({ text: expect.stringMatching(expected) });
    expect(JSON.stringify(output)).not.toContain(value);
  });

  test('block refuses the prompt', async () => {
    const output = await readBack({ kinds: { [kind]: 'block' } }, `see ${value}.`);
    expect(output).toMatch(`Withheld (pii/${kind})`);
  });

  test('a kind that is not listed passes', async () => {
    const other = kind === 'email' ? 'ip' : 'email';
    expect(await readBack({ kinds: { [other]: 'block' } }, value)).toEqual({ text: value });
  });
});

test('tool input is checked only with toolInput', async () => {
  const ran = async (options: PiiOptions): Promise<unknown> => {
    const hooks = createHooks();
    hooks.use(pii(options));
    const call = { session: hooks.session('s'), toolName: 'mail', input: { to: 'ann@acme.dev' } };
    return (await callTool(hooks, call, (input) => input)).input;
  };
  expect(await ran({})).toEqual({ to: 'ann@acme.dev' });
  expect(numbered(await ran({ toolInput: true }))).toEqual({ to: '[REDACTED:email#1]' });
});

test('findPii takes a text with more personal data than a function has arguments', () => {
  expect(findPii('ann@acme.dev '.repeat(200_000))).toHaveLength(200_000);
});

test('findPii never throws', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void findPii(text)));
});

describe('findPii takes a limited number of steps per character', () => {
  test.each(slowUnits('pii'))('%j', (unit) => {
    expect(stepsPerCharacter(unit, findPii)).toBeLessThan(250);
  });
});

test('what an MCP server says is redacted, and a refused kind withheld', async () => {
  const hooks = createHooks();
  hooks.use(pii({ kinds: { card: 'block', email: 'redact' } }));
  const content = { instructions: 'Write to ann@acme.dev.', note: ['Pay with 4111 1111 1111 1111.'] };
  const said = await hooks.dispatch(TransformServerMessage, {
    session: hooks.session('s'),
    method: 'initialize',
    kind: 'result',
    content,
  });
  expect(JSON.stringify(said)).not.toMatch(/acme|1111/);
  expect(JSON.stringify(said)).toContain('Withheld (pii/card)');
});

describe('personal data behind an escape of JSON', () => {
  const values = [
    'ann@acme.dev',
    '+49 151 23456789',
    'DE89370400440532013000',
    '4111111111111111',
    '203.0.113.7',
  ];
  const texts: Readonly<Record<string, (value: string) => string>> = {
    'in a field': (value) => JSON.stringify({ note: `Contact:\n${value}` }),
    'behind a tab': (value) => JSON.stringify([`Contact:\t${value}\r\nand so on`]),
    'in JSON in JSON': (value) => JSON.stringify({ text: JSON.stringify({ note: `Contact:\n${value}\n` }) }),
    'as Go and .NET write angle brackets': (value) => `{"from":"Ann \\u003c${value}\\u003e"}`,
    'between entities of HTML': (value) => `&#60;${value}&#62;`,
    'in a string of a program': (value) => `const note = 'Contact:\\n${value}';`,
  };
  test.each(Object.entries(texts))('is found without the letter of the escape, %s', (_, write) => {
    for (const value of values) {
      const text = write(value);
      expect(findPii(text).map(({ start, end }) => text.slice(start, end))).toEqual([value]);
    }
  });

  test('is found where a letter of it is escaped', () => {
    const text = String.raw`{"note":"\u0061nn@acme.dev and \u002b49 151 23456789"}`;
    const found = findPii(text).map(({ start, end }) => text.slice(start, end));
    expect(found).toEqual([String.raw`\u0061nn@acme.dev`, String.raw`\u002b49 151 23456789`]);
  });

  test.each(['ann&#64;acme.dev', 'ann&commat;acme.dev', 'ann\uff20acme.dev', String.raw`ann\x40acme.dev`])(
    'is found where its sign is written in another form: %s',
    (text) => {
      const found = { kind: 'email', start: 5, end: 5 + text.length, value: 'ann@acme.dev' };
      expect(findPii(`mail ${text}, now`)).toEqual([found]);
    },
  );

  test('is the same value as without the escape: one placeholder, one hash, and what a tool gets', async () => {
    const agent = testAgent(
      pii({
        kinds: { phone: 'redact', email: 'hash' },
        reveal: { dial: ['number'] },
        ignore: ['us@acme.dev'],
      }),
    );
    const read = async (text: string): Promise<string> => {
      const { output } = (await agent.callTool('read', {}, { execute: () => text })) as { output?: string };
      return output ?? '';
    };
    const escaped = String.raw`{"tel":"\u002B41446681800","mail":"\u0061nn@acme.dev","from":"us\u0040acme.dev"}`;
    const plain = await read('{"tel":"+41446681800","mail":"ann@acme.dev","from":"us@acme.dev"}');
    expect(JSON.parse(await read(escaped))).toEqual(JSON.parse(plain));
    const dialed: unknown[] = [];
    await agent.callTool(
      'dial',
      { number: JSON.parse(plain).tel },
      { execute: ({ number }) => dialed.push(number) },
    );
    expect(dialed).toEqual(['+41446681800']);
  });

  test('is masked without damage to JSON', async () => {
    const agent = testAgent(pii({ kinds: { phone: 'mask', email: 'mask' } }));
    const text = String.raw`{"tel":"\u002B41446681800","mail":"\u0061nn@acme.dev"}`;
    const { output } = (await agent.callTool('read', {}, { execute: () => text })) as { output?: string };
    expect(JSON.parse(output ?? '')).toEqual({ tel: '+*********00', mail: 'a***@acme.dev' });
  });

  test('is given to a tool as it is, and JSON stays JSON', async () => {
    const agent = testAgent(pii({ reveal: { send_mail: ['to'] } }));
    const result = JSON.stringify({ note: 'Contact:\nann@acme.dev' });
    const { output } = (await agent.callTool('read', {}, { execute: () => result })) as { output?: string };
    const { note } = JSON.parse(output ?? '');
    const sent: unknown[] = [];
    await agent.callTool('send_mail', { to: note.split('\n')[1] }, { execute: ({ to }) => sent.push(to) });
    expect(sent).toEqual(['ann@acme.dev']);
  });
});

describe('a card number that is a number', () => {
  const output = {
    card: 4111111111111111,
    id: 1700000000000,
    all: [4111111111111111n, 42],
    amount: -4111111111111.5,
  };

  test('is redacted, and other numbers stay', async () => {
    const agent = testAgent(pii());
    const called = (await agent.callTool('read', {}, { execute: () => output })) as { output?: unknown };
    const redacted = expect.stringMatching(/^\[REDACTED:card#\w+\]$/);
    expect(called.output).toEqual({ ...output, card: redacted, all: [redacted, 42] });
  });

  test('is withheld where its kind is blocked', async () => {
    const agent = testAgent(pii({ kinds: { card: 'block' } }));
    const called = (await agent.callTool('read', {}, { execute: () => output })) as { output?: unknown };
    expect(called.output).toMatch(/^Withheld \(pii\/card\)/);
  });
});
