import { inspect } from 'node:util';
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { drawn } from '@hooks/testing/random';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import {
  createSecretRedactor,
  findSecrets,
  redactSecrets,
  type SecretRedactor,
  secretStream,
} from '../src/index.ts';
import { mapTexts } from '../src/map-texts.ts';
import { numbered } from './numbered.ts';
import { fill, loadSamples, randomFrom, type Sample } from './secret-samples.ts';
import { slowUnits, stepsPerCharacter } from './slow-texts.ts';

// On a busy machine, git and long texts can be slow.
vi.setConfig({ testTimeout: 60_000 });

const redactDeep = (redactor: SecretRedactor, value: unknown): unknown =>
  mapTexts(value, (text, name) => redactor.text(text, name));

/** Recall counts secrets that are covered completely. Precision counts benign lines: any redaction is a mistake. */
function figures(samples: readonly Sample[]): { recall: number; precision: number } {
  let caught = 0;
  let missed = 0;
  let mistaken = 0;
  for (const { label, text, secrets } of samples) {
    const found = findSecrets(text);
    if (label === 'benign' && found.length > 0) mistaken++;
    for (const secret of secrets) {
      const start = text.indexOf(secret);
      if (found.some((span) => span.start <= start && span.end >= start + secret.length)) caught++;
      else missed++;
    }
  }
  return { recall: caught / (caught + missed), precision: caught / (caught + mistaken) };
}

test('the rules find the secrets of the samples that they were written for', () => {
  const { recall, precision } = figures([1, 2, 3].flatMap((seed) => loadSamples('secrets.made-from', seed)));
  expect(recall).toBeGreaterThan(0.98);
  expect(precision).toBeGreaterThan(0.98);
});

test('recall and precision hold on samples that the rules were not written for', () => {
  const { recall, precision } = figures([1, 2, 3].flatMap((seed) => loadSamples('secrets.held-out', seed)));
  expect(recall).toBeGreaterThanOrEqual(0.95);
  expect(precision).toBeGreaterThanOrEqual(0.97);
});

describe('a redactor', () => {
  const { text } = fill('api_key = <alnum:32>', 'benign', randomFrom(1));
  const key = text.slice('api_key = '.length);

  test('gives each secret its own placeholder', () => {
    const redactor = createSecretRedactor();
    const other = fill('password: <alnum:16>', 'benign', randomFrom(2)).text;
    expect(numbered([text, other, `X-Api-Key: ${key}`].map((one) => redactor.text(one)))).toEqual([
      'api_key = [REDACTED:key#1]',
      'password: [REDACTED:password#2]',
      'X-Api-Key: [REDACTED:key#1]',
    ]);
  });

  test('recognizes a known secret without its name, in the same text and later', () => {
    const redactor = createSecretRedactor();
    const secret = 'hunter2-*.+hunter2';
    expect(numbered(redactor.text(`${secret}\nDB_PASSWORD="${secret}"`))).toBe(
      '[REDACTED:password#1]\nDB_PASSWORD="[REDACTED:password#1]"',
    );
    expect(numbered(redactor.text(`$ printenv\n${secret}\n`))).toBe('$ printenv\n[REDACTED:password#1]\n');
    expect(redactor.text('hunter2-xx+hunter2')).toBe('hunter2-xx+hunter2');
  });

  test('does not search everywhere for short secrets', () => {
    const redactor = createSecretRedactor();
    expect(numbered(redactor.text('PASSWORD="abc123"'))).toBe('PASSWORD="[REDACTED:password#1]"');
    expect(redactor.text('see abc123')).toBe('see abc123');
  });

  test('keeps JSON valid', () => {
    const redactor = createSecretRedactor();
    for (const { text: sample } of loadSamples('secrets.held-out')) {
      const json = JSON.stringify({ before: 1, sample, after: [sample, 'end'] });
      expect(JSON.parse(redactor.text(json))).toMatchObject({ before: 1, after: { length: 2, 1: 'end' } });
    }
  });

  test('does not change its own placeholders', () => {
    const redactor = createSecretRedactor();
    for (const { text: sample } of loadSamples('secrets.held-out')) {
      const once = redactor.text(sample);
      expect(redactor.text(once)).toBe(once);
    }
  });

  test('uses names in objects at any depth, and returns unchanged values as they are', () => {
    const redactor = createSecretRedactor();
    const safe = { id: 7, tags: ['a'] };
    const input = {
      safe,
      env: [{ name: 'API_KEY', value: key }],
      login: { password: 'hunter2x' },
      note: text,
    };
    expect(numbered(redactDeep(redactor, input))).toEqual({
      safe,
      env: [{ name: 'API_KEY', value: '[REDACTED:key#1]' }],
      login: { password: '[REDACTED:password#2]' },
      note: 'api_key = [REDACTED:key#1]',
    });
    expect(redactDeep(redactor, safe)).toBe(safe);
    expect(input.login.password).toBe('hunter2x');
  });

  test('redacts maps, sets and errors with their stack', () => {
    const redactor = createSecretRedactor();
    const error = redactDeep(redactor, new TypeError(text));
    expect(error).toBeInstanceOf(TypeError);
    expect(`${error instanceof Error && error.message + error.stack}`).not.toContain(key);
    const [placeholder = ''] = redactor.text(key).split('\n');
    expect(placeholder).toMatch(/^\[REDACTED:key#/);
    expect(redactDeep(redactor, new Map([['token', key]]))).toEqual(new Map([['token', placeholder]]));
    expect(redactDeep(redactor, new Set([text]))).toEqual(new Set([`api_key = ${placeholder}`]));
  });

  test('redacts what holds text without having fields', () => {
    const redactor = createSecretRedactor();
    const clean = (value: unknown): unknown => redactDeep(redactor, value);
    const form = new FormData();
    form.append('api_key', key);
    const headers = new Headers({ authorization: `Bearer ${key}` });
    const named = Object.defineProperty(new Error('failed'), 'name', { value: text });
    for (const value of [new String(text), new URLSearchParams({ api_key: key }), headers, form, named]) {
      const shown = inspect(clean({ value }), { showHidden: true });
      expect(shown).toContain('[REDACTED:'.replace('[', shown.includes('%5B') ? '%5B' : '['));
      expect(shown).not.toContain(key);
    }
    for (const value of [
      new String('a'),
      new URLSearchParams('a=b'),
      new Headers({ a: 'b' }),
      new FormData(),
    ])
      expect(clean(value)).toBe(value);
  });

  test('redacts names of fields', () => {
    const redactor = createSecretRedactor();
    const cleaned = redactDeep(redactor, { [text]: { [text]: 1 } });
    expect(JSON.stringify(cleaned)).not.toContain(key);
  });

  test('redacts the result of toJSON, and keeps an object whose result has no secret', () => {
    const redactor = createSecretRedactor();
    const clean = (value: unknown): unknown => redactDeep(redactor, value);
    const password = 'hunter2-hunter2';
    class Login {
      readonly user = 'ann';
      readonly #key: string;
      constructor(key: string) {
        this.#key = key;
      }
      toJSON(): object {
        return { user: this.user, key: this.#key };
      }
    }
    const output = {
      at: new Date(0),
      link: new URL(`https://ann:${password}@host/x`),
      login: new Login(key),
      none: new Login(''),
    };
    const cleaned = clean(output);
    expect(JSON.stringify(cleaned)).not.toMatch(new RegExp(`${password}|${key}`));
    expect(cleaned).toMatchObject({ at: output.at, none: output.none, login: { user: 'ann' } });
    expect(clean(output.at)).toBe(output.at);
  });

  test('uses names in JSON within JSON within JSON', () => {
    const password = 'hunter2-hunter2';
    let json = JSON.stringify({ user: 'ann', password });
    for (let level = 0; level < 3; level++) {
      const cleaned = createSecretRedactor().text(json);
      expect(cleaned, cleaned).not.toContain(password);
      expect(() => JSON.parse(cleaned)).not.toThrow();
      json = JSON.stringify({ text: json });
    }
  });

  test('keeps a cycle without secrets, and cuts one with a secret', () => {
    const redactor = createSecretRedactor();
    const loop: { self?: object; note?: string } = {};
    loop.self = loop;
    expect(redactDeep(redactor, loop)).toBe(loop);
    loop.note = text;
    expect(numbered(redactDeep(redactor, loop))).toEqual({
      self: '[circular]',
      note: 'api_key = [REDACTED:key#1]',
    });
  });

  test('withholds what it cannot read', () => {
    const trap = {
      get token(): string {
        throw new Error('no');
      },
    };
    expect(mapTexts(trap, (item) => item)).toBe('[withheld: could not be read]');
    let deep: object = { note: text };
    for (let i = 0; i < 5000; i++) deep = { deep };
    expect(JSON.stringify(redactDeep(createSecretRedactor(), deep))).not.toContain(key);
  });
});

describe('a stream', () => {
  const samples = loadSamples('secrets.held-out').map(({ text }) => text);
  const filler = 'The quick brown fox jumps over the lazy dog, again and again.\n';

  async function through(chunks: readonly string[]): Promise<string> {
    const stream = secretStream(createSecretRedactor());
    const readable = new ReadableStream<string>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });
    let output = '';
    for await (const chunk of readable.pipeThrough(stream)) output += chunk;
    return output;
  }

  test('redacts the same, however the text is split', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...samples), fc.nat(90)), { minLength: 1, maxLength: 20 }),
        fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 60 }),
        async (parts, sizes) => {
          const text = parts.map(([sample, lines]) => `${sample}\n${filler.repeat(lines)}`).join('');
          const chunks: string[] = [];
          for (let at = 0, i = 0; at < text.length; i++) {
            const size = sizes[i % sizes.length] ?? 1;
            chunks.push(text.slice(at, at + size));
            at += size;
          }
          expect(numbered(await through(chunks))).toBe(numbered(createSecretRedactor().text(text)));
        },
      ),
      { numRuns: drawn(15) },
    );
  });

  const rows = (separator: string) =>
    Array.from({ length: 300 }, (_, nth) => ['ada', `Hunter${nth}-${nth * 7919}`, 'Zurich'].join(separator));
  const items = Array.from({ length: 40 }, (_, nth) => [
    `item${nth}`,
    `cm9vdDpIdW50ZXIx${nth * 7919}`.repeat(4),
  ]);
  const manifest = { kind: 'Secret', data: Object.fromEntries(items) };

  test.each<[string, string, RegExp]>([
    ['a table with commas', ['user,password,city', ...rows(',')].join('\n'), /Hunter\d/],
    ['a table with bars', ['user | password | city', '---+---+---', ...rows(' | ')].join('\n'), /Hunter\d/],
    ['a manifest', JSON.stringify(manifest, undefined, 2), /cm9vdDpIdW50ZXIx/],
    ['a truncated manifest', JSON.stringify(manifest).slice(0, -300), /cm9vdDpIdW50ZXIx/],
    [
      'a secret with and without its name',
      `password=Hunter7-7919\n${filler}Hunter7-7919\n${filler}`,
      /Hunter7/,
    ],
    [
      'a secret without its name up to 2,000 characters before its name',
      `Hunter7-7919\n${filler.repeat(30)}password=Hunter7-7919\n${filler}`,
      /Hunter7/,
    ],
  ])('redacts %s that is longer than what it holds back', async (_, text, secret) => {
    const whole = `${filler.repeat(20)}\n${text}\n${filler.repeat(100)}`;
    for (const size of [100, 1_777, whole.length]) {
      const chunks = whole.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      expect(await through(chunks)).not.toMatch(secret);
    }
  });

  test('releases text before the end of the stream', async () => {
    const stream = secretStream(createSecretRedactor());
    const writer = stream.writable.getWriter();
    void writer.write(filler.repeat(200));
    const { value } = await stream.readable.getReader().read();
    expect(value?.length).toBeGreaterThan(5000);
  });
});

describe('findSecrets', () => {
  test('never throws, and returns ordered spans that do not overlap', { timeout: 60_000 }, () => {
    const word = fc.constantFrom(
      ...[
        'key',
        'token=',
        '"',
        ': ',
        'eyJ',
        '-----BEGIN ',
        'PRIVATE KEY-----',
        '://',
        '@',
        'sk-',
        '\\n',
        ' ',
      ],
    );
    const text = fc.array(fc.oneof(word, fc.string({ unit: 'binary', maxLength: 40 }), fc.base64String()));
    fc.assert(
      fc.property(text, (parts) => {
        const input = parts.join('');
        let at = 0;
        for (const { start, end } of findSecrets(input)) {
          expect(start).toBeGreaterThanOrEqual(at);
          expect(end).toBeGreaterThan(start);
          at = end;
        }
        expect(at).toBeLessThanOrEqual(input.length);
      }),
      { numRuns: drawn(100) },
    );
  });
});

describe('findSecrets takes a limited number of steps per character', () => {
  test.each(slowUnits('secrets'))('%j', (unit) => {
    expect(stepsPerCharacter(unit, findSecrets)).toBeLessThan(600);
  });

  test('in random texts', () => {
    const unit = fc.array(
      fc.oneof(
        fc.constantFrom('key', 'eyJ', '-----BEGIN ', 'curl ', '://', 'Bearer ', 'kind: Secret\n', 'password'),
        fc.constantFrom('=', ': "', ' ', '\n', '-', '.', '_', '@', '||'),
        fc.string({ minLength: 1, maxLength: 12 }),
      ),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(unit, (parts) => {
        expect(stepsPerCharacter(parts.join(''), findSecrets)).toBeLessThan(600);
      }),
      { numRuns: drawn(8) },
    );
  });
});

test('a word of many names of secrets is a secret from the eighth name on', () => {
  expect(findSecrets('key='.repeat(4))).toEqual([]);
  const text = 'key='.repeat(200);
  expect(findSecrets(text)).toEqual([{ rule: 'key', start: 32, end: 800 }]);
});

describe('findSecrets ignores', () => {
  test.each([
    ['a version in a lock file', 'js-tokens: "npm:^4.0.0"'],
    ['a version of the workspace', '  "@acme/auth-token": "workspace:^1.20.3"'],
    ['a version of a Go module', 'github.com/acme/jwt v0.0.0-20191109021931-daa7c04131f5 h1:abc'],
    ['a checksum', 'api-token = "sha512-4dYqWzXz7xqZ0pVb3n8kAt6mRr2HhUu1cJjQpLsOaE9fG5yKvTwBiNeDoMxSgZlC=="'],
    ['prose in Chinese', '"password": "请输入至少6位的密码，不能包含空格和特殊字符abc"'],
    [
      'prose in Chinese behind an English word',
      'secret_key: Base64编码的密钥用于加密与解密数据，请妥善保管不要泄露',
    ],
    ['prose in Japanese', 'api_key = ここにAPIキーを入力してください。例えば管理画面で発行したもの'],
    ['a number', 'readonly STENCIL_BACK_PASS_DEPTH_PASS: 0x8803;'],
    ['an identifier', 'Password = resp.JSON201.Password'],
    ['an identifier of a nested field', 'password: cfg.Db2.adminPassword,'],
  ])('%s', (_, text) => {
    expect(findSecrets(text)).toEqual([]);
  });

  test('a password ends where Chinese prose begins', () => {
    const { text, secrets } = fill('password={{<pass:16>}}，请不要泄露', 'secret', randomFrom(1));
    expect(findSecrets(text).map(({ start, end }) => text.slice(start, end))).toEqual(secrets);
  });

  test('a password of letters, digits and a dot is a secret', () => {
    expect(findSecrets('PASSWORD=hunter22.Winter77')).toHaveLength(1);
  });
});

describe("a sample of a vendor's documentation", () => {
  // In two parts, so that scanners of this repository stay quiet.
  const id = ['AKIAIOSFODNN7', 'EXAMPLE'].join('');
  const key = ['wJalrXUtnFEMI/K7MDENG/', 'bPxRfiCYEXAMPLEKEY'].join('');
  const text = `aws_access_key_id=${id}\naws_secret_access_key = ${key}`;

  test('is redacted, because it has the form of a secret', () => {
    expect(numbered(createSecretRedactor().text(text))).toBe(
      'aws_access_key_id=[REDACTED:aws-access-key-id#1]\naws_secret_access_key = [REDACTED:key#2]',
    );
  });

  test('is ignored with ignoreSamples, unlike a real secret', () => {
    const redactor = createSecretRedactor({ ignoreSamples: true });
    expect(redactor.text(text)).toBe(text);
    const { text: real } = fill('aws_access_key_id=AKIA<b32:16>', 'benign', randomFrom(3));
    expect(redactor.text(real)).not.toBe(real);
  });

  test('is ignored by the provider with ignoreSamples', async () => {
    const read = async (options: { ignoreSamples: boolean }): Promise<unknown> => {
      const hooks = createHooks();
      hooks.use(redactSecrets(options));
      const call = { session: hooks.session('s'), toolName: 'read', input: {} };
      return (await callTool(hooks, call, () => text)).output;
    };
    expect(await read({ ignoreSamples: true })).toBe(text);
    expect(await read({ ignoreSamples: false })).not.toContain(id);
  });

  test('is not a secret if the rest of it is not random', () => {
    expect(findSecrets('API_KEY=your-example-api-key')).toEqual([]);
    expect(findSecrets('token: example-token-1')).toEqual([]);
  });
});

describe('a secret in what looks like a placeholder', () => {
  const { text: token } = fill('ghp_<alnum:36>', 'secret', randomFrom(5));
  const { placeholder } = createSecretRedactor();

  test.each([
    `[REDACTED:${token}#1]`,
    `[REDACTED:${token}#0123abcd]`,
    `[REDACTED:${token}#0123456789abcdef]`,
    `[REDACTED:[REDACTED:${token}#0123abcd]#0123abcd]`,
    `{"password":"[REDACTED:${token}#0123abcd]"}`,
    `{"password":"${token}${placeholder('x', 'password')}"}`,
    `{"password":"${placeholder('x', 'password')}hunter2-hunter2"}`,
    '{"password":"[REDACTED:hunter2-hunter2#0123abcd]"}',
    '{"password":"hunter2-hunter2[SECRET#0123456789abcdef]"}',
    '{"password":"[MASKED]hunter2-hunter2"}',
    'password: [REDACTED:hunter2-hunter2#0123abcd]',
    'password: [SECRET#0123456789abcdef]hunter2-hunter2',
    'password: hunter2[SECRET#0123456789abcdef]',
    'password=hunter2-hunter2[REDACTED]',
    'password=[email:0123456789abcdef]hunter2-hunter2, and more',
    `password: ${placeholder('x', 'password')}hunter2`,
    `DB_PASSWORD=hunter2-hunter2${placeholder('x', 'password')}`,
    `password: ${placeholder('x', 'password')}hunter2-hunter2${placeholder('y', 'token')}`,
    // What is in such a placeholder is a sample, and excuses nothing beside it.
    ...['masked', 'hidden#0123abcd', 'example', 'deadbeef', '***', 'your-key'].flatMap((sample) => [
      `password: [REDACTED:${sample}]hunter2-hunter2`,
      `{"password":"hunter2-hunter2[REDACTED:${sample}]"}`,
      `postgres://app:[REDACTED:${sample}]hunter2-hunter2@db/app`,
    ]),
    'password: [REDACTED:<x>]hunter2-hunter2',
    `password: [REDACTED:a]${token.slice(4)}[REDACTED:a]`,
    `auth_token "[REDACTED:hidden],${token.slice(4)},[REDACTED:hidden]"`,
  ])('is redacted (form %#)', (text) => {
    const redacted = createSecretRedactor().text(text);
    expect(redacted).not.toContain(token.slice(4));
    expect(redacted).not.toContain('hunter2');
  });

  test.each(['password', 'github-token', 'email', 'seen'])('is none where the rule %s made it', (rule) => {
    const own = `{"password":"${placeholder('a secret', rule)}"}`;
    expect(createSecretRedactor().text(own)).toBe(own);
  });

  test.each([
    `password: ${placeholder('x', 'password')}`,
    `password: ${placeholder('x', 'password')}${placeholder('y', 'token')}.`,
    'password: [REDACTED]',
    'password: [SECRET#0123456789abcdef], user: [MASKED]',
    'password = credentials2[PASSWORD]',
    'token = line2[start:end]',
    'password = form2[REDACTED_FIELD]',
    'const password = parts[0];',
  ])('is not seen in %s', (text) => {
    expect(findSecrets(text)).toEqual([]);
  });
});

describe('a secret beside a template or a mask', () => {
  const random = randomFrom(11);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const EXCUSES = [
    '***',
    '******',
    '•••',
    '…',
    '...',
    '####',
    'xxxxxxxx',
    'XXXXXXXX',
    '________',
    `\${VAR}`,
    `\${env.DB_PASS}`,
    `\${{ secrets.X }}`,
    '{{token}}',
    '{name}',
    '<your key>',
    '<token>',
    '%TOKEN%',
    '%(name)s',
    '#{x}',
    '$(cat)',
  ];
  const SECRETS = [
    () => fill('<alnum:24>', 'secret', random).text,
    () => fill('<alnum:40>', 'secret', random).text,
    () => 'hunter2-Hunter2',
    () => 'correct7Horse!',
  ];
  const PLACES = [
    (value: string) => JSON.stringify({ password: value }),
    (value: string) => `DB_PASSWORD="${value}"`,
    (value: string) => `config.password = '${value}';`,
    (value: string) => `  api_token: "${value}"`,
    (value: string) => `<add key="client_secret" value="${value}" />`,
  ];

  test('is redacted, whatever stands where', () => {
    const leaked: string[] = [];
    for (let nth = 0; nth < 400; nth++) {
      const secret = pick(SECRETS)();
      const place = pick(secret.length > 20 ? PLACES : PLACES.slice(0, 3));
      const excuses = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(EXCUSES));
      const at = Math.floor(random() * (excuses.length + 1));
      const text = place([...excuses.slice(0, at), secret, ...excuses.slice(at)].join(''));
      if (createSecretRedactor().text(text).includes(secret)) leaked.push(text);
    }
    expect(leaked).toEqual([]);
  });

  test('is redacted in an unquoted value', () => {
    for (const excuse of EXCUSES.filter((one) => !/[ ()]/.test(one)))
      for (const secret of SECRETS.map((make) => make()))
        for (const value of [excuse + secret, secret + excuse])
          expect(createSecretRedactor().text(`DB_PASSWORD=${value}`)).not.toContain(secret);
  });

  test.each(['sk-', 'ghp_', 'xoxb-'])(
    'is redacted in a token of a known form that begins with %s',
    (start) => {
      const body = fill(
        start === 'xoxb-' ? '<digits:12>-<digits:12>-<alnum:24>' : '<alnum:48>',
        'secret',
        random,
      ).text;
      const token = start === 'ghp_' ? `${start}${body.slice(0, 36)}` : `${start}${body}`;
      // Letters behind a token would make another token of it.
      for (const excuse of EXCUSES)
        for (const text of [
          excuse + token,
          ...(/^[xX_]/.test(excuse) ? [] : [`${excuse}${token}${excuse}.`]),
        ])
          expect(createSecretRedactor().text(text)).not.toContain(token.slice(8, 30));
    },
  );

  test('a value of nothing else is no secret, and neither is one with ordinary words', () => {
    for (let nth = 0; nth < 400; nth++) {
      const parts = Array.from({ length: 1 + Math.floor(random() * 4) }, () =>
        pick([...EXCUSES, ...EXCUSES, '-', '_', '/', 'prod', 'app-db', 'users', '.internal', ':']),
      );
      const text = pick(PLACES)(parts.join(''));
      expect(findSecrets(text), text).toEqual([]);
    }
  });
});
