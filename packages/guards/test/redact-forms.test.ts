import { describe, expect, test } from 'vitest';
import { createSecretRedactor, findSecrets } from '../src/index.ts';
import { fill, randomFrom } from './secret-samples.ts';

const RED = '\u001b[01;31m\u001b[K';
const END = '\u001b[m\u001b[K';

/** Bytes as a program prints them. */
const dump = {
  xxd: (bytes: Buffer) => rows(bytes, (row, at) => `${hex(at, 8)}: ${pairs(row)}  ${shown(row)}`),
  'hexdump -C': (bytes: Buffer) =>
    rows(bytes, (row, at) => `${hex(at, 8)}  ${each(row).join(' ')}  |${shown(row)}|`),
  hexdump: (bytes: Buffer) =>
    rows(bytes, (row, at) => `${hex(at, 7)} ${(pairs(row).match(/\w+/g) ?? []).map(swap).join(' ')}`),
  'od -A x -t x1z': (bytes: Buffer) =>
    rows(bytes, (row, at) => `${hex(at, 6)} ${each(row).join(' ')}  >${shown(row)}<`),
};

function rows(bytes: Buffer, show: (row: Buffer, at: number) => string): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 16) lines.push(show(bytes.subarray(at, at + 16), at));
  return lines.join('\n');
}

const hex = (value: number, width: number): string => value.toString(16).padStart(width, '0');
const each = (row: Buffer): string[] => [...row].map((byte) => hex(byte, 2));
const pairs = (row: Buffer): string => row.toString('hex').replace(/(.{4})(?=.)/g, '$1 ');
const shown = (row: Buffer): string => row.toString('latin1').replace(/[^ -~]/g, '.');
const swap = (pair: string): string => pair.slice(2) + pair.slice(0, 2);

const secret = fill('<alnum:24>', 'benign', randomFrom(3)).text;
const chosen = 'Hunter2-hunter2!';

/** Texts as tools print them, and what must not be left of them. */
const forms: Readonly<Record<string, string>> = {
  'the name is colored': `${RED}api_key${END}=${secret}`,
  'the value is colored': `api_key=${RED}${secret}${END}`,
  'a part of the value is colored': `api_key=${secret.slice(0, 8)}${RED}${secret.slice(8, 12)}${END}${secret.slice(12)}`,
  'a link of the terminal': `\u001b]8;;file:///a\u0007api_key\u001b]8;;\u0007 = ${secret}`,
  'zero-width characters': `api\u200b_key=${secret.slice(0, 5)}\u200d${secret.slice(5)}`,
  'a column of CSV': `id,name,api_key,role\n1,ann,${secret},admin`,
  'a quoted column of CSV': `"name","password"\n"ann, the first","${chosen}"`,
  'a column with tabs': `user\ttoken\nann\t${secret}`,
  'a column of psql': ` id | api_key \n----+---------\n  1 | ${secret}\n(1 row)`,
  'a column of MySQL': `+----+-----------+\n| id | password  |\n+----+-----------+\n|  1 | ${chosen} |\n+----+-----------+`,
  'a column of Markdown': `| user | password |\n|---|---|\n| ann | ${chosen} |`,
  'a block scalar of YAML': `password: |\n  ${chosen}\nother: 1`,
  'a folded scalar of YAML': `  api_key: >-\n    ${secret}\n`,
  'a column of a table with lines': `│ user │ password │\n├──────┼──────────┤\n│ ann  │ ${chosen} │`,
  'the address of a link of the terminal': `\u001b]8;;https://a.test/?api_key=${secret}\u001b\\here\u001b]8;;\u001b\\`,
  'a title of the terminal': `\u001b]0;api_key=${secret}\u0007`,
  'colors in one byte': `\u009b31mapi_key\u009b0m=${secret}`,
  'what tput writes': `\u001b(B\u001b[mapi_key\u001b(B\u001b[m=${secret}`,
  'bold of a manual': `a\ba\bp\bpi_key=${[...secret].map((sign) => `${sign}\b${sign}`).join('')}`,
  'kubectl get secret -o yaml': `apiVersion: v1\ndata:\n  config: ${secret}\n  tls: ${secret}\nkind: Secret\nmetadata:\n  name: a\n`,
  'kubectl get secrets -o yaml': `apiVersion: v1\nitems:\n- apiVersion: v1\n  data:\n    config: ${secret}\n  kind: Secret\nkind: List\n`,
  'kubectl get secret -o json': JSON.stringify({ data: { config: secret }, kind: 'Secret' }, undefined, 2),
  'a manifest in JSON': JSON.stringify({ kind: 'Secret', metadata: { name: 'a' }, data: { config: secret } }),
  'a .pgpass': `db.test:5432:app:app:${chosen}\n`,
  'the default of a .netrc': `default\n  login ann\n  password ${chosen}\n`,
  'Chinese, with a wide colon': `密码 password：${chosen}`,
  'Japanese, with a wide sign and brackets': `api_key＝「${secret}」`,
  'entities of HTML': `<code>password&#61;${chosen}</code> <code>api_key&#x3d;${secret}</code>`,
  'a form that is written twice in a URL': `next=%2Flogin%3Fapi_key%3D${secret}`,
  'escapes of a program': `config = 'api_key\\x3d${secret}'`,
  'JSON with an escaped sign': JSON.stringify({ password: `${chosen}&1` }).replace('&', '\\u0026'),
};

/** A manifest with this secret as the last of many. */
const many = Array.from(
  { length: 300 },
  (_, nth) => [`key${nth}`, nth < 299 ? `value-${nth}` : secret] as const,
);
const lines = many.map(([name, value]) => `  ${name}: ${value}\n`).join('');
const manifests = {
  'kind: Secret first': `kind: Secret\nmetadata:\n  name: a\ndata:\n${lines}`,
  'kind: Secret last': `apiVersion: v1\ndata:\n${lines}kind: Secret\n`,
  'the manifest in JSON': JSON.stringify({ kind: 'Secret', data: Object.fromEntries(many) }),
  'the manifest in JSON, sorted': JSON.stringify(
    { data: Object.fromEntries(many), kind: 'Secret' },
    undefined,
    2,
  ),
  'one value on many lines': `kind: Secret\nstringData:\n  file: |\n${lines.replaceAll('  key', '    key')}`,
};

test.each(Object.entries(manifests))('a manifest of 300 keys is redacted to the last: %s', (_, text) => {
  const redacted = createSecretRedactor().text(text);
  expect(redacted).not.toContain(secret);
  expect(redacted).not.toContain('value-298');
});

describe('a secret is found', () => {
  test.each(Object.entries(forms))('in %s', (_, text) => {
    const redacted = createSecretRedactor().text(text);
    expect(redacted).toContain('[REDACTED:');
    // Neither it nor a part of it that is colored by itself.
    for (const part of [secret, chosen, secret.slice(0, 8), secret.slice(12)])
      expect(redacted).not.toContain(part);
  });

  test.each(Object.entries(forms))('in %s, in a string of JSON', (_, text) => {
    for (let depth = 1, json = text; depth <= 2; depth++) {
      json = JSON.stringify({ id: 1, stdout: json, stderr: '', 'a\nb': '\t' });
      const redacted = createSecretRedactor().text(json);
      expect(redacted).toContain('[REDACTED:');
      for (const part of [secret, chosen, secret.slice(0, 8), secret.slice(12)])
        expect(redacted).not.toContain(part);
      expect(JSON.parse(redacted)).toMatchObject({ id: 1, stderr: '', 'a\nb': '\t' });
    }
  });

  test.each(Object.entries(dump))('in a dump by %s', (_, show) => {
    const bytes = Buffer.from(`REGION=eu\nAPI_KEY=${secret}\nMODE=test and more of the same, to the end\n`);
    const redacted = createSecretRedactor().text(`$ dump .env\n${show(bytes)}\n`);
    const left = redacted.replaceAll(/\[REDACTED:[^\]]*\]/g, '');
    const digits = left.replaceAll(/\s/g, '');
    for (let at = 0; at + 6 <= secret.length; at++) {
      const part = Buffer.from(secret.slice(at, at + 6));
      expect(left).not.toContain(part.toString());
      expect(digits).not.toContain(part.toString('hex'));
      expect(digits).not.toContain((part.toString('hex').match(/..../g) ?? []).map(swap).join(''));
    }
    expect(left).toContain('$ dump .env');
  });
});

describe('nothing is found', () => {
  test.each([
    [
      'the name of an algorithm',
      'need("SLACK_ENCRYPTION_KEY", "AES-256-GCM key for encrypting stored tokens")',
    ],
    ['the name of a signature', 'secret: "HMAC-SHA256 signing secret"'],
    ['names of several', 'const TOKEN_ALG = "ECDSA-P256-SHA256"; key_wrap: "RSA-OAEP-256"'],
    ['the name of a derivation', 'password_hash: "PBKDF2-HMAC-SHA512"'],
    ['the names of a path', 'ENDPOINTS["delete_token"] = "/-/npm/v1/tokens/token/", key = "/auth/api2/v1"'],
    [
      'versions of a lock file',
      '"generate-password": "npm:^1.7.1"\n"password": "workspace:*"\nkey: react@18.2.0(react-dom@18.2.0)',
    ],
    [
      'a range of characters',
      'jwt: /^[A-Za-z0-9-_]+\\.[A-Za-z0-9-_]+$/, SAFE_TOKEN = /^[a-zA-Z0-9._~+/-]+=*$/u',
    ],
    ['a quoted name in a text that is escaped', '"the token into Auth (\\u201Csigv4\\u201D) for use"'],
  ])('in %s', (_, text) => {
    expect(findSecrets(text)).toEqual([]);
  });

  test('behind a token in a link of Markdown: the link stays', () => {
    const token = 'lWZ9OBQ7GMx2';
    const link = `[![codecov](https://img.example/badge.svg?token=${token})](https://codecov.example/gh/a)`;
    expect(createSecretRedactor().text(link)).toMatch(/token=\[REDACTED:token#\w+\]\)\]\(https:\/\/codecov/);
  });

  test('of an escape in front of a secret: JSON stays JSON', () => {
    const text = '{"a":"password = \\u201CKx9v2LqPz71MwQ\\u201D"}';
    expect(JSON.parse(createSecretRedactor().text(text))).toEqual({
      a: expect.stringMatching(/^password = “?\[REDACTED:password#\w+\]”?$/),
    });
  });

  test.each([
    'XXX_key string `protobuf_key:"bytes,1,opt,name=key,proto3"`',
    'key: X = "react@18.2.0(react-dom@18.2.0)"',
    'apiKey: "@acme/lodash@4.17.21"',
    'token,count\nthe,2042\nsecret,17',
    'key,value\nname,ann-the-first\nplace,berlin-mitte',
    'function login(user, password)\n  return check(user, hash)',
    '| key | default |\n|---|---|\n| timeout | 30000 |',
    `${RED}key${END} figures of the report`,
    'description: |\n  the password of the account\nkey: |\n  ordinary words stand here',
    '00000000: 4865 6c6c 6f2c 2077 6f72 6c64 210a       Hello, world!.',
  ])('in %j', (text) => {
    expect(findSecrets(text)).toEqual([]);
  });
});

test.each([
  'PASSWORD=aes256forever',
  'TOKEN="github:Kx9v2LqPz71MwQ"',
  'api_key=Kx9v-2LqPz/71MwQ.8rTn',
  'api_key="kfjqhwzx-qwlkjzxv"',
])('a secret that begins like a name is found: %j', (text) => {
  expect(findSecrets(text)).toHaveLength(1);
});

test.each([
  '    serialization.PrivateKey,\n    ed25519.Ed25519PrivateKey,\n    x25519.X25519PrivateKey,\n',
  'apiVersion: v1\ndata:\n  config: b64A7xQ9zR2mK5\nkind: ConfigMap\nmetadata: {}\n---\nkind: Secret\n',
  'a regular expression \\n\\u00e9 "C:\\new\\users" and \\"quotes\\"',
])('an ordinary text is left alone: %j', (text) => {
  expect(findSecrets(text)).toEqual([]);
});
